"""The tables and the figure of "An Accelerated MDM Algorithm for SVM Training"."""
import random

from common import standardised
from paper.study import table

TITLE = "Accelerated MDM (Barbero, Lopez, Dorronsoro, 2008)"

# The paper's name: data set, 2 sigma^2 and C as powers of ten, folds of a full and of a quick run, and the paper's
# table 2: thousands of kernel operations and of steps of mdm, the same of amdm, percentage of operations saved.
SETS = {
    "BCW": ("raetsch_breast_cancer", 4, 1, 100, 5, (1354.01, 2.76, 862.94, 1.41, 36.27)),
    "HD": ("heart", 3.5, 1, 100, 5, (2699.47, 5.51, 919.43, 1.45, 65.94)),
    "GCr": ("raetsch_german", 3, 3, 5, 1, (4549640.18, 2523.37, 508670.08, 215.961, 88.82)),
    "PID": ("diabetes_scale", 2, 1, 50, 5, (24564.49, 17.91, 18053.01, 10.67, 26.51)),
    "Ban": ("raetsch_banana", 0, 1, 10, 1, (622856.43, 65.26, 610072.00, 63.76, 2.05)),
    "Thy": ("raetsch_thyroid", 0, 1.5, 100, 5, (930.80, 2.44, 487.34, 1.00, 47.64)),
    "Spl": ("raetsch_splice", 1.5, 0, 10, 2, (50501.98, 8.84, 50337.28, 8.81, 0.33)),
}
# Vertices of a rhomboid; the first is where the path starts.
RHOMBOID = [(3, 0.3), (0.5, 0.3), (-0.7, 1.1), (1.8, 1.1)]


def fold(study, name, number):
    """Training and test file of a fold.  Each ten in a row are a partition of the rows, in random order."""
    def rows(of_test):
        lines = standardised(study.text(name)).splitlines(keepends=True)
        order = list(range(len(lines)))
        random.Random(number // 10).shuffle(order)
        test = set(order[number % 10::10])
        return "".join(line for row, line in enumerate(lines) if (row in test) == of_test)
    return (study.prepared(f"{name}.{number}", lambda: rows(False)),
            study.prepared(f"{name}.{number}.t", lambda: rows(True)))


def parameters(study):
    """Table 1: the parameters"""
    rows = []
    for paper, (name, width, cost, *_) in SETS.items():
        lines = study.text(name).splitlines()
        features = max(int(line.split()[-1].split(":")[0]) for line in lines)
        rows.append([paper, name, len(lines), features, f"10^{width}", f"10^{cost}",
                     f"`-g {10 ** -width:.6g} -c {10 ** cost:.6g}`"])
    table(["paper", "data set here", "rows", "features", "2 sigma^2", "C", "options"], rows)


def of_folds(study, paper, solver, gamma, with_error):
    """For each fold: thousands of kernel operations and of steps, steps along cycles, test error."""
    name, width, cost, full, quick, _ = SETS[paper]
    found = []
    for number in range(quick if study.quick else full):
        data, test = fold(study, name, number)
        run = study.train(data, "-a", solver, "--as-published", "-g", repr(10 ** -width), "-c", repr(10 ** cost),
                          "-e", repr(gamma), "-m", "500")
        found.append((run.number("kernel operations") / 1000, run.iterations / 1000, run.number("steps along cycles"),
                      study.error(test, run.model) if with_error else 0))
    return found


def savings(study):
    """Table 2: kernel operations and steps, in thousands"""
    rows, others = [], []
    for paper, (*_, full, quick, figures) in SETS.items():
        saved = {}
        for gamma in (0.001, 0.01):
            folds = [of_folds(study, paper, solver, gamma, gamma == 0.001) for solver in ("mdm", "amdm")]
            plain, fast = ([sum(column) / len(rows_of) for column in zip(*rows_of)] for rows_of in folds)
            saving = lambda of_mdm, of_amdm: 100 * (1 - of_amdm[0] / of_mdm[0])
            saved[gamma] = saving(plain, fast)
            if gamma == 0.001:
                here = [*plain[:2], *fast[:2], saved[gamma]]
                pairs = [f"{there:,.2f} / {value:,.2f}" for there, value in zip(figures, here)]
                each = [saving(*pair) for pair in zip(*folds)]
                pairs.append(f"{min(each):.0f} to {max(each):.0f}")
                rows.append([paper, quick if study.quick else full, *pairs])
                along, errors = fast[2], (plain[3], fast[3])
        others.append([paper, f"{saved[0.001]:.1f}", f"{saved[0.01]:.1f}", f"{along:,.1f}",
                       *(f"{error:.2f}" for error in errors)])
    print("Paper / here; gamma, the paper's tolerance, is 0.001; means over the folds, "
          "each of which leaves out a tenth of the rows.\n")
    table(["data", "folds", "mdm: operations", "mdm: steps", "amdm: operations", "amdm: steps", "saved, %",
           "on single folds, %"], rows)
    print("\nOnly here: the saving also with gamma = 0.01, "
          "and for gamma = 0.001 the steps along cycles and the test error.\n")
    table(["data", "saved, %, gamma = 0.001", "gamma = 0.01", "steps along cycles", "error of mdm, %",
           "of amdm, %"], others)


def dot(u, v):
    return sum(a * b for a, b in zip(u, v))


def path(vertices, uses_cycles):
    """The points W that MDM visits in the hull of the vertices, from the first one to the nearest to 0."""
    combine = lambda factors: tuple(dot(factors, column) for column in zip(*vertices))
    alpha, steps = [1.0] + [0.0] * (len(vertices) - 1), []
    points = [combine(alpha)]
    while True:
        margins = [dot(points[-1], vertex) for vertex in vertices]
        least = margins.index(min(margins))
        greatest = max((t for t, a in enumerate(alpha) if a > 0), key=lambda t: margins[t])
        if margins[greatest] - margins[least] <= 1e-3 * dot(points[-1], points[-1]):
            return points
        pair, change = (least, greatest), [0.0] * len(vertices)
        same = [k for k, (earlier, _) in enumerate(steps) if earlier == pair]
        cycle = uses_cycles and same and same[-1] < len(steps) - 1
        for (first, second), length in steps[same[-1]:] if cycle else [(pair, 1)]:
            change[first] += length
            change[second] -= length
        direction = combine(change)
        best = -dot(points[-1], direction) / dot(direction, direction)
        limit, first_out = min((a / -c, t) for t, (a, c) in enumerate(zip(alpha, change)) if c < 0)
        alpha = [a + min(best, limit) * c for a, c in zip(alpha, change)]
        if limit <= best:
            alpha[first_out] = 0
        steps = [] if cycle else steps + [(pair, min(best, limit))]
        points.append(combine(alpha))


def zigzag(study):
    """Figure 1: the zigzag of MDM on a rhomboid"""
    paths = [path(RHOMBOID, uses_cycles) for uses_cycles in (False, True)]
    for solver, points in zip(("mdm", "amdm"), paths):
        print(f"* {solver}, {len(points) - 1} steps: " + ", ".join(f"({x:.3f}, {y:.3f})" for x, y in points))
    block = lambda points: "\n".join(f"{x} {y}" for x, y in points) + "\ne\n"
    script = ("set multiplot layout 2,1 margins 0.06,0.98,0.07,0.98 spacing 0,0.1\nset key top right\n"
              "set label '0' at 0,0 offset 0.6,0.6\nset xrange [-1.35:3.75]\nset yrange [-0.1:1.3]\n"
              "set xtics 1\nset ytics 0.5\n")
    for solver, points in zip(("mdm", "amdm"), paths):
        style = f"pt 7 ps 0.4 lc rgb '#b02020' title '{solver}, {len(points) - 1} steps'"
        script += ("plot '-' with filledcurves closed lc rgb '#e4e8ee' notitle, "
                   f"'-' with linespoints {style}, '-' with points pt 7 ps 0.4 lc rgb 'black' notitle\n"
                   + block(RHOMBOID) + block(points) + block([(0, 0)]))
    study.draw("mdm_zigzag", script)


TABLES = {"1": parameters, "2": savings, "fig1": zigzag}
