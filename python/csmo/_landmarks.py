"""NystroemSVC, by subgradient steps on the embedding of the rows by landmarks."""

from numbers import Integral
from typing import Literal, Optional, get_args

from sklearn import svm

from . import _native
from ._base import KernelMachine
from ._call import Call
from ._compat import Interval, StrOptions, constraints_of
from ._classifiers import Shape, SupportedLabels
from ._machine import ClassWeight, Gamma, NamedKernel, RandomState
from ._machine import own_constraints, set_parameters
from ._paragraphs import with_paragraphs

Solver = Literal["snacks", "pegasos"]
SOLVERS, KERNELS = get_args(Solver), get_args(NamedKernel)


@with_paragraphs
class NystroemSVC(SupportedLabels, KernelMachine):
    """Approximate kernel support vector classification for very many rows.

    The decision function is a combination of a few rows, the landmarks, that are drawn at random,
    instead of all rows.  It has no intercept.  The time grows in proportion to the number of rows,
    and with the square of the number of landmarks.  Use `SVC` unless there are so many rows that an
    approximation must do.

    Parameters
    ----------
    landmarks : int, default=1000
        Number of landmarks for each pair of classes.  The more there are, the closer the result is
        to that of all rows.
    $ C named_kernel degree gamma coef0
    tol : float, default=1e-3
        The solver 'snacks' ends if a stage changes the objective by less than this part of it.
    cache_size : float, default=200
        Megabytes for the embedding, which takes 4 * n_rows * landmarks bytes.  If it is too
        small, results are the same, but every pass over the rows computes the embedding again.
    $ class_weight verbose max_iter decision_function_shape break_ties
    random_state : int, RandomState instance or None, default=None
        Seed of the draws of landmarks and of the order of the rows.
    solver : {'snacks', 'pegasos'}, default='snacks'
        'snacks' ends by `tol`; 'pegasos' makes 40 passes over the rows.
    $ n_jobs

    Attributes
    ----------
    $ classes_
    support_ : ndarray of shape (n_SV,)
        Row numbers of the landmarks.
    support_vectors_ : ndarray or sparse matrix of shape (n_SV, n_features)
        The landmarks.
    $ n_support_ dual_coef_
    intercept_ : ndarray of shape (n_functions,)
        Zeros.
    $ iterations_of_pairs fit_status_ step_counts_ class_weight_ shape_fit_ n_features_in_
    $ feature_names_in_

    Examples
    --------
    >>> from csmo import NystroemSVC
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(5000, noise=0.1, random_state=0)
    >>> model = NystroemSVC(landmarks=50, random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.98, len(model.support_))
    True 50
    """

    landmarks: int

    _svm_type = _native.C_SVC
    _parameter_constraints = {
        **constraints_of(
            svm.SVC,
            "C degree gamma coef0 tol cache_size class_weight verbose max_iter "
            "decision_function_shape break_ties random_state",
        ),
        **own_constraints(*SOLVERS),
        "landmarks": [Interval(Integral, 1, None, closed="left")],
        "kernel": [StrOptions(set(KERNELS))],
    }

    def __init__(
        self, *, landmarks: int = 1000, C: float = 1.0, kernel: NamedKernel = "rbf",
        degree: int = 3, gamma: Gamma = "scale", coef0: float = 0.0, tol: float = 1e-3,
        cache_size: float = 200, class_weight: ClassWeight = None, verbose: int = False,
        max_iter: int = -1, decision_function_shape: Shape = "ovr", break_ties: bool = False,
        random_state: RandomState = None, solver: Solver = "snacks", n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())

    def _call(self) -> Call:
        call = super()._call()
        call.options.landmarks = int(self.landmarks)
        return call
