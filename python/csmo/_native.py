"""The shared library through ctypes: structures, functions and errors.

Only this module of the package knows the layouts of svm_ext.h and of native/csmo.h.  ctypes
releases the interpreter's lock during calls.  This module does not need numpy.
"""

import ctypes
import ctypes.util
import os
import sys
import warnings
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_int,
    c_longlong,
    c_size_t,
    c_void_p,
)
from typing import Any, Iterator, Optional

C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR = range(5)
LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED = range(5)
DOUBLE, FLOAT = range(2)
NODES, DENSE, CSR_INT32, CSR_INT64 = range(4)
CONVERGED, ITERATION_LIMIT, TIME_LIMIT, CANCELLED, STALLED, IMPRECISE = range(6)

TextFunction = CFUNCTYPE(None, c_char_p, c_void_p)
ProgressFunction = CFUNCTYPE(c_int, c_void_p, c_void_p)


class SvmError(ValueError):
    """A call of the library failed; the message is its reason."""


def members(text: str) -> Any:
    """The members of a structure, which are declared as in C.  Names of types that are not C's are
    those of this module; a pointer to pointers points to addresses."""
    plain = {"int": c_int, "long long": c_longlong, "size_t": c_size_t, "double": c_double}
    known = {**plain, "void*": c_void_p, "char*": c_char_p, "void**": POINTER(c_void_p)}
    found = []
    for declaration in text.split("; "):
        first, *others = declaration.split(", ")
        kind, first = first.rsplit(" ", 1)
        base = known.get(kind.rstrip("*")) or globals().get(kind.rstrip("*"))
        type_of_all = known.get(kind) or (POINTER(base) if kind.endswith("*") else base)
        found += [(name, type_of_all) for name in (first, *others)]
    return found


class Parameter(Structure):
    """struct svm_parameter"""

    _fields_ = members(
        "int svm_type, kernel_type, degree; double gamma, coef0, cache_size, eps, C; "
        "int nr_weight; int* weight_label; double* weight; double nu, p; "
        "int shrinking, probability"
    )


class Progress(Structure):
    """struct svm_progress"""

    _fields_ = members(
        "size_t size; long long problem, iterations, total_iterations; "
        "double seconds, objective, violation; size_t active, variables; "
        "long long kernel_rows, conjugate_steps, clipped_steps, phases, outer_steps; "
        "int finished, reserved"
    )


class Options(Structure):
    """struct svm_options"""

    _fields_ = members(
        "size_t size; char* solver; long long max_iter; double time_limit; size_t threads; "
        "void* row_weights, init; long long seed; "
        "void* random, random_user, progress, progress_user; TextFunction print; "
        "void* print_user; TextFunction warn; void* warn_user; long long* problem_iterations; "
        "int* problem_status; size_t problem_room, landmarks; double bias; "
        "int free_set, fixed_threshold, as_published, first_order, quiet, reserved"
    )


class Result(Structure):
    """struct svm_result"""

    _fields_ = members(
        "size_t size; "
        "long long problems, iterations, conjugate_steps, clipped_steps, phases, outer_steps; "
        "double objective, violation; long long kernel_rows; double kernel_seconds, seconds; "
        "int status, reserved"
    )


class Rows(Structure):
    """struct svm_rows"""

    _fields_ = members(
        "size_t size, rows, columns; int layout, value_type; void* nodes, values; "
        "size_t stride; void* row_starts, column_numbers, kernel, kernel_user; "
        "int kernel_threads, reserved"
    )


class ModelArrays(Structure):
    """struct svm_model_arrays"""

    _fields_ = members(
        "size_t size; Parameter* param; Rows* sv; int nr_class, l; void** sv_coef; "
        "void* rho, label, nr_sv, prob_a, prob_b, prob_density_marks, sv_indices; "
        "size_t nr_values"
    )


class ForestPlan(Structure):
    """struct svm_forest_plan"""

    _fields_ = members(
        "size_t size, cell, trees, share, shares; void** trained; int no_metric, reserved; "
        "void* weights; size_t features"
    )


class ForestFacts(Structure):
    """struct svm_forest_facts"""

    _fields_ = members(
        "size_t size, trees, cells, support_vectors, bytes; void* label; "
        "int nr_class, probability; double width; void* weighted, weights; size_t features; "
        "double other_weight"
    )


class Watch(Structure):
    """struct csmo_watch: the progress of a call, and whether to end it"""

    _fields_ = members("int cancel, points; Progress progress")


class GridPoint(Structure):
    """struct csmo_grid_point"""

    _fields_ = members("double C, gamma, p")


class Grid(Structure):
    """struct csmo_grid"""

    _fields_ = members(
        "GridPoint* points; size_t count; int folds; int* fold_of_row; "
        "int warm_start, cells, values, every_fold"
    )


def _candidates() -> Iterator[str]:
    """Possible paths of the library: in the package, in the folder above a source tree's `python`,
    where LIBSVM's own module looks for it, and in the system."""
    windows = sys.platform == "win32"
    name = "libsvm.dll" if windows else "libsvm.so.4"
    package = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(package, name)
    root = os.path.dirname(os.path.dirname(package))
    for folder in ("", "build/python", "build", "windows"):
        yield os.path.join(root, folder, name)
    for system in ("svm", "libsvm"):
        found = ctypes.util.find_library(system)
        if found:
            yield found


def _open() -> ctypes.CDLL:
    for path in _candidates():
        if os.path.isabs(path) and not os.path.exists(path):
            continue
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        if hasattr(library, "svm_train_rows"):  # otherwise it is another project's library
            return library
    raise ImportError("LIBSVM library not found.")


library = _open()


def declare(name: str, result: Any, *arguments: Any) -> Any:
    """Returns a function of the library after setting its types."""
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function


last_error = declare("svm_last_error", c_char_p)
version = declare("svm_version", c_char_p)
init_options = declare("svm_init_options", None, c_void_p, c_size_t)
check_options = declare("svm_check_options", c_char_p, c_void_p, c_void_p)
train_rows = declare("svm_train_rows", c_void_p, *[c_void_p] * 5)
cross_validate_rows = declare(
    "svm_cross_validate_rows", c_int, *[c_void_p] * 3, c_int, *[c_void_p] * 3
)
learn_metric = declare("svm_learn_metric", c_int, *[c_void_p] * 5, c_size_t, c_void_p)
make_predictor = declare("svm_make_predictor", c_void_p, c_void_p, c_int)
predict_rows = declare("svm_predict_rows", c_int, c_void_p, c_void_p, c_size_t, *[c_void_p] * 3)
free_predictor = declare("svm_free_predictor", None, c_void_p)
model_text = declare("svm_model_text", c_void_p, c_void_p, c_int, c_void_p)
free_text = declare("svm_free_text", None, c_void_p)
parse_model = declare("svm_parse_model", c_void_p, c_char_p, c_size_t)
model_from_arrays = declare("svm_model_from_arrays", c_void_p, c_void_p)
arrays_of_model = declare("svm_arrays_of_model", c_int, *[c_void_p] * 3)
compact = declare("svm_compact_model", c_void_p, c_void_p)
destroy = declare("svm_free_and_destroy_model", None, c_void_p)
train_forest = declare("svm_train_forest", c_void_p, *[c_void_p] * 6)
forest_text = declare("svm_forest_text", c_void_p, c_void_p, c_int, c_void_p)
parse_forest = declare("svm_parse_forest", c_void_p, c_char_p, c_size_t)
predict_forest = declare("svm_predict_forest", c_int, c_void_p, c_void_p, c_size_t, *[c_void_p] * 3)
facts_of_forest = declare("svm_facts_of_forest", c_int, *[c_void_p] * 2)
free_forest = declare("svm_free_forest", None, c_void_p)
check_probability_model = declare("svm_check_probability_model", c_int, c_void_p)


def default_options() -> Options:
    """The defaults of all options."""
    options = Options()
    init_options(ctypes.byref(options), ctypes.sizeof(options))
    return options


def _check_age() -> None:
    """The library may be newer than this package: it then knows more options."""
    options = default_options()
    options.solver = b"smo"  # instead of that of the environment, which may be wrong
    fault = check_options(None, ctypes.byref(options))
    if fault is not None:
        raise ImportError(f"the library is older than this package: {fault.decode()}")


_check_age()

def failure() -> SvmError:
    """An exception with the reason of the last failure of a call on this thread."""
    text = (last_error() or b"").decode()
    return SvmError(text.split(": ", 1)[-1])


def sized(structure: Any, **members: Any) -> Any:
    """Returns a structure with its size and these members set."""
    return structure(size=ctypes.sizeof(structure), **members)


def _of_the_wheel(name: str, result: Any, *arguments: Any) -> Any:
    """A function of native/csmo.h, which only the library of the wheel has."""

    def missing(*_arguments: Any) -> None:
        raise SvmError("this needs the library of the csmo wheel; another libsvm was found")

    return declare(name, result, *arguments) if hasattr(library, name) else missing


train = _of_the_wheel("csmo_train", c_void_p, *[c_void_p] * 6)
grid_search = _of_the_wheel("csmo_grid_search", c_int, *[c_void_p] * 8)
free_rows = _of_the_wheel("csmo_free_rows", None, c_void_p)
_watch: Any = getattr(library, "csmo_watch_progress", None)
watch_function: Optional[int] = ctypes.cast(_watch, c_void_p).value


def _check_libsvm() -> None:
    """Warns if another package has replaced modules of our `libsvm`, or has then removed them."""
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "libsvm")
    fault = "was replaced by another package's, which knows no -a and no --threads"
    try:
        with open(os.path.join(folder, "svm.py"), "rb") as file:
            is_ours = b"from csmo import" in file.read(2000)
    except OSError:
        is_ours = not os.path.exists(os.path.join(folder, "_options.py"))  # ours is not here at all
        fault = "is gone, because another package had replaced it and was uninstalled"
    if not is_ours:
        warnings.warn(
            f"csmo's module {os.path.join(folder, 'svm.py')} {fault}. The estimators of csmo work. "
            "To mend libsvm: pip uninstall libsvm-official, then install csmo's wheel or folder by "
            "pip install --force-reinstall --no-deps"
        )


_check_libsvm()
