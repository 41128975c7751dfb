"""Support vector machines by conjugate SMO, with scikit-learn's interface.

SVC, NuSVC, SVR, NuSVR and OneClassSVM take scikit-learn's parameters and have its attributes;
GridSearchSVC, RandomizedSearchSVC and HalvingGridSearchSVC search C, gamma and epsilon with
svm-grid's engine.  LinearSVC, LinearSVR, ForestSVC, ForestSVR and NystroemSVC are for very many
features or rows.  LearnedMetric learns weights of features.
patch_sklearn puts the first five into sklearn.svm, and %load_ext csmo does so in a notebook.  The
package `libsvm`, which is installed with this one, has LIBSVM's own functions over the same
library.
"""

import importlib as _importlib
import typing as _typing

if _typing.TYPE_CHECKING:
    from ._estimators import ForestSVC, ForestSVR, LearnedMetric, LinearSVC, LinearSVR, NuSVC
    from ._estimators import NuSVR, NystroemSVC, OneClassSVM, SVC, SVR
    from ._grid import GridSearchSVC, RandomizedSearchSVC
    from ._halving import HalvingGridSearchSVC
    from ._native import SvmError
    from ._patch import patch_sklearn, unpatch_sklearn
    from ._search import SearchNote

    __version__: str

__all__ = [
    "ForestSVC",
    "ForestSVR",
    "GridSearchSVC",
    "HalvingGridSearchSVC",
    "LearnedMetric",
    "LinearSVC",
    "LinearSVR",
    "NuSVC",
    "NuSVR",
    "NystroemSVC",
    "OneClassSVM",
    "RandomizedSearchSVC",
    "SVC",
    "SVR",
    "SearchNote",
    "SvmError",
    "patch_sklearn",
    "unpatch_sklearn",
]
_ROOMS = {  # the modules of those that are not estimators
    "GridSearchSVC": "_grid",
    "HalvingGridSearchSVC": "_halving",
    "RandomizedSearchSVC": "_grid",
    "SearchNote": "_search",
    "load_ipython_extension": "_patch",
    "patch_sklearn": "_patch",
    "unload_ipython_extension": "_patch",
    "unpatch_sklearn": "_patch",
}
_NEEDED = {"numpy": "numpy", "scipy": "scipy", "sklearn": "scikit-learn"}


def __getattr__(name: str) -> _typing.Any:
    """Imports the library and the estimators, and with these scikit-learn, on first use: `libsvm`
    imports this package's `_native` and needs neither scikit-learn nor numpy, and `_startup` is
    imported whenever Python starts."""
    if name in ("SvmError", "__version__"):
        from . import _native

        return _native.SvmError if name == "SvmError" else _native.version().decode()
    if name not in __all__ and name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        for room in ("_estimators", _ROOMS.get(name, "_estimators")):  # see _startup
            module = _importlib.import_module(f".{room}", __name__)
        return getattr(module, name)
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        raise ImportError(
            f"csmo.{name} needs {_NEEDED[error.name]}, which this Python does not have: "
            "type `pip install numpy scipy scikit-learn`"
        ) from None


def __dir__() -> _typing.List[str]:
    return [*__all__, "__version__"]
