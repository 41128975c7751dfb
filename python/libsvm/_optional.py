"""numpy and scipy, whose arrays this package accepts without needing them.

If an argument is an array of theirs, they have been loaded: they are looked up, not imported.
"""

import sys
from array import array
from typing import Any


def is_array(x: Any) -> bool:
    """True if x is a numpy array."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.ndarray)


def is_sparse(x: Any) -> bool:
    """True if x is a sparse matrix or a sparse array of scipy."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(x))


def is_matrix(x: Any) -> bool:
    """True if x is a two-dimensional array or a sparse matrix."""
    return is_sparse(x) or (is_array(x) and x.ndim == 2)


def numbers(x: Any) -> Any:
    """The elements of a numpy array as a plain array of numbers.  Raises TypeError if some are
    none, as None or texts, which numpy would convert."""
    import numpy

    x = numpy.asarray(x)  # for subclasses such as matrix
    if x.dtype.kind in "biuf":
        return x
    return numpy.array(array("d", x.ravel().tolist())).reshape(x.shape)


def canonical_csr(x: Any) -> Any:
    """x as compressed sparse rows of doubles with one value per column, in ascending order; x
    itself if it is that already."""
    from csmo._rows import canonical

    x = x.tocsr()
    if x.dtype != "float64":
        x = type(x)((numbers(x.data).astype("float64"), x.indices, x.indptr), shape=x.shape)
    return canonical(x)
