"""LinearSVC and LinearSVR, by dual coordinate descent."""

from numbers import Real
from typing import Any, Dict, Literal, Optional, get_args

import numpy as np
from sklearn import svm

from . import _native
from ._call import Call
from ._compat import Interval, StrOptions, constraints_of
from ._classifiers import Labels, Shape
from ._machine import ClassWeight, Machine, RandomState, own_constraints, set_parameters
from ._paragraphs import with_paragraphs
from ._regressors import Targets

Solver = Literal["dcd", "avsf"]
SOLVERS = get_args(Solver)


def _constraints(counterpart: Any, loss: str) -> Dict[str, Any]:
    """Constraints of scikit-learn's estimator for parameters that mean the same."""
    return {
        **constraints_of(counterpart, "C epsilon tol fit_intercept class_weight random_state"),
        **own_constraints(*SOLVERS),
        "loss": [StrOptions({loss})],
        "intercept_scaling": [Interval(Real, 0, 1e100, closed="neither")],
        **constraints_of(svm.SVC, "verbose max_iter"),
    }


class LinearMachine(Machine):
    """Base class of the estimators that are weights of the features; not for direct use."""

    fit_intercept: bool
    intercept_scaling: float
    loss: str
    random_state: RandomState
    coef_: np.ndarray
    intercept_: np.ndarray

    def _call(self) -> Call:
        call = super()._call()
        call.options.bias = float(self.intercept_scaling) if self.fit_intercept else 0.0
        return call

    def _keep_results(self, X: Any, call: Call, result: _native.Result) -> None:
        # The model has a single vector for each function.
        self.coef_ = self._model.vectors(X.shape[1])
        self.intercept_ = -self._model.thresholds
        super()._keep_results(X, call, result)
        for values in (self.coef_, self.intercept_):
            values.flags.writeable = False  # predictions do not come from them


@with_paragraphs
class LinearSVC(Labels, LinearMachine):
    """Linear support vector classification by dual coordinate descent.

    It is for sparse rows with thousands of features, as iterations do not compute kernel values.
    With few features ``SVC(kernel="linear")`` is as fast.  As in scikit-learn's estimator of this
    name, the intercept is the weight of a feature that is added to all rows, and is regularised
    like the others.  What differs:

    * The loss is the hinge, not its square, which is scikit-learn's default.  With two classes the
      optimum is that of ``sklearn.svm.LinearSVC(loss="hinge")``.
    * More than two classes are trained in pairs (one against one), as `SVC` does, and not one
      against the rest: there is a row of `coef_` for each pair.
    * `max_iter` counts steps of single variables, not sweeps over all of them.

    Parameters
    ----------
    $ C
    loss : {'hinge'}, default='hinge'
        The loss.
    tol : float, default=1e-4
        Largest allowed violation of the optimality conditions.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    intercept_scaling : float, default=1.0
        Value of the added feature.  The larger it is, the less the intercept is regularised.
    $ class_weight verbose max_iter decision_function_shape random_state
    solver : {'dcd', 'avsf'}, default='dcd'
        'dcd' takes all variables in turns; 'avsf' takes those more often that gain more.
    $ n_jobs

    Attributes
    ----------
    $ classes_
    coef_ : ndarray of shape (1, n_features), or (n_pairs, n_features) with more than two classes
        Weights of the features.  Positive values are for the second of two classes, and for the
        first class of a pair.  They cannot be changed.
    intercept_ : ndarray of shape (1,) or (n_pairs,)
        Constants of the decision functions.
    n_iter_ : int
        The largest number of iterations of a pair of classes.
    $ fit_status_ step_counts_ class_weight_ n_features_in_ feature_names_in_

    Examples
    --------
    >>> from csmo import LinearSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LinearSVC(random_state=0).fit(X[::2], y[::2])
    >>> print(model.predict(X[1::50]), model.coef_.shape)
    [0 1 2] (3, 4)
    """

    _svm_type = _native.C_SVC
    _parameter_constraints = {
        **_constraints(svm.LinearSVC, "hinge"),
        "decision_function_shape": [StrOptions({"ovr", "ovo"})],
    }

    def __init__(
        self, *, C: float = 1.0, loss: Literal["hinge"] = "hinge", tol: float = 1e-4,
        fit_intercept: bool = True, intercept_scaling: float = 1.0,
        class_weight: ClassWeight = None, verbose: int = False, max_iter: int = -1,
        decision_function_shape: Shape = "ovr", random_state: RandomState = None,
        solver: Solver = "dcd", n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())

    def _keep_results(self, X: Any, call: Call, result: _native.Result) -> None:
        super()._keep_results(X, call, result)
        self.n_iter_ = int(self._num_iter.max())
        if len(self.classes_) == 2:  # positive values are for the second class
            self.coef_, self.intercept_ = -self.coef_, -self.intercept_
            self.coef_.flags.writeable = self.intercept_.flags.writeable = False


@with_paragraphs
class LinearSVR(Targets, LinearMachine):
    """Linear support vector regression by dual coordinate descent.

    The optimum is that of scikit-learn's estimator of this name with the same loss, which is its
    default.  As there, the intercept is the weight of a feature that is added to all rows, and is
    regularised like the others.  `max_iter` counts steps of single variables, not sweeps.

    Parameters
    ----------
    epsilon : float, default=0.0
        The error that costs nothing.
    tol : float, default=1e-4
        Largest allowed violation of the optimality conditions.
    $ C
    loss : {'epsilon_insensitive'}, default='epsilon_insensitive'
        The loss.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    intercept_scaling : float, default=1.0
        Value of the added feature.  The larger it is, the less the intercept is regularised.
    $ verbose max_iter random_state
    solver : {'dcd', 'avsf'}, default='dcd'
        'dcd' takes all variables in turns; 'avsf' takes those more often that gain more.
    $ n_jobs

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Weights of the features.  They cannot be changed.
    intercept_ : ndarray of shape (1,)
        The constant of the function.
    $ iterations fit_status_ step_counts_ n_features_in_ feature_names_in_

    Examples
    --------
    >>> from csmo import LinearSVR
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = LinearSVR(C=100, random_state=0).fit(X[::2], y[::2])
    >>> print(round(model.score(X[1::2], y[1::2]), 2))
    0.39
    """

    _svm_type = _native.EPSILON_SVR
    _parameter_constraints = _constraints(svm.LinearSVR, "epsilon_insensitive")

    def __init__(
        self, *, epsilon: float = 0.0, tol: float = 1e-4, C: float = 1.0,
        loss: Literal["epsilon_insensitive"] = "epsilon_insensitive", fit_intercept: bool = True,
        intercept_scaling: float = 1.0, verbose: int = False, max_iter: int = -1,
        random_state: RandomState = None, solver: Solver = "dcd", n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())

    def _keep_results(self, X: Any, call: Call, result: _native.Result) -> None:
        super()._keep_results(X, call, result)
        self.coef_ = self.coef_.ravel()
