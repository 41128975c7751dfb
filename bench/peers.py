#!/usr/bin/env python3
"""Trains on well-known problems with LIBSVM, ThunderSVM, scikit-learn, smo and csmo.

  bench/peers.py --data FOLDER --out mine.csv [--bin build] [--libsvm /usr/bin/svm-train]
                 [--thundersvm PROGRAM] [--python /usr/bin/python3] [--problems ijcnn1,usps]
                 [--rounds 1] [--work FOLDER]
  bench/peers.py --tables [--out docs/results/peers.csv]
  bench/peers.py --chart docs/images/peers.svg [--out docs/results/peers.csv]

FOLDER holds the data sets as NAME.xz or NAME.  LIBSVM, ThunderSVM and scikit-learn are measured if
their programs are given or there.  Each program has one thread; the results file gets its processor
seconds, medians of --rounds turns, in which the programs alternate.  They are those of the whole
program, from text to model; for scikit-learn those of fit() only.  Everybody has 1000 MB for kernel
rows.  --tables prints the table of a results file, and --chart draws it.  docs/results/peers.csv
holds figures that were measured beside oneDAL, which this script does not run.
"""
import argparse, csv, math, os, pathlib, statistics, subprocess, sys, tempfile

from common import measured, text_of
from quoted import by_255, scaled, unscaled

FIELDS = ["problem", "program", "seconds", "violation"]
PROGRAMS = ["LIBSVM", "ThunderSVM", "oneDAL", "oneDAL floats", "scikit-learn", "smo", "csmo"]

# The fit of scikit-learn in a process of its own.
FIT = """
import sys, time
from sklearn import svm
from sklearn.datasets import load_svmlight_file
X, y = load_svmlight_file(sys.argv[1])
kind, options = sys.argv[2], dict(word.split("=") for word in sys.argv[3:])
if 2 * X.nnz > X.shape[0] * X.shape[1]:
    X = X.toarray()
kernel = options.pop("kernel")
model = getattr(svm, kind)(cache_size=1000, kernel=kernel, **{k: float(v) for k, v in options.items()})
start = time.process_time()
model.fit(X, y)
print("seconds", time.process_time() - start)
"""


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
}


def prepare(a, work, name):
    _, sets, preparation, _, _ = PROBLEMS[name]
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
    """Seconds of the processor."""
    options = PROBLEMS[name][3].split()
    if program == "scikit-learn":
        given = dict(zip(options[::2], options[1::2]))
        names = {"-c": "C", "-g": "gamma"}
        words = [f"{names[key]}={value}" for key, value in given.items() if key in names]
        kernel = "kernel=" + ("linear" if given.get("-t") == "0" else "rbf")
        kind = "SVR" if given.get("-s") == "3" else "SVC"
        *_, output = measured([a.python, "-c", FIT, path, kind, kernel, *words], OMP_NUM_THREADS="1",
                              OPENBLAS_NUM_THREADS="1")
        return float(output.split()[-1])
    commands = {"LIBSVM": [a.libsvm], "ThunderSVM": [a.thundersvm, "-o", "1"]}
    command = commands.get(program) or [a.bin / "svm-train", "-a", program]
    seconds, *_ = measured([*command, *options, "-m", 1000, path, os.devnull], SVM_NUM_THREADS="1")
    return seconds


def read_results(path):
    with open(path, newline="") as file:
        return {(row["problem"], row["program"]): row for row in csv.DictReader(file)}


def measure(a):
    programs = ["smo", "csmo"]
    for program, path in (("scikit-learn", a.python), ("ThunderSVM", a.thundersvm), ("LIBSVM", a.libsvm)):
        if path and pathlib.Path(path).exists():
            programs.insert(0, program)
    with tempfile.TemporaryDirectory() as folder, open(a.out, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for name in a.problems:
            path = prepare(a, a.work or pathlib.Path(folder), name)
            turns = [[train(a, program, name, path) for program in programs] for _ in range(a.rounds)]
            for program, seconds in zip(programs, zip(*turns)):
                row = {"problem": name, "program": program, "seconds": f"{statistics.median(seconds):.3g}"}
                writer.writerow(row)
                print(*row.values(), flush=True)
            file.flush()


def tables(results):
    shown = [program for program in PROGRAMS if any(key[1] == program for key in results)]
    print("| problem | options | " + " | ".join(shown) + " |\n" + "| --- " * (2 + len(shown)) + "|")
    for name, (title, _, _, options, _) in PROBLEMS.items():
        cells = [results.get((name, program)) for program in shown]
        texts = [cell["seconds"] + (f" ({cell['violation']})" if cell["violation"] else "") if cell else ""
                 for cell in cells]
        if any(cells):
            print(f"| {title} | `{options}` | " + " | ".join(texts) + " |")


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


def chart(results):
    """The results as SVG: bars of seconds on a logarithmic axis."""
    left, width, right, height, gap = 195, 380, 265, 15, 18
    least, most = 0.1, 100
    shown = [program for program in PROGRAMS
             if program != "oneDAL floats" and any(key[1] == program for key in results)]

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
    p.add_argument("--python", default="/usr/bin/python3", help="a Python that has scikit-learn")
    p.add_argument("--problems", default=list(PROBLEMS), type=lambda text: text.split(","))
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
    elif a.data is None or a.out == pathlib.Path("docs/results/peers.csv"):
        p.error("--data and --out are needed")
    else:
        measure(a)


if __name__ == "__main__":
    sys.exit(main())
