"""CSMO_PATCH of the environment: patches scikit-learn when a program imports it.

csmo.pth imports this module when Python starts, in every program of the environment.  So it imports
nothing that is large, and a failure is a warning.
"""

import os
import sys
import warnings
from typing import Any, Callable, Dict

from ._patch import ESTIMATORS, SEARCHES, checked_names, patch_sklearn


class PatchingLoader:
    """Loads a module as `loader` does, and tells a finder when that begins and ends."""

    def __init__(self, loader: Any, finder: "PatchingFinder") -> None:
        self._loader, self._finder = loader, finder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        module.__spec__.loader = module.__loader__ = self._loader
        self._finder.depth += 1
        try:
            self._loader.exec_module(module)
        finally:
            self._finder.depth -= 1
            self._finder.act()


class PatchingFinder:
    """Calls each of the functions once, when the module of that name has been imported, and then
    leaves sys.meta_path.

    Modules of scikit-learn and of this package import each other, and any of them may be the first
    one: a program may import it, and so may a pickle.  While one of them is incomplete, no class
    can take the place of another, so the functions wait until the outermost import has ended.
    """

    def __init__(self, actions: Dict[str, Callable[[], None]]) -> None:
        self._actions = actions
        self.depth = 0
        sys.meta_path.insert(0, self)
        self.act()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.split(".")[0] not in ("csmo", "sklearn"):
            return None
        finders = [f for f in sys.meta_path if f is not self and hasattr(f, "find_spec")]
        specs = (finder.find_spec(name, path, target) for finder in finders)
        spec: Any = next((found for found in specs if found is not None), None)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = PatchingLoader(spec.loader, self)
        return spec

    def act(self) -> None:
        """Calls the functions whose modules are complete."""
        if self.depth > 0:
            return
        for name in [name for name in self._actions if name in sys.modules]:
            action = self._actions.pop(name, lambda: None)  # another one may have called it
            try:
                action()
            except Exception as error:
                warnings.warn(f"CSMO_PATCH: {name} is not patched: {error}")
        if not self._actions and self in sys.meta_path:
            sys.meta_path.remove(self)


def install(value: str) -> None:
    """Prepares the patch that a value of CSMO_PATCH asks for: 1, or names separated by commas."""
    try:
        names = checked_names(None if value == "1" else [name.strip() for name in value.split(",")])
    except ValueError as error:
        warnings.warn(f"CSMO_PATCH={value}: nothing is patched: it is not 1, and {error}")
        return
    wanted = {"sklearn.svm": ESTIMATORS, "sklearn.model_selection": SEARCHES}
    actions: Dict[str, Callable[[], None]] = {}
    for module, known in wanted.items():
        chosen = [name for name in names if name in known]
        if chosen:
            actions[module] = lambda chosen=chosen: patch_sklearn(chosen)  # type: ignore[misc]
    PatchingFinder(actions)


install(os.environ.get("CSMO_PATCH", "0"))
