#!/usr/bin/env python3
"""Measures what a learned metric gives: forests and machines of all rows with and without it, beside trees.

  bench/metric.py --data FOLDER --out mine.csv [--bin build] [--sets covtype,bike,...] [--ways forest,peers,...]
                  [--rounds 3] [--long 20] [--work FOLDER]
  bench/metric.py --choose [--sets ...] --data FOLDER      errors on validation rows by C and gamma
  bench/metric.py --choices [--sets ...] --data FOLDER     the constants of the method, by validation rows
  bench/metric.py --tables [--out docs/results/metric.csv]
  bench/metric.py --picture docs/images/metric.svg --weights FILE [--names covtype]

FOLDER holds the data sets as NAME.xz or NAME.  Features are scaled to [0, 1] by the rows of training, targets of
regressions are standardised, and the test rows are those published or a fifth drawn with a fixed seed.  Everything has
one thread.  The ways of a set take turns, in each round with another seed, in one round only if that takes longer than
--long seconds.  Seconds are the processor's, medians over the rounds: of svm-train from text to model, and of fit()
alone for the trees.  Errors are those on the test rows, means over the rounds, in percent, or for regressions the root
of the mean squared error.

Ways: "forest" and "machine" have no metric, "forest metric" and "machine metric" have one; "forest tuned" and
"machine tuned" try five gammas, from a quarter to four times the given one, on a fifth of the training rows and then
train on all of them, which the seconds include.  "xgboost", "LightGBM" and "random forest" get as many trees as fit
into the seconds of "forest metric", at most a thousand; their depth and rate are the best on that fifth with as
many trees.  A package that is missing is left out.  Needs numpy.
"""
import argparse, csv, itertools, pathlib, re, statistics, subprocess, sys, tempfile, time
from typing import NamedTuple

import numpy as np

from common import measured, text_of

RESULTS = pathlib.Path("docs/results/metric.csv")
FIELDS = ["set", "way", "error", "seconds", "settings"]


class Set(NamedTuple):
    train: str  # a data set
    test: object  # another one, or the part of the rows that is drawn for the test
    options: str
    cells: int = 2000
    trees: int = 5


REGRESSION = "-s 3 -p 0.05 -c 10 -g "
# C and gamma are the best on validation rows, by --choose, without a metric; covtype's are those that others use.
SETS = {
    "covtype": Set("covtype.libsvm.binary", 0.2, "-c 100 -g 32"),
    "covtype, 2 trees": Set("covtype.libsvm.binary", 0.2, "-c 100 -g 32", 2000, 2),
    "covtype, 3 trees of 1,000": Set("covtype.libsvm.binary", 0.2, "-c 100 -g 32", 1000, 3),
    "pumadyn32nm": Set("pumadyn32nm.train", "pumadyn32nm.test", REGRESSION + "1"),
    "bike": Set("bike.train", "bike.test", REGRESSION + "1"),
    "pol": Set("pol.train", "pol.test", REGRESSION + "16"),
    "protein": Set("protein.train", "protein.test", REGRESSION + "64"),
    "elevators": Set("elevators.train", "elevators.test", REGRESSION + "1"),
    "cadata": Set("cadata", 0.2, REGRESSION + "32"),
    "cpusmall": Set("cpusmall", 0.2, REGRESSION + "1", 1000),
    "abalone": Set("abalone", 0.2, REGRESSION + "4", 1000),
    "letter": Set("letter.scale", "letter.scale.t", "-c 10 -g 8", 1000),
    "cod-rna": Set("cod-rna", 0.2, "-c 100 -g 8"),
    "ijcnn1": Set("ijcnn1", "ijcnn1.t", "-c 100 -g 8"),
    "SUSY": Set("SUSY.10Kn", "SUSY.10Kn.t", "-c 100 -g 0.5", 1000),
    "skin": Set("skin_nonskin", 0.2, "-c 100 -g 128"),
    "pendigits": Set("pendigits", "pendigits.t", "-c 1 -g 0.5", 1000),
    "usps": Set("usps_zip", 0.2, "-c 100 -g 0.0078125", 1000),
    "w8a": Set("w8a", 0.2, "-c 10 -g 0.03125"),
    "a9a": Set("a9a", "a9a.t", "-c 10 -g 0.03125"),
}
WAYS = ["forest", "forest metric", "forest tuned", "machine", "machine metric", "machine tuned"]
PEERS = ["xgboost", "LightGBM", "random forest"]
NO_MACHINE = {"covtype", "covtype, 2 trees", "covtype, 3 trees of 1,000"}  # training all rows takes minutes
SAME_PEERS = {"covtype, 2 trees", "covtype, 3 trees of 1,000"}


def is_regression(chosen):
    return "-s 3" in chosen.options


def dense(text):
    """Targets and features of a data set."""
    lines = text.splitlines()
    y, rows, columns, values = [], [], [], []
    for at in range(0, len(lines), 50000):
        part = lines[at:at + 50000]
        pairs = np.array([line.count(":") for line in part])
        flat = np.array(" ".join(part).replace(":", " ").split(), dtype=float)
        labels = np.concatenate([[0], np.cumsum(2 * pairs + 1)[:-1]])
        y.append(flat[labels])
        rest = np.delete(flat, labels)
        rows.append(np.repeat(np.arange(at, at + len(part)), pairs))
        columns.append(rest[::2].astype(int))
        values.append(rest[1::2])
    y, rows, columns, values = map(np.concatenate, (y, rows, columns, values))
    x = np.zeros((len(y), columns.max()))
    x[rows, columns - 1] = values
    return x, y


def write(path, x, y, is_label):
    label = "%d" if is_label else "%.8g"
    with open(path, "w") as file:
        for row, target in zip(x, y):
            at = np.flatnonzero(row)
            file.write(label % target + "".join(map(" %d:%.8g".__mod__, zip(at + 1, row[at]))) + "\n")


def prepare(a, chosen):
    """Paths of rows of training, of their first four fifths, of their last fifth, and of test."""
    paths = [a.work / f"{chosen.train}.{kind}" for kind in ("all", "fit", "validation", "test")]
    if paths[-1].exists():
        return paths
    x, y = dense(text_of(a.data, chosen.train))
    order = np.random.default_rng(1).permutation(len(y))
    x, y = x[order], y[order]
    if isinstance(chosen.test, float):
        n = len(y) - round(chosen.test * len(y))
        x, y, x_test, y_test = x[:n], y[:n], x[n:], y[n:]
    else:
        x_test, y_test = dense(text_of(a.data, chosen.test))
        wide = np.zeros((len(y_test), x.shape[1]))
        both = min(x.shape[1], x_test.shape[1])
        wide[:, :both] = x_test[:, :both]
        x_test = wide
    low, high = x.min(0), x.max(0)
    kept = high > low
    x, x_test = ((part[:, kept] - low[kept]) / (high - low)[kept] for part in (x, x_test))
    if is_regression(chosen):
        mean, deviation = y.mean(), y.std()
        y, y_test = (y - mean) / deviation, (y_test - mean) / deviation
    n = len(y) - len(y) // 5
    for path, part, targets in zip(paths, (x, x[:n], x[n:], x_test), (y, y[:n], y[n:], y_test)):
        write(path, part, targets, not is_regression(chosen))
    return paths


def error_of(output):
    squared = re.search(r"Mean squared error = (\S+)", output)
    return float(squared[1]) ** .5 if squared else 100 - float(re.search(r"Accuracy = (\S+)%", output)[1])


def trained(a, options, train, test):
    """Error, and processor seconds of svm-train."""
    model, words = a.work / "model", []
    if "--metric" in options and "off" not in options:
        words = ["--metric", options[options.index("--metric") + 1]]
    seconds, _, _, _ = measured([a.bin / "svm-train", "-q", "-a", "csmo", "--threads", "1", *options, train, model])
    return error_of(measured([a.bin / "svm-predict", *words, test, model, a.work / "out"])[3]), seconds


def tuned(a, options, gamma, paths):
    """Error and seconds, with the best of five gammas on validation rows, and that gamma."""
    tried = {g: trained(a, [*options, "-g", f"{g:g}"], *paths[1:3]) for g in (gamma * 2.0 ** k for k in range(-2, 3))}
    best = min(tried, key=lambda g: tried[g][0])
    error, seconds = trained(a, [*options, "-g", f"{best:g}"], paths[0], paths[3])
    return error, seconds + sum(each[1] for each in tried.values()), f"-g {best:g}"


def run(a, chosen, way, paths, seed):
    """Error, processor seconds and settings of one way."""
    kind, metric = (way.split() + [""])[:2]
    options = [*chosen.options.split(), "--seed", str(seed)]
    if kind == "forest":
        options += ["--cells", str(chosen.cells), "--trees", str(chosen.trees)]
    if metric == "metric":
        options += ["--metric", str(a.work / "range")] * (kind == "machine")
    elif kind == "forest" and a.has_metric:
        options += ["--metric", "off"]
    if metric == "tuned":
        at = options.index("-g")
        return tuned(a, options[:at] + options[at + 2:], float(options[at + 1]), paths)
    return *trained(a, options, paths[0], paths[3]), chosen.options


def peer_of(way, is_class):
    """A function from number of trees and settings to an estimator, and the settings to try."""
    if way == "xgboost":
        import xgboost
        made, fixed = (xgboost.XGBClassifier, xgboost.XGBRegressor), {"tree_method": "hist"}
        several = [{"max_depth": depth, "learning_rate": rate} for depth in (6, 10, 14) for rate in (.1, .3)]
    elif way == "LightGBM":
        import lightgbm
        made, fixed = (lightgbm.LGBMClassifier, lightgbm.LGBMRegressor), {"verbose": -1}
        several = [{"num_leaves": leaves, "learning_rate": rate} for leaves in (31, 255, 1023) for rate in (.1, .3)]
    else:
        from sklearn import ensemble
        made, fixed = (ensemble.RandomForestClassifier, ensemble.RandomForestRegressor), {}
        several = [{"max_features": part} for part in ("sqrt", 1 / 3, 1.)]
    return lambda trees, settings: made[not is_class](n_estimators=trees, n_jobs=1, **fixed, **settings), several


def fitted(estimator, train, test):
    start = time.process_time()
    estimator.fit(*train)
    seconds = time.process_time() - start
    guess = estimator.predict(test[0])
    if np.issubdtype(train[1].dtype, np.integer):
        return 100 * np.mean(guess != test[1]), seconds
    return np.mean((guess - test[1]) ** 2) ** .5, seconds


def trees_within(make, settings, budget, train, most=1000):
    """How many trees take so many seconds: by a line through fits of one tree and of many."""
    def seconds_of(trees):
        start = time.process_time()
        make(trees, settings).fit(*train)
        return time.process_time() - start

    few, trees = seconds_of(1), 1
    many = few
    while many < budget / 2 and trees < most:
        trees = min(most, trees * 4)
        many = seconds_of(trees)
    each = (many - few) / (trees - 1) if trees > 1 else few
    return max(1, min(most, trees + round((budget - many) / each)))


def peer(a, chosen, way, paths, budget):
    """Error, processor seconds and settings of a peer that has the seconds of a forest with a metric."""
    parts = [dense(path.read_text()) for path in paths]
    width = max(x.shape[1] for x, _ in parts)
    is_class = not is_regression(chosen)
    parts = [(np.pad(x, ((0, 0), (0, width - x.shape[1]))).astype(np.float32), y) for x, y in parts]
    if is_class:
        labels = np.unique(parts[0][1])
        parts = [(x, np.searchsorted(labels, y)) for x, y in parts]
    make, several = peer_of(way, is_class)
    tried = []
    for settings in several:
        trees = trees_within(make, settings, budget, parts[0])
        tried.append((fitted(make(trees, settings), *parts[1:3])[0], trees, settings))
    _, trees, settings = min(tried, key=lambda each: each[0])
    runs = [fitted(make(trees, {"random_state": turn + 1, **settings}), parts[0], parts[3]) for turn in range(a.rounds)]
    said = ", ".join(f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}"
                     for key, value in {"trees": trees, **settings}.items())
    return statistics.fmean(each[0] for each in runs), statistics.median(each[1] for each in runs), said


def read_results(path):
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        return {(row["set"], row["way"]): row for row in csv.DictReader(file)}


def keep(a, name, way, error, seconds, settings):
    """Puts a result into the file, in the place of an earlier one."""
    results = read_results(a.out)
    results[name, way] = {"set": name, "way": way, "error": f"{error:.4g}", "seconds": f"{seconds:.3g}",
                          "settings": settings}
    ordered = sorted(results.values(), key=lambda row: (list(SETS).index(row["set"]), (WAYS + PEERS).index(row["way"])))
    with open(a.out, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(ordered)
    print(f"{name}: {way}: {error:.4g} in {seconds:.3g} s ({settings})", flush=True)


def measure(a, name):
    chosen = SETS[name]
    paths = prepare(a, chosen)
    seen = {way: [] for way in WAYS if way in a.ways and not (way.startswith("machine") and name in NO_MACHINE)}
    for turn in range(a.rounds):
        for way, before in seen.items():
            if not before or before[0][1] <= a.long:
                before.append(run(a, chosen, way, paths, turn + 1))
    for way, runs in seen.items():
        keep(a, name, way, statistics.fmean(each[0] for each in runs), statistics.median(each[1] for each in runs),
             runs[0][2])
    for way in PEERS:
        if way not in a.ways or name in SAME_PEERS:
            continue
        ours = read_results(a.out).get((name, "forest metric"))
        if not ours:
            sys.exit(f"{name}: {way} needs the seconds of the way \"forest metric\", which were not measured")
        try:
            keep(a, name, way, *peer(a, chosen, way, paths, float(ours["seconds"])))
        except ImportError as missing:
            print(f"{name}: {way} is left out: {missing}", file=sys.stderr)


def choose(a, name):
    """Errors on the validation rows by C and gamma."""
    chosen = SETS[name]
    paths = prepare(a, chosen)
    costs = [10] if is_regression(chosen) else [1, 10, 100]
    gammas = [1 / 16, 1 / 4, 1, 4, 16, 64] if is_regression(chosen) else [2.0 ** k for k in range(-7, 8, 2)]
    forest = ["--cells", str(chosen.cells), "--trees", str(chosen.trees)]
    if a.has_metric:
        forest += ["--metric", "off"]
    kind = [] if paths[0].stat().st_size < 3e6 else forest
    options = ["-s", "3", "-p", "0.05"] if is_regression(chosen) else []
    tried = {(c, g): trained(a, [*options, *kind, "-c", str(c), "-g", f"{g:g}"], *paths[1:3])
             for c, g in itertools.product(costs, gammas)}
    for (c, g), (error, seconds) in sorted(tried.items(), key=lambda each: each[1][0])[:5]:
        print(f"{name}: -c {c} -g {g:g}: {error:.4g} in {seconds:.3g} s", flush=True)


def choices(a):
    """Other constants of the method: errors on validation rows, relative to those of the constants as they are."""
    found, shown = {}, []
    for name in a.sets:
        chosen = SETS[name]
        words = dict(zip(*[iter(chosen.options.split())] * 2))
        paths = prepare(a, chosen)
        lines = subprocess.run([a.bin / "parts/metric_choices", *paths[1:3], words.get("-s", "0"), words["-c"], words["-g"],
                                words.get("-p", "0.1"), str(chosen.cells)], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        for constant, value, error, taken in (line.rsplit(",", 3) for line in lines):
            found.setdefault((constant, value), {})[name] = float(error), taken
        print(name, lines, file=sys.stderr, flush=True)
    own = found.pop(("as it is", "0"))
    print("| constant | mean error | worst | best | taken |\n| --- | --- | --- | --- | --- |")
    for (constant, value), errors in found.items():
        ratios = {name: errors[name][0] / own[name][0] for name in errors}
        mean = statistics.geometric_mean(ratios.values())
        ends = [max(ratios, key=ratios.get), min(ratios, key=ratios.get)]
        shown.append(f"| {constant} {value} | {mean:.3f} | " + " | ".join(f"{ratios[n]:.2f} {n}" for n in ends)
                     + f" | {sum(each[1] == 'taken' for each in errors.values())} of {len(errors)} |")
    print("\n".join(shown))
    print(f"As it is, the metric is taken on {sum(each[1] == 'taken' for each in own.values())} of {len(own)} sets.")


def tables(results):
    """Errors and seconds: of forests and peers, and of machines."""
    for ways in (WAYS[:3] + PEERS, WAYS[3:]):
        shown = [way for way in ways if any(key[1] == way for key in results)]
        print("| data | options | " + " | ".join(shown) + " |\n" + "| --- " * (2 + len(shown)) + "|")
        for name, chosen in SETS.items():
            cells = [results.get((name, way)) for way in shown]
            if any(cells):
                unit = "" if is_regression(chosen) else " %"
                texts = [f"{float(cell['error']):.3g}{unit}, {cell['seconds']} s" if cell else "" for cell in cells]
                print(f"| {name} | `{chosen.options}` | " + " | ".join(texts) + " |")
        print()


COVTYPE = ["elevation", "aspect", "slope", "distance to water", "height above water", "distance to roads",
           "light at 9 o'clock", "light at noon", "light at 3 o'clock", "distance to fires",
           *(f"wilderness {k}" for k in range(1, 5)), *(f"soil {k}" for k in range(1, 41))]
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600 } .small { font-size: 11px; fill: #57606a } .one { stroke: #57606a; stroke-dasharray: 3 3 }
  rect { fill: #1a5fb4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .one { stroke: #9198a1 }
    rect { fill: #79c0ff }
  }
"""


def weights_of(path):
    """Weights by feature: of a forest, or of a file of svm-train --metric, with ranges from 0 to 1/weight."""
    with open(path) as file:
        if file.readline().startswith("svm_forest"):
            count = next(int(line.split()[1]) for line in file if line.startswith("weights "))
            return {int(index): float(weight) for index, weight in (file.readline().split() for _ in range(count))}
        file.readline()
        return {int(index): 1 / float(high) for index, _, high in map(str.split, file)}


def picture(weights, names):
    """The weights that are not 1 as SVG: bars, the largest first."""
    left, width, height, top = 160, 420, 18, 54
    shown = sorted(((index, weight) for index, weight in weights.items() if weight != 1), key=lambda each: -each[1])
    scale = width / shown[0][1]
    parts = []
    for place, (index, weight) in enumerate(shown):
        y = top + height * place
        name = names[index - 1] if names else f"feature {index}"
        parts.append(f'<text class="small" x="{left - 8}" y="{y + 11}" text-anchor="end">{name}</text>')
        parts.append(f'<rect x="{left}" y="{y}" width="{max(weight * scale, 1):.1f}" height="{height - 4}"/>')
        parts.append(f'<text class="small" x="{left + weight * scale + 6:.1f}" y="{y + 11}">{weight:.3g}</text>')
    bottom, one = top + height * len(shown), left + scale
    lines = [f'<text class="title" x="{left}" y="18">Learned weights of the features</text>',
             f'<text class="small" x="{left}" y="36">The dashed line is 1, the weight of all other features.</text>',
             f'<line class="one" x1="{one:.1f}" y1="{top - 8}" x2="{one:.1f}" y2="{bottom}"/>']
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 60} {bottom + 8}" role="img">\n'
            f"<title>Learned weights of the features</title>\n<style>{STYLE}</style>\n"
            + "\n".join(parts + lines) + "\n</svg>\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--bin", type=pathlib.Path, default="build")
    p.add_argument("--sets", default=list(SETS), help="names as in the table, with ; between them",
                   type=lambda text: text.split(";"))
    p.add_argument("--ways", default=WAYS + PEERS, type=lambda text: text.split(","))
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--long", type=float, default=20, help="seconds above which one turn is enough")
    p.add_argument("--out", type=pathlib.Path, default=RESULTS)
    p.add_argument("--work", type=pathlib.Path, help="keep prepared data here")
    p.add_argument("--choose", action="store_true", help="only try C and gamma on validation rows")
    p.add_argument("--choices", action="store_true", help="only try other constants on validation rows")
    p.add_argument("--tables", action="store_true", help="only print the tables of --out")
    p.add_argument("--picture", type=pathlib.Path, help="only draw --weights")
    p.add_argument("--weights", type=pathlib.Path, help="that svm-train --metric wrote, or a forest")
    p.add_argument("--names", choices=["covtype"], help="whose features the weights are of")
    a = p.parse_args()
    if a.picture:
        a.picture.write_text(picture(weights_of(a.weights), COVTYPE if a.names else None))
        return None
    if a.tables:
        return tables(read_results(a.out))
    if a.data is None or (not a.choose and not a.choices and a.out == RESULTS):
        p.error("--data and --out are needed")
    a.has_metric = "--metric" in subprocess.run([a.bin / "svm-train", "--help"], capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        a.work = a.work or pathlib.Path(folder)
        if a.choices:
            return choices(a)
        for name in a.sets:
            (choose if a.choose else measure)(a, name)
    return None


if __name__ == "__main__":
    sys.exit(main())
