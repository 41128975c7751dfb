"""The bases of the estimators with kernels, and of those that scikit-learn has as well."""

from typing import Any, Callable, Dict, List, Literal, Tuple, Type, Union, get_args

import numpy as np
import scipy.sparse as sp
from sklearn.utils import indexable
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from . import _native, _onnx
from ._call import Call
from ._compat import as_configured, constraints_of, num_samples, safe_indexing
from ._log import many
from ._machine import METRIC, Fitted, Gamma, Machine, Matrix, Metric, NamedKernel, numpy_only
from ._machine import own_constraints
from ._model import Model, learned_weights
from ._rows import Rows, weighted
from ._sklearn import COUNTERPARTS, from_sklearn, is_sparse_model, model_of, to_sklearn, with_zeros

Solver = Literal["csmo", "smo", "hybrid"]
SOLVERS = get_args(Solver)
Kernel = Union[NamedKernel, Literal["precomputed"], Callable[[Any, Any], Any]]


def parameter_constraints(counterpart: Any) -> Dict[str, Any]:
    """Constraints of scikit-learn's estimator, so that messages are those of the installed version,
    and of the parameters that scikit-learn does not have."""
    return {
        **constraints_of(counterpart),
        **own_constraints(*SOLVERS),
        **METRIC,
        "support_only": ["boolean"],
    }


class KernelMachine(Machine):
    """Base class of the estimators that are combinations of support vectors."""

    kernel: Kernel
    gamma: Gamma
    support_: np.ndarray
    support_vectors_: Matrix
    feature_weights_: np.ndarray
    dual_coef_: Matrix
    intercept_: np.ndarray
    shape_fit_: Tuple[int, ...]
    _n_support: np.ndarray

    def _training_rows(self, X: Any, count: int) -> Any:
        self.shape_fit_ = getattr(X, "shape", (count,))
        self._sparse = sp.issparse(X) and not callable(self.kernel)
        self._gamma = self._gamma_for(X)
        return X

    def _weighted(self, X: Any) -> Any:
        return weighted(X, getattr(self, "feature_weights_", None))

    def _gamma_for(self, X: Any) -> float:
        is_kernel = callable(self.kernel) or self.kernel == "precomputed"
        return 0.0 if is_kernel else gamma_value(self.gamma, X)

    def _facts(self, X: Any, call: Call) -> List[str]:
        return [*super()._facts(X, call), many(len(self.support_), "support vector")]

    def _keep_results(self, X: Any, call: Call, result: _native.Result) -> None:
        model = self._model
        self.support_ = model.support
        self._n_support = model.support_by_class
        self.dual_coef_ = model.coefficients
        self.intercept_ = -model.thresholds
        if self.kernel == "precomputed" or callable(self.kernel):
            self.support_vectors_ = np.empty((0, 0))
        else:
            self.support_vectors_ = as_configured(self._weighted(X[self.support_]))
        if self._sparse:
            self.dual_coef_ = as_configured(sp.csr_matrix(self.dual_coef_))
        super()._keep_results(X, call, result)

    @property
    def n_support_(self) -> np.ndarray:
        """Number of support vectors of each class; for estimators without classes, of all."""
        check_is_fitted(self)
        return np.array([len(self.support_)], dtype=np.int32)


class BaseSVM(KernelMachine):
    """Base class of the estimators that scikit-learn has as well; not for direct use."""

    # Those of estimators that an older version pickled, and of OneClassSVM, which has no metric.
    support_only: bool = False
    metric: Metric = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.startswith("csmo.") and hasattr(cls, "_svm_type"):
            _onnx.introduce(cls, COUNTERPARTS[cls._svm_type])

    # Training

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.support_only and not callable(self.kernel):
            raise ValueError(
                f"support_only=True is for a kernel that is a function, not for {self.kernel!r}"
            )
        if self.metric is not None and self.kernel != "rbf":
            raise ValueError(
                f"metric={self.metric!r} is for the kernel 'rbf', which goes by distances, not for "
                f"{self.kernel!r}"
            )

    def _model_of(self, rows: Rows, *training: Any) -> Model:
        if self.metric is not None:
            self.feature_weights_ = learned_weights(rows, *training[:-1])
            rows = Rows(self._weighted(rows.matrix))
        model: Model = super()._model_of(rows, *training)
        return model

    def _validate(self, X: Any, *y: Any, **options: Any) -> Any:
        """If the kernel is a function, X is returned unchanged: its rows may be anything."""
        if callable(self.kernel):
            with numpy_only():
                check_consistent_length(X, *y)
                return (X, column_or_1d(y[0], warn=True)) if y else X
        return super()._validate(X, *y, **options)

    def _predictor_of(self, model: Model) -> Model:
        return model.compact() if self.kernel == "linear" else model

    def _training_rows(self, X: Any, count: int) -> Any:
        if callable(self.kernel):
            self._X_fit = X
        return self._kernel_rows(super()._training_rows(X, count), count)

    def _keep_results(self, X: Any, call: Call, result: _native.Result) -> None:
        super()._keep_results(X, call, result)
        if self.support_only:
            self._X_fit = safe_indexing(indexable(X)[0], np.sort(self.support_))

    # Prediction

    def _kernel_rows(self, X: Any, columns: int) -> Any:
        """Returns what the library reads for the rows of X.  If these are kernel values, there must
        be `columns` of them, one for each row of training, or for each one that was kept."""
        kernel, count = X, num_samples(X)
        if callable(self.kernel):
            kernel = self.kernel(X, self._X_fit)
            if sp.issparse(kernel):
                kernel = kernel.toarray()
            kernel = np.asarray(kernel, dtype=np.float64, order="C")
        elif self.kernel != "precomputed":
            return self._weighted(X)
        if kernel.shape != (count, columns):
            raise ValueError(
                f"the kernel of {count} rows with {columns} rows of training should have the shape "
                f"{(count, columns)}, but has {kernel.shape}"
            )
        if callable(self.kernel) and not np.isfinite(kernel).all():
            raise ValueError("the kernel function returned values that are not finite")
        return kernel

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self)
        X = self._validate(X, reset=False)
        columns = self.shape_fit_[0]
        if not callable(self.kernel) or num_samples(self._X_fit) == columns:
            return Rows(self._kernel_rows(X, columns))
        support = np.sort(self.support_)  # the rows that were kept
        kernel = with_zeros(self._kernel_rows(X, len(support)))
        places = (kernel.data, support[kernel.indices], kernel.indptr)
        return Rows(sp.csr_matrix(places, shape=(len(kernel.indptr) - 1, columns)))

    # Conversion

    def to_sklearn(self) -> Any:
        """A fitted estimator of scikit-learn with the same parameters, support vectors,
        coefficients, intercepts and probability estimates.  The kernel cannot be a function, and
        there can be no weights of features."""
        if (getattr(self, "feature_weights_", np.ones(1)) != 1).any():
            raise ValueError(
                "scikit-learn's estimators have no weights of features: make a Pipeline of "
                "LearnedMetric and this estimator with metric=None, and convert the latter"
            )
        return to_sklearn(self)

    @classmethod
    def from_sklearn(cls: Type[Fitted], estimator: Any) -> Fitted:
        """The fitted estimator of this class that predicts as `estimator` does, a fitted estimator
        of scikit-learn of the same name.  The kernel cannot be a function."""
        made: Fitted = from_sklearn(cls, estimator)
        return made

    # Attributes

    @property
    def coef_(self) -> Matrix:
        """(n_functions, n_features) weights of the features, for the linear kernel only.  They are
        read-only, as predictions do not come from them."""
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        check_is_fitted(self)
        weights = as_configured(self._weights())
        (weights.data if sp.issparse(weights) else weights).flags.writeable = False
        return weights

    def _weights(self) -> Any:
        return self.dual_coef_ @ self.support_vectors_

    # scikit-learn's private names for what it predicts from, with the signs of the library.
    # Programs assign to them, for instance to move a threshold, and predictions follow.

    @property
    def _dual_coef_(self) -> Any:
        coefficients = self._model.coefficients
        return with_zeros(coefficients) if is_sparse_model(self) else coefficients

    @_dual_coef_.setter
    def _dual_coef_(self, values: Any) -> None:
        self._replace_model(values, self._intercept_)

    @property
    def _intercept_(self) -> np.ndarray:
        return -self._model.thresholds

    @_intercept_.setter
    def _intercept_(self, values: Any) -> None:
        self._replace_model(self._dual_coef_, values)

    def _replace_model(self, coefficients: Any, intercepts: Any) -> None:
        model = model_of(self._svm_type, self, coefficients, intercepts)
        self._model, self._predictor = model, self._predictor_of(model)


def gamma_value(gamma: Gamma, X: Any) -> float:
    """gamma as a number: 'scale' goes by the variance of all values and the number of features,
    'auto' by the number of features only."""
    if gamma == "auto":
        return 1.0 / X.shape[1]
    if gamma != "scale":
        return float(gamma)
    if sp.issparse(X):
        values, count = X.data.astype(np.float64), X.shape[0] * X.shape[1]
        mean = values.sum() / count
        zeros = count - len(values)
        variance = (((values - mean) ** 2).sum() + zeros * mean**2) / count
    else:
        variance = X.var(dtype=np.float64)
    return 1.0 / (X.shape[1] * variance) if variance != 0 else 1.0


def function_pairs(classes: int) -> List[Tuple[int, int]]:
    """The pairs of classes in the order of the decision functions."""
    return [(a, b) for a in range(classes) for b in range(a + 1, classes)]
