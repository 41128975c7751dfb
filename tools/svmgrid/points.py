"""The points of a grid, the order in which they are tried, and which of them is best.

A point is a tuple with log2 of each searched parameter, in the order of Grid.names.
"""

import math

NAMES = ("c", "g", "p")


def arithmetic_sequence(begin, end, step):
    """begin, begin + step, ... up to end; sums accumulate, as in LIBSVM."""
    if not all(math.isfinite(x) for x in (begin, end, step)):
        raise ValueError("a range needs finite numbers: %g,%g,%g" % (begin, end, step))
    if step == 0 and begin != end:
        raise ValueError("a range needs a step other than 0: %g,%g,%g" % (begin, end, step))
    if step == 0 or begin == end:
        return [begin]
    values = []
    while begin <= end if step > 0 else begin >= end:
        values.append(begin)
        if begin + step == begin or len(values) > 100000:
            raise ValueError("a range has too many values")
        begin += step
    if not values:
        raise ValueError("a range holds no value; its step leads away from its end")
    return values


def midpoint_order(values):
    """The middle first, then alternately the points of the lower and the upper half."""
    if len(values) < 2:
        return list(values)
    middle = len(values) // 2
    lower = midpoint_order(values[:middle])
    upper = midpoint_order(values[middle + 1:])
    ordered = [values[middle]]
    for turn in range(len(lower)):  # the lower half is never the shorter one
        ordered.append(lower[turn])
        ordered.extend(upper[turn:turn + 1])
    return ordered


def plane_order(first, second):
    """Pairs of both lists. Values enter in the order of their fraction of their list, those of the
    second list before those of the first; each comes with all partners that are present."""
    entries = [(i / len(second), 0, value) for i, value in enumerate(second)]
    entries += [(i / len(first), 1, value) for i, value in enumerate(first)]
    present = ([], [])
    for _, which, value in sorted(entries, key=lambda entry: entry[:2]):
        if which == 0:
            yield from ((partner, value) for partner in present[1])
        else:
            yield from ((value, partner) for partner in present[0])
        present[which].append(value)


class Grid:
    """ranges: maps a name (c, g, p) to a list of log2 values, or None if it is not searched."""

    def __init__(self, ranges, minimise=False):
        self.ranges = {name: values for name, values in ranges.items() if values is not None}
        self.names = [name for name in NAMES if name in self.ranges]
        self.minimise = minimise

    def points(self):
        """All points in LIBSVM's order; with p, one plane after the other."""
        lists = {name: midpoint_order(values) for name, values in self.ranges.items()}
        searched = [name for name in self.names if name != "p"]
        if len(searched) == 2:
            planes = list(plane_order(lists["c"], lists["g"]))
        elif searched:
            planes = [(value,) for value in lists[searched[0]]]
        else:
            planes = [()]
        for p in lists.get("p", [None]):
            for plane in planes:
                yield plane if p is None else plane + (p,)

    def better(self, one, other):
        """Whether (point, rate) one beats other. Of equals that differ in C only, the smaller C."""
        if one[1] != other[1]:
            return (one[1] < other[1]) == self.minimise
        return (self.names[:1] == ["c"] and one[0][1:] == other[0][1:] and
                one[0][0] < other[0][0])

    def best(self, rates):
        """The best (point, rate) of a dict, independent of its order."""
        best = None
        own = [point for point in self.points() if point in rates]
        others = sorted(set(rates).difference(own))
        for point in others + own:
            candidate = (point, rates[point])
            if best is None or self.better(candidate, best):
                best = candidate
        return best

    def values(self, point):
        """The parameters themselves: {'c': 2.0, 'g': 0.5}."""
        return {name: 2.0**log2 for name, log2 in zip(self.names, point)}

    def arguments(self, point):
        """The point as options of svm-train."""
        return [word for name, value in self.values(point).items()
                for word in ("-" + name, str(value))]
