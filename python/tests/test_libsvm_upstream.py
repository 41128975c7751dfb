"""The same calls give the same results and print the same text as LIBSVM's own module (Debian's
python3-libsvm, 3.24), each in a process of its own."""

import subprocess
from pathlib import Path
from typing import List

import pytest

UPSTREAM = Path("/usr/lib/python3/dist-packages/svmutil.py")
DEBIAN_PYTHON = "/usr/bin/python3"

CALLS = '''
import sys
from svmutil import *
from svm import *
from svmutil import evaluations

def show(name, call):
    sys.stdout.flush()
    try:
        value = call()
    except Exception as error:
        value = type(error).__name__ + ": " + str(error)
    print(name, "->", "a model" if isinstance(value, svm_model) else value, flush=True)
    return value

def nodes(array):
    return [str(node) for node in array[0]], array[1]

y, x = svm_read_problem(sys.argv[1])
show("read", lambda: (y, x))
show("node", lambda: [str(svm_node(1, 2)), str(svm_node(3, 0.1)), str(svm_node())])
rows = [1, 0, 1.5], (1, 0, 1.5), {1: 1, 3: 1.5}, {3: 1.5, 1: 1, 2: 0}, {0: 1, 2: 5}, {}, []
for row in rows:
    for most in (None, 0, 1, 2):
        for is_kernel in (False, True):
            show(("row", row, most, is_kernel),
                 lambda: nodes(gen_svm_nodearray(row, most, is_kernel)))
for row in ("abc", 5, None):
    show(("row", row), lambda: gen_svm_nodearray(row))
for labels, data in (([1], [[1], [2]]), (iter([1]), [[1]]), ("12", [[1], [2]]), ([1, 2], "ab")):
    show("problem", lambda: svm_problem(labels, data))
show("problem", lambda: svm_problem((1, 2), ((1,), (0,))).n)
for options in ("", "-s 1 -t 0 -d 2 -g 0.1 -r 3 -c 4 -n 0.2 -p 0.3 -m 10 -e 0.1 -h 0 -b 1",
                "-w1 2 -w-1 3 -w1 4", "-v 3", ["-c", "4"], ["-c", 4], None):
    parameter = svm_parameter(options)
    show(("parameter", options), lambda: [
        line for line in str(parameter).splitlines() if "object at" not in line])
    show("weights", lambda: (parameter.weight_label[:parameter.nr_weight],
                             parameter.weight[:parameter.nr_weight]))
for options in ("-s x", "-c x", "-v 1", "-z 1", "foo", "-w 1", "-s 0 1", "-cost 1", "-d 1.5",
                ("-c", "4"), 5):
    show(("parameter", options), lambda: svm_parameter(options))
quiet = svm_parameter("-q -v 3")
quiet.parse_options("-c 2")
show("parsed again", lambda: (quiet.C, quiet.cross_validation, quiet.nr_fold))
for options in ("", "-c 10 -t 0", "-s 1", "-s 2 -n 0.1", "-s 3", "-s 4", "-b 1", "-v 5 -q",
                "-s 3 -v 5 -q", "-w1 3", "-q", "-c 0", "-s 1 -n 2"):
    trained = show(("train", options), lambda: svm_train(y, x, options))
    if not isinstance(trained, svm_model):
        continue
    model = trained
    show("parts", lambda: (
        model.get_svm_type(), model.get_nr_class(), model.get_labels(), model.get_sv_indices(),
        model.get_nr_sv(), model.is_probability_model(), model.get_sv_coef(), model.get_SV()))
    for predicting in ("", "-q", "-b 1", "-z 1", "x", "-b x"):
        show(("predict", predicting), lambda: svm_predict(y, x, model, predicting))
show("predict", lambda: svm_predict([], x, model))
show("predict", lambda: svm_predict(tuple(y), tuple(x), model))
show("predict", lambda: svm_predict(y[:2], x, model))
show("predict", lambda: svm_predict("ab", x[:2], model))
problem = svm_problem(y, x)
show("gamma", lambda: problem.n)
for arguments in ((problem,), (problem, "-c 2"), (problem, svm_parameter("-c 3")),
                  (problem, None, "-q"), (5, "-c 1"), (y[:3], x), (problem, problem)):
    show("forms", lambda: svm_train(*arguments))
parameter = svm_parameter("-q")
show("gamma", lambda: (svm_train(problem, parameter).get_nr_sv(), parameter.gamma))
kernel = [[i + 1] + [sum(a.get(k, 0) * b.get(k, 0) for k in range(20)) for b in x]
          for i, a in enumerate(x)]
show("kernel", lambda: svm_predict(y, kernel, svm_train(y, kernel, "-t 4")))
show("kernel", lambda: svm_train(y, [row[1:] for row in kernel], "-t 4 -q"))
show("kernel", lambda: svm_train([1, 2], [{}, {}], "-t 4"))
show("kernel", lambda: svm_train([1, 2], [{0: 9, 1: 2, 2: 1}, {0: 2, 1: 1, 2: 3}], "-t 4"))
for truth, found in (([1, 2], [1, 2]), ([1, 1], [1, 1]), ((1, 2, 3), (1, 2, 4)), ([1], [1, 2]),
                     (y, [value / 7 for value in range(len(y))])):
    for by_scipy in (True, False):
        show("evaluations", lambda: evaluations(truth, found, by_scipy))
show("load", lambda: svm_load_model("/nonexistent/model"))
show("toPyModel", lambda: toPyModel(None))
single = svm_train([1, 1], [[1], [2]])
show("single class", lambda: svm_predict([1, 1], [[1], [2]], single))
show("low level", lambda: libsvm.svm_predict(
    libsvm.svm_train(problem, svm_parameter("-t 0 -q")), gen_svm_nodearray(x[0])[0]))
'''


def run(path: List[str], data: Path, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    script = tmp_path / "calls.py"
    begin = f"import sys; sys.path[:1] = {path!r}\n"
    script.write_text(begin + CALLS)
    return subprocess.run([DEBIAN_PYTHON, str(script), str(data)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)  # fmt: skip


@pytest.mark.skipif(not UPSTREAM.exists(), reason="Debian's python3-libsvm is not installed")
def test_the_same_results_and_texts(small: Path, tmp_path: Path, python_folder: Path) -> None:
    data = tmp_path / "data"  # of two classes: LIBSVM's nu-SVC writes past its memory with three
    lines = small.read_text().splitlines(keepends=True)
    data.write_text("".join(line for line in lines if not line.startswith("4")))
    upstream = run([], data, tmp_path)
    ours = run([str(python_folder)], data, tmp_path)
    assert upstream.returncode == 0, upstream.stderr
    assert ours.returncode == 0, ours.stderr
    expected, found = upstream.stdout.splitlines(), ours.stdout.splitlines()
    assert len(expected) > 300
    for number, (left, right) in enumerate(zip(expected, found)):
        assert left == right, f"line {number}, after {expected[max(0, number - 3) : number]}"
    assert len(expected) == len(found)
