"""A trained model of the library."""

import ctypes
import itertools
import threading
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import _native
from ._call import Call, uninterrupted
from ._rows import Rows
from ._warnings import in_python

KERNELS = {
    "linear": _native.LINEAR,
    "poly": _native.POLY,
    "rbf": _native.RBF,
    "sigmoid": _native.SIGMOID,
    "precomputed": _native.PRECOMPUTED,
}

_NODE = np.dtype([("index", np.int32), ("value", np.float64)], align=True)  # struct svm_node

_preparing = threading.Lock()


def copied_array(address: Optional[int], count: int, dtype: Any) -> np.ndarray:
    """A copy of `count` numbers of the library; zeros if it has none."""
    if not address:
        return np.zeros(count, dtype)
    return np.frombuffer(ctypes.string_at(address, count * np.dtype(dtype).itemsize), dtype).copy()


def learned_weights(rows: Rows, y: Any, param: Any, call: Call, plan: Any = None) -> np.ndarray:
    """(n_features,) weights of the features, for a forest if there is a plan; ones if weights show
    no gain."""
    weights, labels = np.empty(rows.struct.columns), np.ascontiguousarray(y, np.float64)
    parts = ctypes.byref(param), ctypes.byref(call.options), plan and ctypes.byref(plan)
    data = ctypes.byref(rows.struct), labels.ctypes.data
    if _native.learn_metric(*data, *parts, len(weights), weights.ctypes.data) < 0:
        raise _native.SvmError(in_python(str(_native.failure())))
    return weights


class Trained:
    """What the library trained.  Pickled as the text that svm-train writes, with all digits."""

    _write: Any  # functions of the library
    _parse: Any

    def __init__(self, handle: Optional[int]) -> None:
        self.handle = ctypes.c_void_p(handle)
        if not handle:
            raise _native.failure()

    def text(self) -> bytes:
        size = ctypes.c_size_t()
        text = self._write(self.handle, 17, ctypes.byref(size))
        if not text:
            raise _native.failure()
        try:
            return ctypes.string_at(text, size.value)
        finally:
            _native.free_text(text)

    @classmethod
    def from_text(cls, text: bytes) -> Any:
        """Older pickles of models name this function."""
        return cls(cls._parse(text, len(text)))

    def __getstate__(self) -> Dict[str, str]:
        return {"text": self.text().decode()}

    def __setstate__(self, state: Dict[str, str]) -> None:
        text = state["text"].encode()
        type(self).__init__(self, self._parse(text, len(text)))


class Model(Trained):
    """Owns a model of the library, and from the first prediction on what the library makes of it
    for prediction."""

    _write, _parse = _native.model_text, _native.parse_model

    def __init__(self, handle: Optional[int]) -> None:
        self._prepared: Optional[int] = None
        super().__init__(handle)
        self._arrays = _native.sized(_native.ModelArrays)
        self._vectors = _native.sized(_native.Rows)
        parts = ctypes.byref(self._arrays), ctypes.byref(self._vectors)
        if _native.arrays_of_model(self.handle, *parts) != 0:
            raise _native.failure()

    def __del__(self) -> None:
        handle = getattr(self, "handle", None)
        if getattr(self, "_prepared", None):
            uninterrupted(_native.free_predictor, self._prepared)
        if handle:
            uninterrupted(_native.destroy, ctypes.byref(handle))

    @classmethod
    def train(
        cls,
        rows: Rows,
        y: np.ndarray,
        param: _native.Parameter,
        call: Call,
        result: _native.Result,
        *,
        kernel_rows: Optional[ctypes.c_void_p] = None,
    ) -> "Model":
        """Trains with the options of the call.  The classes are in ascending order.  `kernel_rows`
        are those of a search on the same rows."""
        labels = np.ascontiguousarray(y, np.float64)
        parts = map(ctypes.byref, (param, call.options))
        data = ctypes.byref(rows.struct), labels.ctypes.data
        return cls(_native.train(*data, *parts, kernel_rows, ctypes.byref(result)))

    @classmethod
    def from_arrays(
        cls,
        param: _native.Parameter,
        rows: Optional[Rows],
        classes: int,
        arrays: Dict[str, Any],
        numbers: Dict[str, Any],
    ) -> "Model":
        """A model with these members of struct svm_model_arrays: `arrays` of doubles and `numbers`
        of integers.  `rows` are the support vectors, or None for the precomputed kernel."""
        kept = {name: np.ascontiguousarray(array, np.float64) for name, array in arrays.items()}
        for name, array in numbers.items():
            kept[name] = np.ascontiguousarray(array, np.int32)
        parts = _native.sized(_native.ModelArrays, param=ctypes.pointer(param), nr_class=classes)
        parts.l = len(kept["sv_indices"])
        if rows is not None:
            parts.sv = ctypes.pointer(rows.struct)
        lines = [line.ctypes.data for line in kept["sv_coef"]]
        parts.sv_coef = (ctypes.c_void_p * len(lines))(*lines)
        for name, array in kept.items():
            if name != "sv_coef":
                setattr(parts, name, array.ctypes.data)
        return cls(_native.model_from_arrays(ctypes.byref(parts)))

    def compact(self) -> "Model":
        """A model with the same decision values and fewer support vectors; with the linear kernel a
        single one."""
        return Model(_native.compact(self.handle))

    @property
    def support(self) -> np.ndarray:
        """Row numbers of the support vectors, from 0."""
        return copied_array(self._arrays.sv_indices, self._arrays.l, np.int32) - np.int32(1)

    def vectors(self, columns: int) -> np.ndarray:
        """(n_support, columns) the support vectors."""
        result = np.zeros((self._arrays.l, columns))
        # The library has the rows of nodes one after the other, each with a node at its end.
        starts = copied_array(self._vectors.nodes, len(result), np.uintp).tolist()
        indices = ctypes.cast(starts[-1], ctypes.POINTER(ctypes.c_int))
        step = _NODE.itemsize // ctypes.sizeof(ctypes.c_int)
        last = next(i for i in itertools.count() if indices[step * i] == -1)
        starts.append(starts[-1] + (last + 1) * _NODE.itemsize)
        for values, start, end in zip(result, starts, starts[1:]):
            nodes = copied_array(start, (end - start) // _NODE.itemsize - 1, _NODE)
            values[nodes["index"] - 1] = nodes["value"]
        return result

    @property
    def coefficients(self) -> np.ndarray:
        """(n_classes - 1, n_support) as in LIBSVM; (1, n_support) for a single function."""
        lines = self._arrays.sv_coef[: self._arrays.nr_class - 1]
        return np.array([copied_array(line, self._arrays.l, np.float64) for line in lines])

    @property
    def thresholds(self) -> np.ndarray:
        """rho, one for each decision function."""
        return copied_array(self._arrays.rho, self.function_count, np.float64)

    @property
    def support_by_class(self) -> np.ndarray:
        return copied_array(self._arrays.nr_sv, self._arrays.nr_class, np.int32)

    @property
    def probability_slopes(self) -> Tuple[np.ndarray, np.ndarray]:
        """A and B in 1 / (1 + exp(A f + B)) for each pair of classes."""
        a, b = self._arrays.prob_a, self._arrays.prob_b
        count = self.function_count
        return copied_array(a, count, np.float64), copied_array(b, count, np.float64)

    @property
    def class_numbers(self) -> np.ndarray:
        """Labels of the classes that have rows of positive weight."""
        return copied_array(self._arrays.label, self._arrays.nr_class, np.int32)

    @property
    def has_probabilities(self) -> bool:
        return bool(_native.check_probability_model(self.handle))

    @property
    def function_count(self) -> int:
        return int(self._arrays.nr_values)

    def predict(self, rows: Rows, threads: int) -> np.ndarray:
        """(n_rows,) predictions."""
        result = np.empty(len(rows))
        self._predict(rows, threads, result.ctypes.data, None, None)
        return result

    def values(self, rows: Rows, threads: int) -> np.ndarray:
        """(n_rows, function_count) decision values."""
        result = np.empty((len(rows), self.function_count))
        self._predict(rows, threads, None, result.ctypes.data, None)
        return result

    def probabilities(self, rows: Rows, threads: int) -> np.ndarray:
        """(n_rows, n_classes) probabilities."""
        result = np.empty((len(rows), self._arrays.nr_class))
        self._predict(rows, threads, None, None, result.ctypes.data)
        return result

    def _predict(self, rows: Rows, threads: int, *arrays: Optional[int]) -> None:
        if self._prepared is None:
            with _preparing:
                if self._prepared is None:
                    self._prepared = _native.make_predictor(self.handle, 0)
        if self._prepared is None:
            raise _native.failure()
        struct = ctypes.byref(rows.struct)
        if _native.predict_rows(self._prepared, struct, threads, *arrays) != 0:
            raise _native.failure()
