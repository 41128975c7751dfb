#!/usr/bin/env python3
"""Measures how the training of a forest scales with the number of dask's workers on this computer.

  python/bench/forest.py [FILE] [--rows 500000] [--C 10] [--gamma 1] [--cell-size 2000]
                         [--workers 1,2] [--repeat 3]

ForestSVC is trained on the rows of a file in LIBSVM's format, or without one on rows of make_moons
with 18 features of noise, by workers of one thread, and for comparison in one process of as many
threads.  They take turns.  Prints the median and the least of the elapsed seconds, by how many
times that is faster than with the first number of workers, and the median processor seconds of
this process and of the busiest worker, whose sum is what an idle computer would need.  All forests
must have the same text.  Needs distributed.
"""

import argparse
import statistics
import time

import numpy as np
from distributed import Client, LocalCluster
from joblib import parallel_backend
from sklearn.datasets import load_svmlight_file, make_moons

import csmo


def load(options):
    if options.file:
        X, y = load_svmlight_file(options.file)
        return X.toarray()[: options.rows], y[: options.rows]
    X, y = make_moons(options.rows, noise=0.3, random_state=0)
    noise = np.random.default_rng(0).normal(scale=0.1, size=(options.rows, 18))
    return np.hstack([X, noise]), y


def train(options, X, y, n_jobs=None):
    """Elapsed seconds, those of the processor, and the text of the forest."""
    parameters = {"C": options.C, "gamma": options.gamma, "cell_size": options.cell_size}
    model = csmo.ForestSVC(**parameters, random_state=0, n_jobs=n_jobs)
    start, spent = time.perf_counter(), time.process_time()
    model.fit(X, y)
    times = time.perf_counter() - start, time.process_time() - spent
    return times, model._model.text()


def by_cluster(options, X, y, workers):
    words = {"threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(n_workers=workers, **words) as cluster:
        with Client(cluster, direct_to_workers=True) as client:
            client.wait_for_workers(workers)
            client.run(__import__, "csmo._estimators")
            before = client.run(time.process_time)
            with parallel_backend("dask"):
                times, text = train(options, X, y)
            after = client.run(time.process_time)
            return (*times, max(after[name] - before[name] for name in before)), text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", nargs="?")
    parser.add_argument("--rows", type=int, default=500000)
    parser.add_argument("--C", type=float, default=10)
    parser.add_argument("--gamma", type=float, default=1)
    parser.add_argument("--cell-size", type=int, default=2000)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    X, y = load(options)
    all_times, texts = {}, set()
    for _ in range(options.repeat):
        for count in map(int, options.workers.split(",")):
            for place in ("dask", "one process"):
                if place == "dask":
                    times, text = by_cluster(options, X, y, count)
                else:
                    times, text = train(options, X, y, n_jobs=count)
                all_times.setdefault((place, count), []).append(times)
                texts.add(text)
                assert len(texts) == 1
    print(f"{len(y)} rows\n\n| | workers or threads | median | least | times | processor |")
    print("| --- | --- | --- | --- | --- | --- |")
    first = {}
    for (place, count), times in all_times.items():
        elapsed, *spent = zip(*times)
        middle = statistics.median(elapsed)
        ratio = first.setdefault(place, middle) / middle
        parts = " + ".join(f"{statistics.median(part):.1f}" for part in spent)
        print(f"| {place} | {count} | {middle:.1f} | {min(elapsed):.1f} | {ratio:.2f} | {parts} |")


if __name__ == "__main__":
    main()
