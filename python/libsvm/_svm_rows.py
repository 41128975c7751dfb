"""Rows as struct svm_rows, which the library reads in place."""

import ctypes
from typing import Any, Sequence

from csmo import _native
from libsvm._arrays import finite_matrix
from libsvm._nodes import node_rows
from libsvm._optional import canonical_csr, is_sparse
from libsvm._rows import complete_kernel_rows


class SvmRows:
    """struct svm_rows, and what keeps alive the memory that it points to."""

    def __init__(self, kept: Any, struct: Any) -> None:
        self.kept = kept
        self.struct = struct

    def __len__(self) -> int:
        return int(self.struct.rows)

    def part(self, first: int, rows: int) -> Any:
        """The structure of some of the rows."""
        part = _native.Rows.from_buffer_copy(self.struct)
        part.rows = rows
        if part.layout == _native.NODES:
            part.nodes += first * ctypes.sizeof(ctypes.c_void_p)
        elif part.layout == _native.DENSE:
            part.values += first * part.stride * (4 if part.value_type == _native.FLOAT else 8)
        else:
            part.row_starts += first * (4 if part.layout == _native.CSR_INT32 else 8)
        return part


def rows_of_pointers(kept: Any, pointers: Any, rows: int) -> SvmRows:
    """Rows of nodes at a ctypes array of pointers."""
    nodes = ctypes.cast(pointers, ctypes.c_void_p).value
    struct = _native.sized(_native.Rows, rows=rows, layout=_native.NODES, nodes=nodes)
    return SvmRows((kept, pointers), struct)


def rows_of_sequence(x: Sequence[Any], is_kernel: bool) -> SvmRows:
    """Nodes of copies of Python's rows.  A dict of kernel values needs no serial number."""
    if is_kernel:
        x = complete_kernel_rows([{0: 0, **row} if isinstance(row, dict) else row for row in x])
    nodes, _ = node_rows(x, is_kernel)
    return rows_of_pointers(nodes, nodes.pointers(), len(nodes))


def rows_of_matrix(x: Any, is_kernel: bool) -> SvmRows:
    """The rows of a two-dimensional array or a sparse matrix, without a copy if the library can
    read them in place.  The serial numbers of a kernel, column 0, are left out."""
    from csmo._rows import Rows

    x = finite_matrix(x)
    rows = Rows(x[:, 1:] if is_kernel else x)
    return SvmRows(rows, rows.struct)


def has_serials_in_order(x: Any) -> bool:
    """True if the rows of a kernel are numbered 1, 2, ..., as the library numbers a matrix."""
    import numpy

    column = canonical_csr(x)[:, [0]].toarray() if is_sparse(x) else x[:, :1]
    return bool((column.reshape(-1) == numpy.arange(1, len(column) + 1)).all())
