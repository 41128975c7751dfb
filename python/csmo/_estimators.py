"""All estimators.  Pickles name this module."""

from ._classifiers import NuSVC, SVC
from ._landmarks import NystroemSVC
from ._linear import LinearSVC, LinearSVR
from ._one_class import OneClassSVM
from ._regressors import NuSVR, SVR

__all__ = ["LinearSVC", "LinearSVR", "NuSVC", "NuSVR", "NystroemSVC", "OneClassSVM", "SVC", "SVR"]
