"""Calls of the library that Ctrl-C can end, on rows used in place or on nodes."""

import ctypes
import math
import time
from ctypes import POINTER, byref, c_double
from typing import Any, Callable, List, Tuple

from csmo import _native
from csmo._call import Call
from libsvm._nodes import node_rows
from libsvm._optional import is_matrix, is_sparse
from libsvm._views import (
    RowsView,
    has_serials_in_order,
    trains_alike,
    view_of_matrix,
    view_of_rows,
)
from libsvm.svm import (
    EPSILON_SVR,
    NU_SVR,
    PRECOMPUTED,
    labels_of_rows,
    libsvm,
    number_of_rows,
    svm_model,
    svm_parameter,
    svm_problem,
    toPyModel,
)

CHUNK_ROWS = 1024  # predicted at first; then as many as take about
CHUNK_SECONDS = 0.2


class NodeData:
    """A problem to train on."""

    def __init__(self, problem: svm_problem) -> None:
        self.problem = problem
        self.rows = problem.l
        self.features = problem.n
        self.labels = problem.y

    def check_serials(self) -> None:
        for i in range(self.rows):
            first = self.problem.x[i][0]
            if first.index != 0:
                raise ValueError(
                    "Wrong input format: first column must be 0:sample_serial_number"
                )
            if not 1 <= int(first.value) <= self.features:
                raise ValueError("Wrong input format: sample_serial_number out of range")

    def train(self, param: Any, options: Any) -> Any:
        return _native.train_ex(byref(self.problem), param, options, None)

    def cross_validate(self, param: Any, folds: int, options: Any, targets: Any) -> Any:
        problem = byref(self.problem)
        return _native.cross_validation_ex(problem, param, folds, options, targets, None)


class ViewData:
    """Rows of numpy or scipy that are used in place for training, and their labels."""

    def __init__(self, y: Any, x: Any, is_kernel: bool) -> None:
        self.rows = number_of_rows(x)
        self.labels = labels_of_rows(y, self.rows)
        self._rows_view = view_of_matrix(x, is_kernel)
        self._view = self._rows_view.with_labels(self.labels)
        self.features = x.shape[1]
        while not is_sparse(x) and self.features > 0 and not x[:, self.features - 1].any():
            self.features -= 1
        # For svm_check_parameter, which needs nothing else.
        self.problem = svm_problem.__new__(svm_problem)
        self.problem.l = self.rows
        self.problem.y = self.labels

    def check_serials(self) -> None:
        """The serial numbers are in order, see training_data."""

    def train(self, param: Any, options: Any) -> Any:
        return _native.train_view(byref(self._view), param, options, None)

    def cross_validate(self, param: Any, folds: int, options: Any, targets: Any) -> Any:
        view = byref(self._view)
        return _native.cross_validation_view(view, param, folds, options, targets, None)


def training_data(y: Any, x: Any, param: svm_parameter) -> Any:
    """Data to train on: a view if the result is the same as with nodes, otherwise nodes."""
    is_kernel = param.kernel_type == PRECOMPUTED
    if is_matrix(x):
        if is_kernel:  # models contain whole rows of the kernel; folds do not
            alike = param.cross_validation and x.shape[1] > 0 and has_serials_in_order(x)
        else:
            alike = param.cross_validation or trains_alike(x)
        if alike:
            return ViewData(y, x, is_kernel)
    return NodeData(svm_problem(y, x, isKernel=is_kernel))


class _Training:
    """A call that trains, with the options from the parameters."""

    def __init__(self, param: svm_parameter) -> None:
        self._call = Call()
        self.param = byref(param)
        self.options = byref(self._call.options)
        options = self._call.options
        options.print = _native.TextFunction()  # null: the process's functions
        options.warn = _native.TextFunction()
        for name, value in param.extra.items():
            setattr(options, name, value.encode() if isinstance(value, str) else value)
        options.use_seed = int("seed" in param.extra)
        fault = _native.check_options(self.param, self.options)
        if fault is not None:
            raise ValueError(f"Error: {fault.decode()}")
        libsvm.svm_set_print_string_function(param.print_func)

    def run(self, function: Callable[[], Any]) -> Any:
        """Calls the function on the right thread; the reason of a failure is kept by thread."""
        return self._call.run(function)

    def end(self) -> None:
        """Raises the KeyboardInterrupt that ended the call early."""
        self._call.end()


def train(data: Any, param: svm_parameter) -> svm_model:
    """Trains a model, which keeps alive what it points to."""
    training = _Training(param)

    def work() -> Any:
        return data.train(training.param, training.options) or _fail()

    model = toPyModel(ctypes.cast(training.run(work), POINTER(svm_model)))
    training.end()
    model.x_space = getattr(data.problem, "x_space", None)
    model._kept = (data.problem, param)
    return model


def cross_validate(data: Any, param: svm_parameter) -> List[float]:
    """Predicts each row by a model trained without its fold."""
    training = _Training(param)
    targets = (c_double * data.rows)()

    def work() -> None:
        if data.cross_validate(training.param, param.nr_fold, training.options, targets) != 0:
            _fail()

    training.run(work)
    training.end()
    if "time_limit" in param.extra and any(map(math.isnan, targets)):
        raise TimeoutError("the cross validation was not completed within the time limit")
    return targets[:]


def _fail() -> None:
    raise _native.failure()


def predict(model: svm_model, x: Any, probability: bool) -> Tuple[List[float], List[List[float]]]:
    """Predictions of all rows, and the decision values or probabilities of each."""
    rows = number_of_rows(x)
    regression = model.get_svm_type() in (EPSILON_SVR, NU_SVR)
    if probability:
        width = 0 if regression else model.get_nr_class()
    else:
        width = _native.get_nr_values(byref(model))
    labels = (c_double * rows)()
    values = (c_double * (rows * width))()
    view_of = view_of_matrix if is_matrix(x) else view_of_rows
    view = view_of(x, model.param.kernel_type == PRECOMPUTED)
    if view is None:
        _predict_nodes(model, x, probability, labels, values)
    else:
        _predict_view(model, view, probability and width > 0, labels, values)
    flat = values[:]
    return labels[:], [flat[i * width : (i + 1) * width] for i in range(rows)]


def _predict_view(
    model: svm_model, view: RowsView, probability: bool, labels: Any, values: Any
) -> None:
    """Predicts in parts, between which Ctrl-C is noticed."""
    width = len(values) // max(1, view.rows)
    first, chunk = 0, CHUNK_ROWS
    while first < view.rows:
        chunk = min(chunk, view.rows - first)
        start = time.monotonic()
        to = byref(values, 8 * first * width) if width > 0 else None
        outputs = (None, to) if probability else (to, None)
        part = view.part(first, chunk)
        if _native.predict_rows(
            byref(model), byref(part), 0, byref(labels, 8 * first), *outputs
        ):
            _fail()
        first += chunk
        if time.monotonic() - start < CHUNK_SECONDS:
            chunk *= 4


def _predict_nodes(
    model: svm_model, x: Any, probability: bool, labels: Any, values: Any
) -> None:
    """Predicts row by row; this also works with a feature 0, which no view has."""
    function = libsvm.svm_predict_probability if probability else libsvm.svm_predict_values
    width = len(values) // max(1, len(x))
    for i, row in enumerate(node_rows(x, False)[0]):
        to = ctypes.cast(byref(values, 8 * i * width), POINTER(c_double))
        labels[i] = function(model, row, to)
