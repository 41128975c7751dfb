"""What the tests of tools/export.py share: headers, compiled and run on the rows of a file."""

import os
import re
import shutil
import struct
import subprocess

from support import BIN, SOURCE, SVM_TRAIN, ToolsTest

SVM_PREDICT, SVM_SCALE = (os.path.join(BIN, name) for name in ("svm-predict", "svm-scale"))
DATA = os.path.join(SOURCE, "data")
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wdouble-promotion")
STRICT = ("-std=c99", *WARNINGS)
# Compiler, options of a program, and what runs it.
TARGETS = {"gcc": ((), ()), "clang": ((), ()),
           "arm-linux-gnueabihf-gcc": (("-static",), ("qemu-arm",))}

# Reads rows of doubles; writes the prediction, that by probabilities, and all values.
MAIN = r"""
#include <stdio.h>
#include "model.h"

int main(void) {
  double row[M_FEATURES];
  NUMBER x[M_FEATURES], values[M_VALUES], p[P] = {0};
  while (fread(row, sizeof row, 1, stdin) == 1) {
    int k;
    for (k = 0; k < M_FEATURES; ++k) x[k] = (NUMBER)row[k];
    if (ALL) m_decision_values(x, values);
    printf("%.17g %d", (double)m_predict(x), PROBABILITY);
    for (k = 0; ALL && k < M_VALUES; ++k) printf(" %.17g", (double)values[k]);
    for (k = 0; ALL && k < P; ++k) printf(" %.17g", (double)p[k]);
    CMSIS
    printf("\n");
  }
  return 0;
}
"""
# Structures and functions with the names of CMSIS-DSP's: the sums of a row, and the class.
ARM_MATH = r"""
#include <math.h>
#include <stdint.h>
typedef float float32_t;
#define STRUCTURE(name, members) typedef struct { \
  uint32_t nbOfSupportVectors, vectorDimension; float32_t intercept; \
  const float32_t *dualCoefficients, *supportVectors; const int32_t *classes; members } name;
STRUCTURE(arm_svm_linear_instance_f32, )
STRUCTURE(arm_svm_polynomial_instance_f32, int32_t degree; float32_t coef0; float32_t gamma;)
STRUCTURE(arm_svm_rbf_instance_f32, float32_t gamma;)
STRUCTURE(arm_svm_sigmoid_instance_f32, float32_t coef0; float32_t gamma;)
#define PREDICT(kernel, value) \
  static inline int32_t predict_##kernel( \
      const arm_svm_##kernel##_instance_f32 *s, const float *x) { \
    float32_t sum = s->intercept; \
    for (uint32_t i = 0; i < s->nbOfSupportVectors; ++i) { \
      float32_t dot = 0, square = 0; \
      for (uint32_t f = 0; f < s->vectorDimension; ++f) { \
        const float32_t v = s->supportVectors[i * s->vectorDimension + f]; \
        dot += x[f] * v; \
        square += (x[f] - v) * (x[f] - v); \
      } \
      (void)square; \
      sum += s->dualCoefficients[i] * (value); \
    } \
    return s->classes[sum > 0 ? 1 : 0]; \
  }
PREDICT(linear, dot)
PREDICT(polynomial, powf(s->gamma * dot + s->coef0, (float)s->degree))
PREDICT(rbf, expf(-s->gamma * square))
PREDICT(sigmoid, tanhf(s->gamma * dot + s->coef0))
"""


def has(program):
    return shutil.which(program) is not None


class ExportedTest(ToolsTest):

    def setUp(self):
        super().setUp()
        self.write("arm_math.h", ARM_MATH)

    def export(self, *words):
        return self.tool("export.py", *words)

    def header(self, *words, model="model"):
        """Writes model.h; its text."""
        self.check_ok(self.export("--name", "m", "-o", "model.h", *words, model))
        return self.read("model.h")

    def train(self, *words):
        self.check_ok(self.command(SVM_TRAIN, "-q", *words, "model"))

    def scale(self, name, *words):
        run = self.check_ok(self.command(SVM_SCALE, *words))
        return self.write(name, run.stdout)

    def demo(self, thin=1):
        """The files train and test, scaled, of each so many rows one; and range."""
        self.scale("train", "-s", "range", os.path.join(DATA, "demo.train"))
        self.scale("test", "-r", "range", os.path.join(DATA, "demo.test"))
        for name in ("train", "test"):
            self.write(name, "".join(line + "\n" for line in self.lines(name)[::thin]))

    def macros(self, text):
        """The options of a compiler for MAIN and LIBRARY."""
        classes = re.search("define M_CLASSES ([0-9]+)", text)
        probability = "m_predict_probability(x, p)" if "m_predict_probability" in text else "0"
        kernel = re.search("arm_svm_([a-z]+)_instance", text)
        return ["-DNUMBER=" + re.search(r"m_predict\(const (\w+)", text).group(1),
                "-DPROBABILITY=" + probability, "-DP=" + (classes.group(1) if classes else "2"),
                "-DCMSIS=" + ('printf(" %%d", (int)predict_%s(&m_cmsis, x));' % kernel.group(1)
                              if kernel else "")]

    def rows(self, data, text):
        """The rows of a data file as dense doubles."""
        count = int(re.search("define M_FEATURES ([0-9]+)", text).group(1))
        listed = re.search(r"FEATURES\]: features ([0-9 ]+)", text)
        places = {int(f): k for k, f in enumerate(listed.group(1).split())} if listed else None
        packed = []
        for line in self.lines(data):
            row = [0.0] * count
            for index, value in (pair.split(":") for pair in line.split()[1:]):
                place = places.get(int(index)) if places else int(index) - 1
                row[place] = float(value)
            packed.append(struct.pack("%dd" % count, *row))
        return b"".join(packed)

    def compiled(self, data, compiler="gcc", *options, values=True):
        """What a program with model.h prints for the rows: lists of numbers."""
        text = self.read("model.h")
        linked, runner = TARGETS.get(compiler, ((), ()))
        self.write("main.c", MAIN)
        self.check_ok(self.command(compiler, *(options or ("-O1", *STRICT)), *self.macros(text),
                                   "-DALL=%d" % values, "main.c", "-o", "main", *linked, "-lm"))
        run = subprocess.run([*runner, "./main"], cwd=self.folder, input=self.rows(data, text),
                             stdout=subprocess.PIPE, check=True, timeout=240)
        return [list(map(float, line.split())) for line in run.stdout.decode().splitlines()]

    def predictions(self, data, *words):
        """The numbers of the lines that svm-predict writes."""
        self.check_ok(self.command(SVM_PREDICT, "-q", *words, data, "model", "out"))
        return [list(map(float, line.split())) for line in self.lines("out") if line[0] != "l"]

    def check_same_predictions(self, data, *words):
        """Exports the model and compares with svm-predict on every row, for every compiler."""
        text = self.header(*words)
        expected = [one[0] for one in self.predictions(data)]
        is_regression = "M_CLASSES" not in text and "is the target" in text
        for compiler in filter(has, TARGETS):
            lines = self.compiled(data, compiler, values=False)
            self.assertEqual(len(lines), len(expected))
            for number, (line, label) in enumerate(zip(lines, expected)):
                if is_regression:
                    self.assertAlmostEqual(line[0], label, delta=1e-11 * (1 + abs(label)))
                else:
                    self.assertEqual(line[0], label, "%s, row %d" % (compiler, number))
        return text

    def check_probabilities(self, data, classes, digits=5):
        """Those of model.h are those of svm-predict, and so is the label."""
        for line, (label, *expected) in zip(self.compiled(data), self.predictions(data, "-b", "1")):
            self.assertEqual(line[1], label)
            for one, other in zip(line[-classes:], expected):
                self.assertAlmostEqual(one, other, digits)
