#!/usr/bin/env python3
"""Trains on well-known problems with LIBSVM, ThunderSVM, scikit-learn, oneDAL, smo and csmo.

  bench/peers.py --data FOLDER --out mine.csv [--bin build] [--libsvm /usr/bin/svm-train]
                 [--thundersvm PROGRAM] [--python VENV/bin/python] [--problems ijcnn1,usps]
                 [--programs LIBSVM,csmo] [--rounds 1] [--long 30] [--work FOLDER]
  bench/peers.py --tables [--out docs/results/peers.csv]
  bench/peers.py --chart docs/images/peers.svg [--out docs/results/peers.csv]

FOLDER holds the data sets as NAME.xz or NAME.  A program is measured if it is given or there, and an
estimator if the Python of --python can import it: scikit-learn's, oneDAL's (scikit-learn-intelex) and
csmo's, and if --programs names them xgboost's and LightGBM's, with their default of 100 trees and with
500; python/bench/one_fit.py runs them.  Each has one thread; the results file gets processor
seconds, medians of --rounds turns, in which the programs alternate; what takes more than --long
seconds in the first turn has only that one.  The seconds of a program are those of the whole of it,
from text to model; of an estimator those of fit().  Everybody has 1000 MB for kernel rows.  The
other columns: the violation of the optimality conditions, recomputed in doubles in a run that is not
timed, or for LIBSVM from smo if their models are the same; the seconds of predict(); and the part of
labels that is predicted wrong, or the root of the mean squared error, for rows of test if there are
any and else for those of training.  --tables prints the tables of a results file, with fit, predict and
error in one cell if it has trees, and --chart draws it.
"""
import argparse, csv, json, math, os, pathlib, re, statistics, subprocess, sys, tempfile

from common import measured, text_of
from quoted import by_255, pairs_of, scaled, unscaled

FIELDS = ["problem", "program", "seconds", "violation", "predict", "error"]
# Those that are Python's: module.
ESTIMATORS = {
    "scikit-learn": "sklearn.svm",
    "oneDAL": "sklearnex.svm",
    "oneDAL floats": "sklearnex.svm",
    "csmo.SVC": "csmo",
}
# Another kind of model: module, beginning of the class's name, parameters beside one thread.
TREES = {
    "xgboost": ("xgboost", "XGB", {}),
    "xgboost 500": ("xgboost", "XGB", {"n_estimators": 500, "learning_rate": 0.1}),
    "LightGBM": ("lightgbm", "LGBM", {"verbose": -1}),
    "LightGBM 500": ("lightgbm", "LGBM", {"verbose": -1, "n_estimators": 500}),
}
PROGRAMS = ["LIBSVM", "ThunderSVM", *ESTIMATORS, "smo", "csmo"]
HERE = pathlib.Path(__file__).resolve().parent
FIT = HERE.parent / "python" / "bench" / "one_fit.py"


def every(step, then=unscaled):
    return lambda lines: then(lines[::step])


def pixels_by_255(lines):
    """The digits as they are, pixels divided by 255."""
    for line in lines:
        digit, *pairs = line.split()
        values = (pair.split(":") for pair in pairs)
        yield f"{digit} " + " ".join(f"{i}:{float(v) / 255:.9g}" for i, v in values)


def first_39073(lines):
    return iter(lines[:39073])


def others_scaled(lines):
    """Other rows of covtype, scaled as those of training are."""
    trained = [dict(pairs_of(line)[1]) for line in lines[::14]]
    columns = {i: [row.get(i, 0.0) for row in trained] for i in set().union(*trained)}
    ranges = {i: (min(values), max(values)) for i, values in columns.items()}
    for line in lines[7::14]:
        label, pairs = pairs_of(line)
        row = dict(pairs)
        values = ((i, (row.get(i, 0.0) - least) / (most - least))
                  for i, (least, most) in sorted(ranges.items()) if most > least)
        yield f"{label} " + " ".join(f"{i}:{v:.7g}" for i, v in values if v != 0)


# name: (title, data sets, preparation, options, whether the chart has it)
PROBLEMS = {
    "ijcnn1": ("ijcnn1", ["ijcnn1"], unscaled, "-c 32 -g 2", True),
    "ijcnn1-1": ("ijcnn1", ["ijcnn1"], unscaled, "-c 1", False),
    "covtype": ("covtype, every 14th row", ["covtype.libsvm.binary"], every(14, scaled), "-c 10 -g 1", True),
    "letter": ("letter, 26 classes", ["letter.scale"], unscaled, "-c 10 -g 1", True),
    "usps": ("usps, ten classes", ["usps_zip"], unscaled, "-c 10 -g .01", False),
    "mnist-ten": ("mnist, ten classes, every 6th row", ["mnist"], every(6, pixels_by_255), "-c 10 -g .02", False),
    "mnist-two": ("mnist, even or odd, every 3rd row", ["mnist"], every(3, by_255), "-c 10 -g .02", False),
    "w8a": ("w8a", ["w8a"], unscaled, "-c 1", True),
    "w8a-64": ("w8a", ["w8a"], unscaled, "-c 64 -g 7.8125", False),
    "cadata": ("cadata, regression", ["cadata"], None, "-s 3 -c 10 -g .125", True),
    "cod-rna": ("cod-rna", ["cod-rna"], None, "-c 1 -g 1", False),
    "cod-rna-100": ("cod-rna", ["cod-rna"], None, "-c 100 -g 1", False),
    "a9a": ("a9a", ["a9a"], unscaled, "-c 100 -g .0081", False),
    "a9a-narrow": ("a9a, narrow kernel", ["a9a"], unscaled, "-c 100 -g .5", True),
    "a9a-39k": ("a9a and a9a.t, 39,073 rows", ["a9a", "a9a.t"], first_39073, "-c 100 -g .0812", False),
    "news20": ("news20, linear", ["news20"], unscaled, "-t 0 -c 1", False),
    "vowel": ("vowel", ["vowel.scale"], unscaled, "-c 10 -g 1", False),
    "segment": ("segment", ["segment.scale"], unscaled, "-c 10 -g 1", False),
    "ijcnn1-nu": ("ijcnn1", [], None, "-s 1 -n .028 -g 2", False),
    "covtype-nu": ("covtype, every 14th row", [], None, "-s 1 -n .42 -g 1", False),
    "letter-nu": ("letter, 26 classes", [], None, "-s 1 -n .02 -g 1", False),
    "w8a-nu": ("w8a", [], None, "-s 1 -n .057", False),
    "cadata-nu": ("cadata, regression", [], None, "-s 4 -n .5 -c 10 -g .125", False),
    "a9a-narrow-nu": ("a9a, narrow kernel", [], None, "-s 1 -n .092 -g .5", False),
}
# Rows of test: data set, preparation.
TESTS = {
    "ijcnn1": ("ijcnn1.t", unscaled),
    "ijcnn1-1": ("ijcnn1.t", unscaled),
    "covtype": ("covtype.libsvm.binary", others_scaled),
    "letter": ("letter.scale.t", unscaled),
    "mnist-ten": ("mnist.t", pixels_by_255),
    "mnist-two": ("mnist.t", by_255),
    "a9a": ("a9a.t", unscaled),
    "a9a-narrow": ("a9a.t", unscaled),
}


def data_of(name):
    """The problem whose rows a problem has."""
    return name[:-3] if name.endswith("-nu") else name


def written(path, lines):
    """Writes a file unless it is there."""
    if not path.exists():
        part = path.with_suffix(".part")
        with open(part, "w") as out:
            out.writelines(line + "\n" for line in lines())
        part.rename(path)
    return path


def prepare(a, work, name):
    """The file of the rows of training."""
    _, sets, preparation, _, _ = PROBLEMS[data_of(name)]

    def lines():
        if preparation is None:  # features to [-1, 1] by the program for it
            plain = work / f"peers-{data_of(name)}.plain"
            plain.write_text(text_of(a.data, sets[0]))
            return subprocess.check_output([a.bin / "svm-scale", plain], text=True).splitlines()
        return preparation([line for each in sets for line in text_of(a.data, each).splitlines()])

    return written(work / f"peers-{data_of(name)}", lines)


def prepare_test(a, work, name):
    """The file of the rows of test, or "-"."""
    if data_of(name) not in TESTS:
        return "-"
    data, preparation = TESTS[data_of(name)]
    return written(work / f"peers-{data_of(name)}.t",
                   lambda: preparation(text_of(a.data, data).splitlines()))


def estimator_of(options, program):
    """Module, class and parameters of an estimator for the options of svm-train."""
    given = dict(zip(options[::2], options[1::2]))
    names = {"-c": "C", "-g": "gamma", "-n": "nu"}
    parameters = {names[key]: float(value) for key, value in given.items() if key in names}
    parameters["kernel"] = "linear" if given.get("-t") == "0" else "rbf"
    parameters.setdefault("gamma", "auto")
    parameters["cache_size"] = 1000
    kind = ["SVC", "NuSVC", None, "SVR", "NuSVR"][int(given.get("-s", 0))]
    if program in TREES:
        module, prefix, parameters = TREES[program]
        kind = prefix + ("Regressor" if kind.endswith("SVR") else "Classifier")
    else:
        module = ESTIMATORS[program]
    if module != "sklearn.svm":
        parameters = {**parameters, "n_jobs": 1}
    return module, kind, parameters


def fit(a, program, name, path, test, check=False):
    """One fit by an estimator: what one_fit.py prints, with the names of the results file."""
    module, kind, parameters = estimator_of(PROBLEMS[name][3].split(), program)
    words = ["--floats"] * (program == "oneDAL floats") + ["--check"] * check
    *_, output = measured(
        [a.python, FIT, module, kind, path, test, json.dumps(parameters), *words],
        OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", PYTHONPATH=str(HERE.parent / "python"))
    result = json.loads(output.splitlines()[-1])
    return {"seconds": result["fit"], **{key: result.get(key) for key in FIELDS[3:]}}


def run(a, program, name, path, model, words=()):
    """One run of a program: its processor seconds, and what it printed."""
    commands = {"LIBSVM": [a.libsvm], "ThunderSVM": [a.thundersvm, "-o", "1"]}
    command = commands.get(program) or [a.bin / "svm-train", "-a", program, *words]
    seconds, _, _, output = measured([*command, *PROBLEMS[name][3].split(), "-m", 1000, path, model],
                                     SVM_NUM_THREADS="1", OMP_NUM_THREADS="1")
    return seconds, output


def read_results(path):
    with open(path, newline="") as file:
        return {(row["problem"], row["program"]): row for row in csv.DictReader(file)}


def present(a):
    """The programs that can be measured here, and of those the wanted ones."""
    files = {"LIBSVM": a.libsvm, "ThunderSVM": a.thundersvm, "smo": a.bin / "svm-train",
             "csmo": a.bin / "svm-train"}
    found = [program for program, path in files.items() if path and pathlib.Path(path).exists()]
    for program, module in {**ESTIMATORS, **{each: TREES[each][0] for each in TREES}}.items():
        if a.python and subprocess.run([a.python, "-c", "import " + module], stderr=subprocess.DEVNULL,
                                       env={**os.environ, "PYTHONPATH": str(HERE.parent / "python")},
                                       check=False).returncode == 0:
            found.append(program)
    wanted = a.programs or PROGRAMS
    return [program for program in [*PROGRAMS, *TREES] if program in found and program in wanted]


def of_problem(a, work, name, programs):
    """Rows of the results file."""
    path, test = prepare(a, work, name), prepare_test(a, work, name)
    models = {program: work / f"model.{program}" for program in programs if program in ("LIBSVM", "ThunderSVM", "smo", "csmo")}
    seen = {program: [] for program in programs}
    for turn in range(a.rounds):
        for program, before in seen.items():
            if turn > 0 and before[0]["seconds"] > a.long:
                continue
            if program not in models:
                before.append(fit(a, program, name, path, test, check=turn == 0))
            else:
                before.append({"seconds": run(a, program, name, path, models[program])[0]})
    for program in ("smo", "csmo"):
        if program in seen:
            text = run(a, program, name, path, os.devnull, ["-q", "--check"])[1]
            seen[program][0]["violation"] = float(re.search(r"optimality conditions = (\S+)", text)[1])
    if "LIBSVM" in seen and "smo" in seen and models["LIBSVM"].read_bytes() == models["smo"].read_bytes():
        seen["LIBSVM"][0]["violation"] = seen["smo"][0]["violation"]
    for program, turns in seen.items():
        row = {"problem": name, "program": program, "violation": turns[0].get("violation"),
               "error": turns[0].get("error")}
        for key in ("seconds", "predict"):
            if turns[0].get(key) is not None:
                row[key] = statistics.median(each[key] for each in turns)
        yield {key: f"{value:.3g}" if isinstance(value, float) else value for key, value in row.items()}


def measure(a):
    programs = present(a)
    with tempfile.TemporaryDirectory() as folder, open(a.out, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for name in a.problems:
            for row in of_problem(a, a.work or pathlib.Path(folder), name, programs):
                writer.writerow(row)
                print(*row.values(), flush=True)
            file.flush()


def table(results, programs, field, more):
    """One field for all problems and programs, followed by what more() says of a row."""
    shown = [each for each in programs if any(key[1] == each and row.get(field) for key, row in results.items())]
    print("| problem | options | " + " | ".join(shown) + " |\n" + "| --- " * (2 + len(shown)) + "|")
    for name, (title, _, _, options, _) in PROBLEMS.items():
        cells = [results.get((name, program)) for program in shown]
        texts = [cell[field] + more(cell) if cell and cell.get(field) else "" for cell in cells]
        if any(texts):
            print(f"| {title} | `{options}` | " + " | ".join(texts) + " |")


def tables(results):
    if any(program in TREES for _, program in results):
        table(results, ["csmo.SVC", *TREES], "seconds", lambda row: f" + {row['predict']} ({row['error']})")
        return
    table(results, PROGRAMS, "seconds",
          lambda row: f" ({row['violation']})" if float(row["violation"] or 0) > 0.0011 else "")
    if any(row.get("predict") for row in results.values()):
        print()
        table(results, PROGRAMS, "predict", lambda row: f" ({row['error']})")


STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600 } .small { font-size: 11px; fill: #57606a } .grid { stroke: #d0d7de }
  .LIBSVM { fill: #8c959f } .scikit-learn { fill: #b5bcc4 } .ThunderSVM { fill: #bf8700 }
  .oneDAL { fill: #2da44e } .smo { fill: #54a0e8 } .csmo { fill: #1a5fb4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .grid { stroke: #3d444d }
    .LIBSVM { fill: #6e7681 } .scikit-learn { fill: #545d68 } .ThunderSVM { fill: #9e6a03 }
    .oneDAL { fill: #238636 } .smo { fill: #388bfd } .csmo { fill: #79c0ff }
  }
"""


CHARTED = ["LIBSVM", "ThunderSVM", "oneDAL", "smo", "csmo"]


def chart(results):
    """The results as SVG: bars of seconds on a logarithmic axis."""
    left, width, right, height, gap = 195, 380, 265, 15, 18
    least, most = 0.1, 100
    shown = [program for program in PROGRAMS
             if program in CHARTED and any(key[1] == program for key in results)]

    def at(seconds):
        return left + width * math.log(max(seconds, least) / least) / math.log(most / least)

    parts, y = [], 62
    top = y - 8
    for name, (title, _, _, options, charted) in PROBLEMS.items():
        if not charted:
            continue
        middle = y + height * len(shown) / 2
        for text, kind, below in ((title, "title", -3), (options, "small", 13)):
            parts.append(f'<text class="{kind}" x="{left - 12}" y="{middle + below:.0f}" text-anchor="end">'
                         f"{text}</text>")
        for program in shown:
            row = results.get((name, program))
            end = at(float(row["seconds"])) if row else left
            said = "not measured" if not row else row["seconds"] + " s"
            if row and float(row["violation"] or 0) > 1:
                said += ", not optimal: violation " + row["violation"]
            parts.append(f'<rect class="{program}" x="{left}" y="{y}" width="{end - left:.1f}" height="{height - 3}"/>')
            parts.append(f'<text class="small" x="{end + 6:.1f}" y="{y + 10}">{program}: {said}</text>')
            y += height
        y += gap
    bottom = y - gap + 4
    lines = [f'<text class="title" x="{left}" y="18">Training: seconds of the processor on one thread</text>',
             f'<text class="small" x="{left}" y="36">The axis is logarithmic: each line is ten times the one '
             "before it.</text>"]
    for power in range(-1, 3):
        x = at(10.0 ** power)
        lines.append(f'<line class="grid" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>')
        lines.append(f'<text class="small" x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{10.0 ** power:g} s</text>')
    name = "Seconds of training on six problems, on a logarithmic axis"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + right} {bottom + 26}" role="img">\n'
            f"<title>{name}</title>\n<style>{STYLE}</style>\n" + "\n".join(lines + parts) + "\n</svg>\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--bin", type=pathlib.Path, default="build")
    p.add_argument("--libsvm", default="/usr/bin/svm-train", help="LIBSVM's svm-train")
    p.add_argument("--thundersvm", help="thundersvm-train, made without CUDA")
    p.add_argument("--python", default=sys.executable,
                   help="a Python with scikit-learn and scikit-learn-intelex, as that of a virtual environment")
    p.add_argument("--programs", type=lambda text: text.split(","),
                   help="only these: " + ", ".join([*PROGRAMS, *TREES]))
    p.add_argument("--problems", default=list(PROBLEMS), type=lambda text: text.split(","))
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--long", type=float, default=30, help="seconds above which one turn is enough")
    p.add_argument("--out", type=pathlib.Path, default="docs/results/peers.csv")
    p.add_argument("--work", type=pathlib.Path, help="keep prepared data here")
    p.add_argument("--tables", action="store_true", help="only print the table of --out")
    p.add_argument("--chart", type=pathlib.Path, help="only draw --out")
    a = p.parse_args()
    if a.chart:
        a.chart.write_text(chart(read_results(a.out)))
    elif a.tables:
        tables(read_results(a.out))
    elif a.data is None or a.out == pathlib.Path("docs/results/peers.csv"):
        p.error("--data and --out are needed")
    else:
        measure(a)


if __name__ == "__main__":
    sys.exit(main())
