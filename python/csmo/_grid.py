"""GridSearchSVC and RandomizedSearchSVC: searches of scikit-learn by svm-grid's engine."""

from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy as np

from ._machine import set_parameters
from ._paragraphs import with_paragraphs
from ._patch import original
from ._replay import prefix_of_machine
from ._search import EngineSearch

if TYPE_CHECKING:
    from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
else:
    GridSearchCV, RandomizedSearchCV = original("GridSearchCV"), original("RandomizedSearchCV")


@with_paragraphs
class GridSearchSVC(EngineSearch, GridSearchCV):
    """Search of parameters by cross validation: scikit-learn's GridSearchCV with svm-grid's engine.

    It has the parameters, folds, scores and attributes of `sklearn.model_selection.GridSearchCV`.
    Points that differ in C, gamma or epsilon share kernel rows, and trainings start from the
    solution for a smaller C.  What the engine cannot do is left to scikit-learn's own search, and a
    `SearchNote` says why: scoring by probabilities, other estimators.  After Ctrl-C,
    ``cv_results_`` has the points that were finished, ``best_params_`` is the best of these, and
    KeyboardInterrupt is raised.

    If a backend of joblib with other processes is active, such as dask's, they do the trainings:
    all values of C and all folds of one gamma are a task.

    Parameters
    ----------
    $ search_estimator
    param_grid : dict or list of dicts
        Lists of values by the names of parameters, as for GridSearchCV.
    scoring, refit, cv, pre_dispatch, error_score, return_train_score : as for GridSearchCV
        The same, with the same defaults.
    $ search_n_jobs search_verbose warm_start cells

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_, cv_results_ : as those of GridSearchCV
        Times in ``cv_results_`` are averages, as one run of the engine does many fits.
    $ engine_ search_time_

    Examples
    --------
    >>> from csmo import GridSearchSVC, SVC
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), SVC())
    >>> search = GridSearchSVC(model, {"svc__C": [1, 10], "svc__gamma": [0.01, 0.1]}).fit(X, y)
    >>> search.best_params_
    {'svc__C': 1, 'svc__gamma': 0.1}
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        scoring: Any = None,
        n_jobs: Optional[int] = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        error_score: Any = np.nan,
        return_train_score: bool = False,
        warm_start: bool = True,
        cells: Optional[int] = None,
    ) -> None:
        super().__init__(estimator, param_grid)  # and what a later version has besides
        set_parameters(locals())


@with_paragraphs
class RandomizedSearchSVC(EngineSearch, RandomizedSearchCV):
    """Search of parameters that are drawn at random: scikit-learn's RandomizedSearchCV with
    svm-grid's engine.

    It draws the points that `sklearn.model_selection.RandomizedSearchCV` draws for the same
    ``random_state``, and does with them what `GridSearchSVC` does with those of a grid.  Points
    that have the same gamma share kernel rows.

    Parameters
    ----------
    $ search_estimator
    param_distributions : dict or list of dicts
        Lists of values, or distributions such as ``scipy.stats.loguniform(0.01, 1)``, by the names
        of parameters.
    n_iter, scoring, refit, cv, pre_dispatch, error_score, return_train_score : as in scikit-learn
        Those of RandomizedSearchCV, with the same defaults.
    random_state : int, RandomState instance or None, default=None
        Seed of the points.
    $ search_n_jobs search_verbose warm_start cells
    gamma_bins : int, default=None
        Searches so many values of gamma only, so that points share kernel rows: the points in the
        order of gamma are cut into so many parts of equal numbers, and all points of a part take
        the gamma of its middle one.  None searches the points as they were drawn.

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_, cv_results_ : as in scikit-learn
        Times in ``cv_results_`` are averages, as one run of the engine does many fits.
    $ engine_ search_time_

    Examples
    --------
    >>> from csmo import RandomizedSearchSVC, SVC
    >>> from scipy.stats import loguniform
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> points = {"C": loguniform(0.1, 100), "gamma": loguniform(0.001, 1)}
    >>> search = RandomizedSearchSVC(SVC(), points, n_iter=20, gamma_bins=4, random_state=0)
    >>> len(set(search.fit(X, y).cv_results_["param_gamma"]))
    4
    """

    def __init__(
        self,
        estimator: Any,
        param_distributions: Any,
        *,
        n_iter: int = 10,
        scoring: Any = None,
        n_jobs: Optional[int] = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = np.nan,
        return_train_score: bool = False,
        warm_start: bool = True,
        cells: Optional[int] = None,
        gamma_bins: Optional[int] = None,
    ) -> None:
        super().__init__(estimator, param_distributions)  # and what a later version has besides
        set_parameters(locals())

    def _candidates(self, candidates: Any) -> List[Dict[str, Any]]:
        drawn = super()._candidates(candidates)
        if self.gamma_bins is None:
            return drawn
        if isinstance(self.gamma_bins, bool) or not self.gamma_bins >= 1:
            raise ValueError(f"gamma_bins={self.gamma_bins!r}: None, or a number from 1 on")
        name = f"{prefix_of_machine(self.estimator)}gamma"
        numbers = {
            place: params[name]
            for place, params in enumerate(drawn)
            if not isinstance(params.get(name, "scale"), str)
        }
        places = np.array(sorted(numbers, key=numbers.__getitem__), dtype=int)
        for part in np.array_split(places, int(self.gamma_bins)):
            for place in part:
                drawn[place] = {**drawn[place], name: numbers[part[len(part) // 2]]}
        return drawn
