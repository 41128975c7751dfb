"""A trained model of the library."""

import ctypes
import threading
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import _native
from ._call import Call
from ._rows import Rows

KERNELS = {
    "linear": _native.LINEAR,
    "poly": _native.POLY,
    "rbf": _native.RBF,
    "sigmoid": _native.SIGMOID,
    "precomputed": _native.PRECOMPUTED,
}

_preparing = threading.Lock()


class Model:
    """Owns a model of the library, and from the first prediction on what the library makes of it for
    prediction.  Pickled as the text that svm-train writes, with all digits."""

    def __init__(self, handle: Optional[int]) -> None:
        self._handle = ctypes.c_void_p(handle)
        self._prepared: Optional[int] = None
        if not handle:
            raise _native.failure()

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if getattr(self, "_prepared", None):
            _native.free_predictor(self._prepared)
        if handle:
            _native.destroy(ctypes.byref(handle))

    @classmethod
    def train(
        cls,
        rows: Rows,
        param: _native.Parameter,
        call: Call,
        result: _native.Result,
        kernel_rows: Optional[ctypes.c_void_p] = None,
    ) -> "Model":
        """Trains with the options of the call.  The classes are in ascending order.  `kernel_rows`
        are those of a search on the same rows."""
        view, parameter, options = map(ctypes.byref, (rows.view, param, call.options))
        return cls(_native.train(view, parameter, options, kernel_rows, ctypes.byref(result)))

    @classmethod
    def from_text(cls, text: bytes) -> "Model":
        return cls(_native.load_from_memory(text, len(text)))

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
            parts.sv = ctypes.pointer(rows.view)
        for name, array in kept.items():
            setattr(parts, name, array.ctypes.data)
        return cls(_native.model_from_arrays(ctypes.byref(parts)))

    def text(self) -> bytes:
        size = ctypes.c_size_t()
        options = _native.sized(_native.SaveOptions, number_digits=17, feature_digits=17)
        text = _native.save_to_memory(self._handle, ctypes.byref(options), ctypes.byref(size))
        if not text:
            raise _native.failure()
        try:
            return ctypes.string_at(text, size.value)
        finally:
            _native.free(text)

    def __reduce__(self) -> Tuple[Any, ...]:
        return Model.from_text, (self.text(),)

    def compact(self) -> "Model":
        """A model with the same decision values and fewer support vectors; with the linear kernel a
        single one."""
        return Model(_native.compact(self._handle))

    def _array(self, get: Any, count: int, dtype: Any = np.float64) -> np.ndarray:
        values = np.zeros(count, dtype=dtype)
        get(self._handle, values.ctypes.data)
        return values

    @property
    def support(self) -> np.ndarray:
        """Row numbers of the support vectors, from 0."""
        count = _native.get_nr_sv(self._handle)
        return self._array(_native.get_sv_indices, count, np.int32) - np.int32(1)

    def vectors(self, columns: int) -> np.ndarray:
        """(n_support, columns) the support vectors."""
        result = np.zeros((_native.get_nr_sv(self._handle), columns))
        for row, values in enumerate(result):
            count = _native.get_sv(self._handle, row, None, None)
            places, found = np.empty(count, dtype=np.int32), np.empty(count)
            _native.get_sv(self._handle, row, places.ctypes.data, found.ctypes.data)
            values[places - 1] = found
        return result

    @property
    def coefficients(self) -> np.ndarray:
        """(n_classes - 1, n_support) as in LIBSVM; (1, n_support) for a single function."""
        count = _native.get_nr_sv(self._handle)
        lines = _native.get_nr_class(self._handle) - 1
        return self._array(_native.get_sv_coef, lines * count).reshape(lines, count)

    @property
    def thresholds(self) -> np.ndarray:
        """rho, one for each decision function."""
        return self._array(_native.get_rho, self.function_count)

    @property
    def support_by_class(self) -> np.ndarray:
        return self._array(_native.get_nr_sv_by_class, _native.get_nr_class(self._handle), np.int32)

    @property
    def probability_slopes(self) -> Tuple[np.ndarray, np.ndarray]:
        """A and B in 1 / (1 + exp(A f + B)) for each pair of classes."""
        count = self.function_count
        return self._array(_native.get_prob_a, count), self._array(_native.get_prob_b, count)

    @property
    def class_numbers(self) -> np.ndarray:
        """Labels of the classes that have rows of positive weight."""
        count = _native.get_nr_class(self._handle)
        return self._array(_native.get_labels, count, np.int32)

    @property
    def has_probabilities(self) -> bool:
        return bool(_native.check_probability_model(self._handle))

    @property
    def function_count(self) -> int:
        return int(_native.get_nr_values(self._handle))

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
        result = np.empty((len(rows), _native.get_nr_class(self._handle)))
        self._predict(rows, threads, None, None, result.ctypes.data)
        return result

    def _predict(self, rows: Rows, threads: int, *arrays: Optional[int]) -> None:
        if self._prepared is None:
            with _preparing:
                if self._prepared is None:
                    self._prepared = _native.make_predictor(self._handle, 0)
        if self._prepared is None:
            raise _native.failure()
        view = ctypes.byref(rows.view)
        if _native.predictor_predict_rows(self._prepared, view, threads, *arrays) != 0:
            raise _native.failure()
