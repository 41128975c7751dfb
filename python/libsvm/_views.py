"""Rows as svm.h's views, which the library reads in place."""

import ctypes
from array import array
from typing import Any, Optional, Sequence

from csmo import _native
from libsvm._arrays import finite_matrix
from libsvm._optional import canonical_csr, is_sparse
from libsvm._rows import FlatRows, flatten, pairs_of_row


class RowsView:
    """struct svm_problem_view and the arrays that it points to."""

    def __init__(self, kept: Any, view: Any) -> None:
        self.kept = kept
        self.view = view

    @property
    def rows(self) -> int:
        return int(self.view.rows)

    def with_labels(self, y: Any) -> Any:
        """The view for training with y, a ctypes array."""
        view = _native.View.from_buffer_copy(self.view)
        view.y = ctypes.addressof(y)
        return view

    def part(self, first: int, rows: int) -> Any:
        """The view of some of the rows."""
        view = _native.View.from_buffer_copy(self.view)
        view.rows = rows
        if view.layout == _native.DENSE:
            item = 4 if view.value_type == _native.FLOAT else 8
            view.values += first * view.stride * item
        else:
            view.row_starts += first * (4 if view.layout == _native.CSR_INT32 else 8)
        return view


def view_of_rows(x: Sequence[Any], is_kernel: bool) -> Optional[RowsView]:
    """A view of copies of Python's rows.  None if one has a feature 0, which no view has."""
    columns = 0
    if is_kernel:
        x = [_without_serial(row) for row in x]
        columns = max(map(_width, x), default=0)
    flat: FlatRows = flatten(x, False)
    if flat.lowest == 0:
        return None
    numbers = array("q", [index - 1 for index in flat.indices])
    view = _native.sized(
        _native.View,
        rows=len(x),
        columns=max(columns, flat.highest),
        layout=_native.CSR_INT64,
        value_type=_native.DOUBLE,
        values=flat.values.buffer_info()[0],
        row_starts=flat.starts.buffer_info()[0],
        column_numbers=numbers.buffer_info()[0],
    )
    return RowsView((flat, numbers), view)


def _without_serial(row: Any) -> Any:
    if isinstance(row, list):
        return pairs_of_row(row, True)[1].tolist()[1:]
    return {i: value for i, value in zip(*pairs_of_row(row, True)) if i != 0}


def _width(row: Any) -> int:
    return len(row) if isinstance(row, list) else max(row, default=0)


def view_of_matrix(x: Any, is_kernel: bool) -> RowsView:
    """A view of a two-dimensional array or a sparse matrix, without a copy if the library can read
    it in place.  The serial numbers of a kernel, column 0, are left out."""
    from csmo._rows import Rows

    x = finite_matrix(x)
    rows = Rows(x[:, 1:] if is_kernel else x)
    return RowsView(rows, rows.view)


def trains_alike(x: Any) -> bool:
    """True if training on a view of this matrix gives the same model as training on its nodes.
    Models contain explicit zeros of sparse matrices, which views do not have."""
    return not is_sparse(x) or bool(canonical_csr(x).data.all())


def has_serials_in_order(x: Any) -> bool:
    """True if the rows of a kernel are numbered 1, 2, ..., as those of a view are."""
    import numpy

    column = canonical_csr(x)[:, [0]].toarray() if is_sparse(x) else x[:, :1]
    return bool((column.reshape(-1) == numpy.arange(1, len(column) + 1)).all())
