#!/usr/bin/env python3
"""Compares the programs with another LIBSVM's over shapes of data, to find those where they lose.

  bench/shapes.py --peer FOLDER-OR-PROGRAM [--bin build] [--quick | --only REGEX] [--rounds 3]
                  [--threads 1] [--out shapes.csv] [--work FOLDER] [--list]
  bench/shapes.py --tables --out shapes.csv

No data are needed: every shape is generated, from a seed of its own.  The peer is an svm-train with its
svm-predict beside it, or their folder.  A case is a shape with options of svm-train.  Whole programs take
turns, --rounds times, or 15 times if they take less than 0.1 s: the peer, smo and csmo train; then, unless
it was a cross validation, the peer and ours predict by the model of smo, and with a fit of probabilities
also by -b 1.  What looks slow by a ratio below 1.25 is measured three times as often before it is judged.
The peer takes no more turns than --rounds if it has clearly lost.  Cases that take it more than --limit seconds
are left out.

Times are medians of user + system seconds, or of elapsed seconds with more than one thread; ratios are
medians of the rounds' ratios.  Above the limits are
  smo / peer and prediction: over 1.05, or, where the peer takes less than 50 ms, over 1.3 and 5 ms more;
  csmo / smo: over 1.05, or 1.1 where smo takes less than 0.1 s, but 5 ms more where both take less than 20 ms.
Ends with the list of these, and with exit code 1 if there are any.  --quick takes the first options of each
shape only.  --tables prints the table of an existing results file.  Standard library only.
"""
import argparse, csv, math, pathlib, random, re, statistics, sys, tempfile

from common import measured

# name: what table() makes, options.  Programs are quiet unless options begin with "loud".
SHAPES = {
    "ten rows": (dict(rows=10, features=3), "", "-t 0 -b 1", "-s 1 -v 5", "-s 2"),
    "small": (dict(rows=100, features=10), "-c 100", "-t 1 -b 1", "-s 3 -v 5", "loud -t 3"),
    "medium": (dict(rows=1000, features=20), "", "-b 1", "-s 1 -t 1", "-v 5 -c 100", "loud -s 2 -t 0"),
    "larger": (dict(rows=8000, features=20, signal=0.5), "-c 100", "-s 2 -n 0.05"),
    "noise": (dict(rows=1500, features=10, noise=1), "", "-t 0", "-s 1 -n 0.8", "-t 3 -v 5"),
    "apart": (dict(rows=10000, features=10, signal=3, noise=0), "-c 100", "-t 0", "-b 1"),
    "rare class": (dict(rows=6000, features=12, rare=100), "-c 100", "-w1 50"),
    "one feature": (dict(rows=3000, features=1), "-g 10", "-t 0", "-s 3 -g 10", "-v 5"),
    "two features": (dict(rows=6000, features=2, noise=0.2), "-g 1", "-s 2 -g 1"),
    "long": (dict(rows=50000, features=2, signal=3, noise=0.002), "-g 0.5", "-t 0", "-s 1 -n 0.006"),
    "long bits": (dict(rows=12000, features=12, filled=6, kind="bits", noise=0.01), "-m 300", "-s 2 -n 0.01"),
    "wide, dense": (dict(rows=50, features=100000, kind="integers"), "", "-t 0"),
    "wide, sparse": (dict(rows=100, features=100000, filled=4000), "-t 0", "-v 5", "-s 3 -t 0"),
    "ten wide rows": (dict(rows=10, features=100000, filled=10000), "", "-s 2 -t 0"),
    "million features": (dict(rows=2000, features=1000000, filled=30), "-t 0 -c 100", "-g 0.01", "-s 2"),
    "million, 20 rows": (dict(rows=20, features=1000000, filled=1000), "-t 1", "-b 1", "-s 4 -t 0"),
    "own feature": (dict(rows=1500, features=1500, kind="own"), "-c 100", "-t 0", "-s 1"),
    "text": (dict(rows=1500, features=20000, filled=60), "-t 0", "-g 0.05", "-t 0 -b 1", "-s 3 -t 0"),
    "text, 20 classes": (dict(rows=1500, features=20000, classes=20, filled=60),
                         "-t 0", "-g 0.05 -c 100", "loud -t 0 -v 5", "-s 1 -n 0.05 -t 0"),
    "three classes": (dict(rows=2200, features=36, classes=3, kind="bytes"),
                      "-g 0.0001", "-g 0.0001 -b 1", "-g 0.0001 -c 100 -v 5", "-s 1 -n 0.1 -g 0.0001"),
    "six classes": (dict(rows=4400, features=36, classes=6), "-c 100", "-v 5", "-s 1 -n 0.1", "loud -t 1"),
    "26 classes": (dict(rows=5000, features=16, classes=26, signal=0.7), "-c 100", "-t 0"),
    "100 classes of 2": (dict(rows=200, features=16, classes=100), "", "-b 1", "-v 5"),
    "100 classes of 5": (dict(rows=500, features=16, classes=100), "-c 100", "-t 0", "-s 1 -n 0.1"),
    "300 classes of 5": (dict(rows=1500, features=8, classes=300), "", "loud -t 0", "-v 2"),
    "1000 classes of 1": (dict(rows=1000, features=10, classes=1000), "", "-t 0 -c 100"),
    "1000 classes of 2": (dict(rows=2000, features=10, classes=1000), "-c 100"),
    "equal rows": (dict(rows=800, features=10, kind="equal"), "-c 100", "-s 1", "-s 2", "-s 3", "-b 1"),
    "one class": (dict(rows=1500, features=10, classes=1), "", "-s 1", "-s 2 -n 0.1", "-b 1"),
    "empty rows": (dict(rows=1500, features=30, filled=10, empty=0.3), "-c 100", "-t 0", "-s 3", "-v 5"),
    "all empty": (dict(rows=600, features=3, empty=1), "-g 1", "-t 0", "-s 4 -g 1"),
    "bits": (dict(rows=3000, features=60, filled=25, kind="bits"), "-c 100", "-t 1 -r 1", "-b 1"),
    "sparse bits": (dict(rows=2500, features=5000, filled=14, kind="bits"),
                    "-g 0.1 -c 100", "-t 0", "-s 2 -n 0.1", "-v 5 -g 0.1"),
    "wide bits": (dict(rows=300, features=100000, filled=1000, kind="bits"), "-t 0", "-c 100", "-s 4 -t 0"),
    "nearly diagonal": (dict(rows=2000, features=60, filled=25, kind="bits"), "-g 10", "-g 10 -c 100",
                        "-s 1 -g 10", "-s 3 -g 10", "-g 10 -b 1"),
    "diagonal, 20 classes": (dict(rows=2000, features=40, classes=20, kind="bits", filled=15), "-g 10", "-g 10 -v 5"),
    "integers": (dict(rows=3000, features=20, kind="integers"), "-c 100", "-t 1", "-v 5", "-s 1 -n 0.3"),
    "bytes": (dict(rows=1000, features=400, filled=100, kind="bytes"), "-g 1e-6", "-t 1 -g 1e-4", "-g 1e-6 -b 1"),
    "tiny values": (dict(rows=2000, features=10, unit=1e-6), "-c 100", "-t 0", "-g 1e11"),
    "huge values": (dict(rows=2000, features=10, unit=1e6), "", "-g 1e-13 -c 100", "-s 1", "-b 1"),
    "same row, 20 times": (dict(rows=3000, features=10, each=20), "-c 100", "-s 1", "-s 3", "-v 5"),
    "same row, other label": (dict(rows=2000, features=10, each=2, noise=1), "-c 100", "-t 0"),
    "regression": (dict(rows=2000, features=8, target="value"),
                   "-s 3 -c 100", "-s 4", "-s 3 -b 1", "-s 3 -v 5", "-s 3 -p 0.001"),
    "regression, one feature": (dict(rows=3000, features=1, target="value"),
                                "-s 3 -g 10", "-s 4 -t 1 -n 0.2", "loud -s 3 -v 5"),
    "regression, sparse": (dict(rows=800, features=5000, filled=30, target="value"),
                           "-s 3 -t 0", "-s 4 -c 100", "-s 3 -b 1"),
    "precomputed": (dict(rows=300, features=10, matrix=True), "-t 4", "-t 4 -c 100 -b 1", "-t 4 -v 5", "-s 3 -t 4"),
    "precomputed, larger": (dict(rows=1200, features=10, matrix=True, classes=3),
                            "-t 4", "-s 1 -t 4 -n 0.2", "-s 2 -t 4"),
}
FIELDS = ["shape", "options", "what", "way", "round", "seconds", "elapsed"]
PAIRS = [("smo", "peer"), ("csmo", "smo"), ("ours", "peer")]
SHORT, SHORT_ROUNDS = 0.1, 15  # seconds, rounds below them
AGAIN, CLEAR = 3, 1.25  # times as many rounds if it looks slow, unless by such a ratio
CLEARLY_LOST = 0.8  # a ratio after which the peer takes no more turns


def table(seed, rows, features, classes=2, filled=0, kind="reals", unit=1, signal=1, noise=0.05, rare=0,
          target="class", each=1, empty=0, matrix=False):
    """Lines of a data set: labels 1 to `classes` with normal features about the centre of the class, or, if
    only `filled` features are there, with features that the class prefers.  A part `noise` of the labels is
    drawn, a part `empty` of the rows has no feature, `rare` makes one label in so many positive, and each
    row comes `each` times.  A matrix is that of the RBF kernel."""
    draws = random.Random(seed)
    centres = [] if filled else [[draws.gauss(0, signal) for _ in range(features)] for _ in range(classes)]
    made = []
    for number in range(rows):
        if number % each and noise < 1:
            made.append(made[-1])
            continue
        label = int(number % rare == 0) if rare else number // each % classes
        if number % each:
            x = made[-1][1]
        elif draws.random() < empty:
            x = []
        elif kind == "own":
            x = [(number + 1, draws.gauss(0, unit))]
        elif kind == "equal":
            x = [(f + 1, (f + 1) / 8) for f in range(features)]
        else:
            if filled:  # skewed; half of them from the part of the class
                width = features / classes
                columns = sorted({int(width * (label + draws.random())) if draws.random() < signal / 2 else
                                  int(features * draws.random() ** 2) for _ in range(filled)})
                x = [(f + 1, abs(draws.gauss(0, unit))) for f in columns]
            else:
                x = [(f, unit * (centre + draws.gauss(0, 1))) for f, centre in enumerate(centres[label], 1)]
            if kind != "reals":
                change = {"bits": lambda v: 1, "integers": lambda v: round(3 * v),
                          "bytes": lambda v: max(0, min(255, round(80 + 60 * v)))}[kind]
                x = [(f, change(v)) for f, v in x]
        if draws.random() < noise and not rare:
            label = draws.randrange(classes)
        if target == "value":
            y = f"{sum(v * math.sin(f) for f, v in x) + math.sin(sum(v for f, v in x)) + draws.gauss(0, 0.1):.6g}"
        else:
            y = f"{(label if classes > 2 else 2 * label - 1) + (classes > 2):d}"
        made.append((y, x))
    if matrix:
        dense = [[v for _, v in x] for _, x in made]
        for number, (y, _) in enumerate(made, 1):
            kernel = (math.exp(-math.dist(dense[number - 1], x) ** 2 / features) for x in dense)
            yield f"{y} 0:{number} " + " ".join(f"{k}:{v:.7g}" for k, v in enumerate(kernel, 1)) + "\n"
    else:
        for y, x in made:
            yield " ".join([y] + [f"{f}:{v:.6g}" for f, v in x if v]) + "\n"


def prepare(work, shape):
    """The paths of a shape's rows and of those to predict, which are fewer if there are many classes."""
    form = SHAPES[shape][0]
    lines = list(table(shape, **form))
    data = work / re.sub(r"\W+", "-", shape)
    data.write_text("".join(lines))
    test = data.with_suffix(".test")
    test.write_text("".join(lines[:200 if form.get("classes", 2) >= 100 else 2000]))
    return data, test


def arguments(options):
    words = options.split()
    return words[1:] if words[:1] == ["loud"] else ["-q", *words]


def median(runs, field):
    return statistics.median(run[field] for run in runs)


def ratio(block, way, base, field):
    """The median of the rounds' ratios."""
    return statistics.median(one[field] / max(other[field], 1e-4) for one, other in zip(block[way], block[base]))


def is_slow(block, way, base, field):
    quotient, mine, other = ratio(block, way, base, field), median(block[way], field), median(block[base], field)
    if way == "csmo":
        bound, more = 1.05 if other >= 0.1 else 1.1, 0.005 if max(mine, other) < 0.02 else 0
    else:
        bound, more = (1.05, 0) if other >= 0.05 else (1.3, 0.005)
    return quotient > bound and mine - other > more


def slow_pairs(block, field):
    return [pair for pair in PAIRS if all(way in block for way in pair) and is_slow(block, *pair, field)]


def take_turns(a, commands):
    """The runs of each way: (processor seconds, elapsed seconds).  None if the peer takes too long."""
    block = {way: [] for way in commands}
    rounds, field, number, repeated = a.rounds, int(a.threads > 1), 0, False
    while number < rounds:
        number += 1
        lost = number > a.rounds and ratio(block, [w for w in block if w != "peer"][0], "peer", field) < CLEARLY_LOST
        for way in [w for w in commands if not lost or w in ("smo", "csmo")]:
            # One that takes this much longer than the peer need not be waited for.
            limit = a.limit if way == "peer" else 4 * a.limit
            seconds, elapsed, _, _ = measured(commands[way], limit, SVM_NUM_THREADS=str(a.threads))
            if math.isinf(elapsed) and way == "peer":
                return None
            block[way].append((seconds, min(elapsed, limit)))
        if number == 1 and min(runs[0][field] for runs in block.values()) < SHORT:
            rounds = max(rounds, SHORT_ROUNDS)
        if number == rounds and not repeated:
            repeated = any(ratio(block, *pair, field) < CLEAR for pair in slow_pairs(block, field))
            rounds *= AGAIN if repeated else 1
    return block


def case(a, work, shape, data, test, options):
    """The blocks of a case, by what is done."""
    train, predict = (a.peer / "svm-train", a.peer / "svm-predict") if a.peer.is_dir() else (
        a.peer, a.peer.with_name(a.peer.name.replace("train", "predict")))
    words, model = arguments(options), {way: work / f"model.{way}" for way in ("peer", "smo", "csmo")}
    files = lambda way: [data, model[way]][:1 if "-v" in words else 2]
    model["smo"].unlink(missing_ok=True)
    blocks = {"train": take_turns(a, {
        "peer": [train, *words, *files("peer")],
        **{way: [a.bin / "svm-train", "-a", way, *words, *files(way)] for way in ("smo", "csmo")}})}
    if blocks["train"] and "-v" not in words and model["smo"].exists():
        for more in [[], ["-b", "1"]] if "-b" in words else [[]]:
            blocks[" ".join(["predict", *more])] = take_turns(a, {
                way: [program, *more, test, model["smo"], work / f"out.{way}"]
                for way, program in (("peer", predict), ("ours", a.bin / "svm-predict"))})
    return blocks


def measure(a, chosen):
    with tempfile.TemporaryDirectory() as folder, open(a.out, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(FIELDS)
        work = a.work or pathlib.Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        for shape in dict.fromkeys(shape for shape, _ in chosen):
            data, test = prepare(work, shape)
            for options in [o for s, o in chosen if s == shape]:
                for what, block in case(a, work, shape, data, test, options).items():
                    if block is None:
                        print(f"left out, too slow for the peer: {shape} {options}, {what}", file=sys.stderr)
                        continue
                    for way, runs in block.items():
                        writer.writerows([shape, options, what, way, number, f"{run[0]:.6f}", f"{run[1]:.6f}"]
                                         for number, run in enumerate(runs, 1))
                    print(f"{shape} {options}, {what}: ", *(f"{way} {median(runs, a.threads > 1):.4f} s"
                                                            for way, runs in block.items()), file=sys.stderr)
                    out.flush()


def print_table(a):
    """Returns whether nothing is above the limits."""
    cases, field = {}, int(a.threads > 1)
    for r in csv.DictReader(open(a.out)):
        block = cases.setdefault((r["shape"], r["options"]), {}).setdefault(r["what"], {})
        block.setdefault(r["way"], []).append((float(r["seconds"]), float(r["elapsed"])))
    above = []
    print("| case | peer, s | smo, s | smo / peer | csmo / smo | prediction, ours / peer |\n|" + " --- |" * 6)
    for (shape, options), blocks in cases.items():
        train, name = blocks["train"], f"{shape} `{' '.join(arguments(options))}`"
        predictions = [f"{ratio(block, 'ours', 'peer', field):.2f}" for block in blocks.values() if "ours" in block]
        print(f"| {name} | {median(train['peer'], field):.4f} | "
              f"{median(train['smo'], field):.4f} | {ratio(train, 'smo', 'peer', field):.2f} | "
              f"{ratio(train, 'csmo', 'smo', field):.2f} | {', '.join(predictions)} |")
        for what, block in blocks.items():
            above += [f"{name}, {what}: {way} {median(block[way], field):.4f} s, {base} "
                      f"{median(block[base], field):.4f} s, ratio {ratio(block, way, base, field):.2f}"
                      for way, base in slow_pairs(block, field)]
    print(f"\n{len(cases)} cases; these are above the limits:\n")
    for line in above or ["nothing"]:
        print("*", line)
    return not above


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--peer", type=pathlib.Path, help="folder of another LIBSVM's programs, or its svm-train")
    p.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    p.add_argument("--quick", action="store_true", help="the first options of each shape only")
    p.add_argument("--only", default="", help="cases whose SHAPE OPTIONS this regular expression finds")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--limit", type=float, default=8, help="seconds of one run of the peer")
    p.add_argument("--work", type=pathlib.Path, help="keep the generated data here")
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("shapes.csv"))
    p.add_argument("--tables", action="store_true", help="only print the table of --out")
    p.add_argument("--list", action="store_true", help="list the cases")
    a = p.parse_args()
    chosen = [(shape, options) for shape, (_, *fits) in SHAPES.items() for options in fits[:1 if a.quick else None]
              if re.search(a.only, f"{shape} {options}")]
    if a.list:
        print("\n".join(f"{shape} {options}" for shape, options in chosen))
        return 0
    if not a.tables:
        if a.peer is None:
            p.error("--peer is needed")
        measure(a, chosen)
    return 0 if print_table(a) else 1


if __name__ == "__main__":
    sys.exit(main())
