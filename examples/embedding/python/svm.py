"""LIBSVM for Python, by ctypes: arrays of numpy are used where they are, and models are pickled as
text.  The library is the file libsvm.so beside this one."""
import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_longlong, c_size_t, c_uint, c_void_p

import numpy

C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR = range(5)
LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED = range(5)
DENSE, CSR_INT32, CSR_INT64 = range(3)

TextFunction = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)
DrawFunction = ctypes.CFUNCTYPE(c_int, c_void_p)
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
    _fields_ = [("size", c_size_t), ("solver", c_char_p), ("max_iterations", c_longlong),
                ("time_limit", c_double), ("use_seed", c_int), ("seed", c_uint),
                ("progress", ProgressFunction), ("progress_user", c_void_p),
                ("print", TextFunction), ("print_user", c_void_p), ("free_set", c_int),
                ("threads", c_size_t), ("init", c_void_p), ("fixed_threshold", c_int),
                ("bias", c_double), ("landmarks", c_size_t), ("landmark_sampling", c_int),
                ("reserved", c_int), ("row_weights", c_void_p), ("random", DrawFunction),
                ("random_user", c_void_p), ("warn", TextFunction), ("warn_user", c_void_p)]


class View(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("rows", c_size_t), ("columns", c_size_t), ("layout", c_int),
                ("value_type", c_int), ("values", c_void_p), ("stride", c_size_t),
                ("row_starts", c_void_p), ("column_numbers", c_void_p), ("y", c_void_p)]


class SaveOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("number_digits", c_int), ("feature_digits", c_int)]


_library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libsvm.so"))


def _function(name, result, *arguments):
    function = _library[name]
    function.restype = result
    function.argtypes = arguments
    return function


_last_error = _function("svm_last_error", c_char_p)
_struct_size = _function("svm_struct_size", c_size_t, c_char_p)
_init_options = _function("svm_init_options", None, POINTER(Options), c_size_t)
_train = _function("svm_train_view", c_void_p, POINTER(View), POINTER(Parameter), POINTER(Options),
                   c_void_p)
_predict = _function("svm_predict_rows", c_int, c_void_p, POINTER(View), c_size_t, c_void_p,
                     c_void_p, c_void_p)
_save = _function("svm_save_model_to_memory", c_void_p, c_void_p, POINTER(SaveOptions),
                  POINTER(c_size_t))
_load = _function("svm_load_model_from_memory", c_void_p, c_char_p, c_size_t)
_free = _function("svm_free", None, c_void_p)
_destroy = _function("svm_free_and_destroy_model", None, POINTER(c_void_p))
_number_of_values = _function("svm_get_nr_values", c_size_t, c_void_p)

# Structures of svm_options' kind may be smaller than the library's, svm_parameter is never another.
for _name, _structure in (("svm_options", Options), ("svm_problem_view", View),
                          ("svm_save_options", SaveOptions)):
    if _struct_size(_name.encode()) < ctypes.sizeof(_structure):
        raise ImportError(f"libsvm.so is too old: {_name}")


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


def _view(x, y=None):
    """The view of a matrix, and what must live as long: a 2-dimensional array, or the attributes
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
    view = View(size=ctypes.sizeof(View), rows=x.shape[0], columns=x.shape[1],
                value_type=int(values.dtype == numpy.float32), values=values.ctypes.data)
    kept = [values]
    if sparse:
        index = numpy.int32 if x.indices.dtype == numpy.int32 else numpy.int64
        kept += [numpy.ascontiguousarray(each, dtype=index) for each in (x.indptr, x.indices)]
        view.layout = CSR_INT32 if index == numpy.int32 else CSR_INT64
        view.row_starts, view.column_numbers = (each.ctypes.data for each in kept[1:])
    else:
        view.stride = values.strides[0] // values.itemsize
    if y is not None:
        kept.append(_numbers(y, x.shape[0], "y"))
        view.y = kept[-1].ctypes.data
    return view, kept


def _parameter(**values):
    defaults = dict(svm_type=C_SVC, kernel_type=RBF, degree=3, cache_size=200, eps=0.001, C=1,
                    nu=0.5, p=0.1, shrinking=1)
    return Parameter(**{**defaults, **values})


class Model:
    """A trained model, which owns its support vectors."""

    def __init__(self, handle):
        self._handle = c_void_p(handle)
        if not handle:
            raise _failure()

    def __del__(self):
        _destroy(ctypes.byref(self._handle))

    @classmethod
    def train(cls, x, y, weights=None, max_iterations=0, messages=None, warnings=None,
              **parameters):
        """Trains; weights are those of the rows, messages and warnings lists that get texts."""
        view, kept = _view(x, y)
        options = Options()
        _init_options(options, ctypes.sizeof(options))
        options.max_iterations = max_iterations
        options.print = _append_to(messages)
        options.warn = _append_to(warnings)
        if weights is not None:
            kept.append(_numbers(weights, view.rows, "weights"))
            options.row_weights = kept[-1].ctypes.data
        return cls(_train(view, _parameter(**parameters), options, None))

    @classmethod
    def from_text(cls, text):
        return cls(_load(text, len(text)))

    def text(self, feature_digits=17):
        """What svm_save_model writes, with as many digits as the features need."""
        size = c_size_t()
        options = SaveOptions(ctypes.sizeof(SaveOptions), 17, feature_digits)
        text = _save(self._handle, options, size)
        if not text:
            raise _failure()
        try:
            return ctypes.string_at(text, size.value)
        finally:
            _free(text)

    def __reduce__(self):
        return Model.from_text, (self.text(),)

    def predict(self, x):
        """Predictions and decision values."""
        view, _kept = _view(x)
        labels = numpy.empty(view.rows)
        values = numpy.empty((view.rows, _number_of_values(self._handle)))
        if _predict(self._handle, view, 0, labels.ctypes.data, values.ctypes.data, None) != 0:
            raise _failure()
        return labels, values


def _append_to(texts):
    """A function for the library: never null, as that would print to standard output."""
    texts = [] if texts is None else texts
    return TextFunction(lambda text, _user: texts.append(text.decode()))
