#!/usr/bin/env python3
"""Trains csmo on the problems whose times others have published, and prints both.

  bench/quoted.py --data FOLDER [--bin build] [--runs mnist-ten,a9a] [--threads 1,2] [--rounds 1]
                  [--out quoted.csv] [--work FOLDER] [--no-check] [--tables]

FOLDER holds mnist, a9a, w8a and covtype.libsvm.binary as NAME.xz or NAME; --list names the runs.  Each
run trains by `svm-train -a csmo` in whole, from text to model, --rounds times on each number of
threads; seconds of the processor and elapsed ones are medians.  Then it trains once more, not timed,
with --check: the violation is recomputed in doubles from data and model.  --work keeps the
prepared data, which are large.  --tables prints the table of an existing results file.  Standard
library only.
"""
import argparse, csv, math, os, pathlib, re, statistics, sys, tempfile

from common import measured, text_of

FIELDS = ["run", "rows", "threads", "processor", "elapsed", "megabytes", "vectors", "violation"]


def pairs_of(line):
    words = line.split()
    return words[0], [(int(i), float(v)) for i, v in (word.split(":") for word in words[1:])]


def by_255(lines):
    """Even digits against odd ones, pixels divided by 255."""
    for line in lines:
        digit, pairs = pairs_of(line)
        yield f"{1 if float(digit) % 2 == 0 else -1} " + " ".join(f"{i}:{v / 255:.9g}" for i, v in pairs)


def z_scored(lines):
    """The ten digits, all 784 pixels less one mean, divided by one deviation."""
    count = 784 * len(lines)
    values = [v for line in lines for _, v in pairs_of(line)[1]]
    mean = sum(values) / count
    deviation = math.sqrt(sum(v * v for v in values) / count - mean * mean)
    for line in lines:
        digit, pairs = pairs_of(line)
        pixels = dict(pairs)
        yield f"{digit} " + " ".join(f"{i}:{(pixels.get(i, 0) - mean) / deviation:.6g}" for i in range(1, 785))


def unscaled(lines):
    return iter(lines)


def three_fifths(lines):
    """Three rows in five, instead of a random part."""
    return (line for k, line in enumerate(lines) if k % 5 < 3)


def scaled(lines):
    """Each feature to [0, 1]."""
    most, least, seen = {}, {}, {}
    for line in lines:
        for i, v in pairs_of(line)[1]:
            most[i], least[i] = max(most.get(i, v), v), min(least.get(i, v), v)
            seen[i] = seen.get(i, 0) + 1
    for i, count in seen.items():
        if count < len(lines):
            most[i], least[i] = max(most[i], 0), min(least[i], 0)
    for line in lines:
        label, pairs = pairs_of(line)
        values = ((i, (v - least[i]) / (most[i] - least[i])) for i, v in pairs if most[i] > least[i])
        yield f"{label} " + " ".join(f"{i}:{v:.7g}" for i, v in values if v != 0)


def standardised(lines):
    """The first ten features standardised; nine rows in ten."""
    kept = [line for k, line in enumerate(lines) if k % 10 != 9]
    sums, squares = [0.0] * 11, [0.0] * 11
    for line in kept:
        for i, v in pairs_of(line)[1]:
            if i <= 10:
                sums[i] += v
                squares[i] += v * v
    mean = [s / len(kept) for s in sums]
    deviation = [math.sqrt(q / len(kept) - m * m) for q, m in zip(squares, mean)]
    for line in kept:
        label, pairs = pairs_of(line)
        values = dict(pairs)
        first = [(i, (values.get(i, 0) - mean[i]) / deviation[i]) for i in range(1, 11)]
        rest = [(i, v) for i, v in pairs if i > 10]
        yield f"{label} " + " ".join(f"{i}:{v:.7g}" for i, v in [*first, *rest])


# name: (data set, preparation, options, published: who, on what, seconds)
RUNS = {
    "mnist-ten": ("mnist", z_scored, "-c 100 -g 0.0022222 -m 1000",
                  ["LIBSVM (scikit-learn) 661", "ThunderSVM, GPU 19.55", "Falkon, GPU 10.85, approximate"]),
    "mnist-0.125": ("mnist", by_255, "-c 10 -g 0.125 -m 2000",
                    ["LIBSVM 16,966", "Catanzaro et al. 2008, 8800 GTX 483"]),
    "mnist-0.25": ("mnist", by_255, "-c 10 -g 0.25 -m 2000",
                   ["LIBSVM, i7-920 13,963", "dpsvm, GTX 780 137", "dpsvm, 10 GPUs 46"]),
    "a9a": ("a9a", unscaled, "-c 100 -g 0.5", ["LIBSVM 550", "Catanzaro et al. 2008, 8800 GTX 26.9"]),
    "w8a": ("w8a", unscaled, "-c 64 -g 7.8125", ["LIBSVM 2,422", "Catanzaro et al. 2008, 8800 GTX 164"]),
    "covtype-0.125": ("covtype.libsvm.binary", scaled, "-c 10 -g 0.125 -m 2000",
                      ["LIBSVM, 561,012 rows 66,524", "Catanzaro et al. 2008, 8800 GTX 2,023"]),
    "covtype-1": ("covtype.libsvm.binary", scaled, "-c 10 -g 1 -m 2000", []),
    "covtype-32": ("covtype.libsvm.binary", scaled, "-c 32 -g 32 -m 2000",
                   ["DC-SVM: exact 7 times as fast as LIBSVM; early, 96 % 720"]),
    "covtype-unscaled": ("covtype.libsvm.binary", three_fifths, "-c 100 -g 4.66e-8 -m 2000",
                         ["scikit-learn 50,400", "scikit-learn-intelex, Xeon 600, with probabilities"]),
    "covtype-std-1": ("covtype.libsvm.binary", standardised, "-c 1 -g 1 -m 2000",
                      ["protocol of cuML's notebook, without times"]),
    "covtype-std-10": ("covtype.libsvm.binary", standardised, "-c 10 -g 1 -m 2000",
                       ["protocol of cuML's notebook, without times"]),
}


def prepare(a, work, name):
    data, preparation, _, _ = RUNS[name]
    path = work / f"{data}-{preparation.__name__}"
    if not path.exists():
        part = path.with_suffix(".part")
        with open(part, "w") as out:
            out.writelines(line + "\n" for line in preparation(text_of(a.data, data).splitlines()))
        part.rename(path)
    return path


def train(a, options, threads, path, model):
    """Processor seconds, elapsed seconds, peak megabytes, output."""
    command = [a.bin / "svm-train", "-a", "csmo", *options, path, model]
    return measured(command, SVM_NUM_THREADS=str(threads))


def last_number(pattern, text):
    found = re.findall(pattern + r"[^\d]*([\d.e+-]+)", text)
    return found[-1] if found else ""


def measure(a):
    with open(a.out, "w", newline="") as out, tempfile.TemporaryDirectory() as folder:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        for name in a.runs:
            work = a.work or pathlib.Path(folder)
            path = prepare(a, work, name)
            options = RUNS[name][2].split()
            rows = sum(1 for _ in open(path, "rb"))
            violation = ""
            if a.check:
                checked = train(a, [*options, "--check"], os.cpu_count(), path, os.devnull)[3]
                violation = max(re.findall(r"optimality conditions = ([\d.e+-]+)", checked), key=float, default="")
            for threads in a.threads:
                turns = [train(a, options, threads, path, os.devnull) for _ in range(a.rounds)]
                medians = [f"{statistics.median(turn[k] for turn in turns):.2f}" for k in range(3)]
                row = [name, rows, threads, *medians, last_number("Total nSV", turns[0][3]), violation]
                writer.writerow(dict(zip(FIELDS, row)))
                out.flush()
                print(dict(zip(FIELDS, row)), flush=True)


def tables(path):
    runs = {}
    for row in csv.DictReader(open(path)):
        runs.setdefault(row["run"], {})[row["threads"]] = row
    print("| run | rows | support vectors | 1 thread, s | 2 threads, s | MB | violation | published, s |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, by_threads in runs.items():
        any_row = next(iter(by_threads.values()))
        elapsed = [by_threads[t]["elapsed"] if t in by_threads else "" for t in ("1", "2")]
        published = "; ".join(RUNS[name][3])
        print(f"| {name} `{RUNS[name][2]}` | {any_row['rows']} | {any_row['vectors']} | {elapsed[0]} | {elapsed[1]} | "
              f"{any_row['megabytes']} | {any_row['violation']} | {published} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--bin", type=pathlib.Path, default="build")
    p.add_argument("--runs", default=",".join(RUNS), type=lambda text: text.split(","))
    p.add_argument("--threads", default=[1, 2], type=lambda text: [int(t) for t in text.split(",")])
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--out", type=pathlib.Path, default="quoted.csv")
    p.add_argument("--work", type=pathlib.Path, help="keep prepared data here")
    p.add_argument("--no-check", dest="check", action="store_false")
    p.add_argument("--tables", action="store_true", help="only print the table of --out")
    p.add_argument("--list", action="store_true", help="print the names of the runs")
    a = p.parse_args()
    if a.list:
        print("\n".join(RUNS))
        return
    if unknown := [name for name in a.runs if name not in RUNS]:
        p.error(f"no run {unknown[0]}")
    if not a.tables:
        if a.data is None:
            p.error("--data is needed")
        measure(a)
    tables(a.out)


if __name__ == "__main__":
    sys.exit(main())
