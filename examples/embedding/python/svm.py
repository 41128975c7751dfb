"""LIBSVM for Python, by ctypes: arrays of numpy are used where they are, and models are pickled as
text.  The library is the file libsvm.so beside this one."""
import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_longlong, c_size_t, c_void_p

import numpy

C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR = range(5)
LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED = range(5)
NODES, DENSE, CSR_INT32, CSR_INT64 = range(4)

TextFunction = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)
DrawFunction = ctypes.CFUNCTYPE(c_int, c_int, c_void_p)
ProgressFunction = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)


class SvmError(Exception):
    """A failure, with the library's reason."""


class Parameter(ctypes.Structure):
    _fields_ = [("svm_type", c_int), ("kernel_type", c_int), ("degree", c_int), ("gamma", c_double),
                ("coef0", c_double), ("cache_size", c_double), ("eps", c_double), ("C", c_double),
                ("nr_weight", c_int), ("weight_label", POINTER(c_int)),
                ("weight", POINTER(c_double)), ("nu", c_double), ("p", c_double),
                ("shrinking", c_int), ("probability", c_int)]


class Options(ctypes.Structure):
    """The members that are used here; the library takes the others' defaults."""

    _fields_ = [("size", c_size_t), ("solver", c_char_p), ("max_iter", c_longlong),
                ("time_limit", c_double), ("threads", c_size_t), ("row_weights", c_void_p),
                ("init", c_void_p), ("seed", c_longlong), ("random", DrawFunction),
                ("random_user", c_void_p), ("progress", ProgressFunction),
                ("progress_user", c_void_p), ("print", TextFunction), ("print_user", c_void_p),
                ("warn", TextFunction), ("warn_user", c_void_p)]


class Rows(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("rows", c_size_t), ("columns", c_size_t), ("layout", c_int),
                ("value_type", c_int), ("nodes", c_void_p), ("values", c_void_p),
                ("stride", c_size_t), ("row_starts", c_void_p), ("column_numbers", c_void_p),
                ("kernel", c_void_p), ("kernel_user", c_void_p), ("kernel_threads", c_int),
                ("reserved", c_int)]


_library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libsvm.so"))


def _function(name, result, *arguments):
    function = _library[name]
    function.restype = result
    function.argtypes = arguments
    return function


_last_error = _function("svm_last_error", c_char_p)
_init_options = _function("svm_init_options", None, POINTER(Options), c_size_t)
_train = _function("svm_train_rows", c_void_p, POINTER(Rows), c_void_p, POINTER(Parameter),
                   POINTER(Options), c_void_p)
_make_predictor = _function("svm_make_predictor", c_void_p, c_void_p, c_int)
_predict = _function("svm_predict_rows", c_int, c_void_p, POINTER(Rows), c_size_t, c_void_p,
                     c_void_p, c_void_p)
_free_predictor = _function("svm_free_predictor", None, c_void_p)
_text = _function("svm_model_text", c_void_p, c_void_p, c_int, POINTER(c_size_t))
_free_text = _function("svm_free_text", None, c_void_p)
_parse = _function("svm_parse_model", c_void_p, c_char_p, c_size_t)
_destroy = _function("svm_free_and_destroy_model", None, POINTER(c_void_p))
_number_of_classes = _function("svm_get_nr_class", c_int, c_void_p)


def _failure():
    return SvmError(_last_error().decode())


def _usable(values):
    """Whether the library can read an array where it is: rows in ascending order, each without
    gaps."""
    row = values.shape[-1] * values.itemsize
    return (values.dtype in (numpy.float32, numpy.float64) and
            values.strides[-1] == values.itemsize and
            (values.ndim == 1 or values.strides[0] >= row and
             values.strides[0] % values.itemsize == 0))


def _numbers(values, rows, what):
    """An array of doubles, one for each row: the library reads as many."""
    values = numpy.ascontiguousarray(values, dtype=numpy.float64)
    if values.shape != (rows,):
        raise SvmError(f"{what}: {rows} rows, but an array of shape {values.shape}")
    return values


def _rows(x):
    """The rows of a matrix, and what must live as long: a 2-dimensional array, or the attributes
    data, indices, indptr and shape that scipy's CSR matrices have, sorted."""
    sparse = hasattr(x, "indptr")
    if sparse and (getattr(x, "format", "csr") != "csr" or len(x.indptr) != x.shape[0] + 1 or
                   min(len(x.indices), len(x.data)) < x.indptr[-1]):
        raise SvmError("sparse matrices must be in CSR format")
    values = x.data if sparse else x
    if not _usable(values):
        values = numpy.ascontiguousarray(values, dtype=numpy.float64)
    if not numpy.isfinite(values).all():  # which the library does not look for
        raise SvmError("there are values that are not finite")
    rows = Rows(size=ctypes.sizeof(Rows), rows=x.shape[0], columns=x.shape[1],
                value_type=int(values.dtype == numpy.float32), values=values.ctypes.data)
    kept = [values]
    if sparse:
        index = numpy.int32 if x.indices.dtype == numpy.int32 else numpy.int64
        kept += [numpy.ascontiguousarray(each, dtype=index) for each in (x.indptr, x.indices)]
        rows.layout = CSR_INT32 if index == numpy.int32 else CSR_INT64
        rows.row_starts, rows.column_numbers = (each.ctypes.data for each in kept[1:])
    else:
        rows.layout = DENSE
        rows.stride = values.strides[0] // values.itemsize
    return rows, kept


def _parameter(**values):
    defaults = dict(svm_type=C_SVC, kernel_type=RBF, degree=3, cache_size=200, eps=0.001, C=1,
                    nu=0.5, p=0.1, shrinking=1)
    return Parameter(**{**defaults, **values})


class Model:
    """A trained model, which owns its support vectors."""

    def __init__(self, handle):
        self._handle = c_void_p(handle)
        self._predictor = handle and _make_predictor(handle, 0)
        if not self._predictor:
            raise _failure()

    def __del__(self):
        _free_predictor(self._predictor)
        _destroy(ctypes.byref(self._handle))

    @classmethod
    def train(cls, x, y, weights=None, max_iter=0, messages=None, warnings=None, **parameters):
        """Trains; weights are those of the rows, messages and warnings lists that get texts."""
        rows, _kept = _rows(x)
        y = _numbers(y, rows.rows, "y")
        options = Options()
        _init_options(options, ctypes.sizeof(options))
        options.max_iter = max_iter
        options.print = _append_to(messages)
        options.warn = _append_to(warnings)
        if weights is not None:
            weights = _numbers(weights, rows.rows, "weights")
            options.row_weights = weights.ctypes.data
        return cls(_train(rows, y.ctypes.data, _parameter(**parameters), options, None))

    @classmethod
    def from_text(cls, text):
        return cls(_parse(text, len(text)))

    def text(self, digits=17):
        """What svm_save_model writes, with as many digits as the features need."""
        size = c_size_t()
        text = _text(self._handle, digits, size)
        if not text:
            raise _failure()
        try:
            return ctypes.string_at(text, size.value)
        finally:
            _free_text(text)

    def __reduce__(self):
        return Model.from_text, (self.text(),)

    def predict(self, x):
        """Predictions and decision values."""
        rows, _kept = _rows(x)
        classes = _number_of_classes(self._handle)
        labels = numpy.empty(rows.rows)
        values = numpy.empty((rows.rows, classes * (classes - 1) // 2))
        if _predict(self._predictor, rows, 0, labels.ctypes.data, values.ctypes.data, None) != 0:
            raise _failure()
        return labels, values


def _append_to(texts):
    """A function for the library: never null, as that would print to standard output."""
    texts = [] if texts is None else texts
    return TextFunction(lambda text, _user: texts.append(text.decode()))
