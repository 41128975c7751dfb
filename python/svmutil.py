"""libsvm.svmutil under its old name."""

from libsvm.svmutil import *  # noqa: F403
from libsvm.svmutil import __all__  # noqa: F401
