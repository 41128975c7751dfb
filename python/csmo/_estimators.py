"""All estimators.  Pickles name this module."""

from ._classifiers import NuSVC, SVC
from ._forest import ForestSVC, ForestSVR
from ._landmarks import NystroemSVC
from ._linear import LinearSVC, LinearSVR
from ._metric import LearnedMetric
from ._one_class import OneClassSVM
from ._regressors import NuSVR, SVR

__all__ = [
    "ForestSVC",
    "ForestSVR",
    "LearnedMetric",
    "LinearSVC",
    "LinearSVR",
    "NuSVC",
    "NuSVR",
    "NystroemSVC",
    "OneClassSVM",
    "SVC",
    "SVR",
]
