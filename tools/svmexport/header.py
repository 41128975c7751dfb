"""The header in C. In the templates NAME, UPPER and NUMBER stand for the prefix of all names, the
same in capitals, and the type of numbers; EXP and TANH for the functions of that type."""

import re

from .model import PARAMETERS

LINE = 100  # characters
MOST_LISTED = 40  # features in a comment

DENSE = """
/* The kernel value of a row and a support vector. */
static inline NUMBER NAME_kernel(const NUMBER *x, uint32_t i) {
  NUMBER sum = 0;
  uint32_t f;
  for (f = 0; f < UPPER_FEATURES; ++f) {
    const uint32_t p = i * UPPER_FEATURES + f;
    TERM
  }
  TAIL
}
"""
SPARSE_PRODUCT = """
/* The kernel value of a row and a support vector. */
static inline NUMBER NAME_kernel(const NUMBER *x, uint32_t i) {
  NUMBER sum = 0;
  uint32_t p;
  for (p = NAME_starts[i]; p < NAME_starts[i + 1]; ++p) {
    const uint32_t f = NAME_indices[p];
    TERM
  }
  TAIL
}
"""
SPARSE_DISTANCE = """
/* The kernel value of a row and a support vector. */
static inline NUMBER NAME_kernel(const NUMBER *x, uint32_t i) {
  const uint32_t end = NAME_starts[i + 1];
  uint32_t p = NAME_starts[i], f;
  NUMBER sum = 0;
  for (f = 0; f < UPPER_FEATURES; ++f) {
    NUMBER d = x[f];
    if (p < end && NAME_indices[p] == f) {
      d -= VALUE;
      ++p;
    }
    sum += d * d;
  }
  TAIL
}
"""
TAILS = {
    "linear": "return SUM;",
    "polynomial": """NUMBER base = GAMMA * SUM + COEF0, power = 1;
  uint32_t t;
  for (t = DEGREE; t > 0; t /= 2) {
    if (t % 2 == 1) power *= base;
    base *= base;
  }
  return power;""",
    "rbf": "return EXP(-GAMMA * SUM);",
    "sigmoid": "return TANH(GAMMA * SUM + COEF0);",
}
SCALE = """
/* TASK. */
static inline void NAME_scale(const NUMBER *raw, NUMBER *x) {
  uint32_t f;
  for (f = 0; f < UPPER_FEATURES; ++f) {
STEPS  }
}
"""
BY_RANGES = """    const NUMBER low = NAME_low[f], high = NAME_high[f];
    x[f] = 0;
    if (low < high) x[f] = LOWER + WIDTH * (raw[f] - low) / (high - low);
    if (low < high && raw[f] == high) x[f] = UPPER_LIMIT;
"""
ONE_MACHINE = """
/* The decision value of a row. */
static inline void NAME_decision_values(const NUMBER *INPUT, NUMBER *values) {
  NUMBER sum = 0;
  uint32_t i;
SCALED  for (i = 0; i < UPPER_VECTORS; ++i) sum += NAME_coefficients[i] * NAME_kernel(x, i);
  values[0] = sum - NAME_rho[0];
}
"""
MACHINES = """
/* The number of the decision value of class a against class b, a < b. */
static inline uint32_t NAME_pair(uint32_t a, uint32_t b) {
  return a * (2 * UPPER_CLASSES - a - 1) / 2 + b - a - 1;
}

/* The decision values of a row: 0 against 1, 0 against 2, ..., 1 against 2, ... */
static inline void NAME_decision_values(const NUMBER *INPUT, NUMBER *values) {
  uint32_t a, b, i = 0;
SCALED  for (b = 0; b < UPPER_VALUES; ++b) values[b] = 0;
  for (a = 0; a < UPPER_CLASSES; ++a) {
    for (; i < NAME_ends[a]; ++i) {
      const NUMBER kernel = NAME_kernel(x, i);
      const NUMBER *coefficients = NAME_coefficients + i * (UPPER_CLASSES - 1);
      for (b = 0; b < a; ++b) values[NAME_pair(b, a)] += coefficients[b] * kernel;
      for (b = a + 1; b < UPPER_CLASSES; ++b) {
        values[NAME_pair(a, b)] += coefficients[b - 1] * kernel;
      }
    }
  }
  for (b = 0; b < UPPER_VALUES; ++b) values[b] -= NAME_rho[b];
}
"""
PREDICT_VALUE = """
/* The prediction for a row. */
static inline NUMBER NAME_predict(const NUMBER *x) {
  NUMBER value;
  NAME_decision_values(x, &value);
  return value;
}
"""
PREDICT_ONE_CLASS = """
/* 1 for a row like those of the training, else -1. */
static inline int NAME_predict(const NUMBER *x) {
  NUMBER value;
  NAME_decision_values(x, &value);
  return value > 0 ? 1 : -1;
}
"""
PREDICT_TWO = """
/* The label of a row. */
static inline int NAME_predict(const NUMBER *x) {
  NUMBER value;
  NAME_decision_values(x, &value);
  return NAME_labels[value > 0 ? 0 : 1];
}
"""
PREDICT_MANY = """
/* The label of a row: that with the most votes, of several the first. */
static inline int NAME_predict(const NUMBER *x) {
  NUMBER values[UPPER_VALUES];
  uint16_t votes[UPPER_CLASSES] = {0};
  uint32_t a, b, best = 0;
  NAME_decision_values(x, values);
  for (a = 0; a < UPPER_CLASSES; ++a) {
    for (b = a + 1; b < UPPER_CLASSES; ++b) ++votes[values[NAME_pair(a, b)] > 0 ? a : b];
  }
  for (a = 1; a < UPPER_CLASSES; ++a) {
    if (votes[a] > votes[best]) best = a;
  }
  return NAME_labels[best];
}
"""
SIGMOID = """
/* The probability of the first class of a pair by their decision value. */
static inline NUMBER NAME_sigmoid(NUMBER value, uint32_t pair) {
  const NUMBER least = SMALLEST;
  const NUMBER s = value * NAME_slopes[pair] + NAME_offsets[pair];
  const NUMBER p = s >= 0 ? EXP(-s) / (1 + EXP(-s)) : 1 / (1 + EXP(s));
  return p < least ? least : p > 1 - least ? 1 - least : p;
}
"""
PROBABILITY_TWO = """
/* The label of a row by probabilities, which are put out in the order of NAME_labels. */
static inline int NAME_predict_probability(const NUMBER *x, NUMBER *probabilities) {
  NUMBER value;
  NAME_decision_values(x, &value);
  probabilities[0] = NAME_sigmoid(value, 0);
  probabilities[1] = 1 - probabilities[0];
  return NAME_labels[probabilities[1] > probabilities[0] ? 1 : 0];
}
"""
PROBABILITY_MANY = """
/* The label of a row by probabilities, which are put out in the order of NAME_labels. They minimise
   p'Qp, where Q has the probabilities of pairs (Wu, Lin and Weng, 2004). */
static inline int NAME_predict_probability(const NUMBER *x, NUMBER *probabilities) {
  NUMBER values[UPPER_VALUES], q[UPPER_CLASSES][UPPER_CLASSES], product[UPPER_CLASSES];
  NUMBER *p = probabilities;
  uint32_t a, b, best = 0, iteration;
  NAME_decision_values(x, values);
  for (a = 0; a < UPPER_CLASSES; ++a) {
    q[a][a] = 0;
    p[a] = (NUMBER)1 / UPPER_CLASSES;
  }
  for (a = 0; a < UPPER_CLASSES; ++a) {
    for (b = a + 1; b < UPPER_CLASSES; ++b) {
      const uint32_t pair = NAME_pair(a, b);
      const NUMBER ab = NAME_sigmoid(values[pair], pair), ba = 1 - ab;
      q[a][a] += ba * ba;
      q[b][b] += ab * ab;
      q[a][b] = q[b][a] = -ba * ab;
    }
  }
  for (iteration = 0; iteration < ITERATIONS; ++iteration) {
    NUMBER sum = 0, largest = 0;
    for (a = 0; a < UPPER_CLASSES; ++a) {
      product[a] = 0;
      for (b = 0; b < UPPER_CLASSES; ++b) product[a] += q[a][b] * p[b];
      sum += p[a] * product[a];
    }
    for (a = 0; a < UPPER_CLASSES; ++a) {
      const NUMBER error = product[a] > sum ? product[a] - sum : sum - product[a];
      if (error > largest) largest = error;
    }
    if (largest < TOLERANCE / UPPER_CLASSES) break;
    for (a = 0; a < UPPER_CLASSES; ++a) {
      const NUMBER step = (sum - product[a]) / q[a][a];
      p[a] += step;
      sum = (sum + step * (step * q[a][a] + 2 * product[a])) / (1 + step) / (1 + step);
      for (b = 0; b < UPPER_CLASSES; ++b) {
        product[b] = (product[b] + step * q[a][b]) / (1 + step);
        p[b] /= 1 + step;
      }
    }
  }
  for (a = 1; a < UPPER_CLASSES; ++a) {
    if (p[a] > p[best]) best = a;
  }
  return NAME_labels[best];
}
"""
PROBABILITY_ONE_CLASS = """
/* The prediction for a row, with the probabilities that it is like those of the training, and that
   it is not. */
static inline int NAME_predict_probability(const NUMBER *x, NUMBER *probabilities) {
  NUMBER value;
  uint32_t k = 0;
  NAME_decision_values(x, &value);
  while (k < 10 && !(value < NAME_marks[k])) ++k;
  probabilities[0] = (NUMBER)k / 10;
  if (k == 0) probabilities[0] = LEAST;
  if (k == 10) probabilities[0] = value > NAME_marks[9] ? MOST : 0;
  probabilities[1] = 1 - probabilities[0];
  return value > 0 ? 1 : -1;
}
"""


class Header:
    """Makes the text."""

    def __init__(self, form, name, scaling=None, for_cmsis=False):
        self._form, self._model, self._name = form, form.exact, name
        self._scaling, self._for_cmsis = scaling, for_cmsis
        self._has_probabilities = "slopes" in form.arrays or "marks" in form.arrays

    def _number(self, value):
        """A literal."""
        value = self._form.round(value)
        text = repr(value) if self._form.number == "double" else "%.9g" % value
        if not set(text) & set(".e"):
            text += ".0"
        return text if self._form.number == "double" else text + "f"

    def _array(self, name, values, kind, text):
        lines, line = [], " "
        for word in map(text, values):
            if len(line) + len(word) + 2 > LINE:
                lines.append(line)
                line = " "
            line += " " + word + ","
        return "static const %s NAME_%s[%d] = {\n%s\n};\n" % (
            kind, name, len(values), "\n".join([*lines, line.rstrip(",")]))

    def _arrays(self):
        for name, (kind, _, values) in self._form.arrays.items():
            text = self._number if kind == self._form.number else str
            yield self._array(name, values, kind, text)

    def _kernel(self):
        form, model = self._form, self._model
        value, total = "NAME_vectors[p]", "sum"
        if form.kind == "int8":
            value = "(NUMBER)NAME_vectors[p]"
            if form.is_folded:
                total = "NAME_steps[i] * sum"
            else:
                value = "NAME_steps[f] * " + value
                value = "(NAME_centres[f] + %s)" % value if form.is_dense else value
        is_distance = model.kernel == "rbf"
        term = ("const NUMBER d = x[f] - VALUE;\n    sum += d * d;" if is_distance else
                "sum += x[f] * VALUE;")
        text = DENSE if form.is_dense else SPARSE_DISTANCE if is_distance else SPARSE_PRODUCT
        for old, new in (("TERM", term), ("VALUE;", value + ";"), ("TAIL", TAILS[model.kernel]),
                         ("SUM", total)):
            text = text.replace(old, new)
        return text

    def _scale(self):
        tasks, steps = [], ""
        if self._scaling.ranges is not None:
            tasks.append("Scales a row as svm-scale does; features without a range become 0")
            steps = BY_RANGES
        if self._scaling.weights is not None:
            tasks.append("Multiplies features by weights; those without one become 0")
            steps += "    x[f] = NAME_weights[f] * %s[f];\n" % ("x" if steps else "raw")
        return SCALE.replace("TASK", ".\n   ".join(tasks)).replace("STEPS", steps)

    def _functions(self):
        model, classes = self._model, len(self._model.labels)
        yield self._kernel()
        scaled = ""
        if self._scaling is not None:
            yield self._scale()
            scaled = "  NUMBER x[UPPER_FEATURES];\n  NAME_scale(raw, x);\n"
        decisions = MACHINES if classes > 2 else ONE_MACHINE
        yield decisions.replace("SCALED", scaled).replace("INPUT", "raw" if scaled else "x")
        if not model.is_classifier:
            yield PREDICT_ONE_CLASS if model.svm_type == "one_class" else PREDICT_VALUE
        else:
            yield PREDICT_MANY if classes > 2 else PREDICT_TWO
        if self._has_probabilities:
            if model.is_classifier:
                yield SIGMOID
                yield PROBABILITY_MANY if classes > 2 else PROBABILITY_TWO
            else:
                yield PROBABILITY_ONE_CLASS

    def _cmsis(self):
        """The structure of CMSIS-DSP, whose sums choose the second class if they are positive."""
        model = self._model
        kernel = model.kernel
        classes = model.labels[::-1] if model.is_classifier else [-1, 1]
        order = ("degree", "coef0", "gamma") if kernel == "polynomial" else ("coef0", "gamma")
        members = [("nbOfSupportVectors", str(len(model.vectors))),
                   ("vectorDimension", str(len(self._form.features))),
                   ("intercept", self._number(-model.rho[0])),
                   ("dualCoefficients", "NAME_coefficients"), ("supportVectors", "NAME_vectors"),
                   ("classes", "NAME_cmsis_classes")]
        parameters = {"degree": str(model.degree), "coef0": self._number(model.coef0),
                      "gamma": self._number(model.gamma)}
        members += [(key, parameters[key]) for key in order if key in PARAMETERS[kernel]]
        return ("\n/* For arm_svm_%s_predict_f32()%s. */\n"
                "static const int32_t NAME_cmsis_classes[2] = {%d, %d};\n"
                "static const arm_svm_%s_instance_f32 NAME_cmsis = {\n%s\n};\n" % (
                    kernel, ", of a row that NAME_scale() has scaled" if self._scaling else "",
                    *classes, kernel,
                    ",\n".join("  /* %s */ %s" % member for member in members)))

    def stack(self):
        """The bytes of arrays on the stack: (of NAME_predict, of NAME_predict_probability)."""
        number = 8 if self._form.number == "double" else 4
        classes, values = len(self._model.labels), len(self._model.rho)
        scaled = len(self._form.features) if self._scaling is not None else 0
        if classes < 3:
            return number * (scaled + 1), number * (scaled + 1)
        return (number * (scaled + values) + 2 * classes,
                number * (scaled + values + classes * classes + classes))

    def text(self, comment):
        """comment: the lines that tell what is particular about the model."""
        form, model = self._form, self._model
        defines = [("FEATURES", len(form.features)), ("VECTORS", len(model.vectors)),
                   ("VALUES", len(model.rho))]
        if model.is_classifier:
            defines.append(("CLASSES", len(model.labels)))
        elif model.svm_type != "one_class" and model.slopes:
            comment = [*comment, "", "A target is a prediction and noise, which has Laplace's "
                       "distribution of the scale %s_SIGMA." % self._name.upper()]
            defines.append(("SIGMA", self._number(model.slopes[0])))
        parts = ["#ifndef UPPER_H_\n#define UPPER_H_\n",
                 "#include <math.h>\n#include <stdint.h>\n%s" % (
                     '#include "arm_math.h"\n' if self._for_cmsis else ""),
                 "".join("#define UPPER_%s %s\n" % define for define in defines), *self._arrays()]
        text = "\n".join(parts) + "".join(self._functions())
        text += self._cmsis() if self._for_cmsis else ""
        return "/* %s */\n%s\n#endif\n" % ("\n   ".join(comment).replace("\n   \n", "\n\n"),
                                          self._with_words(text))

    def _with_words(self, text):
        """The text with its words in capitals replaced."""
        model, number = self._model, self._number
        is_double = self._form.number == "double"
        ranges = self._scaling.ranges if self._scaling else None
        lower, upper = (ranges.lower, ranges.upper) if ranges else (0.0, 0.0)
        words = {
            "GAMMA": number(model.gamma), "COEF0": number(model.coef0), "DEGREE": str(model.degree),
            "EXP": "exp" if is_double else "expf", "TANH": "tanh" if is_double else "tanhf",
            "SMALLEST": number(1e-7), "TOLERANCE": number(0.005), "LEAST": number(0.001),
            "MOST": number(0.999), "ITERATIONS": str(max(100, len(model.labels))),
            "LOWER": number(lower), "UPPER_LIMIT": number(upper), "WIDTH": number(upper - lower),
            "NUMBER": self._form.number}
        text = re.sub(r"\b(%s)\b" % "|".join(words), lambda found: words[found.group()], text)
        text = re.sub(r"\bUPPER(?=_)", self._name.upper(), text)
        return re.sub(r"\bNAME(?=_)", self._name, text)
