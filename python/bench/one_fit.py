#!/usr/bin/env python3
"""Fits one estimator of any package on one thread and predicts, and prints a line of JSON.

  python/bench/one_fit.py LIBRARY ESTIMATOR TRAIN_FILE TEST_FILE|- PARAMETERS
                          [--dense] [--floats] [--check]

LIBRARY is a module such as sklearn.svm, sklearnex.svm, csmo, xgboost or lightgbm, and PARAMETERS is
a JSON object.  The files are in LIBSVM's format; without a test file (-), the rows of training are
predicted.  Rows are dense arrays if more than half of the values are not zero, or with --dense; else
they are sparse.  The line has processor seconds of fit and predict; the part of labels that is
predicted wrong, or the root of the mean squared error; and the number of support vectors.  --floats
gives the rows in single precision, and --check adds the violation of the optimality conditions,
computed in doubles.
"""

import argparse
import importlib
import json
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from violation import violation


def load(train, test, all_dense):
    X, y = load_svmlight_file(train)
    X_test, y_test = (X, y) if test == "-" else load_svmlight_file(test, n_features=X.shape[1])
    if all_dense or 2 * X.nnz > X.shape[0] * X.shape[1]:
        same = X_test is X
        X = X.toarray()
        X_test = X if same else X_test.toarray()
    return X, y, X_test, y_test


def one_thread(library):
    """What parameters of the estimator cannot say."""
    if library.startswith("sklearnex"):
        importlib.import_module("daal4py").daalinit(nthreads=1)


def seconds(call):
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("library", "estimator", "train", "test", "parameters"):
        parser.add_argument(name)
    parser.add_argument("--dense", action="store_true")
    parser.add_argument("--floats", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    X, y, X_test, y_test = load(options.train, options.test, options.dense)
    doubles, targets = X, y
    classes = not options.estimator.endswith(("SVR", "Regressor"))
    if classes:  # numbers from 0, as xgboost needs them
        _, y = np.unique(y, return_inverse=True)
        _, y_test = np.unique(y_test, return_inverse=True)
        targets = y
    if options.floats:
        X, X_test = X.astype(np.float32), X_test.astype(np.float32)
        y = y if classes else y.astype(np.float32)
    one_thread(options.library)
    make = getattr(importlib.import_module(options.library), options.estimator)
    model = make(**json.loads(options.parameters))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit, _ = seconds(lambda: model.fit(X, y))
        predict, labels = seconds(lambda: model.predict(X_test))
    wrong = np.mean(labels != y_test) if classes else np.mean((labels - y_test) ** 2) ** 0.5
    result = {"fit": fit, "predict": predict, "error": float(wrong)}
    if hasattr(model, "support_"):
        result["vectors"] = len(model.support_)
        if options.check:
            result["violation"] = float(violation(model, doubles, targets))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
