#!/usr/bin/env python3
"""Measures how long training goes without polling the clock, the progress function and Ctrl-C.

  bench/polls.py --data FOLDER --parts build/parts --bin build [--runs NAME,...] [--threads 2]
                 [--rounds 1]

FOLDER holds ijcnn1 and covtype.libsvm.binary as published; --parts has poll_gaps (target poll_gaps of
the build).  For every run: seconds of the call, the longest time between two polls (the start and the
end of the call count as polls), and the overrun of the time limit; medians of the rounds.  Runs of
svm-grid receive a SIGINT instead, and the time until they end is measured.  Figures depend on the
load of the machine: a thread that waits for a processor does not poll.  Standard library only.
"""
import argparse, pathlib, signal, statistics, subprocess, tempfile, time

IJCNN, COVTYPE = "ijcnn1", "covtype.libsvm.binary"
# name: data, options
TRAIN = {
    "ijcnn1": (IJCNN, "-c 10 -g 1"),
    "ijcnn1-csmo": (IJCNN, "-a csmo -c 1000 -g 1"),
    "ijcnn1-cv": (IJCNN, "-c 1 -g 1 -v 3"),
    "ijcnn1-prob": (IJCNN, "-c 1 -g 1 -b 1"),
    "ijcnn1-oneclass": (IJCNN, "-s 2 -n 0.1 -g 1 -b 1"),
    "covtype-0.1": (COVTYPE, "-c 1 -g 1 --time-limit 0.1"),
    "covtype-0.5": (COVTYPE, "-c 1 -g 1 --time-limit 0.5"),
    "covtype-2": (COVTYPE, "-c 1 -g 1 --time-limit 2"),
    "covtype-60": (COVTYPE, "-c 1 -g 1 --time-limit 60"),
    "covtype-csmo-20": (COVTYPE, "-a csmo -c 1 -g 1 --time-limit 20"),
    "covtype-linear-20": (COVTYPE, "-a csmo -t 0 -c 0.000001 --time-limit 20"),
    "covtype-mdm-10": (COVTYPE, "-a mdm -c 1 -g 1 --time-limit 10"),
    "covtype-amdm-10": (COVTYPE, "-a amdm -c 1 -g 1 --time-limit 10"),
    "covtype-platt-10": (COVTYPE, "-a platt -c 1 -g 1 --time-limit 10"),
    "covtype-pcg-10": (COVTYPE, "-a pcg -c 1 -g 1 --time-limit 10"),
    "covtype-dcd-5": (COVTYPE, "-a dcd -t 0 -c 1 --time-limit 5"),
    "covtype-snacks-10": (COVTYPE, "-a snacks -c 1 -g 1 --time-limit 10"),
    "covtype-nusvc-5": (COVTYPE, "-s 1 -n 0.5 -g 1 --time-limit 5"),
    "covtype-cv-2": (COVTYPE, "-c 1 -g 1 -v 5 --time-limit 2"),
    "covtype-prob-5": (COVTYPE, "-c 1 -g 1 -b 1 --time-limit 5"),
}
# name: data, options, seconds until the signal
GRID = {
    "grid-ijcnn1-3": (IJCNN, "-log2c 0,4,2 -log2g 0,0,1 -v 3", 3),
    "grid-covtype-12": (COVTYPE, "-log2c 0,4,2 -log2g 0,0,1 -v 3", 12),
}


def train(a, data, options):
    command = [str(a.parts / "poll_gaps"), "--threads", str(a.threads), *options.split(), str(a.data / data)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    seconds, late = lines[0].split(",")[:2]
    return float(seconds), float(lines[1].split(",")[0]), None if late == "-" else float(late)


def grid(a, data, options, wait):
    """The time between the signal and the end."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str((a.bin / "svm-grid").resolve()), "--threads", str(a.threads), *options.split(),
                   str((a.data / data).resolve())]
        program = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(wait)
        if program.poll() is not None:
            return None
        program.send_signal(signal.SIGINT)
        start = time.monotonic()
        program.wait()
        return time.monotonic() - start


def show(name, options, cells):
    print(f"| {name} | `{options}` | " + " | ".join("-" if c is None else f"{c:.3f}" for c in cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--parts", type=pathlib.Path, default=pathlib.Path("build/parts"))
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--runs", default=",".join([*TRAIN, *GRID]))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    a = parser.parse_args()
    print("| run | options | seconds | longest gap | beyond the limit, or after SIGINT |")
    print("| --- | --- | ---: | ---: | ---: |")
    for name in a.runs.split(","):
        if name in TRAIN:
            data, options = TRAIN[name]
            rounds = [train(a, data, options) for _ in range(a.rounds)]
            show(name, options, [statistics.median(r[k] for r in rounds) if rounds[0][k] is not None else None
                                 for k in range(3)])
        else:
            data, options, wait = GRID[name]
            rounds = [grid(a, data, options, wait) for _ in range(a.rounds)]
            ended = None in rounds
            show(name, options, [float(wait), None, None if ended else statistics.median(rounds)])


if __name__ == "__main__":
    main()
