"""A run of the engine of svm-grid."""

import ctypes
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, NamedTuple, Optional, Sequence

import numpy as np
import scipy.sparse as sp

from . import _native
from ._base import BaseSVM
from ._machine import function_count
from ._replay import Answers
from ._rows import Rows
from ._threads import thread_count
from ._warnings import Told

_NEVER_TESTED = -1  # CSMO_NEVER_TESTED of native/csmo.h


class Settings(NamedTuple):
    """What all runs of a search have in common."""

    warm_start: bool
    cells: Optional[int]
    n_jobs: Optional[int]
    decisions: bool = False  # whether the answers have values of decision_function
    training_rows: bool = False  # whether there are answers about the rows of training, too


class TrainingSet:
    """Rows to train on, checked and converted as `fit` of the machines does it.  The machines
    differ in C, gamma and epsilon only."""

    def __init__(self, machines: Sequence[BaseSVM], X: Any, y: Any, weights: Any = None) -> None:
        first: Any = machines[0]
        self.machines = machines
        X, self.y, self.class_weight = first._training_set(X, y)
        self.weights = first._row_weights(weights, X, self.y)
        self.classes = getattr(first, "classes_", None)
        self.matrix = first._training_rows(X, len(self.y))
        values: Dict[Any, float] = {}
        for machine in machines:
            if machine.gamma not in values:
                values[machine.gamma] = machine._gamma_for(X)
        self.gammas = [values[machine.gamma] for machine in machines]

    def __len__(self) -> int:
        return len(self.y)

    def has_all_classes(self, rows: Any = slice(None)) -> bool:
        """True if some of these rows have a positive weight, and for a classifier, some of each
        class."""
        rows = np.arange(len(self))[rows]
        if self.weights is not None:
            rows = rows[self.weights[rows] > 0]
        return len(rows) > 0 and (
            self.classes is None or len(np.unique(self.y[rows])) == len(self.classes)
        )

    def with_folds(self, folds: Sequence[np.ndarray], settings: Settings) -> "Run":
        """A run that tests each row once, by machines that were trained without its fold."""
        fold_of_row = np.empty(len(self), dtype=np.int32)
        for fold, rows in enumerate(folds):
            fold_of_row[rows] = fold
        return Run(self, self.matrix, fold_of_row, settings)

    def with_test_rows(self, X: Any, settings: Settings) -> "Run":
        """A run that trains on all rows and predicts those of X, which follow in its matrix."""
        first = self.machines[0]
        tested = first._kernel_rows(first._validate(X, reset=False), len(self))
        matrix = _stacked(self.matrix, tested)
        if callable(first.kernel) or first.kernel == "precomputed":
            matrix = _squared(matrix)
        fold_of_row = np.full(matrix.shape[0], _NEVER_TESTED, dtype=np.int32)
        fold_of_row[len(self) :] = 0
        return Run(self, matrix, fold_of_row, settings)


def _stacked(above: Any, below: Any) -> Any:
    if sp.issparse(above) or sp.issparse(below):
        return sp.vstack([above, below], format="csr")
    return np.concatenate([above, below])


def _squared(kernel: Any) -> Any:
    """Adds columns of zeros for the kernel values of test rows, which nothing reads."""
    rows, columns = kernel.shape
    if sp.issparse(kernel):
        return sp.hstack([kernel, sp.csr_matrix((rows, rows - columns))], format="csr")
    return np.pad(kernel, ((0, 0), (0, rows - columns)))


class KernelRows:
    """Kernel rows that the last run computed, for the training of all rows."""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()
        self.points: FrozenSet[int] = frozenset()
        self._data: Any = None

    def replace(self, handle: ctypes.c_void_p, data: Any, points: Iterable[int]) -> None:
        """Takes over `handle`, which refers to `data` and is of a run for these points."""
        _native.free_rows(self.handle)
        self.handle, self._data, self.points = handle, data, frozenset(points)

    def clear(self) -> None:
        self.replace(ctypes.c_void_p(), None, ())

    def __enter__(self) -> "KernelRows":
        return self

    def __exit__(self, *_error: Any) -> None:
        self.clear()


class Run:
    """A run of the engine on the rows of `matrix`, of which the training set is the first part.
    `fold_of_row` has the fold in which each row is tested."""

    def __init__(
        self, training: TrainingSet, matrix: Any, fold_of_row: np.ndarray, settings: Settings
    ) -> None:
        machines, first = training.machines, training.machines[0]
        # The labels and weights of rows that are only tested have no effect.
        self._labels = np.zeros(len(fold_of_row))
        self._labels[: len(training)] = training.y
        self._rows = Rows(matrix)
        self._classes = training.classes
        self._param = first._parameter(training.class_weight)
        self._param.probability = 0
        has_gamma = self._param.kernel_type in (_native.POLY, _native.RBF, _native.SIGMOID)
        self._machine = first
        values = 0
        if self._classes is not None and settings.decisions:
            first._kept = np.arange(len(self._classes))  # see has_all_classes()
            values = function_count(len(self._classes))
        self._points = (_native.GridPoint * len(machines))()
        for point, machine, gamma in zip(self._points, machines, training.gammas):
            point.C, point.p = float(machine.C), float(machine.epsilon)
            point.gamma = gamma if has_gamma else 1.0
        self._fold_of_row = fold_of_row
        self._grid = _native.Grid(
            points=self._points,
            count=len(machines),
            folds=int(fold_of_row.max()) + 1,
            fold_of_row=fold_of_row.ctypes.data_as(ctypes.POINTER(ctypes.c_int)),
            # A training that max_iter ends depends on where it starts.
            warm_start=int(settings.warm_start and first.max_iter == -1),
            cells=0 if settings.cells is None else int(settings.cells),
            values=values,
            every_fold=int(settings.training_rows),
        )
        self._call = first._call()
        if settings.n_jobs is not None:
            self._call.options.threads = thread_count(settings.n_jobs)
        if training.weights is not None:
            weights = np.ones(len(fold_of_row))
            weights[: len(training)] = training.weights
            self._call.weigh_rows(weights)

    def end(self) -> None:
        """Raises the KeyboardInterrupt that ended the run early."""
        self._call.end()

    def search(
        self, show: Callable[[int], None], kept: Optional[ctypes.c_void_p] = None
    ) -> List[Optional[np.ndarray]]:
        """What each machine finds, for answers(); None for machines that were not finished before
        Ctrl-C.  `show` is called with the number of finished machines.  `kept` becomes the handle
        of the run's kernel rows."""
        folds = self._grid.folds if self._grid.every_fold else 1
        found = np.empty((self._grid.count, folds, len(self._rows), max(self._grid.values, 1)))

        def search() -> None:
            status = _native.grid_search(
                ctypes.byref(self._rows.struct),
                self._labels.ctypes.data,
                ctypes.byref(self._param),
                ctypes.byref(self._call.options),
                ctypes.byref(self._grid),
                found.ctypes.data,
                ctypes.byref(self._call.watch),
                None if kept is None else ctypes.byref(kept),
            )
            if status != 0:
                raise _native.failure()

        self._call.run(search, lambda watch: show(watch.points))
        show(self._call.watch.points)
        self._warn()
        tested = self._fold_of_row != _NEVER_TESTED
        return [None if np.isnan(each[:, tested]).any() else each for each in found]

    def answers(self, found: np.ndarray, fold: int, rows: Any) -> Answers:
        """Answers about some rows of the run by a machine that was trained without a fold."""
        values = found[fold if self._grid.every_fold else 0, rows]
        if self._grid.values:
            return Answers(self._machine._labels(values), self._machine._decisions(values))
        if self._classes is None:
            return Answers(values[:, 0])
        return Answers(self._classes.take(values[:, 0].astype(np.intp)))

    def _warn(self) -> None:
        """Emits one ConvergenceWarning if trainings did not converge, whatever their number."""
        if not self._call.interrupted:  # otherwise an exception reports it
            told = Told(self._call.warnings.lines)
            told.notes.clear()
            told.warn(" in trainings of a search", self._machine.max_iter)

    def data(self) -> Any:
        """What kept kernel rows refer to."""
        return self._rows, self._labels
