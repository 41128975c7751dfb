#!/usr/bin/env python3
"""Times svm-predict against another svm-predict, in turns, and compares their outputs.

  bench/predict.py --program build/svm-predict [--peer /usr/bin/svm-predict] [--runs 5]
      [--threads 1 2] test_file:model_file ...

For every pair of files: medians of user + system time and of elapsed time, and the ratios of the
peer's to the program's.  Exits with status 1 if an output differs.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time


def timed(command):
    before = os.times()
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = os.times()
    busy = after.children_user + after.children_system
    busy -= before.children_user + before.children_system
    return busy, wall


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compare(options, test, model, folder):
    """Prints a line for each number of threads; returns whether all outputs are the same."""
    peer_out = os.path.join(folder, "peer")
    own_out = os.path.join(folder, "own")
    same = True
    for threads in options.threads:
        own_times, peer_times = [], []
        own = [options.program, "--threads", str(threads), test, model, own_out]
        for _ in range(options.runs):
            peer_times.append(timed([options.peer, test, model, peer_out]))
            own_times.append(timed(own))
        equal = read(peer_out) == read(own_out)
        same = same and equal
        peer_busy, peer_wall = (statistics.median(t) for t in zip(*peer_times))
        own_busy, own_wall = (statistics.median(t) for t in zip(*own_times))
        print(
            f"{os.path.basename(test)}\t{threads} threads\t"
            f"user+sys {peer_busy:.2f} / {own_busy:.2f} s = {peer_busy / own_busy:.2f}\t"
            f"wall {peer_wall:.2f} / {own_wall:.2f} s = {peer_wall / own_wall:.2f}\t"
            f"{'same output' if equal else 'OUTPUT DIFFERS'}",
            flush=True,
        )
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", default="build/svm-predict")
    parser.add_argument("--peer", default="/usr/bin/svm-predict")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("files", nargs="+", metavar="test_file:model_file")
    options = parser.parse_args()
    same = True
    with tempfile.TemporaryDirectory() as folder:
        for pair in options.files:
            test, model = pair.rsplit(":", 1)
            same = compare(options, test, model, folder) and same
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
