"""HalvingGridSearchSVC, in a module of its own because scikit-learn's is experimental."""

from typing import Any, Optional

import numpy as np
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import HalvingGridSearchCV

from ._machine import set_parameters
from ._paragraphs import with_paragraphs
from ._search import EngineSearch


@with_paragraphs
class HalvingGridSearchSVC(EngineSearch, HalvingGridSearchCV):
    """Search of parameters on more and more rows for fewer and fewer points: scikit-learn's
    HalvingGridSearchCV with svm-grid's engine.

    It trains the points, on the rows, that `sklearn.model_selection.HalvingGridSearchCV` would
    train for the same ``random_state``, and does so as `GridSearchSVC` does.

    Parameters
    ----------
    $ search_estimator
    param_grid : dict or list of dicts
        Lists of values by the names of parameters.
    factor, resource, max_resources, min_resources, aggressive_elimination : as in scikit-learn
        Those of HalvingGridSearchCV, with the same defaults.
    cv, scoring, refit, error_score, return_train_score, random_state : as in scikit-learn
        The same.
    $ search_n_jobs search_verbose warm_start

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_, cv_results_ : as in scikit-learn
        Times in ``cv_results_`` are averages, as one run of the engine does many fits.
    n_resources_, n_candidates_, n_remaining_candidates_, n_iterations_ : as in scikit-learn
        The same.
    $ engine_ search_time_

    Examples
    --------
    >>> from csmo import HalvingGridSearchSVC, SVC
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> grid = {"C": [0.1, 1, 10], "gamma": [1e-4, 1e-3, 1e-2]}
    >>> search = HalvingGridSearchSVC(SVC(), grid, random_state=0).fit(X, y)
    >>> search.best_params_["gamma"], search.n_candidates_
    (0.001, [9, 3, 1])
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        factor: float = 3,
        resource: str = "n_samples",
        max_resources: Any = "auto",
        min_resources: Any = "exhaust",
        aggressive_elimination: bool = False,
        cv: Any = 5,
        scoring: Any = None,
        refit: bool = True,
        error_score: Any = np.nan,
        return_train_score: bool = True,
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
        warm_start: bool = True,
    ) -> None:
        super().__init__(estimator, param_grid)  # and what a later version has besides
        set_parameters(locals())
