"""scikit-learn's searches, which leave those over a machine of this package to its engine.

csmo.patch_sklearn puts them into sklearn.model_selection.  sklearn.svm may not have been imported
completely when this module is, so the engine is imported by the first search.
"""

from typing import Any, Optional

from sklearn import model_selection

import csmo


class _ByEngine:
    """Base class of the searches."""

    _engine: str  # the search of this package

    def fit(self: Any, X: Any, y: Any = None, **params: Any) -> Any:
        engine = self._engine_for_estimator()
        if engine is None:
            return super().fit(X, y, **params)  # type: ignore[misc]
        search = engine(**self.get_params(deep=False))
        try:
            search.fit(X, y, **params)
        finally:  # after Ctrl-C it has the results so far
            results = {key: value for key, value in vars(search).items() if key.endswith("_")}
            if results:
                kept = {key: value for key, value in vars(self).items() if not key.endswith("_")}
                self.__dict__ = {**kept, **results}
        return self

    def _engine_for_estimator(self: Any) -> Optional[Any]:
        """The search of this package; None if it is not for the estimator, or if a class derived
        from scikit-learn's search may do it in another way."""
        if "_engine" not in vars(type(self)):
            return None
        from ._replay import machine_of

        machine = machine_of(self.estimator)
        is_ours = isinstance(machine, (csmo.SVC, csmo.NuSVC, csmo.SVR, csmo.NuSVR))
        return getattr(csmo, self._engine) if is_ours else None


class GridSearchCV(_ByEngine, model_selection.GridSearchCV):
    __doc__ = model_selection.GridSearchCV.__doc__
    _engine = "GridSearchSVC"


class RandomizedSearchCV(_ByEngine, model_selection.RandomizedSearchCV):
    __doc__ = model_selection.RandomizedSearchCV.__doc__
    _engine = "RandomizedSearchSVC"
