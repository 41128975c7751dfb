"""Data files, scores of predictions, and scaling of sparse matrices."""

import sys
from typing import Any, Dict, Tuple

from libsvm._optional import canonical_csr, is_array, is_sparse
from libsvm._reading import svm_read_problem

__all__ = ["svm_read_problem", "evaluations", "csr_find_scale_param", "csr_scale"]

Scores = Tuple[float, float, float]
NAN = float("nan")


def evaluations(ty: Any, pv: Any, useScipy: bool = True) -> Scores:
    """Accuracy in percent, mean squared error and squared correlation coefficient (NaN if one side
    is constant) of predictions pv for the true values ty: lists, tuples or numpy arrays.

    useScipy: compute with numpy if it is installed; the last digits may differ."""
    if len(ty) != len(pv):
        raise ValueError("len(ty) must be equal to len(pv)")
    if useScipy:
        try:
            import numpy
        except ImportError:
            pass
        else:
            return evaluations_scipy(numpy.asarray(ty), numpy.asarray(pv))
    if len(ty) == 0:
        return NAN, NAN, NAN
    if is_array(ty):
        ty = ty.ravel().tolist()
    if is_array(pv):
        pv = pv.ravel().tolist()
    rows = len(ty)
    correct = sum(y == v for y, v in zip(ty, pv))
    squares = sum((v - y) * (v - y) for y, v in zip(ty, pv))
    sums = (
        sum(pv),
        sum(ty),
        sum(v * v for v in pv),
        sum(y * y for y in ty),
        sum(v * y for y, v in zip(ty, pv)),
    )
    return 100.0 * correct / rows, squares / rows, _squared_correlation(rows, *sums)


def evaluations_scipy(ty: Any, pv: Any) -> Scores:
    """evaluations() of numpy arrays."""
    import numpy

    if len(ty) != len(pv):
        raise ValueError("len(ty) must be equal to len(pv)")
    if len(ty) == 0:
        return NAN, NAN, NAN
    y, v = ty.ravel(), pv.ravel()
    with numpy.errstate(all="ignore"):
        accuracy = 100.0 * (y == v).mean()
        error = ((y - v) ** 2).mean()
        sums = v.sum(), y.sum(), (v * v).sum(), (y * y).sum(), (v * y).sum()
    return float(accuracy), float(error), _squared_correlation(len(y), *map(float, sums))


def _squared_correlation(
    rows: int, v: float, y: float, vv: float, yy: float, vy: float
) -> float:
    """Computed from sums of predictions v, true values y, and their products."""
    divisor = (rows * vv - v * v) * (rows * yy - y * y)
    if divisor == 0:
        return NAN
    covariance = rows * vy - v * y
    return covariance * covariance / divisor


def csr_find_scale_param(x: Any, lower: float = -1, upper: float = 1) -> Dict[str, Any]:
    """The linear map of each column of a sparse matrix to [lower, upper]: {"coef": factors,
    "offset": numbers to add}, numpy arrays with one number per column; zeros for columns with a
    single value."""
    import numpy

    x = _checked(x)
    if not lower < upper:
        raise ValueError(f"lower is not below upper: {lower}, {upper}")
    least = x.min(axis=0).toarray().ravel()
    span = x.max(axis=0).toarray().ravel() - least
    varies = span != 0
    factors = numpy.zeros(x.shape[1])
    factors[varies] = (upper - lower) / span[varies]
    offsets = numpy.zeros(x.shape[1])
    offsets[varies] = lower - least[varies] * factors[varies]
    return {"coef": factors, "offset": offsets}


def csr_scale(x: Any, scale_param: Dict[str, Any]) -> Any:
    """x diag(coef) + offset as a csr_matrix, with the scale_param of csr_find_scale_param.  Columns
    beyond its arrays become 0."""
    import numpy
    from scipy import sparse

    x = _checked(x)
    columns = x.shape[1]
    factors, offsets = scale_param["coef"], scale_param["offset"]
    if len(factors) != columns or len(offsets) != columns:
        print(
            "WARNING: The dimension of scaling parameters and feature number do not match.",
            file=sys.stderr,
        )
        missing = max(0, columns - len(factors))
        factors = numpy.concatenate([factors, numpy.zeros(missing)])[:columns]
        offsets = numpy.concatenate([offsets, numpy.zeros(missing)])[:columns]
    scaled = x @ sparse.diags([factors], [0], shape=(columns, columns))
    # Only columns that do not map 0 to 0 become dense.
    moved = numpy.flatnonzero(offsets)
    if len(moved) > 0:
        starts = numpy.arange(x.shape[0] + 1) * len(moved)
        added = numpy.tile(offsets[moved], x.shape[0])
        places = numpy.tile(moved, x.shape[0])
        scaled = scaled + sparse.csr_matrix((added, places, starts), shape=x.shape)
    scaled = sparse.csr_matrix(scaled)
    scaled.eliminate_zeros()
    if scaled.nnz > x.count_nonzero():
        print(
            f"WARNING: original #nonzeros {x.count_nonzero()}\n"
            f"       > new      #nonzeros {scaled.nnz}\n"
            "If feature values are non-negative and sparse, get scale_param by setting lower=0 "
            "rather than the default lower=-1.",
            file=sys.stderr,
        )
    return scaled


def _checked(x: Any) -> Any:
    if not is_sparse(x):
        raise TypeError(f"x is no sparse matrix of scipy but {type(x)}")
    return canonical_csr(x)
