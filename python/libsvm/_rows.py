"""Rows of Python numbers as flat arrays, from which nodes are made.

A row is a dict {feature: value}, or a list, a tuple or a one-dimensional numpy array of values, of
which the first is feature 1.  With a precomputed kernel it is feature 0, the serial number.
"""

import itertools
import math
from array import array
from typing import Any, List, NamedTuple, Sequence, Tuple

from libsvm._optional import is_array

WRONG_ROW = "xi should be a dictionary, list, tuple, 1-d numpy array, or tuple of (index, data)"
NOT_FINITE = "a value is not finite"

Pairs = Tuple[List[int], array]  # values are doubles


class FlatRows(NamedTuple):
    """All rows, one after the other: row i has the pairs starts[i] <= k < starts[i + 1]."""

    indices: array  # of int
    values: array  # of double
    starts: array  # of long long, one more than there are rows
    highest: int  # highest index of all rows; 0 if there is none


def pairs_of_row(row: Any, is_kernel: bool) -> Pairs:
    """Features and values of a row, in ascending order; zeros are dropped except for kernels."""
    if is_array(row) and row.ndim == 1:
        row = row.tolist()
    if isinstance(row, dict):
        return _pairs_of_dict(row, is_kernel)
    if isinstance(row, tuple) and len(row) == 2 and is_array(row[0]) and is_array(row[1]):
        index, data = row
        if index.ndim != 1 or index.shape != data.shape:
            raise ValueError(f"indices of shape {index.shape}, but data of shape {data.shape}")
        if (index[1:] <= index[:-1]).any():
            raise ValueError("the indices do not rise")
        return (index + (0 if is_kernel else 1)).tolist(), array("d", data.tolist())
    if not isinstance(row, (list, tuple)):
        raise TypeError(WRONG_ROW)
    first = 0 if is_kernel else 1
    return _kept(range(first, len(row) + first), array("d", row), is_kernel)


def _pairs_of_dict(row: Any, is_kernel: bool) -> Pairs:
    indices = sorted(row)
    return _kept(indices, array("d", map(row.__getitem__, indices)), is_kernel)


def _kept(indices: Sequence[int], values: array, is_kernel: bool) -> Pairs:
    if 0.0 in values and not is_kernel:
        return list(itertools.compress(indices, values)), array("d", filter(None, values))
    return list(indices), values


def complete_kernel_rows(rows: Sequence[Any]) -> List[Any]:
    """Fills gaps of dicts with zeros in rows of a precomputed kernel, because the library finds
    values by position.  A row without a serial number is returned unchanged."""
    highest = max((max(row) for row in rows if isinstance(row, dict) and row), default=0)
    return [
        [row.get(j, 0.0) for j in range(highest + 1)] if isinstance(row, dict) and 0 in row else row
        for row in rows
    ]


def flatten(rows: Sequence[Any], is_kernel: bool) -> FlatRows:
    """The pairs of all rows, each row followed by a pair with the index -1.  Raises TypeError,
    ValueError or OverflowError that names the row."""
    indices, values, starts = array("i"), array("d"), array("q", [0])
    highest = 0
    for i, row in enumerate(rows):
        try:
            row_indices, row_values = pairs_of_row(row, is_kernel)
            indices.fromlist(row_indices)
            values.extend(row_values)
            if not math.isfinite(sum(row_values)) and not all(map(math.isfinite, row_values)):
                raise ValueError(NOT_FINITE)
        except (TypeError, ValueError, OverflowError) as error:
            raise type(error)(f"x[{i}]: {error}") from None
        if row_indices:
            highest = max(highest, row_indices[-1])
            if row_indices[0] < 0:
                raise ValueError(f"x[{i}]: feature {row_indices[0]} is negative")
        indices.append(-1)
        values.append(0.0)
        starts.append(len(indices))
    return FlatRows(indices, values, starts, highest)
