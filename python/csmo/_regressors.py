"""SVR and NuSVR, and what all regressions share."""

from typing import Any, Optional, Tuple

import numpy as np
from sklearn import svm
from sklearn.base import RegressorMixin

from . import _native
from ._base import BaseSVM, Kernel, Solver, parameter_constraints
from ._compat import HAS_EMPTY_CLASS_WEIGHT, warn_of_class_weight
from ._machine import Fitted, Gamma, Metric, set_parameters
from ._paragraphs import with_paragraphs


class Targets(RegressorMixin):
    """Makes a regression of a Machine."""

    def fit(self: Fitted, X: Any, y: Any, sample_weight: Any = None) -> Fitted:
        """Trains on X, (n_rows, n_features) or (n_rows, n_rows) kernel values, and the targets y;
        sample_weight, (n_rows,), multiplies C of the rows.  After Ctrl-C this holds the model of
        that moment, and KeyboardInterrupt is raised."""
        return self._fit(X, y, sample_weight=sample_weight)

    def _training_set(self, X: Any, y: Any) -> Tuple[Any, np.ndarray, None]:
        """X as the library reads it, and the targets.  There are no factors of classes."""
        X, y = self._validate(X, y, y_numeric=True)
        return X, np.asarray(y, dtype=np.float64), None

    def _keep_results(self, X: Any, call: Any, result: Any) -> None:
        super()._keep_results(X, call, result)
        self.n_iter_ = int(self._num_iter[0])

    def predict(self, X: Any) -> np.ndarray:
        """(n_rows,) targets."""
        return self._predictions(X)


class Unweighted:
    """Adds the class_weight_ that some versions of scikit-learn have without classes."""

    if HAS_EMPTY_CLASS_WEIGHT:

        @property
        def class_weight_(self) -> np.ndarray:
            """Empty."""
            warn_of_class_weight()
            return np.empty(0)


@with_paragraphs
class SVR(Targets, Unweighted, BaseSVM):
    """Epsilon-support vector regression: errors up to epsilon cost nothing.

    Takes scikit-learn's parameters and has its attributes.

    Parameters
    ----------
    $ kernel degree gamma coef0 tol C
    epsilon : float, default=0.1
        The error that costs nothing.
    $ shrinking cache_size verbose max_iter solver support_only metric n_jobs

    Attributes
    ----------
    $ support_ support_vectors_ n_support_ dual_coef_ intercept_ coef_ feature_weights_ iterations
    $ fit_status_ step_counts_ shape_fit_ n_features_in_ feature_names_in_

    See Also
    --------
    ForestSVR : A forest of small models for very many rows.
    LinearSVR : Linear models for very many features.

    Examples
    --------
    >>> from csmo import SVR
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = SVR(C=100, epsilon=20).fit(X[::2], y[::2])
    >>> print(round(model.score(X[1::2], y[1::2]), 2))
    0.4
    """

    _svm_type = _native.EPSILON_SVR
    _parameter_constraints = parameter_constraints(svm.SVR)

    def __init__(
        self, *, kernel: Kernel = "rbf", degree: int = 3, gamma: Gamma = "scale",
        coef0: float = 0.0, tol: float = 1e-3, C: float = 1.0, epsilon: float = 0.1,
        shrinking: bool = True, cache_size: float = 200, verbose: int = False, max_iter: int = -1,
        solver: Solver = "csmo", support_only: bool = False, metric: Metric = None,
        n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())


@with_paragraphs
class NuSVR(Targets, Unweighted, BaseSVM):
    """Nu-support vector regression: `SVR` with nu instead of epsilon.

    Parameters
    ----------
    nu : float, default=0.5
        Upper bound on the fraction of rows with errors above epsilon, which training determines,
        and lower bound on the fraction of support vectors, in (0, 1].
    $ C kernel degree gamma coef0 shrinking tol cache_size verbose max_iter solver support_only
    $ metric n_jobs

    Attributes
    ----------
    $ support_ support_vectors_ n_support_ dual_coef_ intercept_ coef_ feature_weights_ iterations
    $ fit_status_ step_counts_ shape_fit_ n_features_in_ feature_names_in_

    Examples
    --------
    >>> from csmo import NuSVR
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = NuSVR(C=100, nu=0.6).fit(X[::2], y[::2])
    >>> print(round(model.score(X[1::2], y[1::2]), 2))
    0.4
    """

    _svm_type = _native.NU_SVR
    _parameter_constraints = parameter_constraints(svm.NuSVR)

    def __init__(
        self, *, nu: float = 0.5, C: float = 1.0, kernel: Kernel = "rbf", degree: int = 3,
        gamma: Gamma = "scale", coef0: float = 0.0, shrinking: bool = True, tol: float = 1e-3,
        cache_size: float = 200, verbose: int = False, max_iter: int = -1, solver: Solver = "csmo",
        support_only: bool = False, metric: Metric = None, n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())
