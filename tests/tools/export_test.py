"""tools/export.py: its headers, compiled by several compilers, beside svm-predict on every row.

Usage: export_test.py [FOLDER OF REAL DATA SETS]"""

import lzma
import os
import re
import sys
import unittest

from exported import DATA, STRICT, TARGETS, WARNINGS, ExportedTest, has
from support import TOOLS, skip, skip_without_build

sys.path.insert(0, TOOLS)
from svmexport import form  # noqa: E402  # pylint: disable=wrong-import-position
from svmexport.model import Model, read_model  # noqa: E402  # pylint: disable=wrong-import-position

REAL = sys.argv.pop(1) if len(sys.argv) > 1 and os.sep in sys.argv[1] else ""
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


class ExportTest(ExportedTest):

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

    def test_model_without_vectors(self):
        self.write("data", "2.5 1:1\n2.5 2:1\n")
        self.train("-s", "3", "data")
        self.assertIn("total_sv 0", self.read("model"))
        self.check_same_predictions("data", "--features", "2")

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
        self.weigh(*range(1, 41))
        for data in ("sparse", "train"):
            self.train("-c", "10", "--use-metric", "weights", data)
            self.check_bound(data, "--metric", "weights")

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

    def weigh(self, *features):
        """Writes a file of weights of these features."""
        self.write("weights", "x\n0 1\n" + "".join(
            "%d 0 %g\n" % (f, 0.3 + f * f % 7 / 8) for f in features))

    def test_weights_of_features(self):
        """Rows are multiplied by them first, in double precision to the bit."""
        self.write("data", sparse_rows(240, 5, 60))
        self.demo(3)
        for data, last, is_sparse in (("data", 60, True), ("train", 6, False)):
            self.weigh(*range(1, last + 1))
            for options in ((), ("-t", "0"), ("-s", "1", "-n", "0.2", "-b", "1")):
                self.train("-a", "csmo", "--use-metric", "weights", *options, data)
                self.assertRegex(self.lines("model")[-1], "metric [0-9a-f]{16} weights")
                text = self.header("--metric", "weights")
                if not options:
                    self.assertEqual("m_starts" in text, is_sparse)
                self.assertIn("m_weights[%d]" % last, text)
                self.assertNotIn("m_low", text)
                if options != ("-t", "0"):
                    self.assertIn("Decision values are those of LIBSVM", text)
                rows = self.compiled(data)
                for line, (label,) in zip(rows, self.predictions(data, "--metric", "weights")):
                    self.assertEqual(line[0], label)
            classes = 5 if is_sparse else 2
            expected = self.predictions(data, "-b", "1", "--metric", "weights")
            for line, (_, *probabilities) in zip(rows, expected):
                for one, other in zip(line[-classes:], probabilities):
                    self.assertAlmostEqual(one, other, 5)

    def test_scaling_and_weights(self):
        self.demo(3)
        with open(os.path.join(DATA, "demo.test"), encoding="ascii") as file:
            self.write("raw", "".join(file.readlines()[::3]))
        self.weigh(1, 2, 3, 4, 5)  # 6 becomes 0
        self.train("-c", "10", "--use-metric", "weights", "train")
        labels = [one[0] for one in self.predictions("test", "--metric", "weights")]
        self.assertEqual(set(labels), {-1, 1})
        self.header("--metric", "weights", "--features", "6")
        values = [line[2] for line in self.compiled("test")]
        for kind in ("double", "float"):
            text = self.header("--scale", "range", "--metric", "weights", "--type", kind,
                               "--data", "raw")
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
        self.weigh(1, 2)
        words = "--type", "float", "--scale", "range", "--metric", "weights"
        macros = self.macros(self.header(*words))
        self.write("library.c", LIBRARY)
        self.check_ok(self.command("g++", "-x", "c++", *WARNINGS, *macros, "-c", "library.c"))
        if not has("arm-none-eabi-gcc"):
            self.skipTest("no arm-none-eabi-gcc")
        self.check_ok(self.command(
            "arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-Os",
            *STRICT, *macros, "-c", "library.c"))
        self.assertNotIn("_d", self.check_ok(self.command("nm", "-u", "library.o")).stdout)


if __name__ == "__main__":
    skip_without_build()
    if not has("gcc") or not has("nm"):
        skip("these tests need gcc and nm")
    for missing in [name for name in (*TARGETS, "qemu-arm", "arm-none-eabi-gcc") if not has(name)]:
        print("not found, so that its part is left out:", missing)
    if not has("qemu-arm"):
        TARGETS.pop("arm-linux-gnueabihf-gcc")
    unittest.main()
