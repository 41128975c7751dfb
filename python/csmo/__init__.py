"""Support vector machines by conjugate SMO, with scikit-learn's interface.

SVC, NuSVC, SVR, NuSVR and OneClassSVM take scikit-learn's parameters and have its attributes;
GridSearchSVC, RandomizedSearchSVC and HalvingGridSearchSVC search C, gamma and epsilon with
svm-grid's engine.  LinearSVC, LinearSVR and
NystroemSVC are for very many features or rows.  patch_sklearn puts the first five into
sklearn.svm.  The package `libsvm`, which is installed with this one, has LIBSVM's own functions
over the same library.
"""

from typing import TYPE_CHECKING, Any, List

from ._native import SvmError, version as _version

if TYPE_CHECKING:
    from ._estimators import LinearSVC, LinearSVR, NuSVC, NuSVR, NystroemSVC, OneClassSVM, SVC, SVR
    from ._grid import GridSearchSVC, RandomizedSearchSVC
    from ._halving import HalvingGridSearchSVC
    from ._patch import patch_sklearn, unpatch_sklearn
    from ._search import SearchNote

__version__ = _version().decode()
__all__ = [
    "GridSearchSVC",
    "HalvingGridSearchSVC",
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


def __getattr__(name: str) -> Any:
    """Imports the estimators, and with them scikit-learn, on first use: `libsvm` imports this
    package's `_native` and needs neither scikit-learn nor numpy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        if name == "SearchNote":
            from . import _search as module
        elif name == "HalvingGridSearchSVC":
            from . import _halving as module  # type: ignore[no-redef]
        elif name.endswith("SearchSVC"):
            from . import _grid as module  # type: ignore[no-redef]
        elif name.endswith("patch_sklearn"):
            from . import _patch as module  # type: ignore[no-redef]
        else:
            from . import _estimators as module  # type: ignore[no-redef]
    except ModuleNotFoundError as error:
        raise ImportError(
            f"csmo.{name} needs numpy, scipy and scikit-learn (pip install csmo[sklearn]): {error}"
        ) from error
    return getattr(module, name)


def __dir__() -> List[str]:
    return [*__all__, "__version__"]
