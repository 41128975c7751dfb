#!/usr/bin/env python3
"""Times the programs against a peer's: training, cross validation, prediction, reading, scaling.

  bench/speed.py --data FOLDER --peer FOLDER [--bin build] [--rows a9a-1,ijcnn1] [--rounds 3]
                 [--threads 1,2] [--set avx2] [--same] [--out results.csv] [--list]

The data folder holds the data sets as NAME.xz or NAME; the peer's folder has svm-train, svm-predict
and svm-scale of any LIBSVM.  Programs take turns; the peer runs on one thread.  Reports medians and
the ratio peer / ours: of user + system time for one thread, of elapsed time for more.  --set forces
an instruction set, --same compares the models byte by byte (for a peer that is LIBSVM 3.37), --once
gives the peer one turn only.  Standard library only.
"""
import argparse, csv, math, os, pathlib, shutil, statistics, subprocess, sys, tempfile, time

from common import text_of

# Reads and writes every n-th row of a set; `label` maps the target, `scale` the features that are
# there to a range (if features are left out, it has to begin at 0).
SETS = {
    "a9a": {}, "w8a": {}, "cod-rna": {}, "ijcnn1": {}, "ijcnn1.t": {}, "letter.scale": {},
    "mnist3": {"file": "mnist", "every": 3, "label": lambda y: 1 if y % 2 == 0 else -1, "by": 255},
    "mnist6": {"file": "mnist", "every": 6, "by": 255}, "mnist.t": {"by": 255},
    "covtype14": {"file": "covtype.libsvm.binary", "every": 14, "scale": (0, 1)},
    "covtype": {"file": "covtype.libsvm.binary"},
    "covtype-scaled": {"file": "covtype.libsvm.binary", "scale": (0, 1)},
    "cod-rna-scaled": {"file": "cod-rna", "scale": (-1, 1)},
    "news20": {"label": lambda y: 1 if y == 1 else -1},
    "abalone_scale": {}, "cpusmall_scale": {},
    "cadata": {"scale": (0, 1), "label": lambda y: y / 1e5},
    "cadata-scaled": {"file": "cadata", "scale": (0, 1),
                      "label": lambda y: (y - 14999) / (500001 - 14999)},
}

TRAIN, CROSS, PREDICT, SCALE, READ = "train", "cross", "predict", "scale", "read"
# name: what, data, options
ROWS = {
    "a9a-1": (TRAIN, "a9a", "-c 1 -g 0.008130081"),
    "a9a-100": (TRAIN, "a9a", "-c 100 -g 0.008130081"),
    "w8a": (TRAIN, "w8a", "-c 1"),
    "mnist": (TRAIN, "mnist3", "-c 10 -g 0.02"),
    "covtype": (TRAIN, "covtype14", "-c 10"),
    "cod-rna": (TRAIN, "cod-rna", "-c 1 -g 1e-4"),
    "ijcnn1": (TRAIN, "ijcnn1", "-c 32 -g 2"),
    "news20": (TRAIN, "news20", "-t 0"),
    "letter": (TRAIN, "letter.scale", "-c 10 -g 1"),
    "abalone": (TRAIN, "abalone_scale", "-s 3 -c 10"),
    "cpusmall": (TRAIN, "cpusmall_scale", "-s 3 -c 10"),
    "cadata": (TRAIN, "cadata", "-s 3 -c 10"),
    "a9a-cv": (CROSS, "a9a", "-v 5 -g 0.008130081"),
    "predict-ijcnn1": (PREDICT, ("ijcnn1", "ijcnn1.t"), "-c 32 -g 2"),
    "predict-mnist": (PREDICT, ("mnist6", "mnist.t"), "-c 10 -g 0.02"),
    "read-covtype": (READ, "covtype", ""),
    "scale-covtype": (SCALE, "covtype", ""),
}


def prepare(folder, work, name):
    """The path of a data set in the form that the table asks for.

    Written by a separate process, because the memory of this one would count as its children's.
    """
    path = work / name
    if not path.exists():
        subprocess.run([sys.executable, __file__, "--data", folder, "--work", work, "--prepare",
                        name], check=True)
    return path


def write_set(folder, path, name):
    form = SETS[name]
    rows = text_of(folder, form.get("file", name)).splitlines()
    every = form.get("every", 1)
    rows = [line.split() for line in rows[every - 1::every]]
    if "label" in form:
        for words in rows:
            words[0] = f"{form['label'](float(words[0])):.10g}"
    if "by" in form or "scale" in form:
        cells = [[(int(i), float(v)) for i, v in (w.split(":") for w in r[1:])] for r in rows]
        if "by" in form:
            change = lambda i, v: v / form["by"]
        else:
            top, low, seen = {}, {}, {}
            for row in cells:
                for i, v in row:
                    top[i], low[i] = max(top.get(i, v), v), min(low.get(i, v), v)
                    seen[i] = seen.get(i, 0) + 1
            for i, count in seen.items():
                if count < len(cells):
                    top[i], low[i] = max(top[i], 0), min(low[i], 0)
            base, width = form["scale"][0], form["scale"][1] - form["scale"][0]
            change = lambda i, v: (base + width * (v - low[i]) / (top[i] - low[i])
                                   if top[i] > low[i] else 0)
        for words, row in zip(rows, cells):
            words[1:] = [f"{i}:{change(i, v):.7g}" for i, v in row if change(i, v) != 0]
    path.write_text("".join(" ".join(words) + "\n" for words in rows))


def shape(path):
    """Rows, feature values and the largest feature number, without keeping the file."""
    rows = values = features = 0
    with open(path) as lines:
        for line in lines:
            rows += 1
            values += line.count(":")
            if ":" in line:
                features = max(features, int(line.rsplit(":", 1)[0].rsplit(None, 1)[1]))
    return rows, values, features


def run(command, environment=None):
    """User + system seconds, elapsed seconds, peak megabytes."""
    refused = "0" in command and command[command.index("0") - 1] == "-c"
    start = time.monotonic()
    with open(os.devnull, "w") as null:
        child = subprocess.Popen([str(c) for c in command], stdout=null, stderr=null,
                                 env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if (status != 0) != refused:
        raise SystemExit(f"{' '.join(map(str, command))}: failed")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def command_of(row, programs, data, work, tag, ours):
    kind, _, options = ROWS[row]
    words = options.split()
    if kind in (TRAIN, CROSS):
        return [programs / "svm-train", "-q", "-m", "100", *words, data, work / f"model.{tag}"]
    if kind == PREDICT:
        return [programs / "svm-predict", data[1], data[0], work / f"out.{tag}"]
    if kind == READ:  # both read the whole file before they refuse this C
        return [programs / "svm-train", "-c", "0", data, work / f"model.{tag}"]
    return [programs / "svm-scale", "-l", "0", data]


def measure(a):
    results = []
    folder = pathlib.Path(a.work) if a.work else pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    environment = {"SVM_INSTRUCTION_SET": a.set} if a.set else {}
    try:
        for row in a.rows:
            kind, data, options = ROWS[row]
            if kind == PREDICT:
                test = prepare(a.data, folder, data[1])
                model = folder / f"{row}.model"
                if not model.exists():
                    run([a.bin / "svm-train", "-q", *options.split(),
                         prepare(a.data, folder, data[0]), model])
                path = (model, test)
            else:
                path = prepare(a.data, folder, data)
            times = {"peer": []}
            for turn in range(a.rounds):
                if turn == 0 or not a.once:
                    times["peer"].append(run(command_of(row, a.peer, path, folder, "peer", False)))
                for threads in a.threads:
                    ours = command_of(row, a.bin, path, folder, "ours", True)
                    use = {**environment, "SVM_NUM_THREADS": str(threads)}
                    times.setdefault(threads, []).append(run(ours, use))
            for threads in a.threads:
                which = 0 if threads == 1 else 1
                median = lambda key: statistics.median(t[which] for t in times[key])
                result = {"row": row, "threads": threads, "peer": round(median("peer"), 3),
                          "ours": round(median(threads), 3),
                          "ratio": round(median("peer") / median(threads), 2),
                          "megabytes": round(max(t[2] for t in times[threads]))}
                if a.same and kind in (TRAIN, PREDICT):
                    name = "model" if kind == TRAIN else "out"
                    result["same"] = (folder / f"{name}.peer").read_bytes() == \
                        (folder / f"{name}.ours").read_bytes()
                results.append(result)
                print("  ".join(f"{k} {v}" for k, v in result.items()), flush=True)
    finally:
        if not a.work:
            shutil.rmtree(folder)
    for threads in a.threads:
        ratios = [r["ratio"] for r in results if r["threads"] == threads]
        mean = math.exp(statistics.mean(map(math.log, ratios)))
        print(f"geometric mean, {threads} thread(s): {mean:.2f}")
    if a.out:
        with open(a.out, "w", newline="") as out:
            writer = csv.DictWriter(out, results[0].keys())
            writer.writeheader()
            writer.writerows(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--peer", type=pathlib.Path, default=pathlib.Path("/usr/bin"))
    parser.add_argument("--rows", type=lambda t: t.split(","), default=list(ROWS),
                        help="some rows of the table")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=lambda t: [int(n) for n in t.split(",")], default=[1])
    parser.add_argument("--set", help="plain, avx2, avx512 or neon")
    parser.add_argument("--same", action="store_true", help="compare models and predictions")
    parser.add_argument("--once", action="store_true", help="one turn for the peer")
    parser.add_argument("--work", help="keep prepared data here")
    parser.add_argument("--out")
    parser.add_argument("--list", action="store_true", help="list the rows")
    parser.add_argument("--prepare", help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.list:
        for name, row in ROWS.items():
            print(name, *row)
    elif a.data is None:
        parser.error("--data is needed")
    elif unknown := [row for row in a.rows if row not in ROWS]:
        parser.error(f"no row {unknown[0]}; --list names them")
    elif a.prepare:
        write_set(a.data, pathlib.Path(a.work) / a.prepare, a.prepare)
    else:
        measure(a)


if __name__ == "__main__":
    main()
