"""Rows as svm.h's nodes: blocks of memory that the library reads."""

import ctypes
from array import array
from ctypes import POINTER, Structure, c_double, c_int, c_void_p
from typing import Any, Iterator, List, Sequence, Tuple

from libsvm._rows import FlatRows, flatten

INT_SIZE = ctypes.sizeof(c_int)


class svm_node(Structure):
    """struct svm_node: one feature of a row.  Index -1 terminates the row."""

    _names = ["index", "value"]
    index: int
    value: Any
    _types: List[Any] = [c_int, c_double]
    _fields_ = list(zip(_names, _types))

    def __init__(self, index: int = -1, value: float = 0) -> None:
        super().__init__(index, value)

    def __str__(self) -> str:
        return f"{self.index}:{self.value:g}"


NodePointer = POINTER(svm_node)
NODE_SIZE = ctypes.sizeof(svm_node)


class NodeRows(Sequence):
    """Rows of nodes in one block.  An item is a ctypes array of nodes, which keeps it alive."""

    def __init__(self, rows: FlatRows) -> None:
        self._starts = rows.starts
        self._block = bytearray(NODE_SIZE * len(rows.indices))
        # An index is one int of a node, a value two: each is copied with a stride.
        ints = memoryview(self._block).cast("i") if self._block else memoryview(array("i"))
        stride = NODE_SIZE // INT_SIZE
        place = svm_node.value.offset // INT_SIZE
        halves = memoryview(rows.values).cast("B").cast("i")
        ints[0::stride] = memoryview(rows.indices)
        ints[place::stride] = halves[0::2]
        ints[place + 1 :: stride] = halves[1::2]

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        i = range(len(self))[i]
        first = self._starts[i]
        return (svm_node * (self._starts[i + 1] - first)).from_buffer(
            self._block, NODE_SIZE * first
        )

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def pointers(self) -> Any:
        """A ctypes array of pointers to the rows."""
        start = ctypes.addressof(c_int.from_buffer(self._block)) if self._block else 0
        return pointers_to_rows(start, self._starts[:-1])


def pointers_to_rows(block: int, starts: Any) -> Any:
    """A ctypes array of pointers to rows that start at these nodes of the block at this address."""
    code = {array(c).itemsize: c for c in "ILQ"}[ctypes.sizeof(c_void_p)]
    addresses = array(code, [block + NODE_SIZE * start for start in starts])
    return (NodePointer * len(addresses)).from_buffer(addresses)


def node_rows(rows: Sequence[Any], is_kernel: bool) -> Tuple[NodeRows, int]:
    """Rows of nodes, and the largest feature index, or 0."""
    flat = flatten(rows, is_kernel)
    return NodeRows(flat), flat.highest
