#!/usr/bin/env python3
"""Trains on five well-known problems with LIBSVM, scikit-learn, smo and csmo.

  bench/peers.py --data FOLDER [--bin build] [--programs LIBSVM,scikit-learn,smo,csmo] [--peer /usr/bin/svm-train] [--python /usr/bin/python3]
                 [--problems a9a,mnist] [--rounds 1] [--out docs/results/peers.csv] [--work FOLDER]
  bench/peers.py --tables [--out docs/results/peers.csv]
  bench/peers.py --chart docs/images/peers.svg [--out docs/results/peers.csv]

FOLDER holds the data sets as NAME.xz or NAME.  Each program has one thread; the results file gets
its processor seconds, medians of --rounds turns, in which the programs alternate.  For LIBSVM,
smo and csmo they are those of svm-train as a whole, from text to model; for scikit-learn those of
fit() only.  Everybody has 1000 MB for kernel rows.  Rows of an existing results file are kept for
the programs and problems that are not measured.  --tables and --chart only read that file, and
--chart draws it as a picture.  Standard library only, except for scikit-learn's own process.
"""
import argparse, csv, math, os, pathlib, re, statistics, subprocess, sys, tempfile

from common import measured, text_of
from quoted import scaled, unscaled, z_scored

FIELDS = ["problem", "rows", "program", "seconds", "objective", "vectors"]
PROGRAMS = ["LIBSVM", "scikit-learn", "smo", "csmo"]

# The fit of scikit-learn in a process of its own.
FIT = """
import sys, time
import numpy as np
from sklearn import svm
from sklearn.datasets import load_svmlight_file
X, y = load_svmlight_file(sys.argv[1])
dense = sys.argv[2] == "dense"
X = X.toarray() if dense else X
options = dict(word.split("=") for word in sys.argv[4:])
model = getattr(svm, sys.argv[3])(cache_size=1000, **{k: float(v) for k, v in options.items()})
start = time.process_time()
model.fit(X, y)
print("seconds", time.process_time() - start)
print("vectors", len(model.support_))
"""


def four_fifths_of_all(lines):
    """The first 39,073 rows of a9a and a9a.t: as many as in the example of scikit-learn-intelex."""
    return iter(lines[:39073])


def every_14th(lines):
    return scaled(lines[::14])


# name: (title, data sets, preparation, -s, C, gamma, how scikit-learn reads it, published times)
PROBLEMS = {
    "covtype": ("covtype, every 14th row", ["covtype.libsvm.binary"], every_14th, 0, 10, 1, "dense", []),
    "mnist": ("mnist, ten classes", ["mnist"], z_scored, 0, 100, 0.0022222, "dense",
              [("scikit-learn", 661, "Falkon's notebook"), ("ThunderSVM on a GPU", 19.55, "the same")]),
    "ijcnn1": ("ijcnn1", ["ijcnn1"], unscaled, 0, 32, 2, "dense", []),
    "cadata": ("cadata, regression", ["cadata"], None, 3, 10, 0.125, "dense", []),
    "a9a": ("a9a", ["a9a", "a9a.t"], four_fifths_of_all, 0, 100, 0.0812, "sparse",
            [("scikit-learn", 803, "scikit-learn-intelex's notebook svc_adult"),
             ("oneDAL", 14.08, "the same, machine not named")]),
}


def prepare(a, work, name):
    _, sets, preparation, *_ = PROBLEMS[name]
    path = work / f"peers-{name}"
    if path.exists():
        return path
    part = path.with_suffix(".part")
    if preparation is None:  # features to [-1, 1] by the program for it
        plain = work / f"peers-{name}.plain"
        plain.write_text(text_of(a.data, sets[0]))
        with open(part, "w") as out:
            subprocess.run([a.bin / "svm-scale", plain], stdout=out, check=True)
    else:
        lines = [line for each in sets for line in text_of(a.data, each).splitlines()]
        with open(part, "w") as out:
            out.writelines(line + "\n" for line in preparation(lines))
    part.rename(path)
    return path


def train(a, program, name, path):
    """Seconds, objective of the last binary problem, number of support vectors."""
    _, _, _, kind, c, gamma, form, _ = PROBLEMS[name]
    if program == "scikit-learn":
        command = [a.python, "-c", FIT, path, form, "SVR" if kind == 3 else "SVC", f"C={c}", f"gamma={gamma}"]
        *_, output = measured(command, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        found = dict(line.split() for line in output.splitlines()[-2:])
        return float(found["seconds"]), "", found["vectors"]
    options = ["-s", kind, "-c", c, "-g", gamma, "-m", 1000]
    command = ([a.peer] if program == "LIBSVM" else [a.bin / "svm-train", "-a", program]) + options
    seconds, _, _, output = measured([*command, path, os.devnull], SVM_NUM_THREADS="1")
    objectives = re.findall(r"obj = ([-\d.e+]+)", output)
    vectors = re.findall(r"(?:Total )?nSV = (\d+)", output)
    return seconds, objectives[-1], vectors[-1]


def read_results(path):
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        return {(row["problem"], row["program"]): row for row in csv.DictReader(file)}


def write_results(path, results):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(results[key] for key in
                         ((name, program) for name in PROBLEMS for program in PROGRAMS) if key in results)


def measure(a):
    results = read_results(a.out)
    with tempfile.TemporaryDirectory() as folder:
        for name in a.problems:
            path = prepare(a, a.work or pathlib.Path(folder), name)
            with open(path, "rb") as file:
                rows = sum(1 for _ in file)
            turns = {program: [] for program in a.programs}
            for _ in range(a.rounds):
                for program in a.programs:
                    turns[program].append(train(a, program, name, path))
            for program, all_turns in turns.items():
                seconds = statistics.median(turn[0] for turn in all_turns)
                values = [name, rows, program, f"{seconds:.3g}", *all_turns[0][1:]]
                results[name, program] = dict(zip(FIELDS, values))
                print(*values, flush=True)
            write_results(a.out, results)


def rows_by_program(results, name):
    """The rows of a problem by the programs that were measured."""
    return {program: results[name, program] for program in PROGRAMS if (name, program) in results}


def row_of_problem(of):
    """The row from which numbers of rows and support vectors are taken: csmo's if there is one."""
    return of.get("csmo") or next(iter(of.values()))


def tables(results):
    heads = ["problem", "rows", "support vectors", *PROGRAMS, "LIBSVM / csmo", "published"]
    print("| " + " | ".join(heads) + " |\n" + "| --- " * len(heads) + "|")
    for name, (title, _, _, kind, c, gamma, _, published) in PROBLEMS.items():
        of = rows_by_program(results, name)
        if not of:
            continue
        any_row = row_of_problem(of)
        times = [of[program]["seconds"] if program in of else "" for program in PROGRAMS]
        ratio = f"{float(times[0]) / float(times[3]):.0f}" if times[0] and times[3] else ""
        quoted = "; ".join(f"{who} {seconds} ({where})" for who, seconds, where in published)
        print(f"| {title} `-s {kind} -c {c} -g {gamma}` | {any_row['rows']} | {any_row['vectors']} | "
              + " | ".join(times) + f" | {ratio} | {quoted} |")


STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600 } .small { font-size: 11px; fill: #57606a }
  .LIBSVM { fill: #8c959f } .scikit-learn { fill: #b5bcc4 } .smo { fill: #54a0e8 } .csmo { fill: #1a5fb4 }
  .published { fill: none; stroke: #bc4c00; stroke-width: 1.5 } .grid { stroke: #d0d7de }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .grid { stroke: #3d444d }
    .LIBSVM { fill: #6e7681 } .scikit-learn { fill: #545d68 } .smo { fill: #388bfd } .csmo { fill: #79c0ff }
    .published { stroke: #f0883e }
  }
"""


def chart(results):
    """The results as SVG: bars of seconds on a logarithmic scale, published times as diamonds."""
    left, width, height, gap = 200, 520, 14, 20
    least, most = 0.1, 2000

    def at(seconds):
        return left + width * math.log(max(seconds, least) / least) / math.log(most / least)

    parts = []
    y = 44
    top = y - 10
    for name, (title, _, _, _, _, _, _, published) in PROBLEMS.items():
        of = rows_by_program(results, name)
        if not of:
            continue
        middle = y + height * len(of) / 2
        parts.append(f'<text class="title" x="{left - 12}" y="{middle + 1:.0f}" text-anchor="end">{title}</text>')
        rows = int(row_of_problem(of)["rows"])
        parts.append(f'<text class="small" x="{left - 12}" y="{middle + 15:.0f}" text-anchor="end">{rows:,} rows</text>')
        for program, row in of.items():
            seconds = float(row["seconds"])
            end = at(seconds)
            parts.append(f'<rect class="{program}" x="{left}" y="{y}" width="{end - left:.1f}" height="{height - 2}"/>')
            parts.append(f'<text class="small" x="{end + 5:.1f}" y="{y + 10}">{seconds:.3g} s</text>')
            y += height
        for who, seconds, _ in published:
            x, centre = at(seconds), y + 5
            parts.append(f'<path class="published" d="M{x:.1f} {centre - 5}l5 5l-5 5l-5 -5z"/>')
            parts.append(f'<text class="small" x="{x + 10:.1f}" y="{centre + 4}">{who} {seconds:g} s, published</text>')
            y += height
        y += gap
    bottom = y - gap + 6
    lines = []
    for power in range(-1, 4):
        x = at(10.0 ** power)
        lines.append(f'<line class="grid" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>')
        lines.append(f'<text class="small" x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{10.0 ** power:g} s</text>')
    legend, x = [], left
    for program in PROGRAMS:
        legend.append(f'<rect class="{program}" x="{x}" y="10" width="12" height="12"/>')
        legend.append(f'<text x="{x + 17}" y="21">{program}</text>')
        x += 36 + 7.5 * len(program)
    name = "Seconds of training on five problems, on a logarithmic scale"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 160} {bottom + 26}" role="img">\n'
            f"<title>{name}</title>\n<style>{STYLE}</style>\n" + "\n".join(legend + lines + parts) + "\n</svg>\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--bin", type=pathlib.Path, default="build")
    p.add_argument("--peer", type=pathlib.Path, default="/usr/bin/svm-train", help="LIBSVM's svm-train")
    p.add_argument("--python", default="/usr/bin/python3", help="a Python that has scikit-learn")
    p.add_argument("--problems", default=list(PROBLEMS), type=lambda text: text.split(","))
    p.add_argument("--programs", default=PROGRAMS, type=lambda text: text.split(","))
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--out", type=pathlib.Path, default="docs/results/peers.csv")
    p.add_argument("--work", type=pathlib.Path, help="keep prepared data here")
    p.add_argument("--tables", action="store_true", help="only print the table of --out")
    p.add_argument("--chart", type=pathlib.Path, help="only draw --out")
    a = p.parse_args()
    if a.chart:
        a.chart.write_text(chart(read_results(a.out)))
    elif a.tables:
        tables(read_results(a.out))
    elif a.data is None:
        p.error("--data is needed")
    else:
        measure(a)


if __name__ == "__main__":
    sys.exit(main())
