"""Conjugate SMO (Torres-Barran, Alaiz, Dorronsoro, 2021): its tables, its figures and its rate.

The project's copy of the paper lacks the numbers of tables 1 to 4, so the paper's statements about them
are compared.  SMO and CSMO take the same kernel values and stop by the same rule, without shrinking.
"""
import math, re, statistics
from dataclasses import dataclass

import csmo as bench
from paper.study import COUNTS, table

TITLE = "Conjugate SMO (Torres-Barran, Alaiz, Dorronsoro, 2021)"

SOLVERS = {"SMO": ["-a", "smo", "-h", 0], "CSMO": ["-a", "csmo", "--as-published"]}
FIRST_ORDER = {"SMO": ["-a", "smo1", "--as-published"], "CSMO": [*SOLVERS["CSMO"], "--first-order"]}
SHORT = 0.2  # seconds; shorter runs are repeated
TUBE = 2**-4   # of regressions


@dataclass
class Data:
    """A data set of the paper, and what the paper says about its time."""
    name: str
    regression: bool
    said: str
    scaled: bool = True   # else features, and targets of regressions, are scaled to [-1, 1]
    digit: int = None     # this one against the rest; values divided by 255

    def rows(self, study, wanted, scaled=None):
        """About so many rows, evenly from all of them, and the number of features."""
        total = study.text(self.name).count("\n")
        form = (max(1, round(total / wanted)), self.digit, self.scaled if scaled is None else scaled, self.regression)
        rows, features = bench.load(study.data, self.name, form)
        if self.digit is not None:
            rows = [(y, {f: v / 255 for f, v in x.items()}) for y, x in rows]
        return rows, features


DATA = {
    "adult8": Data("a8a", False, "clearly faster"),
    "web8": Data("w8a", False, "slightly slower"),
    "ijcnn1": Data("ijcnn1", False, "faster, smaller edge"),
    "cod-rna": Data("cod-rna", False, "clearly faster", scaled=False),
    "mnist1": Data("mnist", False, "faster, smaller edge", digit=1),
    "skin": Data("skin_nonskin", False, "faster, smaller edge", scaled=False),
    "abalone": Data("abalone_scale", True, "clear advantage"),
    "cpusmall": Data("cpusmall_scale", True, "clear advantage"),
    "cadata": Data("cadata", True, "slightly smaller advantage", scaled=False),
}
MISSING = {"trajectory": "closer", "year": "clear advantage", "ctscan": "slightly smaller advantage"}


def written(study, name, rows):
    path = study.work / name
    bench.write(path, rows)
    return path


def megabytes(share, rows):
    """What -m has to be for this share of the kernel matrix of so many rows."""
    return f"{share * rows * rows * 4 / 2**20:.2f}"


def rtd(smo, csmo):
    """The paper's relative time difference, in percent."""
    return 100 * (smo - csmo) / smo


def reading(study, path, options):
    """Seconds of the program but for the training, which is stopped after one step."""
    return statistics.median(study.train(path, *SOLVERS["SMO"], *options, "--max-iter", 1).seconds for _ in range(5))


def seconds(study, path, options, steps, less):
    """Seconds of both solvers in turn, medians of three where they are short, less those of reading.

    Runs end at the number of steps that they need.  Otherwise csmo would compute in doubles whether rounding
    hides a violation, which is no part of the paper's method.
    """
    times = {solver: [] for solver in SOLVERS}
    for _ in range(3):
        for solver, words in SOLVERS.items():
            trained = study.train(path, *words, *options, "--max-iter", steps[solver])
            times[solver].append(max(trained.seconds - less, 1e-4))
        if times["SMO"][0] > SHORT:
            break
    return {solver: statistics.median(of) for solver, of in times.items()}


def statements(*pairs):
    print()
    table(["the paper says", "here"], pairs)


def sets(study):
    """Table 1: the data sets"""
    rows = []
    for name, data in DATA.items():
        lines = study.text(data.name).splitlines()
        features = max(int(line.split()[-1].split(":")[0]) for line in lines if ":" in line)
        form = ("digit 1 against the rest, divided by 255" if data.digit else
                "as it is" if data.scaled else "scaled to [-1, 1]")
        rows.append([name, "regression" if data.regression else "classification", data.name, f"{len(lines):,}",
                     features, form])
    rows += [[name, "regression", "not among the data that could be had", "", "", ""] for name in MISSING]
    table(["data", "problem", "here", "rows", "features", "form in tables 3 and 4"], rows)


def cache(study):
    """Table 2 and figure 1: seconds against the size of the cache"""
    shares = [2**-k for k in ((6, 3, 0) if study.quick else range(6, -1, -1))]
    costs = [1, 10, 100]
    rows, points = [], {}
    for name in ("adult8", "web8", "cpusmall"):
        data = DATA[name]
        chosen, features = data.rows(study, 1500 if study.quick else 4000, scaled=data.regression)
        path = written(study, name, chosen)
        options = ["-s", 3 if data.regression else 0, "-g", 1 / features]
        less = reading(study, path, options)
        steps = {C: {solver: study.train(path, *words, *options, "-c", C).iterations
                     for solver, words in SOLVERS.items()} for C in costs}
        for share in shares:
            m = megabytes(share, len(chosen))
            row = [name, f"{len(chosen):,}", f"1/{round(1 / share)}", m]
            for C in costs:
                t = points[name, share, C] = seconds(study, path, [*options, "-c", C, "-m", m], steps[C], less)
                row += [f"{t['SMO']:.3f} / {t['CSMO']:.3f}", f"{rtd(*t.values()):+.0f}"]
            rows.append(row)
    table(["data", "rows", "share of the matrix", "MB"] +
          [title for C in costs for title in (f"s, C = {C}: SMO / CSMO", "RTD, %")], rows)
    mean = lambda share, C: statistics.fmean(rtd(*t.values()) for (_, s, c), t in points.items()
                                             if share in (None, s) and C in (None, c))
    total = lambda share, solver: sum(t[solver] for (_, s, _), t in points.items() if s == share)
    statements(
        ["time falls as the cache grows", "SMO / CSMO in total: " + ", ".join(
            f"{total(s, 'SMO'):.1f} / {total(s, 'CSMO'):.1f} s ({1 / s:.0f})" for s in shares) +
         " (one over the share)"],
        ["CSMO gains more with smaller caches", "mean RTD: " + ", ".join(
            f"{mean(s, None):.0f} % ({1 / s:.0f})" for s in shares)],
        ["CSMO gains more with larger C", "mean RTD: " + ", ".join(f"{mean(None, C):.0f} % (C = {C})" for C in costs)])
    draw_cache(study, points, shares, costs)


def draw_cache(study, points, shares, costs):
    script = ("set terminal svg size 840,300 font ',10' background '#ffffff'\n"
              "set multiplot layout 1,3 margins 0.08,0.82,0.18,0.9 spacing 0.05,0.1\nset grid\n"
              "set logscale y\nset logscale x 2\nset xlabel 'share of the matrix'\nset ylabel 'seconds'\n"
              "set xtics ('1/64' 0.015625, '1/8' 0.125, '1' 1)\nset format y '%g'\n"
              "set xrange [0.015:1]\nset key at screen 1,0.9\n")
    for name in dict.fromkeys(name for name, *_ in points):
        plots = []
        for C, colour in zip(costs, ("#1b9e77", "#7570b3", "#d95f02")):
            for solver, dash in (("SMO", 2), ("CSMO", 1)):
                block = f"${solver}{C}"
                script += f"{block} << EOD\n" + "".join(
                    f"{share} {points[name, share, C][solver]:.4f}\n" for share in shares) + "EOD\n"
                plots.append(f"{block} with lines lw 1.5 dt {dash} lc rgb '{colour}' title '{solver}, C = {C}'")
        script += f"set title '{name}'\nplot " + ", ".join(plots) + "\nunset key\nunset ylabel\n"
    study.draw("csmo-cache", script + "unset multiplot\n")


# Shares of the kernel matrix in the cache, in the place of the paper's 100 MB and 1 GB: 100 MB held 1/20
# of the matrix of a8a, 1 GB half of it.
SMALL, LARGE = 1 / 16, 1
TITLES = {SMALL: "cache of 1/16", LARGE: "whole matrix"}


@dataclass
class Point:
    C: int       # exponents of 2
    gamma: int
    times: dict  # by share: seconds of the solvers
    iterations: dict
    scores: dict  # percent of the test rows, or minus the mean squared error


def grid(study, name):
    """The points of the paper's grid for one data set: every fifth row is the test of all."""
    data = DATA[name]
    rows, _ = data.rows(study, 1500 if study.quick else 2500)
    train = written(study, name, [row for k, row in enumerate(rows) if k % 5])
    test = written(study, name + ".t", [row for k, row in enumerate(rows) if k % 5 == 0])
    kept = len(rows) - len(rows[::5])
    step = 4 if study.quick else 2
    kind = ["-s", 3, "-p", TUBE] if data.regression else []
    less = reading(study, train, kind)
    points = []
    for C in range(-5, 10 if data.regression else 16, step):
        for gamma in range(-15, 4, step):
            options = [*kind, "-c", 2**C, "-g", 2**gamma]
            steps, scores = {}, {}
            for solver, words in SOLVERS.items():
                trained = study.train(train, *words, *options)
                steps[solver] = trained.iterations
                scores[solver] = score(study, test, trained.model, data.regression)
            times = {share: seconds(study, train, [*options, "-m", megabytes(share, kept)], steps, less)
                     for share in (SMALL, LARGE)}
            points.append(Point(C, gamma, times, steps, scores))
    return kept, points


def score(study, test, model, regression):
    _, output = study.run("svm-predict", test, model, study.work / "predictions")
    if regression:
        return -float(re.search(r"Mean squared error = ([-+.\de]+)", output)[1])
    return float(re.search(r"Accuracy = ([.\d]+)", output)[1])


def total(points, share):
    return {solver: sum(p.times[share][solver] for p in points) for solver in SOLVERS}


def classification(study):
    """Table 3, figures 2 and 3: grids of C and gamma, classification"""
    grids(study, False, "accuracy, %", ["csmo-classification-small-cache", "csmo-classification-large-cache"])


def regression(study):
    """Table 4, figures 4 and 5: grids of C and gamma, regression"""
    grids(study, True, "mean squared error", ["csmo-regression"])


def grids(study, regression, measure, pictures):
    measured, rows = {}, []
    for name in (name for name, data in DATA.items() if data.regression == regression):
        kept, points = measured[name] = grid(study, name)
        best = {solver: max(points, key=lambda p: p.scores[solver]) for solver in SOLVERS}
        same = sum(math.isclose(*p.scores.values(), rel_tol=1e-3) for p in points)
        times = [total(points, share) for share in (SMALL, LARGE)]
        iterations = [sum(p.iterations[solver] for p in points) for solver in ("CSMO", "SMO")]
        rows.append([name, f"{kept:,}", len(points)] +
                    [f"{b.C}, {b.gamma}: {abs(b.scores[solver]):.4g}" for solver, b in best.items()] + [same] +
                    [cell for t in times
                     for cell in (f"{t['SMO']:.2f} / {t['CSMO']:.2f}", f"{rtd(*t.values()):+.0f}")] +
                    [f"{iterations[0] / iterations[1]:.2f}", DATA[name].said])
    titles = [title for share in TITLES.values() for title in (f"s, {share}: SMO / CSMO", "RTD, %")]
    table(["data", "rows", "points", f"best log2 C, gamma: {measure}, SMO", "CSMO", "points where both agree", *titles,
           "iterations, CSMO / SMO", "the paper"],
          rows + [[name, "not had"] + [""] * 9 + [said] for name, said in MISSING.items() if regression])
    conclusions(measured, regression)
    draw_maps(study, measured, pictures)


def conclusions(measured, regression):
    every = {name: points for name, (_, points) in measured.items()}
    gain = {(name, share): rtd(*total(points, share).values()) for name, points in every.items()
            for share in (SMALL, LARGE)}
    slower = [f"{name} ({v:.1f} %, {TITLES[share]})" for (name, share), v in gain.items() if v < 0]
    larger = [name for name in every if gain[name, SMALL] > gain[name, LARGE]]
    best = {name: max(points, key=lambda p: p.scores["SMO"]) for name, points in every.items()}
    wins = [name for name, p in best.items() if rtd(*p.times[SMALL].values()) > 0]
    same = [name for name, points in every.items()
            if best[name] is max(points, key=lambda p: p.scores["CSMO"])]

    def by(field):
        """RTD of the total time with the small cache and the mean ratio of iterations, over all data sets."""
        parts = []
        for value in sorted({getattr(p, field) for points in every.values() for p in points}):
            here = [p for points in every.values() for p in points if getattr(p, field) == value]
            mean = math.exp(statistics.fmean(math.log(p.iterations["CSMO"] / p.iterations["SMO"]) for p in here))
            parts.append(f"2^{value}: {rtd(*total(here, SMALL).values()):+.0f} %, {mean:.2f}")
        return "; ".join(parts)

    statements(
        ["CSMO takes less time in total on all sets" + ("" if regression else " but web8"),
         "slower: " + (", ".join(slower) or "none")],
        ["differences are larger with the small cache", f"{len(larger)} of {len(every)} sets: " + ", ".join(larger)],
        ["same best parameters", f"{len(same)} of {len(every)} sets: " + ", ".join(same)],
        ["CSMO is often faster at the best parameters", f"{len(wins)} of {len(every)} sets: " + ", ".join(wins)],
        ["CSMO gains more with larger C", "RTD, mean ratio of iterations: " + by("C")],
        ["smaller gamma gains, down to a threshold", "RTD, mean ratio of iterations: " + by("gamma")])


def draw_maps(study, measured, pictures):
    """Maps of RTD, a picture for each cache or one for both; a triangle marks the best parameters."""
    step = 4 if study.quick else 2
    inside = [step * (k / 6 - 5 / 12) for k in range(6)]  # so that viewers do not blur the cells
    for k, picture in enumerate(pictures):
        shares = list(TITLES)[k:k + 1] if len(pictures) > 1 else TITLES
        panels = [(name, share) for share in shares for name in measured]
        script = ("set terminal svg size 840,520 font ',10' background '#ffffff'\n"
                  "set multiplot layout 2,3 margins 0.07,0.91,0.12,0.94 spacing 0.05,0.14\n"
                  "set cbrange [-60:60]\nset palette defined (-60 '#2166ac', 0 '#f7f7f7', 60 '#b2182b')\n"
                  "set colorbox user origin 0.94,0.3 size 0.012,0.4\nset cbtics -60,60,60\n"
                  "set autoscale fix\nunset key\n"
                  "set xtics -5,10,15 out nomirror\nset ytics -15,6,3 out nomirror\n")
        for at, (name, share) in enumerate(panels):
            points = measured[name][1]
            best = max(points, key=lambda p: p.scores["SMO"])
            cells = sorted((p.C + x, p.gamma + y, rtd(*p.times[share].values())) for p in points
                           for x in inside for y in inside)
            script += (f"set ylabel '{'' if at % 3 else 'log2 gamma'}'\nset xlabel '{'' if at < 3 else 'log2 C'}'\n"
                       "$points << EOD\n" + "".join("%g %g %.0f\n" % cell for cell in cells) + "EOD\n"
                       f"set title '{name}, RTD in percent, {TITLES[share]}'\n"
                       "plot $points using 1:2:3 with image, "
                       f"'+' using ({best.C}):({best.gamma}) every 1000 with points pt 9 ps 1 lc rgb '#1a9850'\n"
                       "unset colorbox\n")
        study.draw(picture, script + "unset multiplot\n")


def rate(study):
    """Propositions 2 and 3: the linear rate of first-order CSMO, heart_scale, C = 100"""
    path = study.prepared("heart_scale", lambda: study.text("heart_scale"))
    trace = study.work / "trace"
    options = [path, "-c", 100, "-e", 1e-8, "--trace", trace]

    def objective(words, *more):
        trained = study.train(*options, *words, *more)
        return trained.iterations, float(trace.read_text().splitlines()[-1].split(",")[2])

    variants = {f"{name}, {order} order": words for order, kind in (("first", FIRST_ORDER), ("second", SOLVERS))
                for name, words in kind.items()}
    ends = {name: objective(words) for name, words in variants.items()}
    least = min(end for _, end in ends.values())
    rows, curves = [], {}
    for name, words in variants.items():
        last = ends[name][0]
        found = [objective(words, "--max-iter", k) for k in range(last // 60, last, last // 60)]
        # Objectives in the trace have ten digits
        curve = curves[name] = [(k, (o - least) / -least) for k, o in found if o - least > -least * 1e-9]
        tail = list(zip(*((k, math.log(gap)) for k, gap in curve if gap < 1e-2)))
        rows.append([name, last, f"{math.exp(100 * statistics.linear_regression(*tail).slope):.3f}",
                     f"{abs(statistics.correlation(*tail)):.3f}",
                     next(k for k, gap in curve if gap < 1e-6)])
    table(["solver", "iterations to 1e-8", "factor of the gap in 100 iterations", "correlation with a straight line",
           "iterations to a relative gap of 1e-6"], rows)
    script = ("set logscale y\nset format y '%.0e'\nset xlabel 'iterations'\n"
              "set ylabel 'relative gap of the objective'\nset grid\n")
    for k, curve in enumerate(curves.values()):
        script += f"$c{k} << EOD\n" + "".join(f"{n} {gap:.3g}\n" for n, gap in curve) + "EOD\n"
    study.draw("csmo-rate", script + "plot " + ", ".join(
        f"$c{k} with lines lw 2 title '{name}'" for k, name in enumerate(curves)) + "\n")


PUBLISHED = {1: (162, 136), 10: (519, 389), 100: (1718, 1092), 1000: (2610, 1600)}


def counts(study):
    """Iterations on heart_scale, the published program (libsvm_cd) and here"""
    path = study.prepared("heart_scale", lambda: study.text("heart_scale"))
    rows = []
    for C, published in PUBLISHED.items():
        smo, csmo, smo1, csmo1 = (study.train(path, "-c", C, *words)
                                  for kind in (SOLVERS, FIRST_ORDER) for words in kind.values())
        rows.append([C, published[0], smo.iterations, published[1], csmo.iterations] +
                    [csmo.counts[name] for name in COUNTS[:3]] +
                    [f"{csmo.iterations / smo.iterations:.2f}", smo1.iterations, csmo1.iterations,
                     f"{csmo1.iterations / smo1.iterations:.2f}"])
    table(["C", "SMO, published", "SMO, here", "CSMO, published", "CSMO, here", *COUNTS[:3], "CSMO / SMO",
           "SMO, first order", "CSMO, first order", "CSMO / SMO"], rows)


TABLES = {"1": sets, "2": cache, "3": classification, "4": regression, "rate": rate, "counts": counts}
