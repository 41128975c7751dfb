"""A trained forest of the library."""

import ctypes
from typing import Any, Optional

import numpy as np

from . import _native
from ._base import function_pairs
from ._call import Call, uninterrupted
from ._model import Trained, copied_array
from ._rows import Rows


class Forest(Trained):
    """Owns a forest of the library.  The classes are in ascending order; in the library they are in
    that of their first rows."""

    _write, _parse = _native.forest_text, _native.parse_forest

    def __init__(self, handle: Optional[int]) -> None:
        super().__init__(handle)
        self.facts = _native.sized(_native.ForestFacts)
        if _native.facts_of_forest(self.handle, ctypes.byref(self.facts)) != 0:
            raise _native.failure()
        labels = np.arange(2, dtype=np.int32)
        if self.facts.label:
            labels = copied_array(self.facts.label, self.facts.nr_class, np.int32)
        self.class_numbers = np.sort(labels)
        self._order = np.argsort(labels)
        pairs = function_pairs(len(labels))
        places = self._order[np.array(pairs)]
        columns = {pair: column for column, pair in enumerate(pairs)}
        self._columns = [columns[min(a, b), max(a, b)] for a, b in places.tolist()]
        self._signs = np.where(places[:, 0] < places[:, 1], 1.0, -1.0)

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            uninterrupted(_native.free_forest, self.handle)

    @classmethod
    def train(
        cls,
        plan: _native.ForestPlan,
        rows: Rows,
        y: np.ndarray,
        param: _native.Parameter,
        call: Call,
        result: _native.Result,
    ) -> "Forest":
        """Trains by the plan with the options of the call."""
        labels = np.ascontiguousarray(y, np.float64)
        parts = map(ctypes.byref, (param, call.options, plan, result))
        return cls(_native.train_forest(ctypes.byref(rows.struct), labels.ctypes.data, *parts))

    def feature_weights(self, count: int) -> np.ndarray:
        """Those of so many features; ones if the forest has none."""
        weights = np.full(count, self.facts.other_weight)
        own = self.facts.features
        places = copied_array(self.facts.weighted, own, np.int32) - 1
        known = copied_array(self.facts.weights, own, np.float64)
        weights[places[places < count]] = known[places < count]
        return weights

    @property
    def has_probabilities(self) -> bool:
        return bool(self.facts.probability)

    @property
    def function_count(self) -> int:
        return len(self._columns)

    def predict(self, rows: Rows, threads: int) -> np.ndarray:
        """(n_rows,) predictions."""
        result = np.empty(len(rows))
        self._predict(rows, threads, result.ctypes.data, None, None)
        return result

    def values(self, rows: Rows, threads: int) -> np.ndarray:
        """(n_rows, function_count) decision values."""
        result = np.empty((len(rows), self.function_count))
        self._predict(rows, threads, None, result.ctypes.data, None)
        return result[:, self._columns] * self._signs

    def probabilities(self, rows: Rows, threads: int) -> np.ndarray:
        """(n_rows, n_classes) probabilities."""
        result = np.empty((len(rows), len(self._order)))
        self._predict(rows, threads, None, None, result.ctypes.data)
        return result[:, self._order]

    def _predict(self, rows: Rows, threads: int, *arrays: Any) -> None:
        struct = ctypes.byref(rows.struct)
        if _native.predict_forest(self.handle, struct, threads, *arrays) != 0:
            raise _native.failure()
