"""Runs a Python program with the estimators of this package in place of scikit-learn's."""

import os
import runpy
import sys
from typing import List

USAGE = """\
usage: python3 -m csmo [--searches] SCRIPT [ARGUMENT ...]
       python3 -m csmo [--searches] -m MODULE [ARGUMENT ...]

Runs the program unchanged; its sklearn.svm has csmo's SVC, NuSVC, SVR, NuSVR and OneClassSVM.  With
--searches its GridSearchCV and RandomizedSearchCV of these (but the last) are csmo's, too.
"""


def main(words: List[str]) -> None:
    if words[:1] in (["-h"], ["--help"]):
        print(USAGE, end="")
        return
    searches = words[:1] == ["--searches"]
    words = words[searches:]
    is_module = words[:1] == ["-m"]
    words = words[1:] if is_module else words
    if not words or (not is_module and words[0].startswith("-")):
        print(USAGE, end="", file=sys.stderr)
        sys.exit(2)
    if not is_module and not os.path.exists(words[0]):
        sys.exit(f"python3 -m csmo: there is no file {words[0]!r}")
    from . import patch_sklearn  # which imports scikit-learn

    patch_sklearn(searches=searches)
    sys.argv = words
    if is_module:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    else:
        if not getattr(sys.flags, "safe_path", False):  # python3 -P adds no folder to the path
            sys.path[0] = os.path.dirname(os.path.realpath(words[0]))
        runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
