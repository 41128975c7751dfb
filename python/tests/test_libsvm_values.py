"""Values in rows and labels that LIBSVM's module or the programs refuse."""

import math
from ctypes import POINTER, pointer

import pytest
from libsvm.svm import libsvm, svm_model
from libsvm.svmutil import (
    gen_svm_nodearray,
    svm_load_model,
    svm_predict,
    svm_problem,
    svm_save_model,
    svm_train,
)

X = [[1, 0, 2.0], [0, 3, 1], [2, 2, 0], [1, 1, 1]]
Y = [1, -1, 1, -1]
KERNEL = [[i + 1, *(sum(a * b for a, b in zip(X[i], row)) for row in X)] for i in range(4)]


def with_value(value):
    """Rows with this value in the second place of the second one, by their form."""
    values = [1, value, 2]
    found = {"list": values, "tuple": tuple(values), "dict": {1: 1, 2: value, 3: 2}}
    forms = {name: [X[0], row, X[2], X[3]] for name, row in found.items()}
    try:
        import numpy
    except ImportError:
        return forms
    array = numpy.empty((4, 3), object)
    array[:] = X
    array[1, 1] = value
    forms["2-d array"] = array
    forms["1-d array"] = [X[0], array[1], X[2], X[3]]
    forms["tuple of arrays"] = [X[0], (numpy.arange(3), array[1]), X[2], X[3]]
    if isinstance(value, (float, complex)):
        from scipy import sparse

        forms["sparse matrix"] = sparse.csr_matrix(array.astype(type(value)))
        forms["2-d array of numbers"] = array.astype(type(value))
    return forms


def uses(rows):
    """Calls that read the rows."""
    by_rows, by_kernel = svm_train(Y, X, "-q"), svm_train(Y, KERNEL, "-t 4 -q")
    return {
        "train": lambda: svm_train(Y, rows, "-q"),
        "fold": lambda: svm_train(Y, rows, "-q -v 2"),
        "problem": lambda: svm_problem(Y, rows),
        "predict": lambda: svm_predict(Y, rows, by_rows, "-q"),
        "train by kernel values": lambda: svm_train(Y, rows, "-q -t 4"),
        "predict by kernel values": lambda: svm_predict(Y, rows, by_kernel, "-q"),
    }


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "value",
    [None, "", [], (), {}, "3", b"", 1j, object()],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_number(value):
    for form, rows in with_value(value).items():
        for use, call in uses(rows).items():
            with pytest.raises(TypeError, match="must be real number"):
                print(form, use, call())
    with pytest.raises(TypeError):
        gen_svm_nodearray([1, value])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_values_that_are_not_finite(value):
    for form, rows in with_value(value).items():
        for use, call in uses(rows).items():
            with pytest.raises(ValueError, match=r"x\[1\]: a value is not finite"):
                print(form, use, call())


def test_zeros_of_all_kinds_are_left_out():
    for value in (0, 0.0, -0.0, False):
        for form in ("list", "tuple", "dict"):
            nodes, highest = gen_svm_nodearray(with_value(value)[form][1])
            assert ([str(node) for node in nodes], highest) == (["1:1", "3:2", "-1:0"], 3)
    huge = [[1e308, 1e308], [-1e308, 1e308]]  # whose sum is not finite
    assert svm_problem([1, -1], huge).n == 2


@pytest.mark.parametrize(
    "indices, values, message",
    [
        ([0, 1, 2], [1.0], "indices of shape"),
        ([0], [1.0, 2.0], "indices of shape"),
        ([[0, 1]], [[1.0, 2.0]], "indices of shape"),
        ([2, 0], [1.0, 2.0], "do not rise"),
        ([1, 1], [1.0, 2.0], "do not rise"),
        ([2, -5], [1.0, 2.0], "do not rise"),
        ([-5, 2], [1.0, 2.0], "is negative"),
    ],
)
def test_a_row_of_two_arrays_that_do_not_match(indices, values, message):
    numpy = pytest.importorskip("numpy")
    rows = [X[0], (numpy.array(indices), numpy.array(values)), X[2], X[3]]
    model = svm_train(Y, X, "-q")
    for call in (
        lambda: svm_train(Y, rows, "-q"),
        lambda: svm_problem(Y, rows),
        lambda: svm_predict(Y, rows, model, "-q"),
    ):
        with pytest.raises(ValueError, match=rf"x\[1\]: .*{message}"):
            call()


@pytest.mark.parametrize("label", [3e9, -3e9, 2.0**31, -(2.0**31) - 1, math.nan, math.inf])
def test_labels_that_the_programs_refuse(label):
    labels = [1, label, 1, -1]
    forms = [labels, tuple(labels)]
    try:
        import numpy
    except ImportError:
        pass
    else:
        forms.append(numpy.array(labels))
    model = svm_train(Y, X, "-q")
    for y in forms:
        for options in ("-s 0", "-s 1", "-s 2", "-s 3", "-s 4", "-v 2"):
            if math.isfinite(label) and options in ("-s 2", "-s 3", "-s 4"):
                svm_train(y, X, options + " -q")
                continue
            for call in (
                lambda: svm_train(y, X, options + " -q"),
                lambda: svm_train(svm_problem(y, X), options + " -q"),
            ):
                with pytest.raises(ValueError, match=r"y\[1\]: the label .* (int|finite)$"):
                    call()
        if math.isfinite(label):
            assert svm_predict(y, X, model, "-q")[1][0] < 100
        else:
            with pytest.raises(ValueError, match=r"y\[1\]: the label .* is not finite"):
                svm_predict(y, X, model, "-q")


def test_labels_at_the_ends_of_int():
    y = [2.0**31 - 1, -(2.0**31), 2.0**31 - 0.5, -(2.0**31)]
    assert sorted(svm_train(y, X, "-q").get_labels()) == [-(2**31), 2**31 - 1]


def test_what_is_no_model(tmp_path):
    path = tmp_path / "model"
    nothing = (None, "model", 5, svm_model(), POINTER(svm_model)())
    for model in (*nothing, svm_load_model(tmp_path / "none")):
        with pytest.raises(TypeError, match="is no model"):
            svm_save_model(path, model)
        with pytest.raises(TypeError, match="is no model"):
            svm_predict(Y, X, model)
    assert libsvm.svm_save_model(bytes(path), None) == -1
    assert not path.exists()
    svm_save_model(path, pointer(svm_train(Y, X, "-q")))
    assert path.exists()
