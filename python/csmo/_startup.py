"""CSMO_PATCH of the environment: patches scikit-learn when a program imports it.

csmo.pth imports this module when Python starts, in every program of the environment.  So it imports
nothing that is large, and a failure is a warning.
"""

import importlib
import os
import sys
import warnings
from typing import Any, Callable, Dict

from ._patch import ESTIMATORS, SEARCHES, checked_names, patch_sklearn

# The program may import this module of ours first, which imports sklearn.svm; so the estimators are
# replaced when it is complete.
_OURS = "csmo._estimators"


class PatchingLoader:
    """Loads a module as `loader` does, and then calls a function."""

    def __init__(self, loader: Any, then: Callable[[], None]) -> None:
        self._loader = loader
        self._then = then

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._then()


class PatchingFinder:
    """Calls each of the functions once, when the module of that name has been imported, and then
    leaves sys.meta_path."""

    def __init__(self, actions: Dict[str, Callable[[], Any]]) -> None:
        self._actions = actions
        sys.meta_path.insert(0, self)
        for name in list(actions):
            if name in sys.modules:
                self._act(name)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self._actions:
            return None
        finders = [f for f in sys.meta_path if f is not self and hasattr(f, "find_spec")]
        specs = (finder.find_spec(name, path, target) for finder in finders)
        spec: Any = next((found for found in specs if found is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = PatchingLoader(spec.loader, lambda: self._act(name))
        return spec

    def _act(self, name: str) -> None:
        action = self._actions.pop(name, None)
        if not self._actions and self in sys.meta_path:
            sys.meta_path.remove(self)
        try:
            if action is not None:
                action()
        except Exception as error:
            warnings.warn(f"CSMO_PATCH: scikit-learn is not patched: {error}")


def install(value: str) -> None:
    """Prepares the patch that a value of CSMO_PATCH asks for: 1, or names separated by commas."""
    try:
        names = checked_names(None if value == "1" else [name.strip() for name in value.split(",")])
    except ValueError as error:
        warnings.warn(f"CSMO_PATCH={value}: nothing is patched: it is not 1, and {error}")
        return
    estimators = [name for name in names if name in ESTIMATORS]
    searches = [name for name in names if name in SEARCHES]
    actions: Dict[str, Callable[[], Any]] = {}
    if estimators:
        actions["sklearn.svm"] = lambda: importlib.import_module(_OURS)
        actions[_OURS] = lambda: patch_sklearn(estimators)
    if searches:
        actions["sklearn.model_selection"] = lambda: patch_sklearn(searches)
    PatchingFinder(actions)


install(os.environ.get("CSMO_PATCH", "0"))
