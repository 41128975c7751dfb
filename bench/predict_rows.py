#!/usr/bin/env python3
"""Times svm_predict_rows against another LIBSVM's svm_predict in a loop, in turns.

  bench/predict_rows.py DATA_FOLDER [--program build/parts/predict_rows] [--train build/svm-train]
      [--peer libsvm.so.3] [--runs 5] [--rows 100000] [--sample 1000]

100,000 dense rows of floats, for models of mnist (ten classes) and ijcnn1 with the RBF kernel that
svm-train makes of a part of the training rows.  Ratios are those of medians.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from common import prepare

# Data set, every n-th row for the training, options of svm-train.
SETS = [
    ("mnist", 6, ["-c", "10", "-g", "3e-7"]),
    ("ijcnn1", 2, ["-c", "2", "-g", "2"]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default="build/parts/predict_rows")
    parser.add_argument("--train", default="build/svm-train")
    parser.add_argument("--peer", default="libsvm.so.3")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", type=int, default=100000)
    parser.add_argument("--sample", type=int, default=1000)
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, every, training in SETS:
            work = pathlib.Path(folder)
            model = work / "model"
            part = prepare(options.folder, work, name, every)
            subprocess.run([options.train, "-q", *training, part, model], check=True)
            data = prepare(options.folder, work, name, 1)
            numbers = [str(n) for n in (options.rows, options.sample, options.runs)]
            command = [options.program, data, model, options.peer, *numbers]
            good = subprocess.run(command, check=False).returncode == 0 and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
