#!/usr/bin/env python3
"""Compares landmarks that are drawn by randomly pivoted Cholesky with uniform ones.

  bench/landmarks.py --data FOLDER [--bin build] [--sets ijcnn1,a9a,covtype] [--landmarks 100,200,400,800]
                     [--seeds 5]

FOLDER holds the data sets as NAME.xz or NAME; the folder of --bin has parts/landmark_dcd, a target of its own,
which embeds the rows and trains a linear solver.  For each seed the ways of drawing take turns: uniform, and by
pivots from 5 and from 20 times as many rows as landmarks.  A row of the table: the mean of K(x, x) - |z|^2, which
the landmarks do not explain; the error on the test rows in percent with its range; processor seconds of landmarks
and embedding, and with the training.  Medians over the seeds.  Standard library only.
"""
import argparse, pathlib, statistics, subprocess, sys, tempfile

from common import measured, text_of

# Every 7th row of covtype trains, and every 7th is tested, with features scaled to [0, 1].
SETS = {"ijcnn1": (2, 10), "a9a": (0.05, 1), "covtype": (4, 10)}
WAYS = {"uniform": 0, "pivots of 5 m": 5, "pivots of 20 m": 20}


def files(a, name, work):
    """Paths of training and test rows."""
    paths = work / name, work / (name + ".t")
    if name != "covtype":
        for path in paths:
            path.write_text(text_of(a.data, path.name))
        return paths
    whole = work / "whole"
    whole.write_text(text_of(a.data, "covtype.libsvm.binary"))
    scaled = subprocess.run([a.bin / "svm-scale", "-l", "0", whole], stdout=subprocess.PIPE, check=True,
                            stderr=subprocess.DEVNULL, universal_newlines=True).stdout.splitlines(True)
    for path, first in zip(paths, (0, 3)):
        path.write_text("".join(("+1" if line[0] == "1" else "-1") + line[1:] for line in scaled[first::7]))
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--landmarks", default="100,200,400,800")
    parser.add_argument("--seeds", type=int, default=5)
    a = parser.parse_args()
    program = a.bin / "parts/landmark_dcd"
    if not program.exists():
        sys.exit("build the target landmark_dcd")
    print("| data | landmarks | drawn | unexplained | error, % | landmarks and embedding, s | total, s |\n|"
          + " --- |" * 7)
    with tempfile.TemporaryDirectory() as work:
        for name in a.sets.split(","):
            paths = files(a, name, pathlib.Path(work))
            for count in map(int, a.landmarks.split(",")):
                runs = {way: [] for way in WAYS}
                for seed in range(a.seeds):
                    for way, times in WAYS.items():
                        output = measured([program, *paths, *SETS[name], count, seed, times * count])[3].split()
                        embedding, training, _, error, _, rest = map(float, output)
                        runs[way].append((rest, error, embedding, embedding + training))
                for way, each in runs.items():
                    rest, error, embedding, total = map(statistics.median, zip(*each))
                    errors = [run[1] for run in each]
                    print(f"| {name} | {count} | {way} | {rest:.4f} | {error:.2f} ({min(errors):.2f} to "
                          f"{max(errors):.2f}) | {embedding:.2f} | {total:.2f} |", flush=True)


if __name__ == "__main__":
    main()
