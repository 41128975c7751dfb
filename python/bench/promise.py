#!/usr/bin/env python3
"""Checks models of scikit-learn's SVC and SVR, and of csmo's, on data sets that scikit-learn ships.

  python/bench/promise.py [--seconds 60] [--picture FILE] [NAME...]   the cases of docs/promise.md
  python/bench/promise.py --search [--seconds 20]                     where such cases are

Each fit runs in a process of its own, which is ended after the given seconds.  Prints a table; a
NAME, such as "wine", selects cases.  Needs numpy, scikit-learn and csmo; matplotlib for the picture.
"""

import argparse
import os
import pickle
import platform
import subprocess
import sys

import numpy as np
import sklearn
from sklearn import datasets, svm
from sklearn.preprocessing import scale

import csmo

TOLERANCE = 1e-3  # the default of both


def certificate(model, X, y):
    """How good a fitted SVR, or SVC of two classes, is, from the model and its training data alone:
    primal objective, dual objective, violation of the optimality conditions, of the constraints.

    The dual problem: minimise b'Kb / 2 - y'b + epsilon sum |b|, subject to sum b = 0, and each b
    is between -C and C for a regression, between 0 and C for the label 1, -C and 0 for -1."""
    gammas = {"auto": 1 / X.shape[1], "scale": 1 / (X.shape[1] * X.var())}
    gamma = gammas.get(model.gamma, model.gamma)
    K = X @ X.T if model.kernel == "linear" else (gamma * X @ X.T + model.coef0) ** model.degree
    b = np.zeros(len(X))
    b[model.support_] = model.dual_coef_[0]
    if hasattr(model, "classes_"):
        y, epsilon = np.where(y == model.classes_[1], 1.0, -1.0), 0.0
        lower, upper = np.where(y > 0, 0, -model.C), np.where(y > 0, model.C, 0)
    else:
        epsilon = model.epsilon
        lower, upper = np.full(len(y), -model.C), np.full(len(y), model.C)
    f = K @ b
    error = y - (f + model.intercept_[0])  # a loss if above epsilon, or below -epsilon
    losses = upper * np.maximum(0, error - epsilon) - lower * np.maximum(0, -error - epsilon)
    primal = b @ f / 2 + losses.sum()
    dual = y @ b - epsilon * np.abs(b).sum() - b @ f / 2
    # Slopes of what is minimised, if a b increases or decreases.  If one b decreases and another one
    # increases by as much, nothing may be gained.
    upwards = f - y + np.where(b >= 0, epsilon, -epsilon)
    downwards = f - y + np.where(b > 0, epsilon, -epsilon)
    violation = max(0, downwards[b > lower].max() - upwards[b < upper].min())
    outside = max(0, (lower - b).max(), (b - upper).max(), abs(b.sum()))
    return primal, dual, violation, outside


CHILD = """
import pickle, sys, time, warnings
model, X, y = pickle.load(sys.stdin.buffer)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    start = time.perf_counter()
    model.fit(X, y)
    taken = time.perf_counter() - start
pickle.dump((model, taken, [str(each.message) for each in caught]), sys.stdout.buffer)
"""


def fit(model, X, y, seconds):
    """Fits the model in a process of its own.  Returns the fitted model, the seconds that it took,
    and the warnings; None if it does not end in time."""
    path = os.pathsep.join(each for each in sys.path if each)
    try:
        child = subprocess.run(
            [sys.executable, "-c", CHILD],
            input=pickle.dumps((model, X, y)),
            stdout=subprocess.PIPE,
            timeout=seconds,
            check=True,
            env={**os.environ, "PYTHONPATH": path},
        )
    except subprocess.TimeoutExpired:
        return None
    return pickle.loads(child.stdout)


LIBRARIES = {"scikit-learn": svm, "csmo": csmo}


def one_class(load, number):
    X, y = load(return_X_y=True)
    return X, y == number


# Two classes each, or a target; features as they were measured.
DATA = {
    "breast cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "wine": lambda: one_class(datasets.load_wine, 1),
    "iris": lambda: one_class(datasets.load_iris, 2),
    "digits": lambda: one_class(datasets.load_digits, 8),
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True, scaled=False),
}
# The cases of docs/promise.md: name, data set, estimator, parameters.
CASES = [
    ("breast cancer", "breast cancer", "SVC", {"kernel": "linear"}),
    ("wine", "wine", "SVC", {"kernel": "linear", "C": 10}),
    ("diabetes", "diabetes", "SVR", {"kernel": "linear", "C": 100}),
    ("polynomial", "breast cancer", "SVC", {"kernel": "poly", "degree": 2, "gamma": "auto"}),
]


def text_of(data, name, parameters):
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in parameters.items())}) on {data}"


def judge(library, name, parameters, X, y, seconds):
    """Fits and checks: a dictionary of what is known of the model."""
    fitted = fit(getattr(LIBRARIES[library], name)(**parameters), X, y, seconds)
    if fitted is None:
        return {"library": library, "said": f"nothing in {seconds:g} s"}
    model, taken, warnings = fitted
    primal, dual, violation, outside = certificate(model, X, y)
    return {
        "library": library,
        "said": "; ".join(warnings) if warnings or model.fit_status_ else "converged",
        "seconds": taken,
        "iterations": int(np.sum(model.n_iter_)),
        "violation": violation,
        "primal": primal,
        "dual": dual,
        "outside": outside,
    }


def show(found):
    numbers = ["seconds", "iterations", "violation", "primal", "dual", "outside"]
    formats = dict(zip(numbers, ["{:.3g}", "{:,}", "{:.2g}", "{:.7g}", "{:.7g}", "{:.0e}"]))
    cells = [formats[each].format(found[each]) if each in found else "" for each in numbers]
    print(f"| {found['library']} | {found['said']} | {' | '.join(cells)} |", flush=True)


def run_cases(cases, seconds):
    """Prints the table; returns what was found, by case."""
    results = {}
    for name, *case in cases:
        X, y = DATA[case[0]]()
        print(f"\n{name}: {text_of(*case)}, {len(X)} rows\n")
        print("| | says | seconds | iterations | violation | primal | dual | constraints |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        results[name] = [judge(each, *case[1:], X, y, seconds) for each in LIBRARIES]
        for found in results[name]:
            show(found)
    return results


def draw(results, path):
    """Two pictures beside each other: the violation, and the duality gap relative to the objective."""
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "csmo", "font.size": 9})
    figure, pictures = plt.subplots(1, 2, figsize=(9, 3.2), constrained_layout=True)
    pictures[0].set_title("violation of the optimality conditions")
    pictures[0].axhline(TOLERANCE, color="black", linewidth=0.8, linestyle="--")
    pictures[0].text(len(results) - 0.55, 1.4 * TOLERANCE, "tol", ha="right")
    pictures[1].set_title("duality gap / objective")
    for picture, measure in zip(pictures, [violation_of, relative_gap]):
        for k, (library, colour) in enumerate(zip(LIBRARIES, ["#c44e52", "#4c72b0"])):
            heights = [measure(found[k]) for found in results.values()]
            places = np.arange(len(results)) + 0.4 * (k - 0.5)
            picture.bar(places, heights, 0.38, bottom=1e-9, color=colour, label=library)
            for place, found in zip(places, results.values()):
                if "violation" not in found[k]:
                    picture.text(
                        place, 2e-9, found[k]["said"], rotation=90, ha="center", color=colour
                    )
        picture.set_yscale("log")
        picture.set_ylim(1e-9, None)
        picture.set_xticks(np.arange(len(results)), list(results))
    pictures[0].legend(loc="upper left")
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def violation_of(found):
    return found.get("violation", 0)


def relative_gap(found):
    return (found["primal"] - found["dual"]) / found["primal"] if "primal" in found else 0


def is_wrong(found):
    """Whether a fit did not end, or is said to have converged, but has not by far."""
    return (
        "violation" not in found
        or found["said"] == "converged"
        and found["violation"] > 10 * TOLERANCE
    )


def search(seconds):
    """Prints where fits are wrong, and how many there are, for features as measured and scaled."""
    kernels = [{"kernel": "linear"}, {"kernel": "poly", "degree": 2}, {"kernel": "poly"}]
    kernels.append({"kernel": "poly", "degree": 2, "gamma": "auto"})
    counts = {}
    for data, load in DATA.items():
        X, y = load()
        for is_scaled in (False, True):
            rows = scale(X) if is_scaled else X
            for kernel in kernels:
                for C in (0.1, 1, 10, 100, 1000):
                    name, parameters = "SVR" if data == "diabetes" else "SVC", {**kernel, "C": C}
                    both = [judge(each, name, parameters, rows, y, seconds) for each in LIBRARIES]
                    for found in both:
                        key = found["library"], is_scaled
                        counts.setdefault(key, []).append(found)
                    if any(map(is_wrong, both)) or any(
                        each["said"] != "converged" for each in both
                    ):
                        scaled = ", scaled" if is_scaled else ""
                        print(f"{text_of(data, name, parameters)}{scaled}")
                        for found in both:
                            show(found)
    for (library, is_scaled), found in counts.items():
        unfinished = sum("violation" not in each for each in found)
        wrong = sum(map(is_wrong, found)) - unfinished
        warned = sum(each["said"] != "converged" for each in found) - unfinished
        print(
            f"{library}, features {'scaled' if is_scaled else 'as measured'}: {len(found)} fits, "
            f"{unfinished} not ended, {wrong} wrongly converged, {warned} with a warning"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", help="data sets of the cases; default: all")
    parser.add_argument("--seconds", type=float, help="the longest time of a fit")
    parser.add_argument("--picture", help="draw the results to this file, .svg or .png")
    parser.add_argument(
        "--search", action="store_true", help="try many kernels and C on all data sets"
    )
    options = parser.parse_args()
    print(
        f"csmo {csmo.__version__}, scikit-learn {sklearn.__version__}, numpy {np.__version__}, "
        f"Python {platform.python_version()}"
    )
    if options.search:
        search(options.seconds or 20)
        return
    cases = [case for case in CASES if not options.names or case[0] in options.names]
    results = run_cases(cases, options.seconds or 60)
    if options.picture:
        draw(results, options.picture)


if __name__ == "__main__":
    main()
