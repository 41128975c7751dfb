"""libsvm.commonutil under its old name."""

from libsvm.commonutil import *  # noqa: F403
from libsvm.commonutil import __all__  # noqa: F401
