"""J. C. Platt, Fast training of support vector machines using sequential minimal optimization, 1998.

The paper's seconds are those of a Pentium II at 266 MHz, without reading the file.  Here they are those of
the whole program.  A run that would take more than LIMIT processor seconds is left out, and so are larger
ones.  The program itself knows elapsed seconds only, of which it gets three times as many.
"""
import functools, math, random

from paper.study import table

TITLE = "Sequential minimal optimization (Platt, 1998)"
LIMIT, QUICK_LIMIT = 60, 15
MNIST_LIMIT = 400
FEATURES, ONES = 300, 30  # of the artificial sets: 10 % of the features are 1
SOLVERS = ("platt", "pcg")


class Series:
    """Runs over subsets of growing size.  The paper's rows are: size, seconds of SMO and PCG, support vectors
    that are free and at C, steps of SMO and PCG."""

    def __init__(self, source, options, paper, scaling):
        self.source, self.options, self.paper, self.scaling = source, options, paper, scaling


# The exponents are those of Table 12.2, of SMO and PCG.
SERIES = {
    "12.3": Series("a9a", "-t 0 -c 0.05", [
        (1605, 0.4, 37.1, 42, 633, 3230, 1328), (2265, 0.9, 228.3, 47, 930, 4635, 3964),
        (3185, 1.8, 596.2, 57, 1210, 6950, 6742), (4781, 3.6, 1954.2, 63, 1791, 9847, 10550),
        (6414, 5.5, 3684.6, 61, 2370, 10669, 12263), (11221, 17.0, 20711.3, 79, 4079, 17128, 25400),
        (16101, 35.3, None, 67, 5854, 22770, None), (22697, 85.7, None, 88, 8209, 35822, None),
        (32562, 163.6, None, 149, 11558, 44774, None)], (1.9, 3.1)),
    "12.4": Series("a9a", "-g 0.05 -c 1", [
        (1605, 15.8, 34.8, 106, 585, 3349, 1064), (2265, 32.1, 144.7, 165, 845, 5149, 2159),
        (3185, 66.2, 380.5, 181, 1115, 6773, 3353), (4781, 146.6, 1137.2, 238, 1650, 10820, 5164),
        (6414, 258.8, 2530.6, 298, 2181, 14832, 8085), (11221, 781.4, 11910.6, 460, 3746, 25082, 14479),
        (16101, 1784.4, None, 567, 5371, 34002, None), (22697, 4126.4, None, 813, 7526, 51316, None),
        (32562, 7749.6, None, 1011, 10663, 77103, None)], (2.1, 2.9)),
    "12.5": Series("w8a", "-t 0 -c 1", [
        (2477, 2.2, 13.1, 123, 47, 25296, 1929), (3470, 4.9, 16.1, 147, 72, 46830, 2379),
        (4912, 8.1, 40.6, 169, 107, 66890, 4110), (7366, 12.7, 140.7, 194, 166, 88948, 7416),
        (9888, 24.7, 239.3, 214, 245, 141538, 8700), (17188, 65.4, 1633.3, 252, 480, 268907, 27074),
        (24692, 104.9, 3369.7, 273, 698, 345736, 32014),
        (49749, 268.3, 17164.7, 315, 1408, 489302, 63817)], (1.6, 2.5)),
    "12.6": Series("w8a", "-g 0.05 -c 5", [
        (2477, 26.3, 64.9, 439, 43, 10838, 1888), (3470, 44.1, 110.4, 544, 66, 13975, 2270),
        (4912, 83.6, 372.5, 616, 90, 18978, 5460), (7366, 156.7, 545.4, 914, 125, 27492, 5274),
        (9888, 248.1, 907.6, 1118, 172, 29751, 5972), (17188, 581.0, 3317.9, 1780, 316, 42026, 9413),
        (24692, 1214.0, 6659.7, 2300, 419, 55499, 14412),
        (49749, 3863.5, 23877.6, 3720, 764, 93358, 24235)], (1.7, 2.0)),
    "12.8": Series("separable", "-t 0 -c 100", [
        (1000, 15.3, 10.4, 275, 0, 66920, 1305), (2000, 33.4, 33.0, 286, 0, 134636, 2755),
        (5000, 103.0, 108.3, 299, 0, 380395, 7110), (10000, 186.8, 226.0, 309, 0, 658514, 14386),
        (20000, 280.0, 374.1, 329, 0, 896303, 20794)], (1.0, 1.2)),
    "12.10": Series("labels", "-t 0 -c 0.1", [
        (500, 1.0, 6.4, 162, 263, 5697, 548), (1000, 3.5, 57.9, 220, 632, 12976, 1529),
        (2000, 15.7, 593.8, 264, 1476, 38107, 3720), (5000, 67.6, 10353.3, 283, 4201, 87109, 7815),
        (10000, 187.1, None, 293, 9034, 130774, None)], (1.8, 3.2)),
    "12.12": Series("labels", "-g 0.05 -c 0.1", [
        (500, 5.6, 5.8, 22, 476, 901, 511), (1000, 21.1, 41.9, 82, 888, 1840, 1078),
        (2000, 131.4, 635.7, 75, 1905, 3564, 3738), (5000, 986.5, 13532.2, 30, 4942, 7815, 14178),
        (10000, 4226.7, None, 48, 9897, 15213, None)], (2.2, 3.4)),
}
# Sizes, seconds of SMO and PCG without the code for sparse rows; the exponents of Table 12.2.
DENSE = {
    "12.9": ("12.8", [(1000, 145.1, 11.7), (2000, 345.4, 36.8), (5000, 1118.1, 117.9),
                      (10000, 2163.7, 241.6), (20000, 3293.9, 397.0)], (1.1, 1.2)),
    "12.11": ("12.10", [(500, 6.0, 6.8), (1000, 21.7, 62.1), (2000, 99.3, 614.0), (5000, 400.0, 10597.7),
                        (10000, 1007.6, None)], (1.7, 3.2)),
    "12.13": ("12.12", [(500, 19.8, 6.8), (1000, 87.8, 53.0), (2000, 554.6, 729.3), (5000, 3957.2, 14418.2),
                        (10000, 15743.8, None)], (2.3, 3.1)),
}


def separable(size, draws):
    """Rows whose product with a vector is beyond 1 or below -1, as the sign of their label."""
    weights = [draws.uniform(-1, 1) for _ in range(FEATURES)]
    lines = []
    while len(lines) < size:
        ones = sorted(draws.sample(range(FEATURES), ONES))
        product = sum(weights[k] for k in ones)
        if abs(product) > 1:
            lines.append(("+1" if product > 0 else "-1") + "".join(f" {k + 1}:1" for k in ones) + "\n")
    return lines


def labels(size, draws):
    """Rows with random labels."""
    return [draws.choice(("+1", "-1")) + "".join(f" {k + 1}:1" for k in sorted(draws.sample(range(FEATURES), ONES)))
            + "\n" for _ in range(size)]


@functools.lru_cache(maxsize=None)
def lines_of(study, source):
    """The lines of a set in random order, so that its first lines are random nested subsets."""
    draws = random.Random(1)
    if source == "separable":
        return separable(20000, draws)
    if source == "labels":
        return labels(10000, draws)
    lines = study.text(source).splitlines(keepends=True)
    draws.shuffle(lines)
    return lines


def with_zeros(line):
    """The line with all features written, also those that are 0."""
    label, *pairs = line.split()
    values = dict(pair.split(":") for pair in pairs)
    return label + "".join(f" {k}:{values.get(str(k), 0)}" for k in range(1, FEATURES + 1)) + "\n"


def subset(study, source, size, dense=False):
    def make():
        chosen = lines_of(study, source)[:size]
        return "".join(map(with_zeros, chosen) if dense else chosen)
    return study.prepared(f"platt_{source}_{size}" + "_dense" * dense, make)


def limited(study, path, solver, options, limit):
    """A run as published; None if the limit stopped it."""
    trained = study.train(path, "-a", solver, "--as-published", "-e", "0.001", "-m", "2000",
                          "--time-limit", 3 * limit, *options)
    return None if "time limit" in trained.output else trained


def growth(given, size, larger):
    """By how much the paper's time grows between two sizes."""
    return given[larger] / given[size] if given[size] and given[larger] else (larger / size) ** 2.5


@functools.lru_cache(maxsize=None)  # for Table 12.2
def runs(study, number, dense=False):
    """For each solver a dictionary of runs by size, as far as the limit allows."""
    series = SERIES[number]
    limit = QUICK_LIMIT if study.quick else LIMIT
    found = {solver: {} for solver in SOLVERS}
    for solver, done in found.items():
        given = {row[0]: row[1 + SOLVERS.index(solver)] for row in series.paper}
        last = None
        for size in given:
            # Hopeless runs are not begun: the time should grow as the paper's.
            if last and done[last].seconds * growth(given, last, size) > limit:
                break
            trained = limited(study, subset(study, series.source, size, dense), solver,
                              series.options.split(), limit)
            if trained is None:
                break
            done[size] = trained
            last = size
    return found


def exponent(done):
    """The slope of the line through the logarithms, over the times that are long enough to measure."""
    points = [(math.log(size), math.log(run.seconds)) for size, run in done.items() if run.seconds >= 0.03]
    if len(points) < 3:
        return "-"
    x, y = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    return f"{sum((p - x) * (q - y) for p, q in points) / sum((p - x) ** 2 for p, _ in points):.1f}"


def both(paper, here):
    """Paper and here in one cell."""
    return f"{'-' if paper is None else paper} / {'-' if here is None else here}"


def seconds(run):
    return None if run is None else f"{run.seconds:.2f}"


def steps(run):
    return None if run is None else run.iterations


def print_series(study, number):
    series, found = SERIES[number], runs(study, number)
    print(f"`svm-train --as-published {series.options} -e 0.001`, paper / here:\n")
    rows = []
    for size, smo_s, pcg_s, free, bounded, smo_steps, pcg_steps in series.paper:
        platt, pcg = (found[solver].get(size) for solver in SOLVERS)
        rows.append([min(size, len(lines_of(study, series.source))), both(smo_s, seconds(platt)),
                     both(smo_steps, steps(platt)), both(pcg_s, seconds(pcg)), both(pcg_steps, steps(pcg)),
                     both(free, platt and platt.vectors - platt.bounded), both(bounded, platt and platt.bounded)])
    rows.append(["exponent", both(series.scaling[0], exponent(found["platt"])), "",
                 both(series.scaling[1], exponent(found["pcg"])), "", "", ""])
    table(["rows", "platt, s", "platt, steps", "pcg, s", "pcg, steps", "free", "at C"], rows)


def print_dense(study, number):
    base, paper, scaling = DENSE[number]
    sparse, dense = runs(study, base), runs(study, base, True)
    print(f"`svm-train --as-published {SERIES[base].options} -e 0.001`, seconds, paper / here.  There is no code for "
          "dense\nrows here: the zeros are written into the file.\n")
    rows = []
    for (size, smo_s, pcg_s), (_, smo_sparse, pcg_sparse, *_) in zip(paper, SERIES[base].paper):
        rows.append([size] + [both(given, seconds(found[solver].get(size))) for solver, given, found in (
            ("platt", smo_sparse, sparse), ("platt", smo_s, dense), ("pcg", pcg_sparse, sparse),
            ("pcg", pcg_s, dense))])
    rows.append(["exponent"] + [both(given, exponent(found[solver])) for solver, given, found in (
        ("platt", SERIES[base].scaling[0], sparse), ("platt", scaling[0], dense),
        ("pcg", SERIES[base].scaling[1], sparse), ("pcg", scaling[1], dense))])
    table(["rows", "platt, sparse", "platt, zeros", "pcg, sparse", "pcg, zeros"], rows)


def mnist(study, _):
    every = 6 if study.quick else 1
    # The paper does not scale the product.  With 1/70, about as many multipliers are at C = 10 as there.
    options = ["-t", "1", "-d", "5", "-g", repr(1 / 70), "-e", "0.02"]

    def make():
        text = []
        for line in study.text("mnist").splitlines()[::every]:
            label, *pairs = line.split()
            pixels = (pair.split(":") for pair in pairs)
            text.append(("+1" if float(label) == 8 else "-1") +
                        "".join(f" {k}:{int(v) / 255:.6g}" for k, v in pixels) + "\n")
        return "".join(text)

    path = study.prepared(f"platt_mnist8_{every}", make)
    rows = []
    for cost, smo_s, pcg_s, free, bounded in ((10, 25096, 29350, 3263, 149), (100, 29471, 33109, 3450, 0)):
        platt, pcg = (limited(study, path, solver, options + ["-c", cost], 60 if study.quick else MNIST_LIMIT)
                      for solver in SOLVERS)
        rows.append([cost, both(smo_s, seconds(platt)), both(pcg_s, seconds(pcg)),
                     both(free, platt and platt.vectors - platt.bounded), both(bounded, platt and platt.bounded)])
    print(f"`svm-train --as-published -t 1 -d 5 -g {1 / 70:.4f} -e 0.02`, pixels in [0, 1]" +
          (f", every {every}th row" if every > 1 else "") + ", paper / here:\n")
    table(["C", "platt, s", "pcg, s", "free", "at C"], rows)


def summary(study, _):
    rows = []
    for number, name in (("12.3", "Adult linear"), ("12.4", "Adult Gaussian"), ("12.5", "Web linear"),
                         ("12.6", "Web Gaussian"), ("12.8", "separable"), ("12.10", "random linear"),
                         ("12.12", "random Gaussian")):
        found = runs(study, number)
        given = {row[0]: row for row in SERIES[number].paper}
        size = max(s for s in found["platt"] if s in found["pcg"] and given[s][2] is not None)
        ratio = found["pcg"][size].seconds / max(found["platt"][size].seconds, 0.005)
        rows.append([name, size, both(given[size][1], seconds(found["platt"][size])),
                     both(given[size][2], seconds(found["pcg"][size])),
                     both(f"{given[size][2] / given[size][1]:.1f}", f"{ratio:.1f}"),
                     both(SERIES[number].scaling[0], exponent(found["platt"])),
                     both(SERIES[number].scaling[1], exponent(found["pcg"]))])
    print("Paper / here, at the largest size for which there are times of both:\n")
    table(["data", "rows", "platt, s", "pcg, s", "pcg / platt", "exponent, platt", "exponent, pcg"], rows)


def titled(number, title, shows):
    def shown(study):
        shows(study, number)
    shown.__doc__ = f"Table {number}: {title}"
    return shown


TABLES = {number: titled(number, title, shows) for number, title, shows in (
    ("12.3", "Adult, linear kernel", print_series), ("12.4", "Adult, Gaussian kernel", print_series),
    ("12.5", "Web, linear kernel", print_series), ("12.6", "Web, Gaussian kernel", print_series),
    ("12.7", "MNIST, class 8, polynomial of degree 5", mnist),
    ("12.8", "separable set, linear kernel", print_series),
    ("12.9", "separable set, sparse and dense rows", print_dense),
    ("12.10", "random labels, linear kernel", print_series),
    ("12.11", "random labels, linear kernel, sparse and dense rows", print_dense),
    ("12.12", "random labels, Gaussian kernel", print_series),
    ("12.13", "random labels, Gaussian kernel, sparse and dense rows", print_dense),
    ("12.2", "exponents of the number of rows", summary))}
