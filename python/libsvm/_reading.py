"""Data files: rows of the form "label index:value index:value ..."."""

import os
from array import array
from typing import (
    IO, TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Literal, Tuple, Union, overload,
)  # fmt: skip

if TYPE_CHECKING:
    import numpy

Source = Union[str, bytes, "os.PathLike[str]", IO[Any]]
Row = Tuple[float, List[int], List[float]]

BLOCK_BYTES = 1 << 24
NUMBERS = b"0123456789.+-eE"  # the characters of ordinary numbers


@overload
def svm_read_problem(
    data_source: Source, return_scipy: Literal[False] = False
) -> Tuple[List[float], List[Dict[int, float]]]: ...
@overload
def svm_read_problem(
    data_source: Source, return_scipy: Literal[True]
) -> Tuple["numpy.ndarray", Any]: ...


def svm_read_problem(data_source: Source, return_scipy: bool = False) -> Tuple[Any, Any]:
    """Reads labels and rows of a data file, given by name or as a text or binary file object.

    Returns (list of l labels, list of l dicts {feature: value}); with return_scipy (numpy array of
    l labels, csr_matrix of l rows without zeros, whose column j is feature j + 1, or feature j if
    the file has a feature 0).  Raises ValueError that names the file, the line and the error.
    """
    collect: Callable[[Iterator[Row]], Tuple[Any, Any]]
    collect = _to_scipy if return_scipy else _to_lists
    if hasattr(data_source, "read"):
        return collect(_rows(data_source, str(getattr(data_source, "name", "data"))))
    with open(data_source, "rb") as file:  # type: ignore[arg-type]
        return collect(_rows(file, os.fsdecode(data_source)))


def _rows(file: Any, name: str) -> Iterator[Row]:
    number = 0
    while True:
        text = file.read(BLOCK_BYTES)
        if not text:
            return
        if text[-1:] not in ("\n", b"\n"):
            text += file.readline()
        block = text.encode() if isinstance(text, str) else text
        parse = _parse_plain if _is_plain(block) else _parse
        for line in block.splitlines():
            number += 1
            try:
                row = parse(line)
            except ValueError as error:
                raise ValueError(f"{name}, line {number}: Wrong input format: {error}") from None
            yield row


def _is_plain(block: bytes) -> bool:
    """True if every blank is single and comes before a number and its colon, or at the end of a
    line. Then there is at most one number between two marks."""
    if b": " in block:
        return False
    marks = block.translate(None, NUMBERS).replace(b" :", b"").replace(b" \n", b"\n")
    return not marks.translate(None, b"\n")


def _parse_plain(line: bytes) -> Row:
    words = line.replace(b":", b" ").split()
    if len(words) != 1 + 2 * line.count(b":"):
        return _parse(line)
    try:
        return float(words[0]), list(map(int, words[1::2])), list(map(float, words[2::2]))
    except ValueError:
        return _parse(line)


def _parse(line: bytes) -> Row:
    words = line.split()
    if not words:
        raise ValueError("the line is empty")
    indices, values = [], []
    for word in words[1:]:
        index, colon, value = word.partition(b":")
        if not colon:
            raise ValueError(f"no colon in '{word.decode(errors='replace')}'")
        indices.append(_number(int, index, "index"))
        values.append(_number(float, value, "value"))
    return _number(float, words[0], "label"), indices, values


def _number(kind: Any, text: bytes, what: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"'{text.decode(errors='replace')}' is no {what}") from None


def _to_lists(rows: Iterator[Row]) -> Tuple[List[float], List[Dict[int, float]]]:
    labels: List[float] = []
    pairs: List[Dict[int, float]] = []
    for label, indices, values in rows:
        labels.append(label)
        pairs.append(dict(zip(indices, values)))
    return labels, pairs


def _to_scipy(rows: Iterator[Row]) -> Tuple[Any, Any]:
    import numpy
    from scipy import sparse

    labels, starts = array("d"), array("q", [0])
    columns, values = array("q"), array("d")
    for label, row_indices, row_values in rows:
        labels.append(label)
        columns.fromlist(row_indices)
        values.fromlist(row_values)
        starts.append(len(columns))
    kept = numpy.flatnonzero(values)
    column_numbers = numpy.array(columns)
    first = min(1, int(column_numbers.min(initial=1)))
    if first < 0:
        raise ValueError(f"feature {first} is negative")
    column_numbers = column_numbers[kept] - first
    kept_starts = numpy.searchsorted(kept, starts)
    shape = (len(labels), int(column_numbers.max(initial=-1)) + 1)
    rows_of_x = (numpy.array(values)[kept], column_numbers, kept_starts)
    return numpy.array(labels), sparse.csr_matrix(rows_of_x, shape=shape)
