"""LIBSVM's models and the range files of svm-scale and svm-train, and what they compute."""

import math

from checkdata import is_number

CLASSIFIERS = ("c_svc", "nu_svc")
SVM_TYPES = (*CLASSIFIERS, "one_class", "epsilon_svr", "nu_svr")
PARAMETERS = {"linear": (), "polynomial": ("degree", "gamma", "coef0"), "rbf": ("gamma",),
              "sigmoid": ("gamma", "coef0")}
LISTS = ("rho", "label", "probA", "probB", "prob_density_marks", "nr_sv")
COUNTS = ("degree", "nr_class", "total_sv", "nr_sv")
MARKS = 10
LARGEST_INDEX = 2**31 - 1


class FileError(Exception):
    """A malformed file, or one that cannot be exported."""


class Model:
    """A model. vectors: dictionaries of values by feature; coefficients: those of each vector, one
    for each class but one; counts: how many vectors each class has; metric: the fingerprint and the
    name of the file of weights that rows need, or None."""

    def __init__(self, header, coefficients, vectors):
        self.svm_type, self.kernel = header["svm_type"], header["kernel_type"]
        self.degree, self.gamma = header.get("degree", 1), header.get("gamma", 0.0) + 0.0
        self.coef0 = header.get("coef0", 0.0)
        self.labels, self.rho = header.get("label", []), header["rho"]
        self.is_classifier = self.svm_type in CLASSIFIERS
        self.slopes, self.offsets = header.get("probA", []), header.get("probB", [])
        self.marks = header.get("prob_density_marks", []) if self.svm_type == "one_class" else []
        self.counts = header["nr_sv"] if self.is_classifier else [len(vectors)]
        self.coefficients, self.vectors = coefficients, vectors
        self.metric = None

    def copy(self, **changes):
        """A model with other members."""
        other = Model.__new__(Model)
        other.__dict__.update(self.__dict__, **changes)
        return other

    def machines(self):
        """The terms of each decision value in LIBSVM's order, as pairs of the number of a vector
        and that of one of its coefficients."""
        if not self.is_classifier:
            return [[(i, 0) for i in range(len(self.vectors))]]
        ends = [sum(self.counts[:a]) for a in range(len(self.counts) + 1)]
        members = [range(first, end) for first, end in zip(ends, ends[1:])]
        return [[(i, b - 1) for i in members[a]] + [(i, a) for i in members[b]]
                for a in range(len(members)) for b in range(a + 1, len(members))]

    def kernel_value(self, row, vector):
        if self.kernel == "rbf":
            return math.exp(-self.gamma * sum((row.get(f, 0) - vector.get(f, 0)) ** 2
                                              for f in row.keys() | vector.keys()))
        product = sum(value * row.get(f, 0) for f, value in vector.items())
        if self.kernel == "linear":
            return product
        inner = self.gamma * product + self.coef0
        return inner ** self.degree if self.kernel == "polynomial" else math.tanh(inner)

    def decision_values(self, row):
        kernel = [self.kernel_value(row, vector) for vector in self.vectors]
        return [sum(self.coefficients[i][column] * kernel[i] for i, column in terms) - rho
                for terms, rho in zip(self.machines(), self.rho)]

    def label_of(self, values):
        """The label by decision values; of regression the value itself."""
        if not self.is_classifier:
            return values[0] if self.svm_type != "one_class" else 1 if values[0] > 0 else -1
        votes, values = [0] * len(self.labels), iter(values)
        for a in range(len(votes)):
            for b in range(a + 1, len(votes)):
                votes[a if next(values) > 0 else b] += 1
        return self.labels[votes.index(max(votes))]

    def folded(self):
        """The model with one vector of weights for each decision value of a linear kernel."""
        machines, columns = self.machines(), max(1, len(self.labels) - 1)
        weights = []
        for terms in machines:
            products = {}
            for i, column in terms:
                for feature, value in self.vectors[i].items():
                    products.setdefault(feature, []).append(self.coefficients[i][column] * value)
            weights.append({feature: math.fsum(products[feature]) for feature in sorted(products)})
        classes = len(self.labels) if self.is_classifier else 2
        ones = [[float(column == b - 1) for column in range(columns)]
                for a in range(classes) for b in range(a + 1, classes)]
        counts = [classes - 1 - a for a in range(classes)] if self.is_classifier else [1]
        return self.copy(vectors=weights, coefficients=ones, counts=counts)


class Lines:
    """The lines of a text file, with errors that name them."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._lines = file.read().decode("latin-1").rstrip().split("\n")
        self.number = 0

    def next(self):
        """The words of the next line, None after the last one."""
        self.number += 1
        return self._lines[self.number - 1].split() if self.number <= len(self._lines) else None

    def fault(self, text):
        text = "".join(c if " " <= c <= "~" else "?" for c in text)
        return FileError("line %d: %s" % (self.number, text))

    def real(self, word):
        if not is_number(word):
            raise self.fault("%s is not a finite number" % word)
        return float(word)

    def whole(self, word, least=0):
        if not word.isascii() or not word.isdigit() or not least <= int(word) <= LARGEST_INDEX:
            raise self.fault("%s is not a whole number from %d" % (word, least))
        return int(word)

    def label(self, word):
        value = self.real(word)
        if value != int(value) or abs(value) > LARGEST_INDEX:
            raise self.fault("the label %s is not a whole number" % word)
        return int(value)

    def choice(self, word, words):
        if word not in words:
            raise self.fault("%s is not one of %s" % (word, ", ".join(words)))
        return word


def read_header(lines):
    """What stands before SV, by its words."""
    header = {}
    while True:
        words = lines.next()
        if words is None:
            raise lines.fault("the file ends before the line SV")
        if words == ["SV"]:
            return header
        if not words:
            continue
        key, *values = words
        if key == "svm_forest":
            raise FileError("a forest has many models; svm-forest --tree 1 --cell 1 writes the "
                            "model of one cell, which can be exported")
        if key not in ("svm_type", "kernel_type", "degree", "gamma", "coef0", "nr_class",
                       "total_sv", *LISTS):
            raise lines.fault("%s is not a word of a model's header" % key[:40])
        if key in header:
            raise lines.fault("%s appears twice" % key)
        if key not in LISTS and len(values) != 1:
            raise lines.fault("one value is expected after %s, not %d" % (key, len(values)))
        if values == ["precomputed"]:
            raise lines.fault("a precomputed kernel needs its values against all training rows at "
                              "prediction; train with another kernel")
        if key == "svm_type":
            header[key] = lines.choice(values[0], SVM_TYPES)
        elif key == "kernel_type":
            header[key] = lines.choice(values[0], tuple(PARAMETERS))
        else:
            convert = lines.whole if key in COUNTS else lines.real
            convert = lines.label if key == "label" else convert
            numbers = list(map(convert, values))
            header[key] = numbers if key in LISTS else numbers[0]


def check_header(header, lines):
    """Refuses what is missing or has the wrong length. Leaves lists of no use out."""
    for key in ("svm_type", "kernel_type", "nr_class", "total_sv", "rho"):
        if key not in header:
            raise lines.fault("the header lacks %s" % key)
    is_classifier = header["svm_type"] in CLASSIFIERS
    needed = [*PARAMETERS[header["kernel_type"]], *(("label", "nr_sv") if is_classifier else ())]
    for key in needed:
        if key not in header:
            raise lines.fault("the header lacks %s, which its type needs" % key)
    classes = header["nr_class"]
    if classes < 2:
        raise lines.fault("a model of one class computes nothing: its label is the prediction")
    if not is_classifier:
        header.pop("nr_sv", None)
        header.pop("label", None)
        if classes != 2:
            raise lines.fault("nr_class must be 2 for regression and one-class")
    if header.get("gamma", 0) < 0:
        raise lines.fault("gamma must not be negative")
    pairs = classes * (classes - 1) // 2
    lengths = {"rho": pairs, "probA": pairs, "probB": pairs, "label": classes, "nr_sv": classes,
               "prob_density_marks": MARKS}
    for key in LISTS:
        if key in header and len(header[key]) != lengths[key]:
            raise lines.fault("%s has %d values, not %d" % (key, len(header[key]), lengths[key]))
    if sum(header.get("nr_sv", [header["total_sv"]])) != header["total_sv"]:
        raise lines.fault("the numbers of nr_sv do not sum to total_sv")


def read_vector(lines, words, columns):
    """The coefficients and the features of a line."""
    if len(words) < columns:
        raise lines.fault("%d coefficients are expected, not %d" % (columns, len(words)))
    vector, last = {}, 0
    for word in words[columns:]:
        index, _, value = word.partition(":")
        last = lines.whole(index, last + 1)
        vector[last] = lines.real(value)
    return list(map(lines.real, words[:columns])), vector


def read_model(path):
    """Raises FileError, OSError."""
    lines = Lines(path)
    header = read_header(lines)
    check_header(header, lines)
    coefficients, vectors = [], []
    for number in range(header["total_sv"]):
        words = lines.next()
        if words is None:
            raise lines.fault("the file ends after %d of %d support vectors"
                              % (number, header["total_sv"]))
        one, vector = read_vector(lines, words, header["nr_class"] - 1)
        coefficients.append(one)
        vectors.append(vector)
    model = Model(header, coefficients, vectors)
    words = lines.next()
    if words and words[0] == "metric" and len(words) > 2:
        model.metric = words[1], " ".join(words[2:])
        words = lines.next()
    if words:
        raise lines.fault("there is more than %d support vectors" % len(vectors))
    return model


class Ranges:
    """The range file that svm-scale -s writes: limits, and the (minimum, maximum) of features."""

    def __init__(self, path):
        lines = Lines(path)
        words = lines.next()
        if words == ["y"]:  # of the labels: predictions stay scaled, as those of svm-predict
            lines.next()
            lines.next()
            words = lines.next()
        if words != ["x"]:
            raise lines.fault("a range file of svm-scale begins with a line x or y")
        self.lower, self.upper = self._two(lines, lines.next() or [])
        self.of_features, last = {}, 0
        words = lines.next()
        while words:
            last = lines.whole(words[0], last + 1)
            self.of_features[last] = self._two(lines, words[1:])
            words = lines.next()

    @staticmethod
    def _two(lines, words):
        if len(words) != 2:
            raise lines.fault("two numbers are expected, not %d" % len(words))
        low, high = map(lines.real, words)
        if low > high:
            raise lines.fault("%s is greater than %s" % tuple(words))
        return low, high


def read_weights(path):
    """The weights of features in a file of svm-train --metric, whose ranges end at reciprocals."""
    ranges = Ranges(path)
    if (ranges.lower, ranges.upper) != (0, 1) or not ranges.of_features or not all(
            low == 0 < high and 1 / high < math.inf for low, high in ranges.of_features.values()):
        raise FileError("this is no file of svm-train --metric, whose limits are 0 and 1, and whose "
                        "ranges go from 0 to the reciprocals of weights")
    return {f: 1 / high for f, (_, high) in ranges.of_features.items()}


class Scaling:
    """What is done to rows first: they are scaled by ranges, and their features are multiplied by
    weights. One of these may be None."""

    def __init__(self, ranges, weights):
        self.ranges, self.weights = ranges, weights

    def features(self):
        return {*(self.ranges.of_features if self.ranges else ()), *(self.weights or ())}

    def row(self, raw):
        """A row as svm-scale -r writes it, but with all digits, and then with weights."""
        if self.ranges is None:
            return self.weigh(raw)
        lower, width = self.ranges.lower, self.ranges.upper - self.ranges.lower
        return self.weigh({f: lower + width * (raw.get(f, 0) - low) / (high - low)
                           for f, (low, high) in self.ranges.of_features.items() if low < high})

    def weigh(self, row):
        if self.weights is None:
            return row
        return {f: self.weights[f] * value for f, value in row.items() if f in self.weights}
