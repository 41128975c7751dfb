"""Calls from many threads of Python, which a free-threaded Python runs at once."""

import re
import threading
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

import numpy as np  # noqa: E402

import csmo  # noqa: E402
from reference import diabetes, iris  # noqa: E402

COUNT = 8


def in_threads(function):
    """The results of function(0), function(1) and so on, each from a thread of its own."""
    begin = threading.Barrier(COUNT)
    results = [None] * COUNT

    def run(place):
        begin.wait()
        try:
            results[place] = function(place)
        except Exception as error:
            results[place] = error

    threads = [threading.Thread(target=run, args=(place,)) for place in range(COUNT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = [result for result in results if isinstance(result, Exception)]
    assert failed == []
    return results


def test_estimators_of_their_own():
    classes, targets = iris(), diabetes()
    grid = {"C": [1, 10], "gamma": [0.1, 1]}
    cases = [
        lambda: csmo.SVC().fit(*classes).decision_function(classes[0]),
        lambda: csmo.SVR(C=10).fit(*targets).predict(targets[0]),
        lambda: csmo.OneClassSVM().fit(classes[0]).decision_function(classes[0]),
        lambda: csmo.SVC(probability=True, random_state=0).fit(*classes).predict_proba(classes[0]),
        lambda: csmo.GridSearchSVC(csmo.SVC(), grid, cv=3).fit(*classes).best_score_,
    ]
    expected = [case() for case in cases]
    for place, result in enumerate(in_threads(lambda i: cases[i % len(cases)]())):
        np.testing.assert_array_equal(result, expected[place % len(cases)])


def test_predictions_of_one_estimator():
    """The first of them prepares the model, once."""
    X, y = iris()
    expected = csmo.SVC().fit(X, y).decision_function(X)
    model = csmo.SVC().fit(X, y)

    def predict(_):
        return [model.decision_function(X) for _ in range(5)]

    for results in in_threads(predict):
        for result in results:
            np.testing.assert_array_equal(result, expected)


def test_fits_and_predictions_of_one_estimator():
    """Each prediction is by the model of one of the fits."""
    X, y = iris()
    kinds = [y, y[::-1]]
    allowed = [csmo.SVC().fit(X, labels).decision_function(X) for labels in kinds]
    model = csmo.SVC().fit(X, y)

    def work(place):
        if place % 2:
            return [model.decision_function(X) for _ in range(5)]
        model.fit(X, kinds[place // 2 % 2])
        return []

    for results in [*in_threads(work), [model.decision_function(X)]]:
        for result in results:
            assert any(np.array_equal(result, values) for values in allowed)


def test_free_threaded_python_takes_the_wheel():
    tags = pytest.importorskip("packaging.tags")
    setup = (Path(__file__).resolve().parents[1] / "setup.py").read_text(encoding="utf-8")
    parts = re.search(r'return "(\w+)", "(\w+)", self.plat_name', setup)
    tag = tags.Tag(*parts.groups(), "linux_x86_64")
    for version in ((3, 13), (3, 14)):
        number = "".join(map(str, version))
        taken = {
            *tags.cpython_tags(version, [f"cp{number}t"], ["linux_x86_64"]),
            *tags.compatible_tags(version, f"cp{number}", ["linux_x86_64"]),
        }
        assert tag in taken
        assert tags.Tag("cp" + number, "cp" + number, "linux_x86_64") not in taken
