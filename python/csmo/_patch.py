"""The estimators of this package in place of scikit-learn's, for scripts that may not change."""

import sys
import types
import warnings
from typing import Dict, List

from sklearn import svm

from . import _estimators

NAMES = ("NuSVC", "NuSVR", "OneClassSVM", "SVC", "SVR")

# What was in sklearn.svm before; empty unless it is patched.
_replaced: Dict[str, type] = {}


def patch_sklearn() -> None:
    """Lets ``sklearn.svm`` have the estimators of this package.

    From then on ``from sklearn.svm import SVC`` and ``sklearn.svm.SVC`` are `csmo.SVC`, and
    likewise `NuSVC`, `SVR`, `NuSVR` and `OneClassSVM`.  Pickles of them name this package, and load
    without the patch.  Existing estimators of scikit-learn, and pickles of them, remain what they
    are, but are no longer instances of ``sklearn.svm.SVC``.

    Modules that have imported a class before keep scikit-learn's, which is a warning that names
    them: call this function first.  ``LinearSVC`` and ``LinearSVR`` are not replaced, because those
    of this package have another meaning: see `csmo.LinearSVC`.

    ``python3 -m csmo script.py`` runs a script with this patch.

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
    if _replaced:
        return
    for name in NAMES:
        _replaced[name] = getattr(svm, name)
        setattr(svm, name, getattr(_estimators, name))
    late = _modules_with(list(_replaced.values()))
    if late:
        warnings.warn(
            "patch_sklearn: these modules imported estimators of sklearn.svm before and keep "
            "scikit-learn's: " + ", ".join(late),
            stacklevel=2,
        )


def unpatch_sklearn() -> None:
    """Gives ``sklearn.svm`` its own estimators back.

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
        setattr(svm, name, original)
    _replaced.clear()


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
