"""How the numbers of a model are stored, and how much its decision values can change by that.

docs/export.md has the mathematics of the bound."""

import math
import struct

from .model import FileError

DOUBLE_UNIT, FLOAT_UNIT = 2.0**-53, 2.0**-24  # largest relative errors of rounding
LARGEST_FLOAT = 3.4e38
LARGEST_CODE = 127  # of int8
FUNCTION_UNITS = 4  # the largest relative error of exp and tanh, in the units above
SECOND_ORDER = 1.01  # products of errors, which the formulas leave out
MOST_NUMBERS = 2**25  # of dense vectors, more than any device has room for
TYPES = ("double", "float", "int8")


def to_float(value):
    """The value in single precision."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        raise FileError("%g is too large for a float; use --type double" % value) from None


def unsigned(largest):
    """The smallest type of whole numbers up to this one, and its bytes."""
    bytes_ = 1 if largest < 2**8 else 2 if largest < 2**16 else 4
    return "uint%d_t" % (8 * bytes_), bytes_


def feature_numbers(model, others, count):
    """The features of a row in C: all up to the last one, or those in use if these are few."""
    used = set(others).union(*model.vectors)
    last = max(used | {count, 1})
    if last > 64 + 4 * max(len(used), count):
        return sorted(used.union(range(1, count + 1)))
    if last > MOST_NUMBERS:
        raise FileError("a row of %d features is too long for a header" % last)
    return range(1, last + 1)


class Form:
    """The numbers of a model as a header has them, and its arrays.

    exact: the model, perhaps folded; stored: the model with the numbers that are stored; arrays:
    (type, bytes of an element, values) by name."""

    def __init__(self, model, features, kind, is_dense, is_folded):
        self.features, self.kind = features, kind
        self.is_dense, self.is_folded = is_dense, is_folded
        self.number = "double" if kind == "double" else "float"
        self.unit = DOUBLE_UNIT if kind == "double" else FLOAT_UNIT
        self.round = float if kind == "double" else to_float
        self.exact = model.folded() if is_folded else model
        if not self.exact.vectors:  # no array of C is empty
            zeros = [0.0] * max(1, len(model.labels) - 1)
            self.exact = model.copy(vectors=[{}], coefficients=[zeros],
                                    counts=[1] + [0] * (len(model.counts) - 1))
        self.arrays = {}
        self._store_vectors()
        exact, numbers = self.exact, self._numbers
        self.stored = exact.copy(
            vectors=self.vectors, gamma=self.round(exact.gamma), coef0=self.round(exact.coef0),
            coefficients=[list(map(self.round, row)) for row in exact.coefficients],
            rho=list(map(self.round, exact.rho)))
        numbers("coefficients", [one for row in exact.coefficients for one in row])
        numbers("rho", exact.rho)
        if exact.is_classifier:
            self.arrays["labels"] = ("int", 4, exact.labels)
        if len(exact.labels) > 2:
            ends = [sum(exact.counts[:a + 1]) for a in range(len(exact.counts))]
            self.arrays["ends"] = (*unsigned(len(exact.vectors)), ends)
        if exact.is_classifier and exact.slopes and exact.offsets:
            numbers("slopes", exact.slopes)
            numbers("offsets", exact.offsets)
        if exact.marks:
            numbers("marks", exact.marks)

    def _numbers(self, name, values):
        size = 8 if self.number == "double" else 4
        self.arrays[name] = (self.number, size, list(map(self.round, values)))

    def add_scaling(self, scaling):
        if scaling.ranges is not None:
            ranges = [scaling.ranges.of_features.get(f, (0.0, 0.0)) for f in self.features]
            self._numbers("low", [low for low, _ in ranges])
            self._numbers("high", [high for _, high in ranges])
        if scaling.weights is not None:
            self._numbers("weights", [scaling.weights.get(f, 0.0) for f in self.features])

    def rom(self):
        """The bytes of all arrays."""
        return sum(size * len(values) for _, size, values in self.arrays.values())

    def _store_vectors(self):
        """Makes the arrays of the vectors, and the vectors that these mean."""
        rows = self.exact.vectors
        if self.is_dense:
            rows = [{f: row.get(f, 0.0) for f in self.features} for row in rows]
        else:
            rows = [{f: value for f, value in row.items() if value != 0} for row in rows]
        if self.kind == "int8":
            codes = self._code_by_vector(rows) if self.is_folded else self._code_by_feature(rows)
            values = [code for row in codes for code in row]
            self.arrays["vectors"] = ("int8_t", 1, values)
        else:
            self.vectors = [{f: self.round(value) for f, value in row.items()} for row in rows]
            self._numbers("vectors", [value for row in rows for value in row.values()])
        if not self.is_dense:
            place = {f: k for k, f in enumerate(self.features)}
            indices = [place[f] for row in rows for f in row]
            starts = [0]
            for row in rows:
                starts.append(starts[-1] + len(row))
            self.arrays["indices"] = (*unsigned(len(self.features)), indices)
            self.arrays["starts"] = (*unsigned(len(indices)), starts)

    def _code_by_vector(self, rows):
        """A value is a whole number times a step of its vector."""
        steps = [to_float(max(map(abs, row.values()), default=0) / LARGEST_CODE) for row in rows]
        self._numbers("steps", steps)
        codes = [[code_of(value, 0.0, step) for value in row.values()]
                 for row, step in zip(rows, steps)]
        self.vectors = [{f: step * code for f, code in zip(row, one)}
                        for row, one, step in zip(rows, codes, steps)]
        return codes

    def _code_by_feature(self, rows):
        """A value is a whole number times a step of its feature. In dense rows, this is added to a
        centre; in sparse ones, 0 stays 0."""
        low, high = dict.fromkeys(self.features, 0.0), dict.fromkeys(self.features, 0.0)
        if self.is_dense:
            low, high = dict(rows[0]), dict(rows[0])
        for row in rows:
            for f, value in row.items():
                low[f], high[f] = min(low[f], value), max(high[f], value)
        centres, steps = dict.fromkeys(self.features, 0.0), {}
        for f in self.features:
            if self.is_dense:
                centres[f] = to_float(low[f] / 2 + high[f] / 2)
            most = max(high[f] - centres[f], centres[f] - low[f])
            steps[f] = to_float(most / LARGEST_CODE)
        self._numbers("steps", list(steps.values()))
        if self.is_dense:
            self._numbers("centres", list(centres.values()))
        codes = [[code_of(value, centres[f], steps[f]) for f, value in row.items()] for row in rows]
        self.vectors = [{f: centres[f] + steps[f] * code for f, code in zip(row, one)}
                        for row, one in zip(rows, codes)]
        return codes

    def looseness(self):
        """By how much the arithmetic of int8 may change a value of a vector, by feature."""
        if self.kind != "int8":
            return {}
        largest = {}
        for row in (*self.exact.vectors, *self.vectors):
            for f, value in row.items():
                largest[f] = max(largest.get(f, 0.0), abs(value))
        return {f: 3 * self.unit * value for f, value in largest.items()}

    def bound(self, original, reach, scaling):
        """The largest change of a decision value of `original` for rows whose features are not
        greater than `reach`: (that by the numbers that are stored, that by rounding of sums)."""
        has_ranges = scaling is not None and scaling.ranges is not None
        if self.kind == "double" and not self.is_folded and not has_ranges:
            return 0.0, 0.0  # the operations of LIBSVM in its order
        shift = {f: self.unit * reach[f] if self.kind != "double" else 0.0 for f in self.features}
        if scaling is not None:
            shift = {f: self._range_error(f, scaling.ranges) if has_ranges else 0.0
                     for f in self.features}
            if scaling.weights is not None:
                shift = {f: scaling.weights.get(f, 0.0) * error + 3 * self.unit * reach[f]
                         for f, error in shift.items()}
        numbers = change(self.exact, self.stored, reach, {}, {}, 0.0)
        rounding = change(self.stored, self.stored, reach, shift, self.looseness(), self.unit)
        # The sums of LIBSVM are rounded too, and so are those of weights.
        times = 2 if self.is_folded else 1
        rounding += times * change(original, original, reach, {}, {}, DOUBLE_UNIT)
        return SECOND_ORDER * numbers, SECOND_ORDER * rounding

    def _range_error(self, feature, ranges):
        """By how much rounding may change a scaled value."""
        low, high = ranges.of_features.get(feature, (0.0, 0.0))
        if low == high:
            return 0.0
        width, end = ranges.upper - ranges.lower, max(abs(low), abs(high))
        largest = max(abs(ranges.lower), abs(ranges.upper))
        if self.round(low) == self.round(high):
            return 2 * largest
        return self.unit * (width * (6 + 4 * end / (high - low)) + 3 * largest)


def code_of(value, centre, step):
    return max(-LARGEST_CODE, min(LARGEST_CODE, round((value - centre) / step))) if step else 0


def choose(model, features, kind, is_dense=False, keeps_vectors=False):
    """The form that takes the fewest bytes, or of these a dense one."""
    forms = []
    for fold in [False] if keeps_vectors or model.kernel != "linear" else [False, True]:
        vectors = model.folded().vectors if fold else model.vectors
        used = sum(map(len, vectors))
        if is_dense or len(vectors) * len(features) <= 5 * used + 4 * len(vectors) + 4:
            if len(vectors) * len(features) > MOST_NUMBERS:
                raise FileError("%d dense support vectors of %d features are too many for a header"
                                % (len(vectors), len(features)))
            forms.append(Form(model, features, kind, True, fold))
        if not is_dense and any(value for vector in vectors for value in vector.values()):
            forms.append(Form(model, features, kind, False, fold))  # as its arrays are not empty
    return min(forms, key=Form.rom) if forms else Form(model, features, kind, True, False)


def change(old, new, reach, shift, loose, unit):
    """The largest change of a decision value between two models with the same kernel, if a feature
    x is at most reach[x] and changes by shift[x], a value of a vector changes by loose[x] more, and
    each operation by the relative error `unit`."""
    shift_norm = norm(shift.values())
    kernels = [kernel_change(old, new, *pair, reach, shift, shift_norm, loose, unit)
               for pair in zip(old.vectors, new.vectors)]
    most = 0.0
    for terms, rho, new_rho in zip(old.machines(), old.rho, new.rho):
        total = abs(new_rho - rho) + unit * abs(new_rho)
        size = 0.0  # of the sum so far
        for i, column in terms:
            moved, largest = kernels[i]
            coefficient = new.coefficients[i][column]
            term = abs(coefficient) * largest
            size += term
            total += abs(coefficient) * moved + unit * (term + size)
            total += abs(coefficient - old.coefficients[i][column]) * largest
        most = max(most, total + unit * size)
    return most


def norm(values):
    return math.sqrt(sum(value * value for value in values))


def kernel_change(old, new, vector, new_vector, reach, shift, shift_norm, loose, unit):
    """The largest change of a kernel value, and the largest kernel value."""
    moved = {f: abs(new_vector.get(f, 0) - vector.get(f, 0)) + loose.get(f, 0.0)
             for f in vector.keys() | new_vector.keys()}
    gamma, gamma_change = max(old.gamma, new.gamma), abs(new.gamma - old.gamma)
    if old.kernel == "rbf":
        distance = norm(moved.values()) + shift_norm
        relative = (len(reach) + 5) * unit + (gamma_change / gamma if gamma else 0.0)
        moved = math.sqrt(2 * gamma / math.e) * distance + relative / math.e + FUNCTION_UNITS * unit
        return min(moved, 1.0), 1.0
    sizes = {f: max(abs(new_vector.get(f, 0)), abs(vector.get(f, 0))) for f in moved}
    largest = sum(size * reach[f] for f, size in sizes.items())
    product = ((len(reach) + 2) * unit * largest + sum(moved[f] * reach[f] for f in moved)
               + sum(shift.get(f, 0.0) * size for f, size in sizes.items()))
    if old.kernel == "linear":
        return product, largest
    inner = gamma * largest + max(abs(old.coef0), abs(new.coef0))
    inner_change = (gamma * product + gamma_change * largest + abs(new.coef0 - old.coef0)
                    + 3 * unit * inner)
    if old.kernel == "sigmoid":
        return min(inner_change + FUNCTION_UNITS * unit, 2.0), 1.0
    try:
        power = (inner + inner_change) ** old.degree
        slope = old.degree * (inner + inner_change) ** max(old.degree - 1, 0)
    except OverflowError:
        return math.inf, math.inf
    return slope * inner_change + 2 * old.degree * unit * power, power
