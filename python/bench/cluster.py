#!/usr/bin/env python3
"""Measures how a search scales with the number of dask's workers on this computer.

  python/bench/cluster.py FOLDER [--set letter.scale] [--every 12] [--workers 1,2] [--repeat 3]

GridSearchSVC searches 20 values of C and 20 of gamma in 5 folds on every n-th row of a set of the
folder (NAME or NAME.xz), by workers of one thread, and for comparison in one process of as many
threads.  The numbers of workers take turns.  Prints the median and the least of the elapsed
seconds, and the share of the time from the first task to the last that workers were busy.  All
must have the same scores.  Needs distributed.
"""

import argparse
import pathlib
import statistics
import time

import numpy as np
from distributed import Client, LocalCluster, get_task_stream
from estimators import load
from joblib import parallel_backend
from joblib._dask import DaskDistributedBackend

import csmo

GRID = {"C": 2.0 ** np.arange(-5, 15), "gamma": 2.0 ** np.arange(3, -17, -1)}


class DaskOfAnyWorkers(DaskDistributedBackend):
    """joblib would run the tasks of a single worker of one thread in this process."""

    def effective_n_jobs(self, n_jobs):
        return max(2, super().effective_n_jobs(n_jobs))


def search(X, y, n_jobs=None):
    model = csmo.SVC(solver="smo", n_jobs=n_jobs)
    start = time.perf_counter()
    scores = csmo.GridSearchSVC(model, GRID, refit=False).fit(X, y).cv_results_["mean_test_score"]
    return time.perf_counter() - start, scores


def by_cluster(X, y, workers):
    options = {"threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(n_workers=workers, **options) as cluster:
        with Client(cluster) as client:
            client.wait_for_workers(workers)
            client.run(__import__, "csmo._search")
            with get_task_stream(client) as stream, parallel_backend(DaskOfAnyWorkers()):
                seconds, scores = search(X, y)
    spans = [
        (part["start"], part["stop"])
        for task in stream.data
        for part in task["startstops"]
        if part["action"] == "compute"
    ]
    begin, end = min(start for start, _ in spans), max(stop for _, stop in spans)
    return seconds, scores, sum(stop - start for start, stop in spans) / (workers * (end - begin))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--set", default="letter.scale")
    parser.add_argument("--every", type=int, default=12)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    X, y = load(options.folder, options.set, options.every)
    X = X.toarray()
    counts = [int(word) for word in options.workers.split(",")]
    times = {}
    busy = {}
    expected = None
    for _ in range(options.repeat):
        for count in counts:
            seconds, scores, share = by_cluster(X, y, count)
            times.setdefault((count, "dask"), []).append(seconds)
            busy.setdefault(count, []).append(share)
            seconds, alone = search(X, y, n_jobs=count)
            times.setdefault((count, "one process"), []).append(seconds)
            expected = scores if expected is None else expected
            assert (scores == expected).all() and (alone == expected).all()
    print(f"{options.set}, {len(y)} rows\n")
    print("| workers or threads | | median | least | busy |\n| --- | --- | --- | --- | --- |")
    for (count, place), seconds in times.items():
        share = f"{statistics.median(busy[count]):.3f}" if place == "dask" else ""
        middle = statistics.median(seconds)
        print(f"| {count} | {place} | {middle:.1f} | {min(seconds):.1f} | {share} |")


if __name__ == "__main__":
    main()
