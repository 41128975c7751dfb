"""The estimators of this package in place of scikit-learn's, for scripts that may not change."""

import importlib
import sys
import types
import warnings
from typing import Any, Dict, Iterable, List, Tuple, Union

ESTIMATORS = ("NuSVC", "NuSVR", "OneClassSVM", "SVC", "SVR")
SEARCHES = ("GridSearchCV", "RandomizedSearchCV")
# The modules that have them, and those that have ours.
MODULES = {
    **dict.fromkeys(ESTIMATORS, ("sklearn.svm", "csmo._estimators")),
    **dict.fromkeys(SEARCHES, ("sklearn.model_selection", "csmo._stand_ins")),
}

# What scikit-learn had before; empty unless it is patched.
_replaced: Dict[str, type] = {}


def patch_sklearn(names: Union[str, Iterable[str], None] = None, *, searches: bool = False) -> None:
    """Lets ``sklearn.svm`` have the estimators of this package.

    From then on ``from sklearn.svm import SVC`` and ``sklearn.svm.SVC`` are `csmo.SVC`, and
    likewise `NuSVC`, `SVR`, `NuSVR` and `OneClassSVM`.  Pickles of them name this package, and load
    without the patch.  Existing estimators of scikit-learn, and pickles of them, remain what they
    are, but are no longer instances of ``sklearn.svm.SVC``.

    Modules that have imported a class before keep scikit-learn's, which is a warning that names
    them: call this function first.  ``LinearSVC`` and ``LinearSVR`` are not replaced, because those
    of this package have another meaning: see `csmo.LinearSVC`.

    ``python3 -m csmo script.py`` runs a script with this patch, ``CSMO_PATCH=1`` in the environment
    lets every Python of it have it, and ``%load_ext csmo`` a notebook.

    Parameters
    ----------
    names : str or list of str, default=None
        What is replaced: None stands for the five estimators.  ``GridSearchCV`` and
        ``RandomizedSearchCV`` of ``sklearn.model_selection`` may be among them; these then search
        as `csmo.GridSearchSVC` does if the estimator is an SVC, NuSVC, SVR or NuSVR of this
        package, or a Pipeline that ends in one, and otherwise as before.  Another call adds names.
    searches : bool, default=False
        Whether the two searches are replaced as well.

    See Also
    --------
    unpatch_sklearn : The reverse.

    Examples
    --------
    >>> import csmo
    >>> csmo.patch_sklearn()
    >>> from sklearn.svm import SVC
    >>> SVC is csmo.SVC
    True
    >>> csmo.unpatch_sklearn()
    """
    wanted = checked_names(names) + (SEARCHES if searches else ())
    # All that can fail is done before anything is changed.
    changes = [(name, *_theirs_and_ours(name)) for name in wanted]
    replaced = []
    for name, module, ours in changes:
        if getattr(module, name) is not ours:
            _replaced[name] = getattr(module, name)
            replaced.append(_replaced[name])
            setattr(module, name, ours)
    from ._log import tell  # not at the start of Python

    tell(None, "patch_sklearn", "replaced " + ", ".join(wanted))
    late = _modules_with(replaced)
    if late:
        warnings.warn(
            "patch_sklearn: these modules imported classes of scikit-learn before and keep them: "
            + ", ".join(late),
            stacklevel=2,
        )


def unpatch_sklearn() -> None:
    """Gives scikit-learn its own estimators and searches back.

    Modules that imported a class while it was replaced keep the one of this package.

    See Also
    --------
    patch_sklearn : The reverse.

    Examples
    --------
    >>> import csmo, sklearn.svm
    >>> csmo.patch_sklearn()
    >>> csmo.unpatch_sklearn()
    >>> sklearn.svm.SVC is csmo.SVC
    False
    """
    for name, original in _replaced.items():
        setattr(sys.modules[MODULES[name][0]], name, original)
    _replaced.clear()


def checked_names(names: Union[str, Iterable[str], None]) -> Tuple[str, ...]:
    """The names as a tuple; None stands for the estimators."""
    chosen = ESTIMATORS if names is None else (names,) if isinstance(names, str) else tuple(names)
    for name in chosen:
        if name not in MODULES:
            raise ValueError(f"patch_sklearn: {name!r} is none of " + ", ".join(MODULES))
    return chosen


def original(name: str) -> Any:
    """scikit-learn's own class of this name, also while it is replaced."""
    return _replaced.get(name) or getattr(importlib.import_module(MODULES[name][0]), name)


def _theirs_and_ours(name: str) -> Tuple[Any, Any]:
    """The module of scikit-learn that has this name, and what it is to stand for."""
    theirs, ours = map(importlib.import_module, MODULES[name])
    return theirs, getattr(ours, name)


def _modules_with(classes: List[type]) -> List[str]:
    """Names of the modules with a global variable that is one of the classes, except for those of
    scikit-learn itself and of this package."""
    names = []
    modules = {id(module): (name, module) for name, module in reversed(list(sys.modules.items()))}
    for name, module in modules.values():  # each once, by the first of its names
        if not isinstance(module, types.ModuleType) or name.split(".")[0] in ("csmo", "sklearn"):
            continue
        if any(value is kind for value in list(vars(module).values()) for kind in classes):
            names.append(name)
    return sorted(names)


def load_ipython_extension(_ipython: Any) -> None:
    """%load_ext csmo"""
    patch_sklearn()


def unload_ipython_extension(_ipython: Any) -> None:
    """%unload_ext csmo"""
    unpatch_sklearn()
