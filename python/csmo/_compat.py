"""What differs between the versions of scikit-learn, 1.2 to 1.9."""

import inspect
import warnings
from typing import Any, Union

import numpy as np
from sklearn import svm
from sklearn.utils import validation
from sklearn.utils.validation import _check_sample_weight

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator: Any, *args: Any, **options: Any) -> Any:
        return estimator._validate_data(*args, **options)


try:  # scikit-learn 1.9 and later
    from sklearn.utils._sparse import _align_api_if_sparse as as_configured
except ImportError:

    def as_configured(X: Any) -> Any:
        """X, which is a sparse array if scikit-learn is configured to return such."""
        return X


# The default of `probability`: "deprecated", which means False, in scikit-learn 1.9 and 1.10.
_parameters = inspect.signature(svm.SVC).parameters
PROBABILITY: Union[bool, str] = (
    _parameters["probability"].default if "probability" in _parameters else False
)

# True if regressions have an attribute class_weight_ without content: scikit-learn 1.2 and 1.3.
HAS_EMPTY_CLASS_WEIGHT = isinstance(getattr(svm.SVR, "class_weight_", None), property)

_zeros_are_errors = (
    "allow_all_zero_weights" in inspect.signature(validation._check_sample_weight).parameters
)


def check_weights(sample_weight: Any, X: Any) -> np.ndarray:
    """The weights of the rows of X as doubles.  They may all be zero."""
    options = {"allow_all_zero_weights": True} if _zeros_are_errors else {}
    weights: np.ndarray = _check_sample_weight(sample_weight, X, dtype=np.float64, **options)
    return weights


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
