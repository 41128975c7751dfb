"""Numpy arrays and scipy matrices as rows of the library, without copies if the library can read
them in place."""

from typing import Any, List, Optional, Tuple

import numpy as np

from . import _native


def _readable(values: np.ndarray) -> bool:
    """True if the library can read the array in place: rows in ascending order, without gaps
    between the values of a row."""
    if values.dtype not in (np.float32, np.float64) or not values.dtype.isnative:
        return False
    if not values.flags.aligned:
        return False
    if values.size == 0:
        return True
    if values.strides[-1] != values.itemsize and values.shape[-1] > 1:
        return False
    if values.ndim == 1:
        return True
    row, item = values.strides[0], values.itemsize
    return len(values) == 1 or (row >= values.shape[1] * item and row % item == 0)


def canonical(X: Any) -> Any:
    """X, of whose columns each row of a CSR matrix has one value at most, in ascending order, and
    whose two arrays of indices have one type; X itself if it is so already."""
    if not hasattr(X, "indptr"):
        return X
    if X.indices.dtype != X.indptr.dtype:
        X = type(X)((X.data, X.indices, X.indptr), shape=X.shape)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()  # also sorts
    return X


def weighted(X: Any, weights: Optional[np.ndarray]) -> Any:
    """X with its columns multiplied by weights, in doubles; X itself if there are none, or all
    are 1."""
    if weights is None or (weights == 1).all():
        return X
    if hasattr(X, "indptr"):
        return type(X)((X.data * weights[X.indices], X.indices, X.indptr), shape=X.shape)
    return X * weights


class Rows:
    """The rows of X, (n_rows, n_columns), an array or a CSR matrix, as struct svm_rows.  Keeps
    their memory alive.  Values must be finite."""

    def __init__(self, X: Any) -> None:
        self.matrix = X
        self.struct = _native.sized(_native.Rows, rows=X.shape[0], columns=X.shape[1])
        if hasattr(X, "indptr"):
            self._kept = self._take_sparse(X)
        else:
            self._kept = self._take_dense(X)

    def __len__(self) -> int:
        return int(self.struct.rows)

    def _take_values(self, values: np.ndarray) -> Tuple[np.ndarray, List[np.ndarray]]:
        if not _readable(values):
            values = np.ascontiguousarray(values, dtype=np.float64)
        self.struct.value_type = _native.FLOAT if values.dtype == np.float32 else _native.DOUBLE
        self.struct.values = values.ctypes.data
        return values, [values]

    def _take_dense(self, X: np.ndarray) -> List[np.ndarray]:
        values, kept = self._take_values(X)
        self.struct.layout = _native.DENSE
        self.struct.stride = max(values.strides[0] // values.itemsize, X.shape[1])
        return kept

    def _take_sparse(self, X: Any) -> List[np.ndarray]:
        X = canonical(X)
        _, kept = self._take_values(X.data)
        narrow = X.indices.dtype == np.int32
        self.struct.layout = _native.CSR_INT32 if narrow else _native.CSR_INT64
        for name, numbers in (("row_starts", X.indptr), ("column_numbers", X.indices)):
            numbers = np.ascontiguousarray(numbers, dtype=np.int32 if narrow else np.int64)
            setattr(self.struct, name, numbers.ctypes.data)
            kept.append(numbers)
        return kept
