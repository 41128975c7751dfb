"""tools/export.py: its headers, compiled by several compilers, beside svm-predict on every row.

Usage: export_test.py [FOLDER OF REAL DATA SETS]"""

import lzma
import os
import re
import shutil
import struct
import subprocess
import sys
import unittest

from support import BIN, SOURCE, SVM_TRAIN, TOOLS, ToolsTest, skip, skip_without_build

sys.path.insert(0, TOOLS)
from svmexport import form  # noqa: E402  # pylint: disable=wrong-import-position
from svmexport.model import Model, read_model  # noqa: E402  # pylint: disable=wrong-import-position

SVM_PREDICT, SVM_SCALE = (os.path.join(BIN, name) for name in ("svm-predict", "svm-scale"))
DATA = os.path.join(SOURCE, "data")
REAL = sys.argv.pop(1) if len(sys.argv) > 1 and os.sep in sys.argv[1] else ""
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
# All functions of a header as functions of a library.
LIBRARY = r"""
#include "model.h"
#ifdef __cplusplus
extern "C" {
#endif
void decision_values(const NUMBER *x, NUMBER *values);
double predict(const NUMBER *x);
int predict_probability(const NUMBER *x, NUMBER *p);
void decision_values(const NUMBER *x, NUMBER *values) { m_decision_values(x, values); }
double predict(const NUMBER *x) { return (double)m_predict(x); }
int predict_probability(const NUMBER *x, NUMBER *p) { (void)x; (void)p; return PROBABILITY; }
#ifdef __cplusplus
}
#endif
"""


def has(program):
    return shutil.which(program) is not None


def sparse_rows(count, classes, features):
    """Text of rows with few features."""
    state, lines = 7, []
    for row in range(count):
        words = [str(row % classes * 10 - 10)]
        for index in range(1, features + 1):
            state = (state * 1103515245 + 12345) % 2**31
            if state % 97 < 9 or index % classes == row % classes and state % 97 < 40:
                words.append("%d:%.3g" % (index, state / 2**31 + 0.1))
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


class ExportTest(ToolsTest):

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

    # The test sets.

    def test_demo(self):
        self.demo()
        self.train("-b", "1", "train")
        self.check_same_predictions("test")
        self.check_probabilities("test", 2)

    def test_demo3(self):
        self.scale("data", os.path.join(DATA, "demo3.train"))
        for options in (("-t", "1", "-r", "1", "-d", "3"), ("-t", "3", "-g", "0.05"),
                        ("-s", "1", "-n", "0.3")):
            self.train("-b", "1", *options, "data")
            self.check_same_predictions("data")
        self.check_probabilities("data", 3)

    def test_regression(self):
        self.scale("data", os.path.join(DATA, "demo-svr.train"))
        for options in (("-s", "3", "-b", "1"), ("-s", "4", "-t", "0"),
                        ("-s", "3", "-t", "3", "-g", "0.1")):
            self.train(*options, "data")
            text = self.check_same_predictions("data")
            self.assertEqual("-b" in options, "M_SIGMA" in text)

    def test_one_class(self):
        self.demo()
        for options in (("-n", "0.2"), ("-n", "0.4", "-t", "1", "-d", "2", "-r", "0.5", "-b", "1")):
            self.train("-s", "2", *options, "train")
            self.check_same_predictions("test")
        self.check_probabilities("test", 2)

    def test_sparse_rows_of_many_classes(self):
        self.write("data", sparse_rows(240, 5, 60))
        for options in ((), ("-t", "0"), ("-t", "1", "-d", "2")):
            self.train(*options, "data")
            text = self.check_same_predictions("data")
            self.assertEqual(options[1:] != ("0",), "m_starts" in text)
        self.train("-t", "0", "data")
        self.assertIn("m_starts", self.check_same_predictions("data", "--keep-vectors"))

    def test_real_data(self):
        if not os.path.exists(os.path.join(REAL, "svmguide1.xz")):
            self.skipTest("no folder of real data sets")
        for name, features, thin, options in (
                ("svmguide1", "4", 15, ("-t", "3", "-g", "0.1")),
                ("splice", "60", 8, ("-g", "0.02")),
                ("dna.scale", "180", 4, ("-t", "0")),
                ("pendigits", "16", 80, ("-t", "1", "-r", "1")),
                ("letter.scale", "16", 250, ("-g", "1"))):
            for path, step in ((name, thin), (name + ".t", 1)):
                with lzma.open(os.path.join(REAL, path + ".xz"), "rt") as file:
                    self.write(path, "".join(file.readlines()[::step]))
            self.scale("data", "-s", "range", name)
            self.scale("test", "-r", "range", name + ".t")
            self.train(*options, "data")
            self.check_same_predictions("test", "--features", features)

    # The numbers.

    def check_bound(self, data, *words):
        """Float and int8: decision values change by the stated bound at most, and by what is stated
        for the data and the rounding."""
        self.header(*words)
        exact = self.compiled(data)
        before = os.path.getsize(self.path("model.h"))
        roms = [int(re.search("ROM: ([0-9]+)", self.read("model.h")).group(1))]
        for kind in ("float", "int8"):
            text = " ".join(self.header("--type", kind, "--data", data, *words).split())
            total, numbers, rounding = map(float, re.search(
                r"decision value: (\S+), by the .*? stored (\S+) and by rounding (\S+)\. ",
                text).groups())
            self.assertAlmostEqual(numbers + rounding, total, delta=0.02 * total)
            measured, labels = re.search(
                r"rows of the data: (\S+) by .*?stored(?:; (\d+))?", text).groups()
            rows = self.compiled(data)
            end = 2 + int(re.search("define M_VALUES ([0-9]+)", text).group(1))
            largest = max(abs(a - b) for one, other in zip(exact, rows)
                          for a, b in zip(one[2:end], other[2:end]))
            self.assertLessEqual(largest, total)
            self.assertLessEqual(float(measured), total)
            self.assertLessEqual(largest, float(measured) + rounding)
            self.assertGreaterEqual(largest, float(measured) * 0.99 - rounding)
            if labels and kind == "int8":
                differ = sum(one[0] != other[0] for one, other in zip(exact, rows))
                self.assertLessEqual(abs(differ - int(labels)), 1)
            roms.append(int(re.search("ROM: ([0-9]+)", text).group(1)))
        self.assertGreater(roms[0], roms[1])
        self.assertGreater(roms[1], roms[2])
        self.assertLess(os.path.getsize(self.path("model.h")), before)

    def test_bounds(self):
        self.demo(6)
        for options in (("-t", "0"), ("-t", "1", "-r", "1"), ("-t", "2", "-c", "10"),
                        ("-t", "3", "-g", "0.1", "-r", "0.3"), ("-s", "2")):
            self.train(*options, "train")
            self.check_bound("test", *(["--keep-vectors"] if options == ("-t", "0") else []))
        self.write("sparse", sparse_rows(90, 3, 40))
        for options in (("-t", "2", "-g", "0.3"), ("-t", "1", "-g", "1", "-d", "2")):
            self.train(*options, "sparse")
            self.check_bound("sparse")

    def test_bound_is_reached(self):
        """The formula of each kernel, by a vector and a row of one feature that change it most."""
        for kernel, value, x in (("linear", 1.0, 3.0), ("polynomial", 1.0, 3.0),
                                 ("sigmoid", 0.0, 3.0), ("rbf", 0.0, (2 * 0.5) ** -0.5)):
            old = Model({"svm_type": "one_class", "kernel_type": kernel, "degree": 3, "gamma": 0.5,
                         "coef0": 0.25 if kernel == "polynomial" else 0.0, "rho": [1.0]},
                        [[-2.0]], [{1: value}])
            new = old.copy(vectors=[{1: value + 1e-5}])
            bound = form.change(old, new, {1: x}, {}, {}, 0.0)
            change = abs(old.decision_values({1: x})[0] - new.decision_values({1: x})[0])
            self.assertLessEqual(change, bound * (1 + 1e-9))
            self.assertGreater(change, 0.999 * bound)
            # The same change of the row, and of the arithmetic of the vector.
            loose = form.change(old, old, {1: x}, {}, {1: 1e-5}, 0.0)
            self.assertAlmostEqual(loose, bound, delta=1e-4 * bound)
            shift = form.change(new, new, {1: x}, {1: 1e-5}, {}, 0.0)
            moved = abs(new.decision_values({1: x})[0] - new.decision_values({1: x - 1e-5})[0])
            self.assertLessEqual(moved, shift * form.SECOND_ORDER)

    def test_weights(self):
        self.demo()
        self.train("-t", "0", "train")
        for kind in ("double", "float", "int8"):
            text = self.header("--type", kind, "--data", "test")
            self.assertIn("#define M_VECTORS 1\n", text)
            total = float(re.search(r"decision value: (\S+),", text).group(1))
            rows = self.compiled("test")
            if kind == "double":
                exact = rows
                self.assertLess(total, 1e-9)
            largest = max(abs(a[2] - b[2]) for a, b in zip(exact, rows))
            self.assertLessEqual(largest, total)
            rounding = float(re.search(r"by rounding (\S+)\. ", text).group(1))
            measured = float(re.search(r"rows of the data: (\S+) by", text).group(1))
            self.assertLessEqual(abs(largest - measured), rounding + 0.01 * measured)

    def test_scaling(self):
        self.demo(3)
        self.train("-c", "10", "train")
        with open(os.path.join(DATA, "demo.test"), encoding="ascii") as file:
            self.write("raw", "".join(file.readlines()[::3]))
        labels = [one[0] for one in self.predictions("test")]
        self.assertEqual(set(labels), {-1, 1})
        self.header()
        values = [line[2] for line in self.compiled("test")]
        for kind in ("double", "float"):
            text = self.header("--scale", "range", "--type", kind, "--data", "raw")
            self.assertIn("Largest change of a decision value", text)
            for line, label, value in zip(self.compiled("raw"), labels, values):
                self.assertEqual(line[0], label)
                self.assertAlmostEqual(line[2], value, 3)  # svm-scale writes six digits

    def test_bytes_are_the_nearest(self):
        self.write("data", sparse_rows(60, 2, 20))
        self.train("data")
        model = read_model(self.path("model"))
        for is_dense in (True, False):
            stored = form.Form(model, list(range(1, 21)), "int8", is_dense, False)
            steps = stored.arrays["steps"][2]
            for vector, other in zip(model.vectors, stored.stored.vectors):
                for f, step in enumerate(steps, 1):
                    self.assertLessEqual(abs(vector.get(f, 0) - other.get(f, 0)), 0.50001 * step)

    def test_cmsis(self):
        self.demo(2)
        for options in (("-t", "0"), ("-t", "1", "-r", "1"), (), ("-s", "2"),
                        ("-t", "3", "-g", "0.1", "-r", "0.3")):
            self.train(*options, "train")
            text = self.header("--cmsis", "--data", "test")
            bound = float(re.search(r"decision value: (\S+),", text).group(1))
            lines = self.compiled("test", "gcc", "-std=c99")
            count = 0
            for line, (label,) in zip(lines, self.predictions("test")):
                if abs(line[2]) > bound:
                    self.assertEqual(line[-1], label)
                    count += 1
            self.assertGreater(count, 150)

    def test_features(self):
        self.write("data", "1 1:1 900000:0.5\n-1 1:-1 77:1\n1 1:2 900000:0.25\n-1 77:2\n")
        self.train("data")
        text = self.header()
        self.assertIn("features 1 77 900000.", text)
        self.assertIn("#define M_FEATURES 3\n", text)
        self.check_same_predictions("data")
        self.write("more", "1 1:1 3:1\n")
        self.assertIn("#define M_FEATURES 4\n", self.header("--data", "more"))
        self.check_same_predictions("more", "--data", "more")
        self.write("data", "1 1:1 2:1\n-1 1:-1\n")
        self.train("data")
        self.assertIn("#define M_FEATURES 7\n", self.header("--features", "7"))
        text = self.header("--features", "300000")  # too many for dense vectors
        self.assertIn("#define M_FEATURES 300000\n", text)
        self.assertIn("m_starts", text)

    # The code.

    def test_library(self):
        """Only functions of <math.h> are needed, and the bytes are those of the comment."""
        self.write("data", sparse_rows(120, 5, 30))
        for options, functions in (((), {"exp"}), (("-t", "3"), {"exp", "tanh"}),
                                   (("-t", "1"), {"exp"})):
            self.train("-b", "1", *options, "data")
            for kind in ("double", "int8"):
                text = self.header("--type", kind)
                self.write("library.c", LIBRARY)
                self.check_ok(self.command("gcc", "-O0", "-fstack-usage", *STRICT,
                                           *self.macros(text), "-c", "library.c"))
                symbols = [line.split() for line in
                           self.check_ok(self.command("nm", "-S", "library.o")).stdout.splitlines()]
                undefined = {words[-1] for words in symbols if words[-2] == "U"}
                end = "" if kind == "double" else "f"
                self.assertLessEqual(undefined - {"_GLOBAL_OFFSET_TABLE_", "memset"},
                                     {name + end for name in functions})
                rom = sum(int(words[1], 16) for words in symbols if words[-2] == "r")
                self.assertEqual(rom, int(re.search("ROM: ([0-9]+)", text).group(1)))
                ram = map(int, re.search("RAM: ([0-9]+) .* ([0-9]+) for", text).groups())
                used = {line.split()[0].rpartition(":")[2]: int(line.split()[1])
                        for line in self.lines("library.su")}
                for name, least in zip(("m_predict", "m_predict_probability"), ram):
                    self.assertLessEqual(least, used[name])
                    self.assertLess(used[name], least + 250)

    def test_other_compilers(self):
        """C++, and a controller without a system."""
        self.demo()
        self.train("-b", "1", "train")
        macros = self.macros(self.header("--type", "float", "--scale", "range"))
        self.write("library.c", LIBRARY)
        self.check_ok(self.command("g++", "-x", "c++", *WARNINGS, *macros, "-c", "library.c"))
        if not has("arm-none-eabi-gcc"):
            self.skipTest("no arm-none-eabi-gcc")
        self.check_ok(self.command(
            "arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-Os",
            *STRICT, *macros, "-c", "library.c"))
        self.assertNotIn("_d", self.check_ok(self.command("nm", "-u", "library.o")).stdout)

    # The command.

    def fails(self, message, *words):
        before = sorted(os.listdir(self.folder))
        run = self.export("-o", "model.h", *words)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (1, "", message + "\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def fails_with_help(self, message, *words):
        self.fails(message + '\nTry "export.py --help" for more information.', *words)

    def test_malformed_models(self):
        self.train("data")
        text = self.read("model")
        lines = text.splitlines(True)
        for message, changed in (
                ("line 1: novel is not a word of a model's header", "novel 1\n" + text),
                ("line 3: gamma appears twice", lines[0] + 2 * "gamma 1\n" + text),
                ("line 1: c_svm is not one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr",
                 text.replace("c_svc", "c_svm")),
                ("line 3: x is not a finite number", text.replace("gamma 0.25", "gamma x")),
                ("line 6: nan is not a finite number", re.sub("rho .*", "rho nan", text)),
                ("line 4: one value is expected after nr_class, not 2",
                 text.replace("nr_class 2", "nr_class 2 3")),
                ("line 8: the header lacks rho", re.sub("rho .*\n", "", text)),
                ("line 9: label has 3 values, not 2", text.replace("label 1 -1", "label 1 -1 2")),
                ("line 9: the numbers of nr_sv do not sum to total_sv",
                 re.sub("nr_sv .*", "nr_sv 1 2", text)),
                ("line 9: gamma must not be negative", text.replace("gamma 0.25", "gamma -1")),
                ("line 5: the file ends before the line SV", "".join(lines[:4])),
                ("line 12: the file ends after 2 of %s support vectors" %
                 re.search("total_sv ([0-9]+)", text).group(1), "".join(lines[:11])),
                ("line 10: y is not a finite number", re.sub("SV\n(\\S+) ", "SV\n\\1 1:y ", text)),
                ("line 10: 1 is not a whole number from 3",
                 re.sub("SV\n(\\S+) ", "SV\n\\1 2:1 ", text)),
                ("line 10: 1 coefficients are expected, not 0", re.sub("SV\n", "SV\n\n", text)),
                ("line 2: a precomputed kernel needs its values against all training rows at "
                 "prediction; train with another kernel", text.replace(" rbf", " precomputed"))):
            self.write("bad", changed)
            self.fails("bad: " + message, "bad")
        self.write("forest", "svm_forest 1\n")
        self.fails("forest: a forest has many machines; svm-forest --tree 1 --cell 1 writes the "
                   "model of one cell, which can be exported", "forest")

    def test_refusals(self):
        self.train("data")
        self.fails("none: No such file or directory", "none")
        self.fails_with_help("one model is needed, not 0")
        self.fails_with_help("--type needs double, float, int8, not half", "--type=half", "model")
        self.fails_with_help("--name needs a name of C, not 2a", "--name", "2a", "model")
        self.fails_with_help("--cmsis needs --type float, not int8",
                             "--cmsis", "--type=int8", "model")
        self.fails_with_help("--features needs a whole number, not -1", "--features=-1", "model")
        os.link(self.path("model"), self.path("model.h"))
        self.fails_with_help("model would be written over itself", "model")
        os.remove(self.path("model.h"))
        self.write("rows", "1 1:1\n1 2:x\n")
        run = self.export("--data", "rows", "model")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertTrue(run.stderr.startswith("rows:2: feature '2:x' not an <index>:<value> pair"))
        self.write("range", "x\n-1 1\n1 2 1\n")
        self.fails("range: line 3: 2 is greater than 1", "--scale", "range", "model")
        self.write("model", "svm_type one_class\nkernel_type polynomial\ndegree 12\ngamma 1\n"
                   "coef0 0\nnr_class 2\ntotal_sv 2\nrho 1\nSV\n1 1:100\n1 1:9\n")
        self.fails("model: the sums may exceed the largest float; scale the data, or use --type "
                   "double", "--type", "float", "model")
        self.fails("model: 2 dense support vectors of 30000000 features are too many for a header",
                   "--cmsis", "--features", "30000000", "model")
        self.fails("model: a row of 40000000 features is too long for a header",
                   "--features", "40000000", "model")
        self.train("-s", "3", "data")
        self.fails("model: CMSIS-DSP has functions for two classes, and this model has a target",
                   "--cmsis", "model")

    def test_model_without_vectors(self):
        self.write("data", "2.5 1:1\n2.5 2:1\n")
        self.train("-s", "3", "data")
        self.assertIn("total_sv 0", self.read("model"))
        self.check_same_predictions("data", "--features", "2")

    def test_names(self):
        self.train("data")
        shutil.copy(self.path("model"), self.path("7 a-b.model"))
        text = self.check_ok(self.export("7 a-b.model")).stdout
        self.assertIn("static inline int model_7_a_b_predict(", text)
        self.assertIn("Written from 7 a-b.model", text)
        run = self.check_ok(self.export("--help"))
        self.assertTrue(run.stdout.startswith("Usage: export.py [options] model\n"))

    def test_nobody_reads(self):
        self.train("data")
        process = subprocess.Popen([sys.executable, os.path.join(TOOLS, "export.py"), "model"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        self.assertNotIn(b"Traceback", process.stderr.read())
        process.stderr.close()
        process.wait()


if __name__ == "__main__":
    skip_without_build()
    if not has("gcc") or not has("nm"):
        skip("these tests need gcc and nm")
    for missing in [name for name in (*TARGETS, "qemu-arm", "arm-none-eabi-gcc") if not has(name)]:
        print("not found, so that its part is left out:", missing)
    if not has("qemu-arm"):
        TARGETS.pop("arm-linux-gnueabihf-gcc")
    unittest.main()
