"""Calls of the library that Ctrl-C can end."""

import ctypes
import math
import time
from ctypes import POINTER, byref, c_double
from typing import Any, Callable, List, NoReturn, Tuple

from csmo import _native
from csmo._call import Call
from libsvm._optional import is_matrix, is_sparse
from libsvm._svm_rows import (
    SvmRows,
    has_serials_in_order,
    rows_of_matrix,
    rows_of_pointers,
    rows_of_sequence,
)
from libsvm.svm import (
    C_SVC,
    EPSILON_SVR,
    NU_SVC,
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

FEW_ROWS = 8  # fewer are predicted one by one, without preparing the model
CHUNK_ROWS = 1024  # predicted at first; then as many as take about
CHUNK_SECONDS = 0.2


class ProblemData:
    """Rows of nodes to train on, and their labels."""

    def __init__(self, problem: svm_problem) -> None:
        self.problem = problem
        self.rows = rows_of_pointers(problem, problem.x, problem.l)
        self.features = problem.n

    def check_serials(self) -> None:
        for i in range(self.problem.l):
            first = self.problem.x[i][0]
            if first.index != 0:
                raise ValueError(
                    "Wrong input format: first column must be 0:sample_serial_number"
                )
            if not 1 <= int(first.value) <= self.features:
                raise ValueError("Wrong input format: sample_serial_number out of range")


class MatrixData:
    """Rows of numpy or scipy that are used in place for training, and their labels."""

    def __init__(self, y: Any, x: Any, is_kernel: bool) -> None:
        # For svm_check_parameter, which needs nothing else.
        self.problem = svm_problem.__new__(svm_problem)
        self.problem.l = number_of_rows(x)
        self.problem.y = labels_of_rows(y, self.problem.l)
        self.rows = rows_of_matrix(x, is_kernel)
        self.features = x.shape[1]
        while not is_sparse(x) and self.features > 0 and not x[:, self.features - 1].any():
            self.features -= 1

    def check_serials(self) -> None:
        """The serial numbers are in order, see training_data."""


def training_data(y: Any, x: Any, param: svm_parameter) -> Any:
    """Data to train on: in place if it is a matrix, except for a kernel with other serial numbers
    than the library would give its rows."""
    is_kernel = param.kernel_type == PRECOMPUTED
    if is_matrix(x) and not (is_kernel and (x.shape[1] == 0 or not has_serials_in_order(x))):
        return MatrixData(y, x, is_kernel)
    return ProblemData(svm_problem(y, x, isKernel=is_kernel))


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
    """Trains a model."""
    training = _Training(param)

    def work() -> Any:
        rows, y = byref(data.rows.struct), data.problem.y
        return _native.train_rows(rows, y, training.param, training.options, None) or _fail()

    model = toPyModel(ctypes.cast(training.run(work), POINTER(svm_model)))
    training.end()
    return model


def cross_validate(data: Any, param: svm_parameter) -> List[float]:
    """Predicts each row by a model trained without its fold."""
    training = _Training(param)
    targets = (c_double * len(data.rows))()

    def work() -> None:
        how = training.param, param.nr_fold, training.options
        if _native.cross_validate_rows(
            byref(data.rows.struct), data.problem.y, *how, targets, None
        ):
            _fail()

    training.run(work)
    training.end()
    if "time_limit" in param.extra and any(map(math.isnan, targets)):
        raise TimeoutError("the cross validation was not completed within the time limit")
    return targets[:]


def _fail() -> NoReturn:
    raise _native.failure()


def predict(model: svm_model, x: Any, probability: bool) -> Tuple[List[float], List[List[float]]]:
    """Predictions of all rows, and the decision values or probabilities of each."""
    svm_type, classes = model.get_svm_type(), model.get_nr_class()
    if probability:
        width = 0 if svm_type in (EPSILON_SVR, NU_SVR) else classes
    else:
        width = classes * (classes - 1) // 2 if svm_type in (C_SVC, NU_SVC) else 1
    count = number_of_rows(x)
    labels = (c_double * count)()
    values = (c_double * (count * width))()
    is_kernel = model.param.kernel_type == PRECOMPUTED
    if count < FEW_ROWS and not is_kernel:
        _predict_few(model, svm_problem([0.0] * count, x), probability, labels, values)
    else:
        rows_of = rows_of_matrix if is_matrix(x) else rows_of_sequence
        _predict_many(model, rows_of(x, is_kernel), probability, labels, values)
    flat = values[:]
    return labels[:], [flat[i * width : (i + 1) * width] for i in range(count)]


def _predict_few(
    model: svm_model, problem: svm_problem, probability: bool, labels: Any, values: Any
) -> None:
    """Predicts by LIBSVM's functions, which keep what they prepare with the model."""
    function = libsvm.svm_predict_probability if probability else libsvm.svm_predict_values
    width = len(values) // max(1, problem.l)
    for i in range(problem.l):
        to = ctypes.cast(byref(values, 8 * i * width), POINTER(c_double))
        labels[i] = function(model, problem.x[i], to)


def _predict_many(
    model: svm_model, rows: SvmRows, probability: bool, labels: Any, values: Any
) -> None:
    """Predicts in parts, between which Ctrl-C is noticed."""
    predictor = _native.make_predictor(byref(model), 0) or _fail()
    try:
        width = len(values) // max(1, len(rows))
        first, chunk = 0, CHUNK_ROWS
        while first < len(rows):
            chunk = min(chunk, len(rows) - first)
            start = time.monotonic()
            to = byref(values, 8 * first * width) if width > 0 else None
            outputs = (None, to) if probability else (to, None)
            part = byref(rows.part(first, chunk))
            if _native.predict_rows(predictor, part, 0, byref(labels, 8 * first), *outputs):
                _fail()
            first += chunk
            if time.monotonic() - start < CHUNK_SECONDS:
                chunk *= 4
    finally:
        _native.free_predictor(predictor)
