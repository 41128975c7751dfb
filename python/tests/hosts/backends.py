"""Searches and forests on a backend of joblib are those of one process: tests for all backends."""

import contextlib
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Tuple

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_digits, make_classification

import csmo
from csmo._elsewhere import Elsewhere

CLUSTER = Path(__file__).resolve().parents[3] / "docs" / "cluster.md"
SECONDS = 300  # after which a block of the document counts as hung

SMO = {"solver": "smo", "cache_size": 50}
GRID = {"C": [1, 10, 100], "gamma": [0.01, 0.1, 1]}
SMALL = {"cell_size": 200, "n_trees": 2, "random_state": 0}


def rows(count: int = 1500) -> Tuple[np.ndarray, np.ndarray]:
    options = {"n_informative": 6, "n_redundant": 0, "n_classes": 3, "random_state": 2}
    return make_classification(count, 6, **options)


def of_search(search: Any) -> str:
    """All that a search finds, but times."""
    found = {name: value for name, value in search.cv_results_.items() if "_time" not in name}
    with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
        return repr((found, search.best_params_, search.engine_))


def of_forest(forest: Any) -> Tuple[bytes, str]:
    found = {name: value for name, value in vars(forest).items() if name.endswith("_")}
    return forest._model.text(), repr(sorted(found.items()))


def both(model: Any, context: Any, *data: Any) -> List[Any]:
    """The model of this process, and that of the backend."""
    fitted = []
    for place in (contextlib.nullcontext, context):
        with warnings.catch_warnings(), place():
            warnings.simplefilter("ignore")
            fitted.append(clone(model).fit(*data))
    return fitted


class Sent:
    """How often the data of calls were pickled, and how many tasks there were."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.counts: List[Tuple[int, int]] = []
        run = Elsewhere.run

        def counted(place: Elsewhere, function: Any, data: Any, tasks: Any, *more: Any) -> Any:
            pickled: List[Any] = []
            tasks = list(tasks)

            def reduced(one: Any, protocol: Any) -> Any:
                pickled.append(one)
                return object.__reduce_ex__(one, protocol)

            with monkeypatch.context() as patch:
                patch.setattr(type(data), "__reduce_ex__", reduced)
                found = run(place, function, data, tasks, *more)
            assert all(one is data for one in pickled)
            self.counts.append((len(pickled), len(tasks)))
            return found

        monkeypatch.setattr(Elsewhere, "run", counted)


class OnWorkers:
    """The tests; a class for each backend has a `context`, which sends tasks to two workers."""

    name = ""

    @pytest.fixture
    def context(self) -> Callable[[], Any]:
        return lambda: joblib.parallel_backend(self.name)

    @pytest.fixture
    def sent(self, monkeypatch: pytest.MonkeyPatch) -> Sent:
        return Sent(monkeypatch)

    @pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
    def test_searches(self, context: Any, sent: Sent, form: Any) -> None:
        X, y = rows(300)
        grid = csmo.GridSearchSVC(csmo.SVC(**SMO), GRID, return_train_score=True)
        here, there = both(grid, context, form(X), y)
        assert of_search(here) == of_search(there)
        assert (here.predict(X) == there.predict(X)).all()
        drawn = csmo.RandomizedSearchSVC(
            csmo.SVC(**SMO), GRID, n_iter=8, random_state=0, scoring="balanced_accuracy"
        )
        here, there = both(drawn, context, form(X), y)
        assert of_search(here) == of_search(there)
        assert sent.counts == [(1, 3), (1, 3)]

    @pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
    def test_forests(self, context: Any, sent: Sent, form: Any) -> None:
        X, y = rows()
        balanced = {"probability": True, "class_weight": "balanced"}
        for model in (csmo.ForestSVC(**SMALL, **balanced), csmo.ForestSVR(**SMALL, epsilon=0.2)):
            here, there = both(model, context, form(X), y * 1.0)
            assert of_forest(here) == of_forest(there)
        assert sent.counts == [(1, 4), (1, 4)]

    def test_context_without_a_number_of_tasks(self, context: Any, sent: Sent) -> None:
        """It means all workers for csmo, but a single task for joblib's Ray and Spark."""
        if not hasattr(joblib, "parallel_config"):
            pytest.skip("joblib.parallel_config, which is new in joblib 1.3")
        X, y = rows()
        both(csmo.ForestSVC(**SMALL), lambda: joblib.parallel_config(self.name), X, y)
        assert [tasks for _, tasks in sent.counts] == [4]

    def test_data_are_sent_once(self, context: Any, sent: Sent) -> None:
        X, y = rows()
        grid = {"C": [1, 10], "gamma": np.logspace(-3, 0, 7)}
        with context():
            csmo.GridSearchSVC(csmo.SVC(), grid, refit=False).fit(X, y)
            csmo.ForestSVC(**SMALL).fit(X, y)
        assert sent.counts == [(1, 7), (1, 4)]

    def test_failures_are_reported(self, context: Any) -> None:
        X, y = rows()
        with context(), pytest.raises(ValueError, match="not finite"):
            csmo.ForestSVC(**SMALL, kernel="poly").fit(X * 1e200, y)
        search = csmo.GridSearchSVC(csmo.SVC(), {"C": [-1, 1]}, error_score="raise")
        with context(), pytest.raises(ValueError, match="'C' parameter of SVC"):
            search.fit(X, y)

    def preparations(self, folder: Path) -> Any:
        """A context in which the document's block runs."""
        return contextlib.nullcontext({})

    def test_block_of_the_document(self, tmp_path: Path, python_folder: Path) -> None:
        """What docs/cluster.md shows runs as printed, and finds what one process finds."""
        blocks = re.findall(r"```python\n(.*?)```", CLUSTER.read_text(encoding="utf-8"), re.DOTALL)
        (block,) = (text for text in blocks if f'"{self.name}"' in text)
        (tmp_path / "block.py").write_text(block, encoding="utf-8")
        with self.preparations(tmp_path):
            done = subprocess.run(
                [sys.executable, "block.py"],
                env=environment(python_folder),
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                universal_newlines=True,
                timeout=SECONDS,
            )
        assert done.returncode == 0, done.stderr
        X, y = load_digits(return_X_y=True)
        grid = {"C": [1, 10, 100], "gamma": [1e-4, 1e-3, 1e-2]}
        search = csmo.GridSearchSVC(csmo.SVC(), grid).fit(X, y)
        forest = csmo.ForestSVC(cell_size=500, random_state=0, gamma=1e-3).fit(X, y)
        expected = f"{search.best_params_} {forest.score(X, y)}\n"
        assert done.stdout.endswith(expected), done.stdout + done.stderr


def environment(python_folder: Path) -> Mapping[str, str]:
    """That of processes that find csmo, run the same Python and have a thread for each task."""
    variables: Dict[str, str] = {
        "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([str(python_folder), os.environ.get("PYTHONPATH", "")]),
        "PYSPARK_PYTHON": sys.executable,
        "OMP_NUM_THREADS": "1",
    }
    return {**os.environ, **variables}
