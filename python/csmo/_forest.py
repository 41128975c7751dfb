"""ForestSVC and ForestSVR: trees that cut the rows into cells, each with a model of its own."""

import ctypes
import warnings
from contextlib import suppress
from numbers import Integral, Real
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._base import SOLVERS, Solver, gamma_value
from ._call import Call
from ._compat import Interval, StrOptions, constraints_of
from ._classifiers import Labels, Probabilities, Shape
from ._elsewhere import Elsewhere
from ._forest_model import Forest
from ._landmarks import KERNELS
from ._log import many
from ._machine import METRIC, ClassWeight, Gamma, Machine, Metric, NamedKernel, RandomState
from ._machine import copied, own_constraints, set_parameters
from ._paragraphs import with_paragraphs
from ._regressors import Targets
from ._warnings import Told

# A process trains more than one share of the cells, so that all have work until the end, but for
# each share it has to divide all rows by all trees.
_SHARES_OF_PROCESS, _MOST_SHARES = 2, 128


class _Share(NamedTuple):
    """A forest of which a share of the cells is trained, as text, and how the training ended."""

    text: bytes
    iterations: int
    step_counts: Dict[str, int]
    fit_status: int
    told: Told


class _Training:
    """What all shares of a training need."""

    def __init__(self, machine: "ForestMachine", *data: Any) -> None:
        self.machine, self.data = copied(machine), data
        for name in ("_model", "_predictor"):  # of an earlier fit
            self.machine.__dict__.pop(name, None)


def _train_share(training: _Training, share: Tuple[int, int]) -> _Share:
    machine = copied(training.machine)
    machine.n_jobs = None  # which says how many processes there are
    machine.verbose = 0
    machine._place = share
    super(ForestMachine, machine)._train(*training.data).end()
    count = int(machine._num_iter[0])
    ending = machine.step_counts_, machine.fit_status_, machine._told_of_share
    return _Share(machine._model.text(), count, *ending)


class ForestMachine(Machine):
    """Base class of the forests; not for direct use."""

    gamma: Gamma
    cell_size: int
    n_trees: int
    time_limit: Optional[float]
    random_state: RandomState
    metric: Metric = None  # of estimators that an older version pickled
    feature_weights_: np.ndarray
    n_iter_: int
    n_trees_: int
    n_cells_: int
    n_support_vectors_: int

    _has_bar = False
    _place: Tuple[int, int] = (0, 1)  # the share that is trained, and how many there are
    _shares: Tuple[_Share, ...] = ()  # which others have trained
    _weights_of_shares: Optional[np.ndarray] = None  # of features, if they are known
    _seed: Optional[int] = None
    _told_of_share: Told

    # Training

    def _train(self, X: Any, y: np.ndarray, class_weight: Any, sample_weight: Any) -> Call:
        self._drawn_seed()  # the same for all shares
        data = X, y, class_weight, sample_weight
        place = Elsewhere.active(self.n_jobs)
        most = min(_MOST_SHARES, X.shape[0] // self.cell_size)
        if place is not None and most > 1 and self.time_limit is None:
            count = min(most, _SHARES_OF_PROCESS * place.tasks_at_once())
            if count > 1:
                if self.metric is not None and self.kernel == "rbf":
                    with suppress(_native.SvmError):  # which shares would have as well
                        self._weights_of_shares = self._metric_alone(*data)
                shares = [(share, count) for share in range(count)]
                self._shares = tuple(place.run(_train_share, _Training(self, *data), shares))
        call = super()._train(*data)
        for name in ("_shares", "_seed", "_weights_of_shares"):
            self.__dict__.pop(name, None)
        return call

    def _drawn_seed(self) -> int:
        if self._seed is None:
            self._seed = super()._drawn_seed()
        return self._seed

    def _training_rows(self, X: Any, count: int) -> Any:
        self._gamma = gamma_value(self.gamma, X)
        return super()._training_rows(X, count)

    def _call(self) -> Call:
        call = super()._call()
        call.options.time_limit = self.time_limit or 0
        return call

    def _plan(self) -> _native.ForestPlan:
        plan = _native.sized(_native.ForestPlan, cell=self.cell_size, trees=self.n_trees)
        weights = self._weights_of_shares
        plan.no_metric = int(self.metric is None or (weights is not None and (weights == 1).all()))
        if weights is not None and not plan.no_metric:
            plan.weights, plan.features = weights.ctypes.data, len(weights)
        return plan

    def _model_of(self, *training: Any) -> Forest:
        plan = self._plan()
        plan.share, plan.shares = self._place
        trained = [Forest.from_text(share.text) for share in self._shares]
        if trained:
            plan.shares = len(trained)
            plan.trained = (ctypes.c_void_p * len(trained))(*[part.handle for part in trained])
        return Forest.train(plan, *training)

    def _keep_results(self, X: Any, call: Call, result: _native.Result) -> None:
        super()._keep_results(X, call, result)
        counts = [result.iterations]
        for share in self._shares:
            counts.append(share.iterations)
            self.fit_status_ = max(self.fit_status_, share.fit_status)
            for kind, steps in share.step_counts.items():
                self.step_counts_[kind] += steps
        self._num_iter = np.array([sum(counts)])
        self.n_iter_ = int(self._num_iter[0])
        facts = self._model.facts
        self.n_trees_, self.n_cells_ = facts.trees, facts.cells
        self.n_support_vectors_ = facts.support_vectors
        if self.metric is not None:
            self.feature_weights_ = self._model.feature_weights(self.n_features_in_)

    def _warn(self, call: Call, result: _native.Result) -> None:
        told = self._told(call, result)
        if self._place[1] > 1:
            self._told_of_share = told
            return
        for share in self._shares:
            told.add(share.told)
        if call.interrupted:
            return  # an exception reports it
        told.warn(f" in {told.unconverged} binary problems of cells", self.max_iter)
        if result.status == _native.TIME_LIMIT:
            warnings.warn(
                f"Training ended early, with {self._model.facts.trees} of {self.n_trees} trees "
                f"(time_limit={self.time_limit})",
                ConvergenceWarning,
            )

    def _facts(self, X: Any, call: Call) -> List[str]:
        facts = self._model.facts
        counts = map(many, (facts.trees, facts.cells), ("tree", "cell"))
        return [*super()._facts(X, call), *counts]

    # Attributes

    @property
    def nbytes(self) -> int:
        """Bytes of memory of the forest."""
        check_is_fitted(self)
        return int(self._model.facts.bytes)


def _constraints(counterpart: Any, names: str) -> Dict[str, Any]:
    """Constraints of scikit-learn's estimator, and of the parameters that it does not have."""
    shared = "C degree gamma coef0 shrinking tol cache_size verbose max_iter "
    return {
        **constraints_of(counterpart, shared + names),
        **own_constraints(*SOLVERS),
        **METRIC,
        "kernel": [StrOptions(set(KERNELS))],
        "cell_size": [Interval(Integral, 2, None, closed="left")],
        "n_trees": [Interval(Integral, 1, None, closed="left")],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "random_state": ["random_state"],
    }


@with_paragraphs
class ForestSVC(Probabilities, Labels, ForestMachine):
    """Kernel support vector classification for hundreds of thousands of rows and more.

    Each tree of the forest cuts the rows into cells of at most `cell_size` neighbours, and every
    cell has an `SVC` of its own.  Decision values of a cell are cut to [-1, 1], and those of all
    trees averaged.  The time grows in proportion to the number of rows.

    If a backend of joblib with other processes is active, such as loky or dask, these train the
    cells; otherwise threads do.  The result is the same.

    Parameters
    ----------
    $ cell_size n_trees C named_kernel degree gamma coef0 shrinking
    probability : bool, default=False
        Whether to fit probabilities, for ``predict_proba``, to decision values of rows that are
        held out of training: a tenth of them, and at most about 20,000.
    $ tol cache_size class_weight forest_verbose forest_max_iter time_limit decision_function_shape
    $ break_ties forest_random_state solver forest_metric forest_n_jobs

    Attributes
    ----------
    $ classes_ n_trees_ n_cells_ n_support_vectors_ nbytes feature_weights_ iterations_of_cells
    $ fit_status_ step_counts_ class_weight_ n_features_in_ feature_names_in_

    See Also
    --------
    SVC : One model of all rows, for up to some ten thousand rows.

    Examples
    --------
    >>> from csmo import ForestSVC
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(5000, noise=0.1, random_state=0)
    >>> model = ForestSVC(cell_size=500, gamma=2, random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.98, model.n_trees_)
    True 5
    """

    _svm_type = _native.C_SVC
    _parameter_constraints = {
        **_constraints(svm.SVC, "class_weight decision_function_shape break_ties"),
        "probability": ["boolean"],
    }

    def __init__(
        self, *, cell_size: int = 2000, n_trees: int = 5, C: float = 1.0,
        kernel: NamedKernel = "rbf", degree: int = 3, gamma: Gamma = "scale", coef0: float = 0.0,
        shrinking: bool = True, probability: bool = False, tol: float = 1e-3,
        cache_size: float = 200, class_weight: ClassWeight = None, verbose: int = False,
        max_iter: int = -1, time_limit: Optional[float] = None,
        decision_function_shape: Shape = "ovr", break_ties: bool = False,
        random_state: RandomState = None, solver: Solver = "csmo", metric: Metric = "learned",
        n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())


@with_paragraphs
class ForestSVR(Targets, ForestMachine):
    """Epsilon-support vector regression for hundreds of thousands of rows and more.

    Each tree of the forest cuts the rows into cells of at most `cell_size` neighbours, and every
    cell has an `SVR` of its own.  Predictions are averages over all trees.  The time grows in
    proportion to the number of rows.

    If a backend of joblib with other processes is active, such as loky or dask, these train the
    cells; otherwise threads do.  The result is the same.

    Parameters
    ----------
    $ cell_size n_trees named_kernel degree gamma coef0 tol C
    epsilon : float, default=0.1
        The error that costs nothing.
    $ shrinking cache_size forest_verbose forest_max_iter time_limit forest_random_state solver
    $ forest_metric forest_n_jobs

    Attributes
    ----------
    $ n_trees_ n_cells_ n_support_vectors_ nbytes feature_weights_ iterations_of_cells fit_status_
    $ step_counts_ n_features_in_ feature_names_in_

    See Also
    --------
    SVR : One model of all rows, for up to some ten thousand rows.

    Examples
    --------
    >>> from csmo import ForestSVR
    >>> from sklearn.datasets import make_friedman1
    >>> X, y = make_friedman1(5000, n_features=5, random_state=0)
    >>> model = ForestSVR(cell_size=500, C=100, random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.98, model.n_trees_)
    True 5
    """

    _svm_type = _native.EPSILON_SVR
    _parameter_constraints = _constraints(svm.SVR, "epsilon")

    def __init__(
        self, *, cell_size: int = 2000, n_trees: int = 5, kernel: NamedKernel = "rbf",
        degree: int = 3, gamma: Gamma = "scale", coef0: float = 0.0, tol: float = 1e-3,
        C: float = 1.0, epsilon: float = 0.1, shrinking: bool = True, cache_size: float = 200,
        verbose: int = False, max_iter: int = -1, time_limit: Optional[float] = None,
        random_state: RandomState = None, solver: Solver = "csmo", metric: Metric = "learned",
        n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())
