"""What differs between the versions of scikit-learn, 1.2 to 1.9, and all its private names.

No other module of this package imports a private name of scikit-learn.  Each is listed here with
what is done without it; python/tests/test_private_names.py fails when one has moved.
"""

import importlib
import inspect
import warnings
from typing import Any, Dict, List, Literal, Tuple, Union

import numpy as np
from sklearn import svm

PRIVATE: List[Tuple[str, str, Any]] = []  # module, name, and what is done without it


def _private(module: str, name: str, without: Any) -> Any:
    """A private name of scikit-learn if it is there, otherwise `without`."""
    PRIVATE.append((module, name, without))
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        return without


# Rows


def _count(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _rows(X: Any, rows: Any) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows] if hasattr(X, "shape") else [X[row] for row in rows]


def _split(estimator: Any, X: Any, y: Any, rows: Any, columns: Any = None) -> Tuple[Any, Any]:
    """The rows of X and y; if `estimator` reads kernel values, those with the rows of training."""
    part = _rows(X, rows)
    first = estimator.steps[0][1] if hasattr(estimator, "steps") else estimator
    if getattr(first, "kernel", None) == "precomputed":
        part = part[:, rows if columns is None else columns]
    return part, None if y is None else _rows(y, rows)


def _weights(sample_weight: Any, X: Any, dtype: Any = None, **_options: Any) -> np.ndarray:
    weights = np.array(sample_weight, dtype=dtype)
    if weights.shape not in ((), (num_samples(X),)) or not np.isfinite(weights).all():
        raise ValueError("sample_weight has to be a finite number for each row")
    return np.full(num_samples(X), weights) if weights.ndim == 0 else weights


_VALIDATION = "sklearn.utils.validation"
num_samples = _private(_VALIDATION, "_num_samples", _count)
safe_indexing = _private("sklearn.utils", "_safe_indexing", _rows)
safe_split = _private("sklearn.utils.metaestimators", "_safe_split", _split)
_check_sample_weight = _private(_VALIDATION, "_check_sample_weight", _weights)


def check_weights(sample_weight: Any, X: Any) -> np.ndarray:
    """The weights of the rows of X as doubles.  They may all be zero."""
    options = {"dtype": np.float64}
    if "allow_all_zero_weights" in inspect.signature(_check_sample_weight).parameters:
        options["allow_all_zero_weights"] = True
    weights: np.ndarray = _check_sample_weight(sample_weight, X, **options)
    return weights


def _validated(estimator: Any, *args: Any, **options: Any) -> Any:  # before scikit-learn 1.6
    return estimator._validate_data(*args, **options)


validate_data = getattr(importlib.import_module(_VALIDATION), "validate_data", _validated)

# Rows in the form that scikit-learn is configured to return, since scikit-learn 1.9: sparse arrays.
as_configured = _private("sklearn.utils._sparse", "_align_api_if_sparse", lambda X: X)

# Parameters.  Without scikit-learn's constraints, the library checks what it is given.

_PARAMETERS = "sklearn.utils._param_validation"
StrOptions = _private(_PARAMETERS, "StrOptions", lambda *_options, **_more: object)
Interval = _private(_PARAMETERS, "Interval", lambda *_options, **_more: object)


def constraints_of(counterpart: Any, names: str = "") -> Dict[str, Any]:
    """The constraints of an estimator of scikit-learn by the names of its parameters, or of those
    of its parameters that are among these words."""
    known = getattr(counterpart, "_parameter_constraints", {})
    return {name: known[name] for name in names.split() or known if name in known}


def check_parameters(estimator: Any) -> None:
    """Raises scikit-learn's error if a parameter violates the estimator's constraints."""
    if hasattr(estimator, "_parameter_constraints"):  # not those of searches in 1.2
        getattr(estimator, "_validate_params", lambda: None)()


# Deprecations

# The default of `probability`: "deprecated", which means False, in scikit-learn 1.9 and 1.10.
_parameters = inspect.signature(svm.SVC).parameters
PROBABILITY: Union[bool, Literal["deprecated"]] = (
    _parameters["probability"].default if "probability" in _parameters else False
)

# True if regressions have an attribute class_weight_ without content: scikit-learn 1.2 and 1.3.
HAS_EMPTY_CLASS_WEIGHT = isinstance(getattr(svm.SVR, "class_weight_", None), property)


def warn_of_probability(name: str) -> None:
    """Warns as the installed scikit-learn does if its estimator `name` is given `probability`."""
    if PROBABILITY == "deprecated":
        warnings.warn(
            "The `probability` parameter was deprecated in scikit-learn 1.9, which will remove it "
            f"in 1.11.  Use `CalibratedClassifierCV({name}(), ensemble=False)` instead of "
            f"`{name}(probability=True)`; csmo keeps the parameter",
            FutureWarning,
            stacklevel=5,
        )


def warn_of_slopes(name: str) -> None:
    """Warns as the installed scikit-learn does if `probA_` or `probB_` is read."""
    if PROBABILITY == "deprecated":
        warnings.warn(
            f"Attribute `{name}` was deprecated in scikit-learn 1.9, which will remove it in 1.11, "
            "as it will the `probability` parameter",
            FutureWarning,
            stacklevel=3,
        )


def warn_of_class_weight() -> None:
    """Warns as scikit-learn 1.2 and 1.3 do if the class_weight_ of a regression is read."""
    warnings.warn(
        "Attribute `class_weight_` was deprecated in version 1.2 and will be removed in 1.4",
        FutureWarning,
        stacklevel=3,
    )
