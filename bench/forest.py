#!/usr/bin/env python3
"""Compares forests of cells with the model of all rows, and with landmarks.

  bench/forest.py --data FOLDER [--bin build] [--sets covtype,ijcnn1,...] [--trees 1,3,5] [--rounds 3] [--threads 2]
                  [--landmarks 400,1600] [--whole]
  bench/forest.py --rows 100000,1000000,5000000 [--bin build] [--rounds 1] [--threads 2]

FOLDER holds the data sets as NAME.xz or NAME.  The ways of a set take turns; figures are medians over the rounds:
elapsed and processor seconds of svm-train (with reading and writing), elapsed seconds of svm-predict on the test
rows, and the error there: percent, or the mean squared error of a regression.  --whole trains covtype's 460,000 rows
as one model, too, which takes minutes.  --landmarks adds snacks with so many landmarks (classes only).
The second form trains forests on generated rows of 20 features, by make-data in the folder of --bin, and gives the
memory and the exponent by which the processor time grows with the rows.  Standard library only.
"""
import argparse, math, pathlib, random, re, statistics, subprocess, sys, tempfile

from common import measured, text_of

# C and gamma by svm-grid --search adaptive on the training rows (covtype and mnist: as others use them), cell, and
# other options.  The test rows are those of NAME.t, or a part of the rows, drawn with a fixed seed.
SETS = {"covtype": ("covtype.libsvm.binary", 0.20828, ["-c", "29.08", "-g", "34.3"], 2000),
        "ijcnn1": ("ijcnn1", None, ["-c", "16", "-g", "2"], 2000),
        "cod-rna": ("cod-rna", 0.2, ["-c", "16", "-g", "8"], 2000),
        "mnist": ("mnist", None, ["-c", "10", "-g", "0.03"], 2000),
        "SUSY": ("SUSY.10Kn", None, ["-c", "4", "-g", "0.03125"], 500),
        "cadata": ("cadata", 0.2, ["-s", "3", "-p", "0.1", "-c", "8", "-g", "16"], 1000)}


def rows_of(text):
    return [(words[0], {int(i): float(v) for i, v in (pair.split(":") for pair in words[1:])})
            for words in map(str.split, text.splitlines())]


def write(path, rows, scale):
    """Writes rows with scaled features; `scale` has offset and factor by feature."""
    with open(path, "w") as file:
        for label, row in rows:
            file.write(label + "".join(
                f" {i}:{value:.8g}" for i, (offset, factor) in scale.items()
                if (value := (row.get(i, 0.0) - offset) * factor) != 0) + "\n")


def prepare(a, name, work):
    """Paths of training and test rows."""
    source, part, options, _ = SETS[name]
    train, test = work / (name + ".train"), work / (name + ".test")
    rows = rows_of(text_of(a.data, source))
    if name == "mnist":
        scale = {i: (0, 1 / 255) for i in range(1, 781)}
    elif part is None:
        scale = {i: (0, 1) for i in sorted({i for _, row in rows for i in row})}
    else:
        columns = sorted({i for _, row in rows for i in row})
        ends = {i: (min(row.get(i, 0.0) for _, row in rows), max(row.get(i, 0.0) for _, row in rows)) for i in columns}
        scale = {i: (low, 1 / (high - low)) for i, (low, high) in ends.items() if high > low}
    if part is None:
        rest = rows_of(text_of(a.data, source + ".t"))
    else:
        if "-s" in options:  # a target with mean 0 and variance 1
            targets = [float(y) for y, _ in rows]
            mean, deviation = statistics.fmean(targets), statistics.pstdev(targets)
            rows = [(f"{(float(y) - mean) / deviation:.8g}", row) for y, row in rows]
        random.Random(1).shuffle(rows)
        cut = len(rows) - round(part * len(rows))
        rows, rest = rows[:cut], rows[cut:]
    write(train, rows, scale)
    write(test, rest, scale)
    return train, test


def error_of(output):
    squared = re.search(r"Mean squared error = (\S+)", output)
    return float(squared[1]) if squared else 100 - float(re.search(r"Accuracy = (\S+)%", output)[1])


def compare(a, name, work):
    options, cell = SETS[name][2:]
    train, test = prepare(a, name, work)
    threads = ["--threads", a.threads]
    ways = {} if name == "covtype" and not a.whole else {"all rows": ["-a", "csmo", *options]}
    for trees in a.trees.split(","):
        ways[f"{trees} x {cell}"] = ["-a", "csmo", "--cells", cell, "--trees", trees, *options]
    if "-s" not in options:
        for count in filter(None, a.landmarks.split(",")):
            ways[f"{count} landmarks"] = ["-a", "snacks", "--landmarks", count, "-m", 8000, *options]
    runs = {way: [] for way in ways}
    for _ in range(a.rounds):
        for way, chosen in ways.items():
            cpu, elapsed, _, _ = measured([a.bin / "svm-train", "-q", *threads, *chosen, train, work / "model"])
            predicted = measured([a.bin / "svm-predict", *threads, test, work / "model", work / "out"])
            runs[way].append((elapsed, cpu, predicted[1], error_of(predicted[3])))
    for way, measurements in runs.items():
        elapsed, cpu, predicting, error = map(statistics.median, zip(*measurements))
        print(f"| {name} | {way} | {elapsed:.2f} | {cpu:.2f} | {predicting:.2f} | {error:.4g} |", flush=True)


def grow(a, work):
    print("| rows | svm-train, s | processor, s | exponent | memory, MB | of it rows, MB | error, % |\n|" + " --- |" * 7)
    maker = next(path for path in (a.bin / "tests/make-data", a.bin / "make-data") if path.exists())
    subprocess.run([maker, work / "test", "100000", "20", "2"], check=True)
    last = None
    for rows in map(int, a.rows.split(",")):
        subprocess.run([maker, work / "train", str(rows), "20", "1"], check=True)
        runs = [measured([a.bin / "svm-train", "-q", "--threads", a.threads, "-a", "csmo", "-c", 10, "-g", 8,
                          "--cells", 2000, "--trees", 5, work / "train", work / "model"]) for _ in range(a.rounds)]
        cpu, elapsed, peak = (statistics.median(column) for column in list(zip(*runs))[:3])
        exponent = math.log(cpu / last[1]) / math.log(rows / last[0]) if last else math.nan
        last = rows, cpu
        error = error_of(measured([a.bin / "svm-predict", work / "test", work / "model", work / "out"])[3])
        print(f"| {rows:,} | {elapsed:.1f} | {cpu:.1f} | {exponent:.2f} | {peak:.0f} | {rows * 21 * 16 / 2**20:.0f} "
              f"| {error:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--trees", default="1,3,5")
    parser.add_argument("--landmarks", default="")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--threads", default="2")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--rows", default="")
    a = parser.parse_args()
    if not a.data and not a.rows:
        sys.exit("--data or --rows is needed")
    a.rounds = a.rounds or (1 if a.rows else 3)
    with tempfile.TemporaryDirectory() as work:
        if a.rows:
            return grow(a, pathlib.Path(work))
        print("| data | model | svm-train, s | processor, s | svm-predict, s | error |\n|" + " --- |" * 6)
        for name in a.sets.split(","):
            compare(a, name, pathlib.Path(work))


if __name__ == "__main__":
    main()
