"""Training, prediction, models and data files: the part of LIBSVM that most programs need.

`from libsvm.svmutil import *` gives all names of `libsvm.svm` and `libsvm.commonutil` as well.
"""

import math
import os
import sys
from typing import Any, List, Optional, Sequence, Tuple, Union, overload

from csmo import _native
from libsvm import _calls, _options
from libsvm._optional import is_array
from libsvm.commonutil import *  # noqa: F403
from libsvm.commonutil import evaluations
from libsvm.svm import *  # noqa: F403
from libsvm.svm import (
    C_SVC,
    EPSILON_SVR,
    NU_SVC,
    NU_SVR,
    PRECOMPUTED,
    check_labels,
    labels_of_rows,
    libsvm,
    number_of_rows,
    svm_model,
    svm_parameter,
    svm_problem,
    toPyModel,
)

# Those of libsvm.svm and libsvm.commonutil are repeated for type checkers.
__all__ = [
    "svm_load_model", "svm_predict", "svm_save_model", "svm_train",
    "libsvm", "svm_problem", "svm_parameter", "toPyModel", "gen_svm_nodearray", "print_null",
    "svm_node", "svm_forms", "kernel_names", "PRINT_STRING_FUN", "c_double", "svm_model",
    "C_SVC", "NU_SVC", "ONE_CLASS", "EPSILON_SVR", "NU_SVR",
    "LINEAR", "POLY", "RBF", "SIGMOID", "PRECOMPUTED",
    "svm_read_problem", "evaluations", "csr_find_scale_param", "csr_scale",
]  # fmt: skip

FileName = Union[str, bytes, "os.PathLike[str]"]
Options = Union[str, Sequence[str]]
Accuracy = Tuple[float, float, float]


def svm_load_model(model_file_name: FileName) -> Union[svm_model, Any]:
    """Loads a model file.  If there is none, prints that and returns None."""
    model = libsvm.svm_load_model(os.fsencode(model_file_name))
    if not model:
        print(f"can't open model file {os.fsdecode(model_file_name)}")
        return None
    return toPyModel(model)


def svm_save_model(model_file_name: FileName, model: svm_model) -> None:
    """Writes a model as text.  A failure is a message on standard error."""
    if not getattr(model and getattr(model, "contents", model), "rho", None):
        raise TypeError(f"{model} is no model")
    if libsvm.svm_save_model(os.fsencode(model_file_name), model) != 0:
        name = os.fsdecode(model_file_name)
        print(f"can't save model to file {name}\n{_native.failure()}", file=sys.stderr)


# With options the type is any, because a number takes the place of the model if -v is among them.
@overload
def svm_train(arg1: svm_problem) -> svm_model: ...
@overload
def svm_train(arg1: svm_problem, arg2: Union[Options, svm_parameter]) -> Any: ...
@overload
def svm_train(arg1: Any, arg2: Any) -> svm_model: ...
@overload
def svm_train(arg1: Any, arg2: Any, arg3: Optional[Options]) -> Any: ...


def svm_train(arg1: Any, arg2: Any = None, arg3: Any = None) -> Any:
    """svm_train(y, x [, options]), svm_train(prob [, options]) or svm_train(prob, param).  Returns
    a model, or with -v the accuracy of cross validation in percent, for regression its mean squared
    error.

    y: list, tuple or numpy array of l labels or targets.
    x: l rows: a list or tuple of dicts {feature: value} or of lists of values, a two-dimensional
    numpy array, or a sparse matrix of scipy.  With the precomputed kernel, column 0 has serial
    numbers from 1, and column j the kernel values with row j.
    prob, param: svm_problem, svm_parameter.

    options: a string or a list of words, as of svm-train:
        -s type: 0 C-SVC, 1 nu-SVC, 2 one-class, 3 epsilon-SVR, 4 nu-SVR (default 0)
        -t kernel: 0 linear, 1 polynomial, 2 RBF, 3 sigmoid, 4 precomputed (default 2)
        -d degree (3), -g gamma (1 / number of features), -r coef0 (0): of the kernel
        -c cost (1), -n nu (0.5), -p epsilon (0.1): of the machine
        -wi weight: factor of the cost of class i
        -m megabytes (100), -e tolerance (0.001), -h 0 or 1 (1): memory, precision, shrinking
        -b 0 or 1 (0): fit probability estimates as well
        -v n: cross validation in n folds
        -q: print no progress
        -a solver: smo as in LIBSVM, csmo and others of svm-train --list-solvers (smo)
        --max-iter n, --time-limit seconds, --threads n, --seed n, --landmarks n, --bias value,
        --free-set on or off, --fixed-threshold, --as-published, --first-order: as of svm-train

    Ctrl-C ends training.
    """
    if isinstance(arg1, (list, tuple)) or is_array(arg1):
        param = svm_parameter(arg3)
        data = _calls.training_data(arg1, arg2, param)
    elif isinstance(arg1, svm_problem):
        param = arg2 if isinstance(arg2, svm_parameter) else svm_parameter(arg2)
        data = _calls.ProblemData(arg1)
    else:
        raise TypeError("Wrong types for the arguments")
    labels = data.problem.y[: data.problem.l]
    check_labels(labels, 2**31 if param.svm_type in (C_SVC, NU_SVC) else math.inf)
    if param.kernel_type == PRECOMPUTED:
        data.check_serials()
    if param.gamma == 0 and data.features > 0:
        param.gamma = 1.0 / data.features
    fault = libsvm.svm_check_parameter(data.problem, param)
    if fault:
        raise ValueError(f"Error: {fault!r}")
    if not param.cross_validation:
        return _calls.train(data, param)
    accuracy, error, correlation = evaluations(labels, _calls.cross_validate(data, param))
    if param.svm_type in (EPSILON_SVR, NU_SVR):
        print(f"Cross Validation Mean squared error = {error:g}")
        print(f"Cross Validation Squared correlation coefficient = {correlation:g}")
        return error
    print(f"Cross Validation Accuracy = {accuracy:g}%")
    return accuracy


def svm_predict(
    y: Any, x: Any, m: svm_model, options: Options = ""
) -> Tuple[List[float], Accuracy, List[List[float]]]:
    """Predicts rows: (labels, (accuracy in percent, mean squared error, squared correlation
    coefficient), values).

    y: list, tuple or numpy array of l labels or targets to compare with; [] if unknown, which
    counts as zeros.
    x: l rows as for svm_train.
    options: -b 1: probabilities instead of decision values; -q: print nothing.

    Each row has k(k-1)/2 decision values in the order of the pairs of classes, or 1 for regression,
    one-class and a single class; or k probabilities in the order of m.get_labels(), 2 for one-class
    (normal, outlier) and none for regression.
    """
    if not getattr(m, "rho", None):
        raise TypeError(f"{m} is no model")
    probability = quiet = False
    for name, value in _options.by_option(_options.words_of(options), flags=("-q",)):
        if name == "-b":
            probability = int(value) != 0
        elif name == "-q":
            quiet = True
        else:
            raise ValueError("Wrong options")
    rows = number_of_rows(x)
    if not isinstance(y, (list, tuple)) and not is_array(y):
        raise TypeError(f"type of y: {type(y)} is not supported!")
    truth = y if len(y) > 0 else [0] * rows
    if len(truth) != rows:
        raise ValueError("len(ty) must be equal to len(pv)")
    truth = labels_of_rows(truth, rows)
    check_labels(truth, math.inf)

    regression = m.get_svm_type() in (EPSILON_SVR, NU_SVR)
    lines = []
    if probability and not m.is_probability_model():
        raise ValueError("Model does not support probabiliy estimates")
    if probability and regression:
        lines.append(
            "Prob. model for test data: target value = predicted value + z,\n"
            f"z: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma={m.get_svr_probability():g}"
        )
    if not probability and m.is_probability_model():
        lines.append("Model supports probability estimates, but disabled in predicton.")
    labels, values = _calls.predict(m, x, probability)
    if not regression and m.get_nr_class() == 1 and not probability:
        values = [[1] for _ in labels]

    accuracy, error, correlation = evaluations(truth, labels)
    if regression:
        lines.append(f"Mean squared error = {error:g} (regression)")
        lines.append(f"Squared correlation coefficient = {correlation:g} (regression)")
    else:
        correct = round(rows * accuracy / 100) if rows > 0 else 0
        lines.append(f"Accuracy = {accuracy:g}% ({correct}/{rows}) (classification)")
    if not quiet:
        print("\n".join(lines))
    return labels, (accuracy, error, correlation), values
