#!/usr/bin/env python3
"""Prints how many functions the estimators call, of Python or compiled, to fit once and to predict single rows.

Only calls from the package's own files count, so that other versions of numpy and scikit-learn hardly
change the number.  For bench/instructions.py, because Valgrind cannot run scipy.
"""
import pathlib, sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
import csmo

PACKAGE = str(pathlib.Path(csmo.__file__).parent)
calls = 0


def count(frame, event, _):
    global calls
    caller = frame.f_back if event == "call" else frame
    if event in ("call", "c_call") and caller is not None and caller.f_code.co_filename.startswith(PACKAGE):
        calls += 1


draws = numpy.random.RandomState(1)
X = draws.uniform(-1, 1, (200, 8))
y = X[:, 0] * X[:, 1] > 0
csmo.SVC(C=10, gamma=1.0).fit(X, y).predict(X)  # what happens once in a process
sys.setprofile(count)
model = csmo.SVC(C=10, gamma=1.0).fit(X, y)
for t in range(len(X)):
    model.predict(X[t:t + 1])
    model.decision_function(X[t:t + 1])
sys.setprofile(None)
print(calls)
