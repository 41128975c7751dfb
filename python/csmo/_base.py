"""The common base of the estimators: parameters, training, attributes of a trained model."""

import warnings
from numbers import Integral
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import (
    _check_sample_weight,
    _num_samples,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from . import _native
from ._model import KERNELS, Model
from ._progress import Bar
from ._rows import Rows
from ._sklearn import from_sklearn, to_sklearn
from ._threads import thread_count

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator: Any, *args: Any, **options: Any) -> Any:
        return estimator._validate_data(*args, **options)


SOLVERS = ("csmo", "smo", "hybrid")
Kernel = Union[str, Callable[[Any, Any], np.ndarray]]

_LARGEST_SEED = np.iinfo(np.int32).max


def parameter_constraints(counterpart: Any) -> Dict[str, Any]:
    """Constraints of scikit-learn's estimator, so that messages are those of the installed version,
    and of the parameters that scikit-learn does not have."""
    return {
        **counterpart._parameter_constraints,
        "solver": [StrOptions(set(SOLVERS))],
        "n_jobs": [Integral, None],
    }


class BaseSVM(BaseEstimator):
    """Base class of the estimators; not for direct use."""

    _svm_type: int
    # Values for estimators that lack the parameter.
    C: float = 1.0
    nu: float = 0.5
    epsilon: float = 0.1
    probability: bool = False
    # Kernel rows that GridSearchSVC has for its last training; a handle.
    _kernel_rows_of_search: Optional[Any] = None

    # Checks of scikit-learn that are skipped, as scikit-learn does for its own estimators.
    _LEFT_OUT = {
        "check_sample_weights_invariance": "another order of the rows ends elsewhere within tol",
        "check_sample_weight_equivalence_on_dense_data": "the same",
        "check_sample_weight_equivalence_on_sparse_data": "the same",
    }

    def _more_tags(self) -> Dict[str, Any]:
        return {"pairwise": self.kernel == "precomputed", "_xfail_checks": self._LEFT_OUT}

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    # Training

    def _validate(self, X: Any, *y: Any, **options: Any) -> Any:
        """Returns X, and y if given, checked and as arrays that the library reads.  If the kernel
        is a function, X is returned unchanged: its rows may be anything."""
        if callable(self.kernel):
            check_consistent_length(X, *y)
            return (X, column_or_1d(y[0], warn=True)) if y else X
        return validate_data(
            self,
            X,
            *y,
            accept_sparse="csr",
            accept_large_sparse=True,
            dtype=[np.float64, np.float32],
            **options,
        )

    def _check_parameters(self) -> None:
        self._validate_params()  # by scikit-learn, using _parameter_constraints
        if self.max_iter == 0:  # scikit-learn accepts 0 and returns an untrained model
            raise ValueError("max_iter=0: -1, or a number of iterations above 0")

    def _train(self, X: Any, y: np.ndarray, sample_weight: Any, class_weight: Any = None) -> None:
        """X is validated; y contains doubles, which are class numbers for a classifier.  If Ctrl-C
        ends the training, keeps the model of that moment and raises KeyboardInterrupt."""
        count = _num_samples(X)
        self.shape_fit_ = getattr(X, "shape", (count,))
        weights = self._row_weights(sample_weight, X, y)
        self.class_weight_ = np.empty(0) if class_weight is None else class_weight
        rows = Rows(self._training_rows(X, count), y)
        call = self._call()
        call.weigh_rows(weights)
        classes = len(getattr(self, "classes_", ()))
        call.count_iterations(max(classes * (classes - 1) // 2, 1))
        result = _native.sized(_native.Result)
        param = self._parameter(class_weight)

        def train() -> Tuple[Model, Model]:
            model = Model.train(rows, param, call, result, self._kernel_rows_of_search)
            return model, self._predictor_of(model)

        with Bar(self.tol, wanted=self.verbose == 2) as bar:
            self._model, self._predictor = call.run(train, bar.show)
        if self.verbose:
            print("".join(call.messages.lines), end="")
        self._keep_results(X, call, result)
        call.end()

    def _predictor_of(self, model: Model) -> Model:
        """A model with the same decision values that predicts faster, if there is one."""
        return model.compact() if self.kernel == "linear" else model

    def _training_rows(self, X: Any, count: int) -> Any:
        """Returns what the library trains on for the `count` rows of X, and keeps what prediction
        of other rows needs."""
        self._sparse = sp.issparse(X) and not callable(self.kernel)
        if callable(self.kernel):
            self._X_fit = X
        self._gamma = self._gamma_for(X)
        return self._kernel_rows(X, count)

    def _gamma_for(self, X: Any) -> float:
        is_kernel = callable(self.kernel) or self.kernel == "precomputed"
        return 0.0 if is_kernel else gamma_value(self.gamma, X)

    def _row_weights(self, sample_weight: Any, X: Any, y: np.ndarray) -> Optional[np.ndarray]:
        if sample_weight is None:
            return None
        weights = np.maximum(_check_sample_weight(sample_weight, X, dtype=np.float64), 0)
        self._check_weighted(y[weights > 0])
        return np.ascontiguousarray(weights)

    # The start of scikit-learn's message that the weights leave too little data to train on.
    _TOO_LITTLE = "Invalid input -"

    def _check_weighted(self, y: np.ndarray) -> None:
        """Raises ValueError if y, of the rows with positive weights, is too little to train on."""
        if len(y) == 0:
            raise ValueError(f"{self._TOO_LITTLE} all samples have zero or negative weights.")

    def _parameter(self, class_weight: Any = None) -> _native.Parameter:
        kernel = _native.PRECOMPUTED if callable(self.kernel) else KERNELS[self.kernel]
        param = _native.Parameter(
            svm_type=self._svm_type,
            kernel_type=kernel,
            degree=int(self.degree),
            gamma=self._gamma,
            coef0=float(self.coef0),
            cache_size=float(self.cache_size),
            eps=float(self.tol),
            C=float(self.C),
            nu=float(self.nu),
            p=float(self.epsilon),
            shrinking=int(self.shrinking),
            probability=int(self.probability),
        )
        if class_weight is not None:
            numbers = np.arange(len(class_weight), dtype=np.int32)
            param.nr_weight = len(class_weight)
            param.weight_label = np.ctypeslib.as_ctypes(numbers)
            param.weight = np.ctypeslib.as_ctypes(np.ascontiguousarray(class_weight, np.float64))
        return param

    def _call(self) -> _native.Call:
        call = _native.Call()
        call.options.solver = self.solver.encode()
        call.options.threads = thread_count(self.n_jobs)
        if self.max_iter != -1:
            call.options.max_iterations = int(self.max_iter)
        seed = check_random_state(getattr(self, "random_state", None)).randint(_LARGEST_SEED)
        call.options.use_seed, call.options.seed = 1, int(seed)
        return call

    def _keep_results(self, X: Any, call: _native.Call, result: _native.Result) -> None:
        model = self._model
        self.support_ = model.support
        self._n_support = model.support_by_class
        self.dual_coef_ = model.coefficients
        self.intercept_ = -model.thresholds
        if self.kernel == "precomputed" or callable(self.kernel):
            self.support_vectors_ = np.empty((0, 0))
        else:
            self.support_vectors_ = X[self.support_]
        if self._sparse:
            self.dual_coef_ = sp.csr_matrix(self.dual_coef_)
        self.fit_status_ = int(result.status != _native.CONVERGED)
        # If all rows of a class have weight 0, there are fewer functions than pairs of classes.
        self._num_iter = np.array(call.iterations[: model.function_count], dtype=np.int32)
        self._warn(call, result)

    def _warn(self, call: _native.Call, result: _native.Result) -> None:
        if call.interrupted:
            return  # an exception reports it
        if result.status == _native.ITERATION_LIMIT and self.max_iter != -1:
            warnings.warn(
                f"Solver terminated early (max_iter={self.max_iter}).  Consider pre-processing "
                "your data with StandardScaler or MinMaxScaler.",
                ConvergenceWarning,
            )
        elif result.status != _native.CONVERGED:
            for line in call.warnings.lines:
                warnings.warn(line.strip(), ConvergenceWarning)

    # Prediction

    def _kernel_rows(self, X: Any, columns: int) -> Any:
        """Returns what the library reads for the rows of X.  If these are kernel values, there must
        be `columns` of them, one for each training row."""
        kernel, count = X, _num_samples(X)
        if callable(self.kernel):
            kernel = self.kernel(X, self._X_fit)
            if sp.issparse(kernel):
                kernel = kernel.toarray()
            kernel = np.asarray(kernel, dtype=np.float64, order="C")
        elif self.kernel != "precomputed":
            return X
        if kernel.shape != (count, columns):
            raise ValueError(
                f"the kernel of {count} rows should have the shape {(count, columns)}, "
                f"as there are {columns} rows of training, but has {kernel.shape}"
            )
        return kernel

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self)
        X = self._validate(X, reset=False)
        return Rows(self._kernel_rows(X, self.shape_fit_[0]))

    def _values(self, X: Any) -> np.ndarray:
        """(n_rows, n_functions) decision values, positive for the first class of a pair."""
        rows = self._rows(X)
        return self._predictor.values(rows, thread_count(self.n_jobs))

    def _predictions(self, X: Any) -> np.ndarray:
        rows = self._rows(X)
        return self._predictor.predict(rows, thread_count(self.n_jobs))

    # Conversion

    def to_sklearn(self) -> Any:
        """A fitted estimator of scikit-learn with the same parameters, support vectors,
        coefficients, intercepts and probability estimates.  The kernel cannot be a function."""
        return to_sklearn(self)

    @classmethod
    def from_sklearn(cls, estimator: Any) -> Any:
        """The fitted estimator of this class that predicts as `estimator` does, a fitted estimator
        of scikit-learn of the same name.  The kernel cannot be a function."""
        return from_sklearn(cls, estimator)

    # Attributes

    @property
    def n_support_(self) -> np.ndarray:
        """Number of support vectors of each class; for estimators without classes, of all."""
        check_is_fitted(self)
        return np.array([len(self.support_)], dtype=np.int32)

    @property
    def coef_(self) -> Any:
        """(n_functions, n_features) weights of the features, for the linear kernel only."""
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        check_is_fitted(self)
        return self._weights()

    def _weights(self) -> Any:
        return self.dual_coef_ @ self.support_vectors_


def gamma_value(gamma: Union[str, float], X: Any) -> float:
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
