#!/usr/bin/env python3
"""Fills a data cache of scikit-learn_bench from files, so that its cases run without a network.

  bench/sklearn_bench/data.py FOLDER CACHE

FOLDER has data sets in LIBSVM's format, as NAME.xz or NAME, and may have fried.arff and
2dplanes.arff.  What is not there is left out.  The cache gets NAME_x.npz, NAME_y.npz and NAME.json, as
that project's page on data describes.  Needs numpy and scikit-learn.
"""

import argparse
import io
import json
import lzma
import pathlib

import numpy as np
from sklearn.datasets import load_svmlight_file


def rows_of(folder, names):
    """The rows of several files, one after the other, and their labels; None if one is not there."""
    paths = [next((p for p in (folder / (n + ".xz"), folder / n) if p.exists()), None) for n in names]
    if None in paths:
        return None
    texts = [lzma.decompress(p.read_bytes()) if p.suffix == ".xz" else p.read_bytes() for p in paths]
    X, y = load_svmlight_file(io.BytesIO(b"".join(texts)), dtype=np.float32)
    return X.toarray(), y


def table_of(folder, names):
    """The rows of an ARFF file of numbers, whose last column is the target."""
    if not (folder / names[0]).exists():
        return None
    lines = (folder / names[0]).read_text().splitlines()
    begin = next(k for k, line in enumerate(lines) if line.lower().startswith("@data"))
    values = np.loadtxt([line for line in lines[begin + 1 :] if line.strip()], delimiter=",")
    return values[:, :-1].astype(np.float32), values[:, -1]


def padded(X):
    """The digits with all 784 pixels."""
    return np.hstack([X, np.zeros((len(X), 784 - X.shape[1]), X.dtype)])


def from_zero(y):
    return np.unique(y, return_inverse=True)[1]


# The benchmark's name: reader, files, classes (None for a target), what is done with the labels and
# with the rows, the split unless a case says another.
SETS = {
    "a9a": (rows_of, ["a9a", "a9a.t"], 2, from_zero, None, {"test_size": 0.2, "random_state": 11}),
    "ijcnn": (rows_of, ["ijcnn1", "ijcnn1.t"], 2, from_zero, None, {"test_size": 0.2, "random_state": 42}),
    "skin_segmentation": (rows_of, ["skin_nonskin"], 2, lambda y: np.where(y == 2, 0, 1), None,
                          {"test_size": 0.2, "random_state": 42}),
    "codrnanorm": (rows_of, ["cod-rna"], 2, from_zero, None, {"test_size": 0.2, "random_state": 42}),
    "mnist": (rows_of, ["mnist", "mnist.t"], 10, from_zero, padded, {"test_size": 10000, "shuffle": False}),
    "letters": (rows_of, ["letter.scale", "letter.scale.t"], 26, from_zero, None,
                {"test_size": 0.2, "random_state": 0}),
    "covtype": (rows_of, ["covtype.libsvm.binary"], 2, from_zero, None, {"test_size": 0.2, "random_state": 77}),
    "california_housing": (rows_of, ["cadata"], None, lambda y: y / 1e5, None,
                           {"test_size": 0.1, "random_state": 42}),
    "fried": (table_of, ["fried.arff"], None, None, None, {"test_size": 0.2, "random_state": 42}),
    "twodplanes": (table_of, ["2dplanes.arff"], None, None, None, {"test_size": 0.4, "random_state": 42}),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("cache", type=pathlib.Path)
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    for name, (read, files, classes, labels, rows, split) in SETS.items():
        found = read(options.folder, files)
        if found is None:
            print(f"{name}: no file {' or '.join(files)}")
            continue
        X, y = found
        X, y = rows(X) if rows else X, labels(y) if labels else y
        np.savez(options.cache / f"{name}_x.npz", X)
        np.savez(options.cache / f"{name}_y.npz", y)
        description = {"n_classes": classes} if classes else {}
        text = json.dumps({**description, "default_split": split})
        (options.cache / f"{name}.json").write_text(text)
        print(f"{name}: {X.shape[0]} rows, {X.shape[1]} features")


if __name__ == "__main__":
    main()
