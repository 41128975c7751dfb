"""Numpy arrays and scipy matrices as svm.h's nodes."""

from typing import Any, Tuple

from libsvm._nodes import svm_node
from libsvm._optional import canonical_csr, is_sparse, numbers
from libsvm._rows import NOT_FINITE

NodesAndStarts = Tuple[Any, Any]


def csr_to_problem_nojit(
    l: int, x_val: Any, x_ind: Any, x_rowptr: Any,
    prob_val: Any, prob_ind: Any, prob_rowptr: Any, indx_start: int,
) -> None:  # fmt: skip
    """Copies l compressed sparse rows to numpy arrays of the nodes' values and indices: row i to
    prob_rowptr[i] and after.  Column j becomes feature j + indx_start."""
    import numpy

    shifts = numpy.subtract(prob_rowptr[:l], x_rowptr[:l], dtype=numpy.int64)
    places = numpy.repeat(shifts, numpy.diff(x_rowptr[: l + 1]))
    places += numpy.arange(len(places))
    prob_val[places] = x_val
    prob_ind[places] = x_ind + indx_start


def finite_matrix(x: Any) -> Any:
    """x as a canonical CSR matrix or as a plain array of numbers.  Raises TypeError, or ValueError
    that names the row."""
    import numpy

    x = canonical_csr(x) if is_sparse(x) else numbers(x)
    finite = numpy.isfinite(x.data if is_sparse(x) else x)
    if not finite.all():
        place = int(finite.argmin())
        ends = x.indptr[1:] if is_sparse(x) else numpy.arange(1, len(x) + 1) * x.shape[1]
        raise ValueError(f"x[{numpy.searchsorted(ends, place, 'right')}]: {NOT_FINITE}")
    return x


def nodes_of_sparse(x: Any, is_kernel: bool) -> NodesAndStarts:
    """The rows of a sparse matrix as an array of nodes, and the start of each row in it, followed
    by the end of the last one.  Column j is feature j + 1.  With a precomputed kernel it is feature
    j, and zeros are kept."""
    x = finite_matrix(x)
    if is_kernel and x.nnz < x.shape[0] * x.shape[1]:  # kernel values are found by position
        return nodes_of_dense(x.toarray(), True)
    return _nodes_of_parts(x.data, x.indices, x.indptr, 0 if is_kernel else 1)


def nodes_of_dense(x: Any, is_kernel: bool) -> NodesAndStarts:
    """nodes_of_sparse for a two-dimensional array; zeros are dropped except for a kernel."""
    import numpy

    x = finite_matrix(x)
    kept = numpy.ones(x.shape, dtype=bool) if is_kernel else x != 0
    starts = numpy.zeros(len(x) + 1, dtype=numpy.int64)
    numpy.cumsum(kept.sum(axis=1), out=starts[1:])
    return _nodes_of_parts(x[kept], kept.nonzero()[1], starts, 0 if is_kernel else 1)


def _nodes_of_parts(values: Any, columns: Any, starts: Any, first: int) -> NodesAndStarts:
    import numpy

    rows = len(starts) - 1
    node_starts = starts + numpy.arange(rows + 1)
    nodes = numpy.empty(int(node_starts[-1]), dtype=svm_node)
    parts = nodes["value"], nodes["index"]
    csr_to_problem_nojit(rows, values, columns, starts, *parts, node_starts, first)
    nodes[node_starts[1:] - 1] = (-1, 0)
    return nodes, node_starts
