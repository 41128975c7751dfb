"""scikit-learn's searches, which leave those over a machine of this package to its engine.

csmo.patch_sklearn puts them into sklearn.model_selection.
"""

from typing import Any

from sklearn import model_selection

from ._estimators import NuSVC, NuSVR, SVC, SVR
from ._log import tell
from ._patch import original
from ._replay import machine_of
from ._search import EngineSearch


class _StandIn(EngineSearch):
    def fit(self: Any, X: Any, y: Any = None, **params: Any) -> Any:
        is_ours = isinstance(machine_of(self.estimator), (SVC, NuSVC, SVR, NuSVR))
        # A class that is derived from scikit-learn's search may do it in another way.
        if is_ours and type(self).__module__ == __name__:
            return super().fit(X, y, **params)
        why = "the class is derived from the search" if is_ours else "the estimator is not csmo's"
        tell(self, "fit", f"left to scikit-learn: {why}")
        return super(EngineSearch, self).fit(X, y, **params)


class GridSearchCV(_StandIn, original("GridSearchCV")):  # type: ignore[misc]
    __doc__ = model_selection.GridSearchCV.__doc__


class RandomizedSearchCV(_StandIn, original("RandomizedSearchCV")):  # type: ignore[misc]
    __doc__ = model_selection.RandomizedSearchCV.__doc__
