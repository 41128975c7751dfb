"""The tables and the figure of "Accelerated Linear SVM Training with Adaptive Variable Selection Frequencies"."""
import math, subprocess

from paper.study import table

TITLE = "AVSF (Glasmachers, Dogan, 2013)"

COSTS = (0.01, 0.1, 1, 10, 100, 1000)
SOLVERS = ("dcd", "avsf")
THINNING = 50  # every so many rows of covtype where the whole set takes too long
SEEDS = 10     # runs on news20, of which the mean is taken; the paper has ten
# The paper's tables 2 and 3.  (data, eps, solver): update steps and seconds by C.
PAPER = {
    ("covtype", 0.01, "dcd"): ((3.31e6, 7.41e6, 3.38e7, 1.80e8, 1.37e9, 1.14e10), (1.29, 2.73, 12.5, 69.5, 533, 4450)),
    ("covtype", 0.01, "avsf"): ((8.72e6, 1.28e7, 3.43e7, 1.88e8, 1.50e9, 1.40e10), (4.86, 7.05, 18.1, 98.4, 724, 6670)),
    ("covtype", 0.001, "dcd"): ((3.31e6, 7.41e6, 3.38e7, 1.80e8, 1.78e9, 1.44e10), (1.28, 2.75, 12.5, 69.5, 597, 4750)),
    ("covtype", 0.001, "avsf"): ((8.72e6, 1.28e7, 3.43e7, 1.88e8, 1.50e9, 1.40e10), (4.82, 7.18, 18.7, 101, 724, 6710)),
    ("news20", 0.01, "dcd"): ((8.03e4, 1.22e5, 4.04e5, 6.38e5, 1.38e6, 2.47e7), (0.56, 0.60, 2.30, 3.56, 7.39, 100)),
    ("news20", 0.01, "avsf"): ((1.20e5, 2.60e5, 4.80e5, 4.40e5, 8.80e5, 8.20e5), (0.77, 1.12, 2.13, 2.47, 5.15, 3.95)),
    ("news20", 0.001, "dcd"): ((8.03e4, 1.54e5, 1.55e6, 1.87e6, 2.90e6, 2.50e7), (0.56, 0.78, 8.54, 9.84, 11.9, 103)),
    ("news20", 0.001, "avsf"): ((1.60e5, 3.80e5, 5.20e5, 7.20e5, 8.80e5, 1.02e6), (0.97, 2.13, 2.44, 4.06, 5.15, 6.20)),
}
ROWS = {"covtype": 581012, "news20": 19996}  # the paper's
results = {}  # of what was trained before, as a table and a figure may need the same


def halves_of_news20(study):
    """The rows of the multi-class news20 at length 1, the first ten classes against the others."""
    lines = []
    for words in map(str.split, study.text("news20").splitlines()):
        pairs = [word.split(":") for word in words[1:]]
        length = math.sqrt(sum(float(value) ** 2 for _, value in pairs)) or 1
        lines.append(("+1" if int(words[0]) <= 10 else "-1")
                     + "".join(f" {index}:{float(value) / length:.6g}" for index, value in pairs))
    return "\n".join(lines) + "\n"


def covtype(study):
    """covtype with features in [0, 1]."""
    unscaled = study.prepared("covtype.unscaled", lambda: study.text("covtype.libsvm.binary"))
    return subprocess.run([study.bin / "svm-scale", "-l", "0", "-u", "1", unscaled], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def data_set(study, name, cost):
    """Path and how many rows were left out for each that is in it."""
    if name == "news20":
        return study.prepared("news20.halves", lambda: halves_of_news20(study)), 1
    path = study.prepared("covtype", lambda: covtype(study))
    if cost <= (0.1 if study.quick else 1):
        return path, 1
    every = THINNING * 4 if study.quick else THINNING
    thinned = lambda: "".join(path.read_text().splitlines(keepends=True)[every - 1::every])
    return study.prepared(f"covtype.{every}", thinned), every


def trained(study, name, eps, cost, solver):
    """Rows, mean steps, mean seconds without those that reading takes, and the steps of each run."""
    key = (name, eps, cost, solver)
    if key not in results:
        path, every = data_set(study, name, cost)
        seeds = 1 if name == "covtype" or study.quick else SEEDS
        train = lambda eps, seed: study.train(path, "-a", solver, "--as-published", "-t", "0", "-e", repr(eps),
                                              "-c", repr(cost), "--seed", seed, "--max-iter", 2 * 10**9)
        if path not in results:
            # With this eps the first sweep is the last.
            results[path] = train(1e9, 1).seconds
        runs = [train(eps, seed) for seed in range(1, seeds + 1)]
        mean = lambda values: sum(values) / seeds
        rows = ROWS["covtype"] // every if name == "covtype" else len(path.read_text().splitlines())
        steps = [run.iterations for run in runs]
        results[key] = (rows, mean(steps), max(0, mean([run.seconds for run in runs]) - results[path]), steps)
    return results[key]


def data_sets(study):
    """Table 1: the data sets"""
    has = lambda name: f"{len(study.text(name).splitlines()):,} rows"
    table(["paper", "rows", "features", "here"], [
        ["cover type", "581,012", "54", f"covtype.libsvm.binary, {has('covtype.libsvm.binary')}, the same"],
        ["kdd-a", "8,407,752", "20,216,830", "none: too large"],
        ["kdd-b", "19,264,097", "29,890,095", "none: too large"],
        ["news 20", "19,996", "1,355,191", f"not found; a stand-in: the multi-class news20, {has('news20')}, 62,061 "
         "features, rows at length 1, classes 1 to 10 against 11 to 20"],
        ["rcv1", "20,242", "47,236", "none: not found"],
        ["url", "2,396,130", "3,231,961", "none: too large"]])


def short(number):
    return f"{number:.2e}".replace("e+0", "e").replace("e+", "e")


def with_range(mean, steps):
    """A mean, with the least and the most if there are several runs."""
    return short(mean) + (f" ({short(min(steps))} to {short(max(steps))})" if len(steps) > 1 else "")


def comparison(study, eps):
    for name in ("covtype", "news20"):
        print(f"\n{name}, paper / here\n")
        lines = []
        for k, cost in enumerate(COSTS):
            here = {solver: trained(study, name, eps, cost, solver) for solver in SOLVERS}
            rows = here["dcd"][0]
            paper = {solver: [figures[k] for figures in PAPER[name, eps, solver]] for solver in SOLVERS}
            sweeps = lambda solver: f"{paper[solver][0] / ROWS[name]:,.1f} / {here[solver][1] / rows:,.1f}"
            # Seconds of fewer rows are not comparable.
            seconds = lambda solver: f"{here[solver][2]:.2f}" if name == "news20" or rows == ROWS[name] else "-"
            ratio = f"{paper['avsf'][0] / paper['dcd'][0]:.2f} / {here['avsf'][1] / here['dcd'][1]:.2f}"
            lines.append([f"{cost:g}", f"{rows:,}",
                          *(f"{short(paper[solver][0])} / {with_range(here[solver][1], here[solver][3])}"
                            for solver in SOLVERS), ratio,
                          *(sweeps(solver) for solver in SOLVERS),
                          *(f"{paper[solver][1]:g} / {seconds(solver)}" for solver in SOLVERS)])
        table(["C", "rows here", "dcd: steps", "avsf: steps", "avsf over dcd", "dcd: steps per row",
               "avsf: steps per row", "dcd: s", "avsf: s"], lines)


def coarse(study):
    """Table 2: steps and seconds, eps 0.01"""
    comparison(study, 0.01)


def fine(study):
    """Table 3: steps and seconds, eps 0.001"""
    comparison(study, 0.001)


def curves(study):
    """Figure 1: steps per row and seconds against C"""
    for name in ("covtype", "news20"):
        plots = {"steps per row": [], "seconds": []}
        for solver, color in zip(SOLVERS, ("#b02020", "#2040b0")):
            for eps, dash in ((0.01, 1), (0.001, 2)):
                here = [trained(study, name, eps, cost, solver) for cost in COSTS]
                steps, seconds = PAPER[name, eps, solver]
                full = max(rows for rows, *_ in here)
                curve = {"steps per row": [(cost, n / rows) for cost, (rows, n, *_) in zip(COSTS, here)],
                         "seconds": [(cost, s) for cost, (rows, _, s, _) in zip(COSTS, here) if rows == full and s > 0.05]}
                paper = {"steps per row": [(cost, n / ROWS[name]) for cost, n in zip(COSTS, steps)],
                         "seconds": list(zip(COSTS, seconds))}
                for what, plot in plots.items():
                    style = f"lc rgb '{color}' title '{solver}, "
                    plot.append((f"with lines lw 2 dt {dash} {style}eps {eps:g}'", curve[what]))
                    if eps == 0.01:
                        plot.append((f"with points pt 6 {style}eps 0.01, paper'", paper[what]))
        script = ("set multiplot layout 1,2\nset logscale xy\nset format '10^{%T}'\nset xlabel 'C'\n"
                  "set key top left Left reverse samplen 2 font ',10'\nset xrange [0.007:1500]\n")
        for what, plot in plots.items():
            script += (f"set ylabel '{what}'\nplot " + ", ".join("'-' " + style for style, _ in plot) + "\n"
                       + "".join("".join(f"{x} {y}\n" for x, y in points) + "e\n" for _, points in plot)
                       + "unset key\n")
        study.draw(f"avsf_{name}", script)
        print(f"The curves of {name} in tables 2 and 3: avsf_{name}.svg")


TABLES = {"1": data_sets, "2": coarse, "3": fine, "fig1": curves}
