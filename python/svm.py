"""libsvm.svm under its old name."""

from libsvm.svm import *  # noqa: F403
from libsvm.svm import __all__  # noqa: F401
