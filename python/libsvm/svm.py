"""The C interface of the library: its structures and functions, under LIBSVM's names.

Functions of `libsvm` take and return ctypes objects.  `libsvm.svmutil` is easier to use.
Notation: l is the number of rows, k the number of classes.
"""

import atexit
import ctypes
import functools
import math
import os
from array import array
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int
from enum import IntEnum
from typing import Any, Dict, List, Optional, Sequence, Tuple

from csmo import _native
from csmo._call import uninterrupted
from csmo._native import (
    C_SVC,
    EPSILON_SVR,
    LINEAR,
    NU_SVC,
    NU_SVR,
    ONE_CLASS,
    POLY,
    PRECOMPUTED,
    RBF,
    SIGMOID,
)
from libsvm import _options
from libsvm._arrays import csr_to_problem_nojit, nodes_of_dense, nodes_of_sparse
from libsvm._nodes import NodePointer, node_rows, pointers_to_rows, svm_node
from libsvm._optional import is_array, is_sparse, numbers
from libsvm._rows import complete_kernel_rows, pairs_of_row

__all__ = [
    "libsvm", "svm_problem", "svm_parameter", "toPyModel", "gen_svm_nodearray", "print_null",
    "svm_node", "svm_forms", "kernel_names", "PRINT_STRING_FUN", "c_double", "svm_model",
    "C_SVC", "NU_SVC", "ONE_CLASS", "EPSILON_SVR", "NU_SVR",
    "LINEAR", "POLY", "RBF", "SIGMOID", "PRECOMPUTED",
]  # fmt: skip

# A separate handle on the library, because the types of functions belong to a handle.
libsvm = ctypes.CDLL(_native.library._name)

PRINT_STRING_FUN = CFUNCTYPE(None, c_char_p)

svm_forms = IntEnum("svm_forms", "C_SVC NU_SVC ONE_CLASS EPSILON_SVR NU_SVR", start=0)
kernel_names = IntEnum("kernel_names", "LINEAR POLY RBF SIGMOID PRECOMPUTED", start=0)

csr_to_problem_jit = csr_to_problem_nojit  # numpy does the work: there is nothing to compile


def print_null(s: bytes) -> None:
    """A print function that prints nothing."""


# Callbacks of this module are written in C.  Python raises KeyboardInterrupt when a function
# written in Python begins, and ctypes drops exceptions of callbacks, so that a Ctrl-C would be
# lost.
_print_nothing = PRINT_STRING_FUN(bool)


def genFields(names: Sequence[str], types: Sequence[Any]) -> List[Tuple[str, Any]]:
    """The members of a ctypes structure from their names and types."""
    return list(zip(names, types))


def fillprototype(f: Any, restype: Any, argtypes: Sequence[Any]) -> None:
    """Sets the types of a function of the library."""
    f.restype = restype
    f.argtypes = argtypes


def gen_svm_nodearray(
    xi: Any, feature_max: Optional[int] = None, isKernel: bool = False
) -> Tuple[Any, int]:
    """A row as a ctypes array of nodes, and its largest index, or 0.

    xi: dict {feature: value}; list, tuple or 1-d numpy array of values, of which the first is
    feature 1, or 0 with isKernel; or a tuple of numpy arrays (columns from 0, values).  Zeros are
    dropped unless isKernel is set, and so are features above feature_max.
    """
    indices, values = pairs_of_row(xi, isKernel)
    pairs = dict(zip(indices, values))
    if feature_max:
        pairs = {i: value for i, value in pairs.items() if i <= feature_max}
    rows, highest = node_rows([pairs], True)
    return rows[0], highest


def csr_to_problem(x: Any, prob: "svm_problem", isKernel: bool) -> None:
    """Sets the rows of a problem to those of a sparse matrix: prob.x_space, a numpy array of nodes,
    prob.rowptr, the start of each row in it, and prob.x."""
    prob._set_nodes(*nodes_of_sparse(x, isKernel))


def number_of_rows(x: Any) -> int:
    """The number of rows, of any kind that problems and predictions accept."""
    if is_sparse(x):
        return int(x.shape[0])
    if isinstance(x, (list, tuple)) or is_array(x):
        return len(x)
    raise TypeError(f"type of x: {type(x)} is not supported!")


def labels_of_rows(y: Any, rows: int) -> Any:
    """`rows` labels or targets as a ctypes array; a view if y is an array of doubles."""
    if is_array(y):
        import numpy

        labels: Any = numpy.require(numbers(y), "float64", ["C", "W"]).reshape(-1)
    elif isinstance(y, (list, tuple)):
        labels = array("d", y)
    else:
        raise TypeError(f"type of y: {type(y)} is not supported!")
    if len(y) != rows or len(labels) != rows:
        raise ValueError("len(y) != len(x)")
    return (c_double * rows).from_buffer(labels) if rows else (c_double * 0)()


def check_labels(labels: Any, limit: float) -> None:
    """Raises ValueError unless all labels are numbers that truncate to less than the limit."""
    for i, label in enumerate(labels):
        if not -limit - 1 < label < limit:
            what = "does not fit an int" if math.isfinite(label) else "is not finite"
            raise ValueError(f"y[{i}]: the label {label:g} {what}")


class svm_problem(Structure):
    """struct svm_problem: rows to train on and their labels or targets.

    y: list, tuple or numpy array of l numbers.
    x: list or tuple of l rows as gen_svm_nodearray takes them, a numpy array of l rows, or a sparse
    matrix of scipy with l rows.
    isKernel: x has the values of a precomputed kernel; column 0 has serial numbers of rows, from 1.

    n is the largest feature.  x_space has the nodes; for a list or tuple, item i those of row i.
    """

    l: int
    y: Any
    x: Any
    n: int
    x_space: Any
    rowptr: Any
    _names = ["l", "y", "x"]
    _types = [c_int, POINTER(c_double), POINTER(NodePointer)]
    _fields_ = genFields(_names, _types)

    def __init__(self, y: Any, x: Any, isKernel: bool = False) -> None:
        super().__init__()
        self.l = number_of_rows(x)
        self.y = labels_of_rows(y, self.l)
        if is_sparse(x):
            csr_to_problem(x, self, isKernel)
            self.n = x.shape[1]
        elif is_array(x) and x.ndim == 2:
            self._set_nodes(*nodes_of_dense(x, isKernel))
            self.n = max(0, int(self.x_space["index"].max(initial=0)))
        else:
            self.x_space, self.n = node_rows(complete_kernel_rows(x) if isKernel else x, isKernel)
            self.x = self.x_space.pointers()

    def _set_nodes(self, nodes: Any, starts: Any) -> None:
        self.x_space = nodes
        self.rowptr = starts
        self.x = pointers_to_rows(nodes.ctypes.data, starts[:-1].tolist())


class svm_parameter(_native.Parameter):
    """struct svm_parameter, from an option string or a list of its words.

    Beyond its members: cross_validation and nr_fold of -v; print_func, null or a PRINT_STRING_FUN
    that training's messages go to; extra, the members of svm_options that options of this library
    set for svmutil.svm_train, such as -a SOLVER and --max-iter N.
    """

    _names = [field[0] for field in _native.Parameter._fields_]
    _types = [field[1] for field in _native.Parameter._fields_]
    svm_type: int
    kernel_type: int
    degree: int
    gamma: float
    coef0: float
    nu: float
    cache_size: float
    C: float
    eps: float
    p: float
    shrinking: int
    probability: int
    cross_validation: int
    nr_fold: int
    print_func: Any
    extra: Dict[str, Any]

    def __init__(self, options: Any = None) -> None:
        super().__init__()
        self.parse_options("" if options is None else options)

    def __str__(self) -> str:
        members = {name: getattr(self, name) for name in self._names}
        members.update(vars(self))
        members.update(members.pop("extra"))
        return "\n ".join(f"{name}: {value}" for name, value in members.items() if name[0] != "_")

    def show(self) -> None:
        """Prints the values of all parameters."""
        print(self)

    def set_to_default_values(self) -> None:
        """Sets LIBSVM's defaults.  gamma 0 stands for 1 / number of features."""
        self.svm_type = C_SVC
        self.kernel_type = RBF
        self.degree = 3
        self.gamma = 0
        self.coef0 = 0
        self.nu = 0.5
        self.cache_size = 100
        self.C = 1
        self.eps = 0.001
        self.p = 0.1
        self.shrinking = 1
        self.probability = 0
        self._set_weights([], [])
        self.cross_validation = False
        self.nr_fold = 0
        self.print_func = PRINT_STRING_FUN()
        self.extra = {}

    def parse_options(self, options: Any) -> None:
        """Sets the defaults, then these options, and then where the library prints.  Raises
        ValueError and TypeError."""
        words = _options.words_of(options)
        self.set_to_default_values()
        labels: List[int] = []
        weights: List[float] = []
        for name, value in _options.by_option(words, flags=("-q", *_options.FLAGS)):
            if name in _options.FLAGS:
                self.extra[_options.FLAGS[name]] = 1
            elif name in _options.LETTERS:
                member = _options.LETTERS[name]
                setattr(self, member.name, member.convert(value))
            elif name in _options.LONG:
                member = _options.LONG[name]
                self.extra[member.name] = member.convert(value)
            elif name == "-s":
                self.svm_type = svm_forms(int(value))
            elif name == "-t":
                self.kernel_type = kernel_names(int(value))
            elif name == "-v":
                self.cross_validation = 1
                self.nr_fold = int(value)
                if self.nr_fold < 2:
                    raise ValueError("n-fold cross validation: n must >= 2")
            elif name == "-q":
                self.print_func = _print_nothing
            elif name.startswith("-w"):
                labels.append(int(name[2:]))
                weights.append(float(value))
            else:
                raise ValueError("Wrong options")
        self._set_weights(labels, weights)
        libsvm.svm_set_print_string_function(self.print_func)

    def _set_weights(self, labels: List[int], weights: List[float]) -> None:
        self.nr_weight = len(labels)
        self.weight_label = (c_int * len(labels))(*labels)
        self.weight = (c_double * len(weights))(*weights)


class svm_model(Structure):
    """struct svm_model.  A model from toPyModel() frees the memory of the library that it owns."""

    _names = [
        "param", "nr_class", "l", "SV", "sv_coef", "rho", "probA", "probB", "prob_density_marks",
        "sv_indices", "label", "nSV", "free_sv",
    ]  # fmt: skip
    _types = [
        svm_parameter, c_int, c_int, POINTER(NodePointer), POINTER(POINTER(c_double)),
        POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(c_double),
        POINTER(c_int), POINTER(c_int), POINTER(c_int), c_int,
    ]  # fmt: skip
    _fields_ = genFields(_names, _types)
    param: svm_parameter
    nr_class: int
    l: int

    def __init__(self) -> None:
        super().__init__()
        self.__createfrom__ = "python"

    def __del__(self) -> None:
        is_owned = getattr(self, "__createfrom__", "") == "C"
        if is_owned and libsvm is not None and uninterrupted is not None:  # None at the very end
            handle = ctypes.pointer(ctypes.pointer(self))
            uninterrupted(libsvm.svm_free_and_destroy_model, handle)

    def get_svm_type(self) -> int:
        """C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR or NU_SVR."""
        return int(libsvm.svm_get_svm_type(self))

    def get_nr_class(self) -> int:
        """k; 2 for regression and one-class."""
        return int(libsvm.svm_get_nr_class(self))

    def get_svr_probability(self) -> float:
        """Scale of the Laplace distribution of regression errors, in units of the targets."""
        return float(libsvm.svm_get_svr_probability(self))

    def get_labels(self) -> List[int]:
        """The k labels, in the order of probabilities; zeros for regression and one-class."""
        labels = (c_int * self.get_nr_class())()
        libsvm.svm_get_labels(self, labels)
        return labels[:]

    def get_sv_indices(self) -> List[int]:
        """Numbers of the training rows that are support vectors, counted from 1; zeros for a loaded
        model."""
        indices = (c_int * self.get_nr_sv())()
        libsvm.svm_get_sv_indices(self, indices)
        return indices[:]

    def get_nr_sv(self) -> int:
        """Number of support vectors."""
        return int(libsvm.svm_get_nr_sv(self))

    def is_probability_model(self) -> bool:
        """True if the model has probability estimates."""
        return libsvm.svm_check_probability_model(self) == 1

    def get_sv_coef(self) -> List[Tuple[float, ...]]:
        """A tuple of k-1 coefficients for each support vector."""
        return list(zip(*(self.sv_coef[j][: self.l] for j in range(self.nr_class - 1))))

    def get_SV(self) -> List[Dict[int, float]]:
        """The support vectors as {feature: value}."""
        return [_pairs_of_nodes(self.SV[i]) for i in range(self.l)]


def _pairs_of_nodes(nodes: Any) -> Dict[int, float]:
    pairs = {}
    for node in nodes:  # terminated by the break: a pointer has no length
        if node.index == -1:
            break
        pairs[node.index] = node.value
    return pairs


def toPyModel(model_ptr: Any) -> svm_model:
    """The model at a pointer of svm_train or svm_load_model; it frees itself.

    It points into the problem that it was trained on, which must live as long.
    """
    if not model_ptr:
        raise ValueError("Null pointer")
    model: svm_model = model_ptr.contents
    model.__createfrom__ = "C"
    return model


_MODEL = POINTER(svm_model)
_PROBLEM_AND_PARAMETER = [POINTER(svm_problem), POINTER(svm_parameter)]
for _name, _restype, _argtypes in (
    ("svm_train", _MODEL, _PROBLEM_AND_PARAMETER),
    ("svm_cross_validation", None, [*_PROBLEM_AND_PARAMETER, c_int, POINTER(c_double)]),
    ("svm_check_parameter", c_char_p, _PROBLEM_AND_PARAMETER),
    ("svm_save_model", c_int, [c_char_p, _MODEL]),
    ("svm_load_model", _MODEL, [c_char_p]),
    ("svm_get_svm_type", c_int, [_MODEL]),
    ("svm_get_nr_class", c_int, [_MODEL]),
    ("svm_get_labels", None, [_MODEL, POINTER(c_int)]),
    ("svm_get_sv_indices", None, [_MODEL, POINTER(c_int)]),
    ("svm_get_nr_sv", c_int, [_MODEL]),
    ("svm_get_svr_probability", c_double, [_MODEL]),
    ("svm_predict_values", c_double, [_MODEL, NodePointer, POINTER(c_double)]),
    ("svm_predict", c_double, [_MODEL, NodePointer]),
    ("svm_predict_probability", c_double, [_MODEL, NodePointer, POINTER(c_double)]),
    ("svm_free_model_content", None, [_MODEL]),
    ("svm_free_and_destroy_model", None, [POINTER(_MODEL)]),
    ("svm_destroy_param", None, [POINTER(svm_parameter)]),
    ("svm_check_probability_model", c_int, [_MODEL]),
    ("svm_set_print_string_function", None, [PRINT_STRING_FUN]),
    ("svm_set_warning_function", None, [PRINT_STRING_FUN]),
):
    fillprototype(getattr(libsvm, _name), _restype, _argtypes)


# LIBSVM writes its warnings to standard error; the library leaves that to its caller.
_STANDARD_ERROR = 2
_warning_function = PRINT_STRING_FUN(functools.partial(os.write, _STANDARD_ERROR))
libsvm.svm_set_warning_function(_warning_function)
atexit.register(libsvm.svm_set_warning_function, PRINT_STRING_FUN())
