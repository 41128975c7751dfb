#!/usr/bin/env python3
"""Compares a search over a pipeline by GridSearchSVC with the same search by GridSearchCV.

  python/bench/search.py [DATA_FOLDER] [--sets NAME,...] [--random] [--scoring roc_auc] [--train]
                         [--peer sklearn.svm]

Searches 25 points of C and gamma (or epsilon, for a regression) in 5 folds over
Pipeline(StandardScaler, SVC): by GridSearchCV over scikit-learn's SVC, by GridSearchCV over csmo's,
and by GridSearchSVC over csmo's.  Prints the elapsed seconds and those of all processors, and the
largest difference of a score of any point and fold from the first search; a score is the part of
rows that are predicted right, or R2.  All use their default settings: scikit-learn's estimators one
thread, and those of csmo one per processor.  digits and diabetes come with scikit-learn; ijcnn1
is ijcnn1.xz or ijcnn1 in the folder.  With --random, RandomizedSearchCV and RandomizedSearchSVC draw
25 points from the same ranges, the last row with gamma_bins=5, whose scores are of other points;
--scoring sets the scores, and --train asks for those of the rows of training.  --peer names another
module with scikit-learn's estimators, such as sklearnex.svm of scikit-learn-intelex.
"""

import argparse
import functools
import importlib
import os
import pathlib
import platform
import time

import numpy as np
import sklearn
from estimators import digits, load
from scipy.stats import loguniform
from sklearn.datasets import load_diabetes
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import csmo


def ijcnn1(folder):
    X, y = load(folder, "ijcnn1", 10, features=22)
    return X.toarray(), y


def diabetes(_folder):
    X, y = load_diabetes(return_X_y=True)
    return X, y / 100


C = [0.1, 1, 10, 100, 1000]
GAMMA = [0.001, 0.003, 0.01, 0.03, 0.1]
# Name, loader, estimator, the second parameter and its values.
SETS = [
    ("digits", lambda _folder: digits(None)[:2], "SVC", "gamma", GAMMA),
    ("diabetes", diabetes, "SVR", "epsilon", [0.01, 0.03, 0.1, 0.3, 1]),
    ("ijcnn1, every 10th row", ijcnn1, "SVC", "gamma", GAMMA),
]


def processor_seconds():
    """Seconds of all threads of this process, and of its children that have ended."""
    return sum(os.times()[:4])


def measure(label, X, y, name, axis, values, given):
    theirs, ours = GridSearchCV, csmo.GridSearchSVC
    grid = {"machine__C": C, f"machine__{axis}": values}
    options = {"cv": 5, "refit": False, "scoring": given.scoring, "return_train_score": given.train}
    if given.random:
        theirs, ours = RandomizedSearchCV, csmo.RandomizedSearchSVC
        grid = {key: loguniform(min(each), max(each)) for key, each in grid.items()}
        options.update(n_iter=25, random_state=0)
    peers = [
        (f"{theirs.__name__}, {given.peer}", theirs, importlib.import_module(given.peer)),
        (f"{theirs.__name__}, csmo", theirs, csmo),
        (f"{ours.__name__}, csmo", ours, csmo),
    ]
    if given.random and axis == "gamma":
        peers.append(("the same, 5 bins", functools.partial(ours, gamma_bins=5), csmo))
    first = None
    for peer, search, package in peers:
        machine = getattr(package, name)()
        pipeline = Pipeline([("scaler", StandardScaler()), ("machine", machine)])
        start, before = time.perf_counter(), processor_seconds()
        results = search(pipeline, grid, **options).fit(X, y).cv_results_
        elapsed, used = time.perf_counter() - start, processor_seconds() - before
        scores = np.array([results[f"split{fold}_test_score"] for fold in range(5)])
        if first is None:
            first = elapsed, used, scores
        print(
            f"| {label} | {len(y)} | {peer} | {elapsed:.3g} | {used:.3g} | {first[0] / elapsed:.1f} | "
            f"{first[1] / used:.1f} | {np.abs(scores - first[2]).max():.2g} |",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--sets", help="names to measure, or the beginnings of them")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--scoring")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--peer", default="sklearn.svm", help="module of the other estimators")
    options = parser.parse_args()
    print(
        f"csmo {csmo.__version__}, scikit-learn {sklearn.__version__}, Python "
        f"{platform.python_version()}\n"
    )
    print("| | rows | search | elapsed | processors | ratio | ratio | difference |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    wanted = options.sets.split(",") if options.sets else [""]
    for label, loader, name, axis, values in SETS:
        if loader is ijcnn1 and options.folder is None:
            continue
        if any(label.startswith(part) for part in wanted):
            X, y = loader(options.folder)
            measure(label, X, y, name, axis, values, options)


if __name__ == "__main__":
    main()
