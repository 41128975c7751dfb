"""libsvm.svmutil gives the results of svm-train and svm-predict: model bytes, texts, figures."""

import itertools
from pathlib import Path
from typing import Any, List

import pytest

from libsvm.svmutil import *

numpy = pytest.importorskip("numpy")
sparse = pytest.importorskip("scipy.sparse")

TRAINED = [
    f"-s {machine} -t {kernel} {rest}"
    for machine, kernel, rest in itertools.product(range(5), range(4), ["-g 0.3 -r 0.5"])
] + ["", "-c 10 -e 0.01 -h 0", "-b 1", "-s 1 -n 0.3 -b 1", "-s 2 -b 1", "-s 3 -b 1 -p 0.2",
     "-s 4 -b 1", "-w1 2 -w-1 0.5", "-a csmo -c 100", "-a dcd -t 0 --seed 3",
     "-m 1 -d 2 -t 1"]  # fmt: skip
FOLDS = ["-v 5", "-s 1 -v 3", "-s 2 -v 4", "-s 3 -v 5", "-s 4 -v 2 -b 1", "-v 2 --seed 7",
         "-a csmo -v 5"]  # fmt: skip
KINDS = ["lists", "dense", "float", "sparse", "csc"]


def rows_of(kind: str, path: Path) -> Any:
    if kind == "lists":
        return svm_read_problem(str(path))
    y, x = svm_read_problem(path, return_scipy=True)
    if kind == "float":  # the same numbers after rounding, because all are read from this file
        return y, x.toarray().astype("float32")
    return y, {"dense": x.toarray, "sparse": x.copy, "csc": x.tocsc}[kind]()


def reset_draws() -> None:
    """Random draws of a program start from the same seed in each process."""
    import ctypes

    ctypes.CDLL(None).srand(1)


@pytest.mark.parametrize("options", TRAINED)
@pytest.mark.parametrize("kind", KINDS)
def test_models_have_the_bytes_of_svm_train(
    options: str, kind: str, small: Path, tmp_path: Path, trained_by_program: Any, capfd: Any
) -> None:
    expected, program = trained_by_program(options, small)
    assert program.returncode == 0, program.stderr
    y, x = rows_of(kind, small)
    reset_draws()
    model = svm_train(y, x, options)
    printed = capfd.readouterr()
    svm_save_model(str(tmp_path / "model"), model)
    assert (tmp_path / "model").read_bytes() == expected.read_bytes()
    assert printed.out == program.stdout
    assert printed.err == program.stderr


@pytest.mark.parametrize("options", FOLDS)
@pytest.mark.parametrize("kind", KINDS)
def test_cross_validation_prints_what_svm_train_prints(
    options: str, kind: str, small: Path, trained_by_program: Any, capfd: Any
) -> None:
    _, program = trained_by_program(options, small)
    y, x = rows_of(kind, small)
    reset_draws()
    figure = svm_train(y, x, options)
    printed = capfd.readouterr().out
    assert printed == program.stdout
    last = [line for line in printed.splitlines() if "Cross Validation" in line][0]
    assert last.split(" = ")[1].rstrip("%") == f"{figure:g}"


@pytest.mark.parametrize("options", ["", "-b 1", "-s 1 -b 1", "-s 2", "-s 2 -b 1", "-s 3 -b 1"])
@pytest.mark.parametrize("predicting", ["", "-b 1", "-q"])
@pytest.mark.parametrize("kind", KINDS)
def test_predictions_are_those_of_svm_predict(
    options: str, predicting: str, kind: str, small: Path, tmp_path: Path, run_program: Any,
    trained_by_program: Any, capfd: Any,
) -> None:  # fmt: skip
    path, _ = trained_by_program(options, small)
    program = run_program(
        "svm-predict", *predicting.split(), small, path, tmp_path / "predictions"
    )
    model = svm_load_model(str(path))
    y, x = rows_of(kind, small)
    if program.returncode != 0:
        with pytest.raises(ValueError, match="Model does not support probabiliy estimates"):
            svm_predict(y, x, model, predicting)
        return
    labels, (accuracy, error, correlation), values = svm_predict(y, x, model, predicting)
    lines = (tmp_path / "predictions").read_text().splitlines()
    if predicting == "-b 1" and "-s 3" not in options:
        assert lines.pop(0).split()[0] in ("labels", "label")
        for label, row, line in zip(labels, values, lines):
            assert line == " ".join(f"{number:g}" for number in [label, *row])
    else:
        assert [float(line) for line in lines] == labels
    out = capfd.readouterr().out
    assert out.replace("in predicton.", "in prediction.") == program.stdout


def kernel_of(x: Any) -> List[List[float]]:
    return [
        [i, *(sum(row[j] * other[j] for j in range(6)) for other in x)]
        for i, row in enumerate(x, 1)
    ]


@pytest.mark.parametrize("kind", ["lists", "dicts", "dense", "float", "sparse"])
def test_precomputed_kernels(kind: str, small: Path, tmp_path: Path, run_program: Any,
                             capfd: Any) -> None:  # fmt: skip
    y, x = svm_read_problem(small, return_scipy=True)
    kernel = kernel_of(x.toarray().tolist())
    kernel[3][40] = kernel[39][4] = 0.0
    path = tmp_path / "kernel"
    path.write_text("".join(
        f"{label:g} " + " ".join(f"{j}:{value:.17g}" for j, value in enumerate(row)) + "\n"
        for label, row in zip(y, kernel)
    ))  # fmt: skip
    forms = {
        "lists": lambda: kernel,
        "dicts": lambda: svm_read_problem(path)[1],
        "dense": lambda: numpy.array(kernel),
        "float": lambda: numpy.array(kernel, dtype="float32"),
        "sparse": lambda: sparse.csr_matrix(numpy.array(kernel)),  # two zeros are left out
    }
    rows = forms[kind]()
    program = run_program("svm-train", "-t", 4, path, tmp_path / "expected")
    model = svm_train(list(y), rows, "-t 4")
    assert capfd.readouterr().out == program.stdout
    svm_save_model(str(tmp_path / "model"), model)
    assert (tmp_path / "model").read_bytes() == (tmp_path / "expected").read_bytes()
    assert model.get_SV()[0] == {0: 1}

    folds = run_program("svm-train", "-q", "-t", 4, "-v", 3, path)
    reset_draws()
    svm_train(list(y), rows, "-q -t 4 -v 3")
    assert capfd.readouterr().out == folds.stdout

    program = run_program("svm-predict", path, tmp_path / "model", tmp_path / "predictions")
    labels, _, _ = svm_predict(list(y), rows, model)
    assert capfd.readouterr().out == program.stdout
    assert [f"{label:g}" for label in labels] == (tmp_path / "predictions").read_text().split()


def test_kernel_rows_may_be_some_of_all(small: Path) -> None:
    y, x = svm_read_problem(small, return_scipy=True)
    kernel = numpy.array(kernel_of(x.toarray().tolist()))
    some = numpy.arange(0, 90, 2)
    by_arrays = svm_train(y[some], kernel[some], "-t 4 -q")
    by_lists = svm_train(y[some].tolist(), kernel[some].tolist(), "-t 4 -q")
    assert by_arrays.get_SV() == by_lists.get_SV()
    expected = svm_predict([], kernel.tolist(), by_lists, "-q")
    assert svm_predict([], kernel, by_arrays, "-q") == expected
    reset_draws()
    accuracy = svm_train(y[some], kernel[some], "-t 4 -q -v 3")
    reset_draws()
    assert accuracy == svm_train(y[some].tolist(), kernel[some].tolist(), "-t 4 -q -v 3")


def test_values_have_the_bits_of_svm_predict_values(small: Path) -> None:
    y, x = svm_read_problem(small)
    model = svm_train(y, x, "-q -s 1 -n 0.2")
    labels, _, values = svm_predict([], x, model, "-q")
    for row, label, row_values in zip(x, labels, values):
        found = (c_double * 3)()
        assert libsvm.svm_predict_values(model, gen_svm_nodearray(row)[0], found) == label
        assert found[:] == row_values


def test_feature_0_is_predicted_row_by_row(small: Path, run_program: Any, tmp_path: Path,
                                           capfd: Any) -> None:  # fmt: skip
    text = small.read_text().replace(" 1:", " 0:")
    (tmp_path / "zero").write_text(text)
    program = run_program("svm-train", "-q", "-b", 1, tmp_path / "zero", tmp_path / "expected")
    assert program.returncode == 0
    y, x = svm_read_problem(tmp_path / "zero")
    reset_draws()
    model = svm_train(y, x, "-q -b 1")
    svm_save_model(tmp_path / "model", model)
    assert (tmp_path / "model").read_bytes() == (tmp_path / "expected").read_bytes()
    for options in ("-b 0", "-b 1"):
        capfd.readouterr()
        words = [*options.split(), tmp_path / "zero", tmp_path / "model", tmp_path / "out"]
        program = run_program("svm-predict", *words)
        labels, _, values = svm_predict(y, x, model, options)
        assert capfd.readouterr().out.splitlines()[-1] == program.stdout.splitlines()[-1]
        assert len(values[0]) == 3


@pytest.mark.parametrize("name", ["demo", "demo3", "demo-svr"])
def test_demo_data(name: str, data_folder: Path, tmp_path: Path, run_program: Any,
                   capfd: Any) -> None:  # fmt: skip
    path = data_folder / f"{name}.train"
    options = "-s 3" if name == "demo-svr" else ""
    program = run_program("svm-train", *options.split(), path, tmp_path / "expected")
    model = svm_train(*svm_read_problem(path, return_scipy=True), options)
    svm_save_model(tmp_path / "model", model)
    assert capfd.readouterr().out == program.stdout
    assert (tmp_path / "model").read_bytes() == (tmp_path / "expected").read_bytes()
