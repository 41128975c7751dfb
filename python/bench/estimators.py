#!/usr/bin/env python3
"""Compares the speed of the package csmo's estimators with scikit-learn's, in alternation.

  python/bench/estimators.py DATA_FOLDER [--runs 3] [--sets NAME,...] [--peer sklearn.svm]

For each data set, it fits the data and predicts the test rows with scikit-learn, with csmo on one
thread, and with csmo on all processors, and prints the median seconds of the calls and their
ratios. The agreement is the fraction of test rows with the same label, or for regressions the
largest difference relative to the largest value.  Needs numpy, scipy, scikit-learn and csmo; the
folder has the data as NAME.xz or NAME.  --peer names another module with scikit-learn's estimators,
such as sklearnex.svm of scikit-learn-intelex, which uses all processors.
"""

import argparse
import importlib
import io
import lzma
import pathlib
import platform
import statistics
import time

import numpy as np
import sklearn
from sklearn.datasets import load_digits, load_svmlight_file
from sklearn.preprocessing import minmax_scale

import csmo


def load(folder, name, every=1, features=None):
    packed = folder / (name + ".xz")
    text = lzma.decompress(packed.read_bytes()) if packed.exists() else (folder / name).read_bytes()
    lines = text.splitlines(True)[::every]
    return load_svmlight_file(io.BytesIO(b"".join(lines)), n_features=features)


def digits(_folder):
    X, y = load_digits(return_X_y=True)
    return X / 16, y, X / 16


def a9a(folder):
    X, y = load(folder, "a9a", features=123)
    return X, y, load(folder, "a9a.t", features=123)[0]


def a9a_dense(folder):
    X, y, test = a9a(folder)
    return X.toarray(), y, test.toarray()


def ijcnn1(folder):
    X, y = load(folder, "ijcnn1", features=22)
    return X.toarray(), y, load(folder, "ijcnn1.t", 3, features=22)[0].toarray()


def covtype(folder):
    X, y = load(folder, "covtype.libsvm.binary", 7)
    X = minmax_scale(X.toarray())
    return X[::2], y[::2], X[1::4]


def cadata(folder):
    X, y = load(folder, "cadata")
    X = minmax_scale(X.toarray(), (-1, 1))
    return X, y, X


# Name, loader, estimator, its parameters.
SETS = [
    ("digits", digits, "SVC", {"C": 10, "gamma": 0.02}),
    ("a9a, CSR", a9a, "SVC", {"C": 1, "gamma": "auto"}),
    ("a9a, dense", a9a_dense, "SVC", {"C": 1, "gamma": "auto"}),
    ("ijcnn1", ijcnn1, "SVC", {"C": 32, "gamma": 2}),
    ("covtype, every 14th row", covtype, "SVC", {"C": 10, "gamma": 1}),
    ("cadata", cadata, "SVR", {"C": 10, "gamma": "auto"}),
]


def seconds(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def agreement(name, a, b):
    if name == "SVR":
        return f"{np.abs(a - b).max() / np.abs(a).max():.1e}"
    return f"{100 * np.mean(a == b):.2f} %"


def measure(folder, runs, theirs, label, loader, name, options):
    X, y, test = loader(folder)
    peers = {
        "peer": lambda: getattr(theirs, name)(**options),
        "one thread": lambda: getattr(csmo, name)(n_jobs=1, **options),
        "all": lambda: getattr(csmo, name)(n_jobs=-1, **options),
    }
    times = {peer: ([], []) for peer in peers}
    predictions = {}
    for _ in range(runs):
        for peer, make in peers.items():
            taken, model = seconds(lambda: make().fit(X, y))
            times[peer][0].append(taken)
            taken, predictions[peer] = seconds(lambda: model.predict(test))
            times[peer][1].append(taken)
    same = agreement(name, predictions["peer"], predictions["all"])
    for k, what in enumerate(("fit", "predict")):
        median = {peer: statistics.median(times[peer][k]) for peer in peers}
        their, one, every = median.values()
        print(
            f"| {label} | {what} {X.shape[0] if k == 0 else test.shape[0]} | {their:.3g} | "
            f"{one:.3g} | {every:.3g} | {their / one:.1f} | {their / every:.1f} | {same} |",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--sets", help="names to measure, or the beginnings of them")
    parser.add_argument("--peer", default="sklearn.svm", help="module of the other estimators")
    options = parser.parse_args()
    theirs = importlib.import_module(options.peer)
    print(f"csmo {csmo.__version__}, scikit-learn {sklearn.__version__}, Python "
          f"{platform.python_version()}; seconds, medians of {options.runs}\n")
    print(f"| | rows | {options.peer} | csmo, one thread | all processors | ratio | ratio | same |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for label, loader, name, parameters in SETS:
        wanted = options.sets.split(",") if options.sets else [""]
        if any(label.startswith(part) for part in wanted):
            measure(options.folder, options.runs, theirs, label, loader, name, parameters)


if __name__ == "__main__":
    main()
