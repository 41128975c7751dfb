"""What libsvm.svm, svmutil and commonutil take, refuse and keep alive."""

import gc
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from libsvm import commonutil, svm, svmutil
from libsvm.svmutil import *

numpy = pytest.importorskip("numpy")
sparse = pytest.importorskip("scipy.sparse")

Y = [1, -1, 1, -1]
X = [[2, 0, 1], [-1, 1, 0], [1, 0.5, 2], [-2, 0, -1]]


def test_names_are_there_under_all_modules() -> None:
    import svm as old_svm
    import svmutil as old_svmutil

    assert old_svmutil.svm_train is svm_train and old_svm.svm_problem is svm_problem
    for name in svm.__all__ + commonutil.__all__:
        assert getattr(svmutil, name) is not None and name in svmutil.__all__
    assert svm_forms.NU_SVR == NU_SVR == 4 and kernel_names.PRECOMPUTED == PRECOMPUTED == 4
    for name in ("genFields", "fillprototype", "csr_to_problem", "csr_to_problem_nojit"):
        assert callable(getattr(svm, name))
    assert callable(commonutil.evaluations_scipy)


# ---- options ----


def test_options_of_this_library() -> None:
    parameter = svm_parameter("-a csmo --seed 3 --threads=2 --time-limit 9.5 --max-iter 7")
    assert parameter.extra == {
        "solver": "csmo", "seed": 3, "threads": 2, "time_limit": 9.5, "max_iter": 7,
    }  # fmt: skip
    assert str(parameter).endswith("max_iter: 7")
    assert "solver" not in str(svm_parameter(""))


def test_options_of_single_solvers() -> None:
    assert svm_parameter("-a csmo --free-set off").extra == {"solver": "csmo", "free_set": 0}
    assert svm_train(Y, X, "-a csmo --free-set on -q").l > 0
    assert svm_train(Y * 20, X * 20, "-a pegasos --landmarks 3 --seed 1 -q").l <= 3
    assert svm_train(Y, X, "-a platt --fixed-threshold -q").rho[0] == 0
    with pytest.raises(ValueError, match="free_set is an option of the solver csmo"):
        svm_train(Y, X, "-a smo --free-set off -q")


def test_as_published_is_a_flag() -> None:
    parameter = svm_parameter("-a csmo --as-published -c 3 --first-order")
    assert parameter.extra == {"solver": "csmo", "as_published": 1, "first_order": 1}
    assert parameter.C == 3
    assert svm_train(Y * 20, X * 20, "-a csmo --as-published -q").l > 0
    with pytest.raises(ValueError, match="as_published is no option of the solver smo"):
        svm_train(Y * 20, X * 20, "-a smo --as-published -q")


@pytest.mark.parametrize("options, text", [
    ("-s 5", "5 is not a valid svm_forms"), ("-t -1", "-1 is not a valid kernel_names"),
    ("-c", "-c needs a value"), ("--seed", "--seed needs a value"), ("--unknown 1", "Wrong"),
    ("--free-set no", "'no' is neither on nor off"), ("-q 1", "Wrong options"), ("-w1", "-w1 needs a value"),
])  # fmt: skip
def test_wrong_options(options: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        svm_parameter(options)


@pytest.mark.parametrize("options, text", [
    ("-a nosuch", "no such solver"), ("-a dcd", "dcd"), ("--time-limit -1", "time_limit"),
    ("-c 0", r"^Error: b'C <= 0'$"),
])  # fmt: skip
def test_training_refuses(options: str, text: str) -> None:
    for rows in (X, numpy.array(X)):
        with pytest.raises(ValueError, match=text):
            svm_train(Y, rows, options + " -q")


def test_limits_end_training(capfd: Any) -> None:
    svm_train(Y * 20, X * 20, "-q --max-iter 1")
    assert "reaching max number of iterations" in capfd.readouterr().err
    with pytest.raises(TimeoutError, match="cross validation was not completed"):
        svm_train(Y * 20, X * 20, "-q -v 2 --time-limit 1e-9")


# ---- rows ----


@pytest.mark.parametrize("x, error, text", [
    ([[1], "ab"], TypeError, r"x\[1\]: xi should be a dictionary"),
    ([[1], [2, "b"]], TypeError, r"x\[1\]: must be real number"),
    ([{1: 1}, {-2: 1}], ValueError, r"x\[1\]: feature -2 is negative"),
    ([{1: 1}, {2**31: 1}], OverflowError, r"x\[1\]: "),
    ([{1: 1}, {1.5: 1}], TypeError, r"x\[1\]: "),
    ([[1]], ValueError, r"len\(y\) != len\(x\)"),
    ({1: 2}, TypeError, "type of x: "),
    (numpy.zeros((2, 2, 2)), TypeError, "xi should be"),
])  # fmt: skip
def test_wrong_rows(x: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        svm_problem([1, -1], x)
    with pytest.raises(error, match=text):
        svm_train([1, -1], x, "-q")


def test_all_kinds_of_rows_make_the_same_nodes() -> None:
    array = numpy.array(X)
    kinds = [
        X, tuple(map(tuple, X)), array, array.astype("float32"), numpy.asfortranarray(array),
        numpy.hstack([array, array])[:, :3], list(array), sparse.csr_matrix(array),
        sparse.coo_matrix(array), sparse.csc_matrix(array),
        [dict(enumerate(row, 1)) for row in X],
        [(numpy.flatnonzero(row), row[row != 0]) for row in array],
    ]  # fmt: skip
    for x in kinds:
        problem = svm_problem(numpy.array(Y) if x is array else Y, x)
        assert (problem.l, problem.n, problem.y[:4]) == (4, 3, Y)
        rows = [svm._pairs_of_nodes(problem.x[i]) for i in range(4)]
        assert rows == [{j: v for j, v in enumerate(row, 1) if v != 0} for row in X]
        assert svm_predict(Y, x, svm_train(Y, x, "-q"), "-q") == svm_predict(
            Y, X, svm_train(Y, X, "-q"), "-q"
        )
    assert str(svm_problem(Y, X).x_space[-1][1]) == "3:-1"
    assert len(svm_problem(Y, X).x_space[1:3]) == 2


def test_sparse_matrices_out_of_order() -> None:
    x = sparse.csr_matrix(([1.0, 5.0, 2.0, 4.0], [2, 0, 1, 1], [0, 2, 4]), shape=(2, 3))
    problem = svm_problem([1, -1], x)
    assert [svm._pairs_of_nodes(problem.x[i]) for i in range(2)] == [{1: 5, 3: 1}, {2: 6}]
    assert x.indices.tolist() == [2, 0, 1, 1]  # the caller's matrix is not changed


def test_models_do_not_have_explicit_zeros() -> None:
    x = sparse.csr_matrix(([1.0, 0.0, 2.0], [0, 2, 1], [0, 2, 3]), shape=(2, 3))
    assert svm_train([1, -1], x, "-q").get_SV() == [{1: 1}, {2: 2}]


def test_gamma_counts_features_as_libsvm_does() -> None:
    padded = numpy.hstack([numpy.array(X), numpy.zeros((4, 2))])
    for x, features in ((padded, 3), (sparse.csr_matrix(padded), 5), (padded.tolist(), 3)):
        assert svm_train(Y, x, "-q").param.gamma == 1 / features
        assert svm_problem(Y, x).n == features


def test_predictions_in_many_parts() -> None:
    model = svm_train(Y, X, "-q")
    draw = numpy.random.RandomState(0).randn(5000, 3)
    labels, _, values = svm_predict([], draw, model, "-q")
    for form in (draw.tolist(), sparse.csr_matrix(draw), draw[:, :]):
        assert svm_predict([], form, model, "-q")[::2] == (labels, values)
    middle = svm_predict([], draw[2000:2003].tolist(), model, "-q")
    assert middle[::2] == (labels[2000:2003], values[2000:2003])


def test_no_rows() -> None:
    model = svm_train(Y, X, "-q")
    labels, scores, values = svm_predict([], [], model)
    assert (labels, values) == ([], []) and scores[0] != scores[0]
    with pytest.raises(ValueError, match="no rows|l <= 0|empty"):
        svm_train([], [], "-q")


# ---- models ----


def test_models_own_their_vectors() -> None:
    def train() -> Any:
        y, x = list(Y), [list(row) for row in X]
        return svm_train(svm_problem(y, x), "-q -w1 2 -w-1 3")

    models = [train() for _ in range(20)]
    gc.collect()
    filler = [svm_problem(Y, [[9.0] * 3] * 4) for _ in range(50)]
    assert all(model.get_SV() == models[0].get_SV() for model in models) and len(filler) == 50
    assert models[0].get_SV()[0] == {1: 2, 3: 1}
    assert (models[0].free_sv, models[0].param.nr_weight) == (1, 0)


def test_models_go_through_files(tmp_path: Path, capfd: Any) -> None:
    model = svm_train(Y, X, "-q -t 0")
    svm_save_model(tmp_path / "model", model)
    loaded = svm_load_model(tmp_path / "model")
    assert loaded.get_SV() == model.get_SV() and loaded.get_sv_indices() == [0] * loaded.l
    assert svm_load_model(str(tmp_path / "none")) is None
    (tmp_path / "bad").write_text("svm_type nothing\n")
    assert svm_load_model(str(tmp_path / "bad")) is None
    svm_save_model(str(tmp_path / "none" / "model"), model)
    printed = capfd.readouterr()
    assert printed.out.splitlines() == [
        f"can't open model file {tmp_path / name}" for name in ("none", "bad")
    ]
    assert f"can't save model to file {tmp_path / 'none' / 'model'}" in printed.err
    assert "unknown svm type." in printed.err


def test_print_functions_get_the_text() -> None:
    parameter = svm_parameter("")
    lines = []
    parameter.print_func = PRINT_STRING_FUN(lines.append)
    svm_train(svm_problem(Y, X), parameter)
    assert b"".join(lines).endswith(b"Total nSV = 4\n")


def test_many_threads_train_and_predict() -> None:
    expected = svm_predict(Y, X, svm_train(Y, X, "-q"), "-q")
    found = []
    threads = [
        threading.Thread(
            target=lambda: found.append(svm_predict(Y, X, svm_train(Y, X, "-q"), "-q"))
        )
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_ctrl_c_ends_training() -> None:
    numbers = numpy.random.RandomState(0).randn(3000, 20)
    labels = numpy.sign(numpy.random.RandomState(1).randn(3000))

    sent = []

    def interrupt(text: bytes) -> None:
        if not sent:
            sent.append(text)
            os.kill(os.getpid(), signal.SIGINT)

    parameter = svm_parameter("-c 1e6 -g 1e-3 -e 1e-12")
    parameter.print_func = PRINT_STRING_FUN(interrupt)  # at the first dot
    with pytest.raises(KeyboardInterrupt):
        svm_train(svm_problem(labels, numbers), parameter)
    svm_train(Y, X, "-q")


def test_ctrl_c_while_a_model_is_freed(monkeypatch: Any) -> None:
    model = svm_train(Y, X, "-q")
    free = svm.libsvm.svm_free_and_destroy_model

    def interrupted(handle: Any) -> None:
        free(handle)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        with monkeypatch.context() as patch:
            patch.setattr(svm.libsvm, "svm_free_and_destroy_model", interrupted)
            del model
        for _ in range(1000):  # it comes between two of them
            time.sleep(0.01)


def test_ctrl_c_is_not_lost_in_low_level_calls() -> None:
    """The library calls back after Ctrl-C, to print nothing and to warn."""
    numbers = numpy.random.RandomState(0).randn(60, 4)
    labels = numpy.sign(numpy.random.RandomState(1).randn(60))
    problem = svm_problem(labels, numbers)
    parameter = svm_parameter("-c 1e9 -g 0.01 -e 1e-15 -q")
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(5):  # in case a call ends earlier
            libsvm.svm_train(problem, parameter)
    timer.join()


def test_nothing_but_the_standard_library_is_needed(python_folder: Path, tmp_path: Path) -> None:
    script = f"""
import sys
sys.path.insert(0, {str(python_folder)!r})
for name in ("numpy", "scipy", "sklearn"):
    sys.modules[name] = None
from libsvm.svmutil import *
y, x = {Y!r}, {X!r}
model = svm_train(y, x, "-b 1 -q")
print(svm_predict(y, x, model, "-q")[1], svm_train(y, x, "-v 2 -q"))
"""
    process = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith("Cross Validation Accuracy = ")
    assert "(100.0, 0.0, 1.0)" in process.stdout


# ---- data files, scaling ----


def read(text: str, **how: Any) -> Any:
    return svm_read_problem(io.StringIO(text), **how)


@pytest.mark.parametrize("text, rows", [
    ("1 1:2 3:4\n-1 2:1\n", ([1, -1], [{1: 2, 3: 4}, {2: 1}])),
    ("1\t1:2 3:4 \r\n-1  2:1", ([1, -1], [{1: 2, 3: 4}, {2: 1}])),
    ("+1.5e1 1:0 2:-1e-3\n2\n", ([15, 2], [{1: 0, 2: -0.001}, {}])),
    ("1 1:nan\n", None), ("", ([], [])), ("1 3:1 2:1\n", ([1], [{3: 1, 2: 1}])),
])  # fmt: skip
def test_reading(text: str, rows: Any, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "data").write_bytes(text.encode())
    for block in (1, 7, 1 << 20):
        monkeypatch.setattr("libsvm._reading.BLOCK_BYTES", block)
        for source in (str(tmp_path / "data"), tmp_path / "data", io.BytesIO(text.encode()),
                       io.StringIO(text)):  # fmt: skip
            found = svm_read_problem(source)
            assert found == rows if rows else found[1][0][1] != found[1][0][1]


@pytest.mark.parametrize("line, text", [
    ("", "the line is empty"), ("a 1:2", "'a' is no label"), ("1 1:2 # x", "no colon in '#'"),
    ("1 1:2:3", "'2:3' is no value"), ("1 x:2", "'x' is no index"), ("1 1.0:2", "no index"),
    ("1 1: 2", "'' is no value"), ("1 :2", "'' is no index"), ("1 1 2:3", "no colon in '1'"),
    ("1 1-2:3", "'1-2' is no index"), ("1:2 3:4", "'1:2' is no label"),
])  # fmt: skip
def test_reading_says_where_it_is_wrong(line: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("1 1:2\n" * 4 + line + "\n1 1:2\n")
    for scipy in (False, True):
        with pytest.raises(ValueError, match=f"data, line 5: Wrong input format: .*{text}"):
            svm_read_problem(tmp_path / "data", return_scipy=scipy)


def test_reading_for_scipy() -> None:
    y, x = read("1 1:2 3:4\n-1 2:1 5:0\n3\n", return_scipy=True)
    assert y.tolist() == [1, -1, 3] and x.format == "csr"
    assert x.toarray().tolist() == [[2, 0, 4], [0, 1, 0], [0, 0, 0]] and x.nnz == 3
    assert read("1 0:1 2:3\n", return_scipy=True)[1].toarray().tolist() == [[1, 0, 3]]
    assert read("1\n2\n", return_scipy=True)[1].shape == (2, 0)
    with pytest.raises(ValueError, match="feature -1 is negative"):
        read("1 -1:2\n", return_scipy=True)


def test_scaling(capfd: Any) -> None:
    x = sparse.csr_matrix([[1.0, 5, 3, 0], [2, 5, 0, 0], [4, 5, -1, 0]])
    scale = csr_find_scale_param(x, lower=0, upper=2)
    scaled = csr_scale(x, scale)
    expected = [[0, 0, 2, 0], [2 / 3, 0, 0.5, 0], [2, 0, 0, 0]]
    assert numpy.allclose(scaled.toarray(), expected) and scaled.nnz == 4
    assert capfd.readouterr().err == ""
    assert csr_scale(x, csr_find_scale_param(x)).toarray().min() == -1
    wide = csr_scale(sparse.csr_matrix([[4.0, 1, 3, 7, 9]]), scale)
    assert wide.toarray().tolist() == [[2, 0, 2, 0, 0]]
    assert "do not match" in capfd.readouterr().err
    thin = sparse.csr_matrix(([1.0, 2.0], ([0, 1], [0, 0])), shape=(9, 2))
    csr_scale(thin, csr_find_scale_param(thin))
    assert "WARNING: original #nonzeros 2\n       > new      #nonzeros 8" in capfd.readouterr().err
    with pytest.raises(TypeError):
        csr_find_scale_param(x.toarray())


# ---- what programs written for LIBSVM's module do ----


def test_quick_start(data_folder: Path, tmp_path: Path, capfd: Any) -> None:
    y, x = svm_read_problem(str(data_folder / "demo.train"))
    m = svm_train(y[:200], x[:200], "-c 4")
    p_label, p_acc, p_val = svm_predict(y[200:], x[200:], m)
    assert len(p_label) == len(p_val) == len(y) - 200 and p_acc[0] > 65
    svm_save_model(str(tmp_path / "m.model"), svm_train(y, x, "-b 1 -q"))
    m = svm_load_model(str(tmp_path / "m.model"))
    p_label, p_acc, p_val = svm_predict(y, x, m, "-b 1")
    assert abs(sum(p_val[0]) - 1) < 1e-12
    assert evaluations(y, p_label) == p_acc
    assert "Accuracy = " in capfd.readouterr().out

    y, x = svm_read_problem(str(data_folder / "demo.train"), return_scipy=True)
    m = svm_train(y[:200], x[:200, :], "-c 4 -q")
    assert svm_predict(y[200:], x[200:, :], m)[1][0] > 65
    x = csr_scale(x, csr_find_scale_param(x, lower=0))
    assert svm_train(y, x, "-v 3 -q") > 65


def test_problems_and_parameters() -> None:
    for y, x in (
        ([1, -1], [[1, 0, 1], [-1, 0, -1]]),
        ([1, -1], [{1: 1, 3: 1}, {1: -1, 3: -1}]),
        (numpy.asarray([1, -1]), numpy.asarray([[1, 0, 1], [-1, 0, -1]])),
        (numpy.asarray([1, -1]),
         sparse.csr_matrix(([1, 1, -1, -1], ([0, 0, 1, 1], [0, 2, 0, 2])))),
    ):  # fmt: skip
        m = svm_train(svm_problem(y, x), svm_parameter("-t 0 -c 4 -b 1 -q"))
        assert m.get_labels() == [1, -1] and m.get_SV() == [{1: 1, 3: 1}, {1: -1, 3: -1}]
    for x in (
        [[1, 2, -2], [2, -2, 2]],
        [{0: 1, 1: 2, 2: -2}, {0: 2, 1: -2, 2: 2}],
        numpy.asarray([[1, 2, -2], [2, -2, 2]]),
        sparse.csr_matrix(([1, 2, -2, 2, -2, 2], ([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]))),
    ):
        problem = svm_problem([1, -1], x, isKernel=True)
        m = svm_train(problem, svm_parameter("-t 4 -c 4 -b 1 -q"))
        assert svm_predict([1, -1], x, m, "-q")[0] == [1, -1]


def test_low_level_calls() -> None:
    prob = svm_problem([1, -1], [{1: 1, 3: 1}, {1: -1, 3: -1}])
    m = libsvm.svm_train(prob, svm_parameter("-c 4 -g 1 -q"))
    x0, max_idx = gen_svm_nodearray({1: 1, 3: 1})
    assert (libsvm.svm_predict(m, x0), max_idx) == (1, 3)
    x0, max_idx = gen_svm_nodearray((numpy.asarray([0, 2]), numpy.asarray([-1, -1])))
    assert (libsvm.svm_predict(m, x0), max_idx) == (-1, 3)
    model = toPyModel(m)
    assert model.get_nr_sv() == 2 and not model.is_probability_model()


def test_many_classes_of_nu_svc_have_all_their_values() -> None:
    x = [[i, i * i % 7] for i in range(40)]
    model = svm_train([i % 5 for i in range(40)], x, "-s 1 -n 0.1 -q")
    assert {len(row) for row in svm_predict([], x, model, "-q")[2]} == {10}
