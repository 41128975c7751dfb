#!/usr/bin/env python3
"""Times single calls of svm_predict, this library's against another LIBSVM's, in turns.

  bench/latency.py --data FOLDER [--bin build] [--peer LIBRARY] [--sets cod-rna,letter] [--calls N]
                   [--runs 7] [--work FOLDER] [--library LIBRARY]

FOLDER holds data sets as NAME.xz or NAME.  The build folder has svm-train, svm-scale and
libsvm.so.4; --library names another library.  Trains the models, compiles bench/latency.c with cc,
and prints what it measures: first as it comes on standard error, then as tables.  --work keeps
models and test rows as SET.model and SET.test, and uses those that are there.  --calls replaces the
numbers of calls of a run, which are 2000, and 500 for mnist.  Exits with status 1 if a label differs
from the peer's.

  cod-rna   scaled to [-1, 1]; trained on every 10th row with C 100 and gamma 1: 830 support vectors
  ijcnn1    all rows, C 0.1, gamma 1: 8,933
  mnist     even against odd digits, values / 255; every 3rd row, C 10, gamma 0.02: 3,513
  linear    128 dense features, one vector of weights, by svm-train --compact
  rbf128    16 features, 128 support vectors, drawn at random; nothing is trained
  letter    26 classes, all rows of letter.scale, C 10, gamma 1: 6,746

Predicted are the first 2,000 rows of the test set; of cod-rna, which has none, rows spread over the
whole set; for linear and rbf128, 2,000 rows drawn at random.  Standard library only.
"""
import argparse, pathlib, random, re, subprocess, sys, tempfile

from common import text_of

TESTED = 2000
HERE = pathlib.Path(__file__).resolve().parent


def lines_of(a, name):
    return text_of(a.data, name).splitlines(True)


def cod_rna(a, work):
    raw = work / "cod-rna.raw"
    raw.write_text(text_of(a.data, "cod-rna"))
    command = [a.bin / "svm-scale", "-l", "-1", "-u", "1", raw]
    rows = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines(True)
    raw.unlink()
    return rows[::10], rows[::len(rows) // TESTED]


def ijcnn1(a, _):
    return lines_of(a, "ijcnn1"), lines_of(a, "ijcnn1.t")


def mnist(a, _):
    def parity(line):
        digit, *pairs = line.split()
        cells = [pair.split(":") for pair in pairs]
        return " ".join(["-1" if int(digit) % 2 else "1",
                         *(f"{i}:{float(v) / 255:.7g}" for i, v in cells)]) + "\n"
    return [[parity(line) for line in lines] for lines in
            (lines_of(a, "mnist")[::3], lines_of(a, "mnist.t")[:TESTED])]


def letter(a, _):
    return lines_of(a, "letter.scale"), lines_of(a, "letter.scale.t")


def pairs_of(values):
    return " ".join(f"{i}:{value:.6g}" for i, value in enumerate(values, 1)) + "\n"


def linear(*_):
    """Makes rows on both sides of a plane; one in ten has the wrong label."""
    draws = random.Random(1)
    plane = [draws.gauss(0, 1) for _ in range(128)]
    rows = []
    for _ in range(1000 + TESTED):
        x = [draws.uniform(-1, 1) for _ in plane]
        above = sum(w * v for w, v in zip(plane, x)) > 0
        rows.append(("1 " if above != (draws.random() < 0.1) else "-1 ") + pairs_of(x))
    return rows[:1000], rows[1000:]


def rbf128(*_):
    """Makes the lines of a model, not those of training rows."""
    draws = random.Random(1)
    row = lambda: pairs_of(draws.uniform(-1, 1) for _ in range(16))
    head = ("svm_type c_svc\nkernel_type rbf\ngamma 0.25\nnr_class 2\ntotal_sv 128\nrho 0.1\n"
            "label 1 -1\nnr_sv 64 64\nSV\n")
    vectors = [f"{draws.uniform(0.1, 1) * sign:.17g} " + row() for sign in [1] * 64 + [-1] * 64]
    return [head, *vectors], ["1 " + row() for _ in range(TESTED)]


# A set has a function that makes its rows, options of svm-train, or None if the rows are a model, and
# the number of calls that a run makes.
SETS = {
    "cod-rna": (cod_rna, ["-c", "100", "-g", "1"], 2000),
    "ijcnn1": (ijcnn1, ["-c", "0.1", "-g", "1"], 2000),
    "mnist": (mnist, ["-c", "10", "-g", "0.02", "-a", "smo"], 500),
    "linear": (linear, ["-t", "0", "--compact"], 2000),
    "rbf128": (rbf128, None, 2000),
    "letter": (letter, ["-c", "10", "-g", "1"], 2000),
}


def prepare(a, work, name):
    """Returns the paths of the model and the test rows, and makes those files unless they exist."""
    model, test = work / (name + ".model"), work / (name + ".test")
    if not (model.exists() and test.exists()):
        make, options, _ = SETS[name]
        rows, tested = make(a, work)
        if options is None:
            model.write_text("".join(rows))
        else:
            train = work / (name + ".train")
            train.write_text("".join(rows))
            subprocess.run([a.bin / "svm-train", "-q", "--threads", "1", *options, train, model],
                           check=True)
            train.unlink()
        test.write_text("".join(tested[:TESTED]))
    return model, test


def compiled(work):
    program = work / "latency"
    subprocess.run(["cc", "-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror", HERE / "latency.c",
                    "-o", program, "-ldl", "-lm"], check=True)
    return program


def measured(a, work, program, name):
    """Returns the numbers of each line that the program prints, by its first word, and whether the
    labels agree."""
    model, test = prepare(a, work, name)
    command = [program, model, test, a.library or a.bin / "libsvm.so.4", a.peer,
               str(a.calls or SETS[name][2]), str(a.runs)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print(f"{name}\n{done.stdout}", file=sys.stderr, flush=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{name}: latency failed with status {done.returncode}")
    figures = {}
    for line in done.stdout.splitlines():
        word, rest = line.split(":", 1)
        figures[word] = [float(n) for n in re.findall(r"(?<![\w.])-?\d[\d.]*", rest)]
    return figures, done.returncode == 0


def short(number):
    """Returns the text of the number with three or four digits."""
    return f"{number:.{0 if number >= 100 else 1 if number >= 10 else 2 if number >= 1 else 3}f}"


def predictor_cells(f):
    predictor, dense = f["predictor"], f["predictor-dense"]
    return [short(predictor[0]), f"{predictor[3]:.2f}", f"{f['predictor-values'][3]:.2f}",
            short(dense[0]), f"{dense[3]:.2f}"]


def print_tables(results):
    head = ["set", "support vectors", "features", "LIBSVM us", "ours us", "ratio", "values ratio",
            "hand-made ratio", "LIBSVM p50 / p99", "ours p50 / p99", "predictor us", "ratio",
            "values ratio", "dense us", "ratio"]
    rows = []
    for name, f in results.items():
        peer, own = f["peer"], f["own"]
        rows.append([name, f"{f['model'][0]:.0f}", f"{f['model'][1]:.0f}", short(peer[0]),
                     short(own[0]), f"{own[3]:.2f}", f"{f['own-values'][3]:.2f}",
                     f"{f['hand-made'][3]:.2f}", " / ".join(map(short, peer[1:3])),
                     " / ".join(map(short, own[1:3])),
                     *(predictor_cells(f) if "predictor" in f else ["-"] * 5)])
    print_table(head, rows)
    print()
    head = ["set", "LIBSVM load us", "ours load us", "LIBSVM kB: load + 100 calls",
            "ours kB: load + 100 calls", "LIBSVM first call us", "ours first call us",
            "predictor bytes", "with a copy", "labels that differ", "values unlike LIBSVM's"]
    rows = []
    for name, f in results.items():
        memory = [f["memory-peer"], f["memory-own"]]
        checks = [f[way] for way in ("own-check", "hand-made-check", "predictor-check",
                                     "predictor-dense-check") if way in f]
        rows.append([name, *map(short, f["load"]), *(f"{m[0]:.0f} + {m[2]:.0f}" for m in memory),
                     *(short(m[3]) for m in memory),
                     *(f"{n:.0f}" for n in f.get("predictor-bytes", [])),
                     *["-"] * (0 if "predictor-bytes" in f else 2),
                     f"{sum(c[0] for c in checks):.0f} of {sum(c[1] for c in checks):.0f}",
                     f"{checks[0][2]:.0f} of {checks[0][3]:.0f}"])
    print_table(head, rows)


def print_table(head, rows):
    for row in (head, ["---"] * len(head), *rows):
        print("| " + " | ".join(row) + " |")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--peer", default="/usr/lib/x86_64-linux-gnu/libsvm.so.3")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--calls", type=int)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--work", type=pathlib.Path)
    a = parser.parse_args()
    names = a.sets.split(",")
    unknown = [name for name in names if name not in SETS]
    if unknown:
        parser.error(f"unknown sets: {', '.join(unknown)}; there are {', '.join(SETS)}")
    a.bin = a.bin.resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = (a.work or pathlib.Path(folder)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        program = compiled(pathlib.Path(folder))
        results, good = {}, True
        for name in names:
            results[name], same = measured(a, work, program, name)
            good = good and same
    compiler = subprocess.run(["cc", "--version"], check=True, stdout=subprocess.PIPE, text=True)
    print(f"{processor()}; {compiler.stdout.splitlines()[0]}\n")
    print_tables(results)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
