"""Tables and heat maps of the results of bench/csmo.py."""
import collections, csv, math, shutil, statistics, subprocess

LARGE, SMALL = 10000, 1000  # rows
SECOND = 1.0
LISTED = 5  # points of each kind that are out of bounds
OBJECTIVE_ERROR, TOLERANCE = 1e-6, 1e-3


def read(path):
    points = collections.OrderedDict()
    for row in csv.DictReader(open(path)):
        key = (row["data"], float(row["C"]), int(row["gamma"]), float(row["tube"]), row["megabytes"])
        points.setdefault(key, {})[row["solver"]] = row
    return points


def number(row, field):
    return float(row[field])


def seconds(row):
    """Processor seconds if they were measured, else elapsed seconds."""
    return float(row.get("processor_seconds") or row["seconds"])


def total(points, solver, of):
    return sum(of(p[solver]) for p in points)


def ratio(points, of=seconds):
    return total(points, "csmo", of) / total(points, "smo", of)


def heading(*titles):
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles))


def costs_table(points):
    print("Iterations relative to smo (geometric mean; the largest), seconds relative to smo (totals):\n")
    heading("C", "points", "csmo:published iterations", "largest", "csmo iterations", "csmo solver seconds",
            "csmo seconds")
    for C in sorted({key[1] for key in points}):
        here = [p for key, p in points.items() if key[1] == C and key[4] == "100"]
        off = [number(p["csmo:published"], "iterations") / number(p["smo"], "iterations") for p in here if "csmo:published" in p]
        on = [number(p["csmo"], "iterations") / number(p["smo"], "iterations") for p in here]
        mean = lambda r: f"{math.exp(statistics.fmean(math.log(max(v, 1e-9)) for v in r)):.3f}" if r else "-"
        most = f"{max(off):.3f}" if off else "-"
        print(f"| {C:g} | {len(here)} | {mean(off)} | {most} | {mean(on)} | "
              f"{ratio(here, lambda r: number(r, 'solver_seconds')):.3f} | {ratio(here):.3f} |")


def sets_table(points):
    costs = sorted({key[1] for key in points})
    print("\nRTD = (t_smo - t_csmo) / t_smo, percent, over the points of a data set (-m 100):\n")
    heading("data", *(f"C={C:g}" for C in costs), "all")
    for name in dict.fromkeys(key[0] for key in points):
        cells = []
        for C in (*costs, None):
            here = [p for k, p in points.items() if k[0] == name and k[4] == "100" and C in (None, k[1])]
            cells.append(f"{100 * (1 - ratio(here)):.0f}" if here else "-")
        print(f"| {name} | " + " | ".join(cells) + " |")


def sizes(points):
    """Totals by size of the data, and the points that stand out."""
    costs = sorted({key[1] for key in points})
    rows = lambda p: int(p["smo"]["rows"])
    groups = {f"{LARGE:,} rows or more": lambda n: n >= LARGE,
              "between": lambda n: SMALL <= n < LARGE, f"below {SMALL:,} rows": lambda n: n < SMALL}
    print("\nSeconds of csmo relative to smo's, totals (points; smo's seconds):\n")
    heading("data", *(f"C={C:g}" for C in costs), "largest of one point")
    for title, belongs in groups.items():
        cells = []
        group = {k: p for k, p in points.items() if k[4] == "100" and belongs(rows(p))}
        if not group:
            continue
        for C in costs:
            here = [p for k, p in group.items() if k[1] == C]
            cells.append(f"{ratio(here):.3f} ({len(here)}; {total(here, 'smo', seconds):.3g})" if here else "-")
        worst = max(group, key=lambda k: ratio([group[k]]))
        cells.append(f"{ratio([group[worst]]):.2f}, {name_of(worst)}")
        print(f"| {title} | " + " | ".join(cells) + " |")
    long = {k: p for k, p in points.items() if seconds(p["smo"]) >= SECOND}
    if long:
        worst = max(long, key=lambda k: ratio([long[k]]))
        print(f"\nLargest csmo/smo seconds where smo takes a second or more ({len(long)} points): "
              f"{ratio([long[worst]]):.2f}, {name_of(worst)}.")


def name_of(key):
    return f"{key[0]} C={key[1]:g} gamma={key[2]}/features" + (f" tube={key[3]:.3g}" if key[3] else "")


def points_table(points):
    """Each point of the large data sets, with its certificate."""
    large = {k: p for k, p in points.items() if int(p["smo"]["rows"]) >= LARGE}
    if not any(p["csmo"].get("violation") for p in large.values()):
        return
    print()
    heading("data", "C", "gamma x features", "smo, s", "csmo, s", "csmo / smo", "violation csmo (smo)",
            "error of the objective csmo (smo)")
    for (name, C, k, *_), p in large.items():
        checked = {s: (number(p[s], "violation"), error(p[s])) for s in ("csmo", "smo")}
        print(f"| {name} | {C:g} | {k} | {seconds(p['smo']):.2f} | {seconds(p['csmo']):.2f} | {ratio([p]):.2f} | "
              f"{checked['csmo'][0]:.2g} ({checked['smo'][0]:.2g}) | "
              f"{checked['csmo'][1]:.1e} ({checked['smo'][1]:.1e}) |")


def error(row):
    """Relative error of the objective that the solver states, against that of its model."""
    true = number(row, "checked_objective")
    return abs(number(row, "objective") - true) / max(abs(true), 1e-300)


def certificates(points):
    checked = {k: p for k, p in points.items() if p["csmo"].get("violation")}
    if not checked:
        return
    allowed = lambda p: max(TOLERANCE, number(p["smo"], "violation"))
    above = [k for k, p in checked.items() if not number(p["csmo"], "violation") <= allowed(p)]
    off = [k for k, p in checked.items() if not error(p["csmo"]) <= OBJECTIVE_ERROR]
    unfinished = [k for k, p in checked.items() if p["csmo"]["status"] != "0"]
    print(f"\nOf {len(checked)} models of csmo, {len(above)} are above the larger one of the tolerance and smo's "
          f"violation, {len(off)} have an objective that is stated worse than {OBJECTIVE_ERROR:g}, "
          f"{len(unfinished)} did not converge.")
    for title, keys in (("violation", above), ("objective", off), ("status", unfinished)):
        for key in sorted(keys, key=lambda k: -error(points[k]["csmo"]))[:LISTED]:
            csmo, smo = points[key]["csmo"], points[key]["smo"]
            print(f"* {title}, {name_of(key)}: violation {number(csmo, 'violation'):.3g} (smo "
                  f"{number(smo, 'violation'):.3g}), objective {error(csmo):.1e} off, status {csmo['status']}")


def tables(path):
    points = read(path)
    costs_table(points)
    sets_table(points)
    sizes(points)
    points_table(points)
    certificates(points)
    worst = lambda solver: max((number(p[solver], "objective") - number(p["smo"], "objective")) /
                               abs(number(p["smo"], "objective")) for p in points.values() if solver in p)
    others = [s for s in ("csmo", "csmo:published") if any(s in p for p in points.values())]
    apart = max((abs(number(p["csmo"], "score") - number(p["smo"], "score")) for key, p in points.items()
                 if key[3] == 0), default=0)
    print(f"\nObjective above smo's, relative, at worst: "
          f"{', '.join(f'{s} {worst(s):.1e}' for s in others)}. "
          f"Training accuracies of classifications differ by at most {apart:.2g} points.")


def maps(path, folder):
    if not shutil.which("gnuplot"):
        return print("gnuplot not found: no heat maps")
    folder.mkdir(parents=True, exist_ok=True)
    points = read(path)
    for name in dict.fromkeys(key[0] for key in points):
        cells = collections.defaultdict(list)
        for key, p in points.items():
            if key[0] == name and key[4] == "100":
                cells[key[2], key[1]].append(100 * (1 - ratio([p])))
        data = "\n".join(f"{math.log10(C):g} {math.log10(k):g} {statistics.fmean(v):.1f}"
                         for (k, C), v in sorted(cells.items()))
        script = f"""set terminal pngcairo size 640,360
set output '{folder / (name + ".png")}'
set title 'RTD of csmo over smo in percent: {name}' noenhanced
set xlabel 'C'; set ylabel 'gamma'
set xtics ('1' 0, '10' 1, '100' 2, '1000' 3); set ytics ('1/features' 0, '10/features' 1)
set xrange [-0.5:3.5]; set yrange [-0.5:1.5]; set cbrange [-100:100]
set palette defined (-100 '#b2182b', 0 '#f7f7f7', 100 '#2166ac')
$data << EOD
{data}
EOD
plot $data using 1:2:3 with image notitle, $data using 1:2:(sprintf('%.0f', $3)) with labels notitle
"""
        subprocess.run(["gnuplot"], input=script, text=True, check=True)
