"""numpy and scipy, which this package takes arrays of but does not need.

An array of theirs shows that they are loaded, so that they are looked up and not imported.
"""

import sys
from typing import Any


def is_array(x: Any) -> bool:
    """Is x a numpy array?"""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.ndarray)


def is_sparse(x: Any) -> bool:
    """Is x a sparse matrix or a sparse array of scipy?"""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(x))


def is_matrix(x: Any) -> bool:
    """Is x a two-dimensional array or a sparse matrix?"""
    return is_sparse(x) or (is_array(x) and x.ndim == 2)


def canonical_csr(x: Any) -> Any:
    """x as compressed sparse rows of doubles, with one value per column, in order; x itself where
    it is that already."""
    x = x.tocsr()
    if x.dtype != "float64":
        x = x.astype("float64")
    if not x.has_canonical_format:
        x = x.copy()
        x.sum_duplicates()  # sorts, too
    return x
