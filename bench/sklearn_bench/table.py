#!/usr/bin/env python3
"""Prints results of scikit-learn_bench as a table, a row for each case and a column for each library.

  bench/sklearn_bench/table.py RESULT.json...

A cell has the seconds of fit, those of predict, and in brackets the accuracy or R2 on the rows of test;
medians of all runs of the case in the files.  Standard library only.
"""

import json
import statistics
import sys

LIBRARIES = {"sklearn": "scikit-learn", "sklearnex": "scikit-learn-intelex", "csmo": "csmo"}
WITH = {"nu": ("NuSVC", "NuSVR"), "C": ("SVC", "SVR", "NuSVR")}  # estimators that have the parameter


def case_of(entry):
    """What the libraries have in common."""
    given = [f"{key}={entry[key]:g}" for key in ("nu", "C") if entry["estimator"] in WITH[key]]
    words = f"{entry['dataset']}, `{entry['estimator']}`", f"{entry['kernel']}, {', '.join(given)}"
    return (*words, entry["max_iter"])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cases, rows = {}, {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for entry in json.load(file)["bench_cases"]:
                case, stage = case_of(entry), entry["stage"]
                cell = cases.setdefault(case, {}).setdefault(entry["library"], {})
                cell.setdefault(stage, []).extend(ms / 1000 for ms in entry["time[ms]"])
                cell["score"] = entry["accuracy"] if "accuracy" in entry else entry["R2"]
                rows.setdefault(case[:2], {})[stage] = entry["samples"]
    print("| problem | kernel | rows | `max_iter` | " + " | ".join(LIBRARIES.values()) + " |")
    print("| --- " * (4 + len(LIBRARIES)) + "|")
    for case, found in cases.items():
        cells = []
        for library in LIBRARIES:
            cell = found.get(library)
            if cell:
                fit, predict = (statistics.median(cell[stage]) for stage in ("training", "inference"))
                cells.append(f"{fit:.3g} + {predict:.2g} ({cell['score']:.4f})")
            else:
                cells.append("")
        size = rows[case[:2]]
        print(f"| {case[0]} | {case[1]} | {size['training']}, {size['inference']} | {case[2]} | "
              + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
