"""OneClassSVM."""

from typing import Any, Optional, Tuple

import numpy as np
from sklearn import svm
from sklearn.base import OutlierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._base import BaseSVM, Kernel, Solver, parameter_constraints
from ._compat import num_samples
from ._machine import Fitted, Gamma, if_probabilities, set_parameters
from ._paragraphs import with_paragraphs
from ._regressors import Unweighted


@with_paragraphs
class OneClassSVM(OutlierMixin, Unweighted, BaseSVM):
    """The support of a distribution: tells rows that are like those of training from outliers.

    Takes scikit-learn's parameters, has its attributes, and can estimate probabilities.

    Parameters
    ----------
    $ kernel degree gamma coef0 tol
    nu : float, default=0.5
        Upper bound on the fraction of outliers in training and lower bound on the fraction of
        support vectors, in (0, 1].
    $ shrinking cache_size verbose max_iter
    probability : bool, default=False
        Whether to estimate probabilities for ``predict_proba``, as LIBSVM does with ``-b 1``.
        scikit-learn has no such parameter.
    $ solver support_only n_jobs

    Attributes
    ----------
    $ support_ support_vectors_ n_support_ dual_coef_ intercept_ coef_
    offset_ : ndarray of shape (1,)
        What ``score_samples`` is above ``decision_function``: the negative of `intercept_`.
    $ iterations fit_status_ step_counts_ shape_fit_ n_features_in_ feature_names_in_

    Examples
    --------
    >>> from csmo import OneClassSVM
    >>> X = [[0], [0.44], [0.45], [0.46], [1]]
    >>> print(OneClassSVM(gamma="auto").fit(X).predict(X))
    [-1  1  1  1 -1]
    """

    _svm_type = _native.ONE_CLASS
    _parameter_constraints = {"probability": ["boolean"], **parameter_constraints(svm.OneClassSVM)}

    def __init__(
        self, *, kernel: Kernel = "rbf", degree: int = 3, gamma: Gamma = "scale",
        coef0: float = 0.0, tol: float = 1e-3, nu: float = 0.5, shrinking: bool = True,
        cache_size: float = 200, verbose: int = False, max_iter: int = -1,
        probability: bool = False, solver: Solver = "csmo", support_only: bool = False,
        n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())

    def fit(self: Fitted, X: Any, y: Any = None, sample_weight: Any = None) -> Fitted:
        """Trains on X, (n_rows, n_features) or (n_rows, n_rows) kernel values; y is not read;
        sample_weight, (n_rows,), counts rows several times.  After Ctrl-C this holds the model of
        that moment, and KeyboardInterrupt is raised."""
        return self._fit(X, sample_weight=sample_weight)

    def _training_set(self, X: Any) -> Tuple[Any, np.ndarray, None]:
        X = self._validate(X)
        return X, np.ones(num_samples(X)), None

    def _keep_results(self, X: Any, call: Any, result: Any) -> None:
        super()._keep_results(X, call, result)
        self.n_iter_ = int(self._num_iter[0])
        self.offset_ = -self.intercept_

    def decision_function(self, X: Any) -> np.ndarray:
        """(n_rows,) distances from the boundary in the kernel's space, positive inside."""
        return self._values(X).ravel()

    def score_samples(self, X: Any) -> np.ndarray:
        """(n_rows,) values of decision_function without the offset."""
        return self.decision_function(X) + self.offset_

    def predict(self, X: Any) -> np.ndarray:
        """(n_rows,) 1 for inliers, -1 for outliers."""
        return np.asarray(self._predictions(X), dtype=np.intp)

    @if_probabilities
    def predict_proba(self, X: Any) -> np.ndarray:
        """(n_rows, 2) probabilities that a row is an inlier, and that it is an outlier, in LIBSVM's
        order.  Both are 0.5 near the boundary, on either side of it."""
        check_is_fitted(self)
        if not self._model.has_probabilities:
            raise NotFittedError(
                "predict_proba is not available when fitted with probability=False, or if too few "
                "rows of training are inliers or outliers"
            )
        return self._answers(X, "predict_proba", self._model.probabilities)
