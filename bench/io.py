#!/usr/bin/env python3
"""Times reading and scaling of a data file against another LIBSVM.

  bench/io.py FILE... [--build build] [--peer FOLDER] [--rounds 5]

FILE is a data file, plain or compressed as .xz.  FOLDER holds the other svm-train and svm-scale;
without it they come from the PATH (Debian: package libsvm-tools).  Runs alternate; figures are
medians.

reading   svm-train -c 0 FILE: the programs reject this C, but only once the file is in memory
scaling   svm-scale FILE to /dev/null; outputs are compared first

Standard library only.
"""
import argparse, lzma, pathlib, shutil, statistics, subprocess, sys, tempfile, time

from common import children_cpu


def measure(command, status):
    """Seconds of one run: user and system together, and elapsed."""
    before = children_cpu()
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall = time.perf_counter() - start
    used = children_cpu() - before
    if done.returncode != status:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr.decode()}")
    return used, wall


def same_output(commands):
    """Whether the two commands write the same output."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("peer", "ours")]
        for path, command in zip(paths, commands):
            with path.open("wb") as out:
                subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
        return subprocess.run(["cmp", "-s", *paths]).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--peer", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()

    def programs(name):
        peer = args.peer / name if args.peer else shutil.which(name)
        if not peer or not pathlib.Path(peer).exists():
            sys.exit(f"{name} of another LIBSVM not found; give --peer")
        return str(peer), str(args.build / name)

    print(f"{'file':24} {'what':8} {'peer cpu':>9} {'cpu':>7} {'ratio':>6}   "
          f"{'peer wall':>9} {'wall':>7} {'ratio':>6}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for path in args.files:
            data, name = path, path.name
            if path.suffix == ".xz":
                data, name = pathlib.Path(folder, path.stem), path.stem
                with lzma.open(path) as packed, data.open("wb") as plain:
                    shutil.copyfileobj(packed, plain)
            model = str(pathlib.Path(folder, "no-model"))
            for what, program, options, status in (("reading", "svm-train", ["-c", "0"], 1),
                                                   ("scaling", "svm-scale", [], 0)):
                tail = [str(data)] + ([model] if what == "reading" else [])
                commands = [[p, *options, *tail] for p in programs(program)]
                if what == "scaling" and not same_output(commands):
                    print(f"{name}: outputs differ", file=sys.stderr)
                    failed = True
                times = [[], []]
                for _ in range(args.rounds):
                    for side, command in enumerate(commands):
                        times[side].append(measure(command, status))
                (pc, pw), (oc, ow) = (tuple(statistics.median(t) for t in zip(*s)) for s in times)
                print(f"{name:24} {what:8} {pc:9.3f} {oc:7.3f} {pc / oc:6.1f}   "
                      f"{pw:9.3f} {ow:7.3f} {pw / ow:6.1f}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
