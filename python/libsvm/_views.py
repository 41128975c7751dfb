"""Rows as svm.h's views, which the library reads where they are."""

import ctypes
from array import array
from typing import Any, Optional, Sequence

from csmo import _native
from libsvm._optional import canonical_csr, is_sparse
from libsvm._rows import FlatRows, flatten, pairs_of_row

DOUBLE, FLOAT = range(2)  # enum svm_value_type


class RowsView:
    """struct svm_problem_view and what it points to."""

    def __init__(self, kept: Any, rows: int, columns: int, **members: Any) -> None:
        self.kept = kept
        self.view = _native.sized(_native.View, rows=rows, columns=columns, **members)

    @property
    def rows(self) -> int:
        return int(self.view.rows)

    def with_labels(self, y: Any) -> Any:
        """The view for training, with y, a ctypes array."""
        view = _native.View.from_buffer_copy(self.view)
        view.y = ctypes.addressof(y)
        return view

    def part(self, first: int, rows: int) -> Any:
        """The view of some of the rows."""
        view = _native.View.from_buffer_copy(self.view)
        view.rows = rows
        if view.layout == _native.DENSE:
            item = 4 if view.value_type == FLOAT else 8
            view.values += first * view.stride * item
        else:
            view.row_starts += first * (4 if view.layout == _native.CSR_INT32 else 8)
        return view


def view_of_dense(x: Any, is_kernel: bool) -> RowsView:
    """A view of a two-dimensional array.  Doubles and floats whose rows are contiguous stay where
    they are.  Of a kernel the serial numbers, column 0, are left out."""
    import numpy

    x = numpy.asarray(x)  # of a subclass, such as matrix
    if is_kernel:
        x = x[:, 1:]
    item = x.dtype.itemsize
    stays = (
        x.dtype in (numpy.float64, numpy.float32)
        and x.dtype.isnative
        and x.flags.aligned
        and (x.shape[1] <= 1 or x.strides[1] == item)
        and x.strides[0] % item == 0
        and x.strides[0] >= x.shape[1] * item
    )
    if not stays:
        x = numpy.ascontiguousarray(x, "float64")
        item = 8
    return RowsView(
        x, len(x), x.shape[1],
        layout=_native.DENSE,
        value_type=FLOAT if item == 4 else DOUBLE,
        values=x.ctypes.data,
        stride=x.strides[0] // item,
    )  # fmt: skip


def view_of_sparse(x: Any, is_kernel: bool) -> RowsView:
    """A view of a sparse matrix, likewise."""
    x = canonical_csr(x)
    if is_kernel:
        x = x[:, 1:]
    index_type = "int32" if x.indptr.dtype == x.indices.dtype == "int32" else "int64"
    starts = x.indptr.astype(index_type, copy=False)
    columns = x.indices.astype(index_type, copy=False)
    return RowsView(
        (x.data, starts, columns), x.shape[0], x.shape[1],
        layout=_native.CSR_INT32 if index_type == "int32" else _native.CSR_INT64,
        value_type=DOUBLE,
        values=x.data.ctypes.data,
        row_starts=starts.ctypes.data,
        column_numbers=columns.ctypes.data,
    )  # fmt: skip


def view_of_rows(x: Sequence[Any], is_kernel: bool) -> Optional[RowsView]:
    """A view of copies of Python's rows.  None where one has a feature 0, which no view has."""
    columns = 0
    if is_kernel:
        x = [_without_serial(row) for row in x]
        columns = max(map(_width, x), default=0)
    flat: FlatRows = flatten(x, False)
    if flat.lowest == 0:
        return None
    numbers = array("q", [index - 1 for index in flat.indices])
    return RowsView(
        (flat, numbers), len(x), max(columns, flat.highest),
        layout=_native.CSR_INT64,
        value_type=DOUBLE,
        values=flat.values.buffer_info()[0],
        row_starts=flat.starts.buffer_info()[0],
        column_numbers=numbers.buffer_info()[0],
    )  # fmt: skip


def _without_serial(row: Any) -> Any:
    if isinstance(row, list):
        return row[1:]
    return {i: value for i, value in zip(*pairs_of_row(row, True)) if i != 0}


def _width(row: Any) -> int:
    return len(row) if isinstance(row, list) else max(row, default=0)


def view_of_matrix(x: Any, is_kernel: bool) -> RowsView:
    """A view of an array or a sparse matrix."""
    return view_of_sparse(x, is_kernel) if is_sparse(x) else view_of_dense(x, is_kernel)


def trains_alike(x: Any) -> bool:
    """Gives training on a view of this matrix the same model as training on its nodes?  A model
    shows explicit zeros of sparse matrices, which views do not have."""
    return not is_sparse(x) or bool(canonical_csr(x).data.all())


def has_serials_in_order(x: Any) -> bool:
    """Are the rows of a kernel numbered 1, 2, ..., as those of a view are?"""
    import numpy

    column = x[:, [0]].toarray() if is_sparse(x) else x[:, :1]
    return bool((column.reshape(-1) == numpy.arange(1, len(column) + 1)).all())
