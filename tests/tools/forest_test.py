"""tools/forest.py: the list of cells, and the models of cells."""

import math
import os
import random
import re
import sys
import unittest

from support import BIN, SVM_TRAIN, ToolsTest, skip_without_build

SVM_PREDICT = os.path.join(BIN, "svm-predict")


def read_rows(lines):
    """The labels (or coefficients of one problem), and the rows as dictionaries."""
    rows = []
    for line in lines:
        label, *pairs = line.split()
        rows.append((float(label), {int(index): float(value) for index, value in
                                    (pair.split(":") for pair in pairs)}))
    return rows


class Machine:
    """A model of two classes, or one, with the RBF kernel."""

    def __init__(self, text):
        head, _, vectors = text.partition("\nSV\n")
        words = dict(line.split(" ", 1) for line in head.splitlines() if " " in line)
        self.labels = [int(label) for label in words["label"].split()]
        self.gamma, self.rho = float(words["gamma"]), float(words.get("rho") or 0)
        self.vectors = read_rows(vectors.splitlines())

    def value(self, row):
        """That of class 1 against -1, limited to [-1, 1]."""
        if len(self.labels) == 1:
            return self.labels[0]
        value = -self.rho
        for coefficient, vector in self.vectors:
            distance = sum((row.get(k, 0) - vector.get(k, 0)) ** 2 for k in {*row, *vector})
            value += coefficient * math.exp(-self.gamma * distance)
        return max(-1, min(value, 1)) * self.labels[0]


class ForestTools(ToolsTest):

    def train(self, *words):
        return self.check_ok(self.command(SVM_TRAIN, "-q", "-a", "csmo", *words))

    def forest(self, *words, **more):
        return self.tool("forest.py", *words, **more)

    def fails(self, message, *words):
        before = sorted(os.listdir(self.folder))
        run = self.forest(*words)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (1, "", message + "\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def fails_with_help(self, message, *words):
        self.fails(message + '\nTry "forest.py --help" for more information.', *words)

    def cells(self):
        """The cells as they are listed: lists of words."""
        run = self.check_ok(self.forest("forest"))
        self.assertEqual(run.stderr, "")
        return [line.split("\t") for line in run.stdout.split("\tclasses\n")[1].splitlines()]

    def leaf(self, tree, row):
        """The cell of a row, and the splits on the way there, by the lines of the file."""
        lines = self.read("forest").split("\ntrees 3\n")[1].splitlines()
        words = [line.split() for line in lines if line.split()[0] in ("split", "leaf")]

        def skipped(at):
            left = 1
            while left:
                left += 1 if words[at][0] == "split" else -1
                at += 1
            return at

        at = 0
        for _ in range(tree - 1):
            at = skipped(at)
        first = at
        while words[at][0] == "split":
            is_left = row.get(int(words[at][1]), 0) > float(words[at][2])
            at = at + 1 if is_left else skipped(at + 1)
        return 1 + sum(word[0] == "leaf" for word in words[first:at])

    def check_models_together(self, weights):
        """The forest predicts by the models of its cells, with weighted features of rows."""
        self.check_ok(self.command(SVM_PREDICT, "-q", "data", "forest", "out"))
        labels = [float(line) for line in self.lines("out")]
        self.check_ok(self.forest("--all", "models", "forest"))
        names = ["tree%scell%s.model" % (cell[0], cell[1]) for cell in self.cells()]
        self.assertEqual(sorted(os.listdir(self.path("models"))), sorted(names))
        machines = {name: Machine(self.read("models/" + name)) for name in names}
        rows = [row for _, row in read_rows(self.lines("data"))]
        weighted = [{f: value * weights.get(f, 1) for f, value in row.items()} for row in rows]
        self.write("weighted", "".join(
            "0 %s\n" % " ".join("%d:%.17g" % pair for pair in row.items()) for row in weighted))
        for name, machine in machines.items():
            self.check_ok(self.command(SVM_PREDICT, "-q", "weighted", "models/" + name, "out"))
            for line, row in zip(self.lines("out"), weighted):
                self.assertEqual(float(line), 1 if machine.value(row) > 0 else -1)
        for label, row, one in zip(labels, rows, weighted):
            values = [machines["tree%dcell%d.model" % (tree, self.leaf(tree, row))].value(one)
                      for tree in (1, 2, 3)]
            self.assertEqual(label, 1 if sum(values) > 0 else -1)


class ForestTest(ForestTools):

    def setUp(self):
        super().setUp()
        self.train("--cells", "30", "--trees", "3", "-c", "10", "--metric", "off", "data", "forest")

    def test_list(self):
        run = self.check_ok(self.forest("forest"))
        first, second = run.stdout.splitlines()[:2]
        cells = self.cells()
        vectors = int(self.read("forest").split("total_sv ")[1].split()[0])
        self.assertEqual(first, "c_svc, rbf: 3 trees, %d cells, %d support vectors"
                         % (len(cells), vectors))
        self.assertEqual(second, "tree\tcell\tsupport vectors\tclasses")
        self.assertEqual(len(cells), self.read("forest").count("leaf\n"))
        self.assertEqual([cell[:2] for cell in cells if cell[0] == "2"],
                         [["2", str(n + 1)] for n in range(sum(cell[0] == "2" for cell in cells))])
        for cell in cells:
            self.assertIn(cell[3], ("1 -1", "-1 1", "1", "-1"))

    def test_list_of_other_forests(self):
        self.train("--cells", "30", "-s", "3", "data", "forest")
        cells = self.cells()
        self.assertTrue(all(len(cell) == 3 for cell in cells))
        self.write("forest", self.read("forest").split("trees 5\n")[0] + "trees 1\nuntrained\n")
        self.assertEqual(self.cells(), [["1", "1", "untrained"]])
        self.fails("forest: cell 1 of tree 1 is not trained", "--tree", "1", "--cell", "1", "forest")
        self.fails("forest: cell 1 of tree 1 is not trained", "--all", "models", "forest")

    def test_models_together_are_the_forest(self):
        self.check_models_together({})

    def test_one_cell(self):
        self.check_ok(self.forest("--all", "models", "forest"))
        model = self.read("models/tree2cell1.model")
        self.assertEqual(self.check_ok(self.forest("forest", "--tree", "2", "--cell", "1")).stdout, model)
        self.check_ok(self.forest("--tree", "2", "--cell", "1", "-o", "model", "forest"))
        self.assertEqual(self.read("model"), model)

    def test_many_classes(self):
        lines = self.lines("data")
        self.write("data", "".join("%d %s\n" % (i % 4, line.split(" ", 1)[1])
                                   for i, line in enumerate(lines)))
        self.train("--cells", "40", "data", "forest")
        self.check_ok(self.forest("--all", "models", "forest"))
        for cell in self.cells():
            name = "models/tree%scell%s.model" % (cell[0], cell[1])
            self.check_ok(self.command(SVM_PREDICT, "-q", "data", name, "out"))
            self.assertLessEqual(set(self.lines("out")), set(cell[3].split()))

    def test_faults(self):
        text = self.read("forest")
        self.fails("none: No such file or directory", "none")
        self.fails("forest: the forest has no weights of features", "--metric", "ranges", "forest")
        self.fails("forest: there is no cell 99 of tree 1", "--tree", "1", "--cell", "99", "forest")
        self.fails("forest: there is no cell 1 of tree 4", "--tree", "4", "--cell", "1", "forest")
        self.fails("data: there is such a file or folder already", "--all", "data", "forest")
        self.fails("no/model: No such file or directory",
                   "--tree", "1", "--cell", "1", "-o", "no/model", "forest")
        self.fails("data: line 1: no forest, or one of a later version: it does not begin with "
                   "svm_forest 1", "data")
        for damaged, message in (
                (text[:text.rindex("\n", 0, -1)], "line %d: the file ends within the forest"
                 % (text.count("\n") - 1)),
                (text[:200], "line %d: the file ends within the forest" % (text[:200].count("\n") + 1)),
                (text.replace("\ntrees 3", "\ntrees x"), "line %d: expected the number of trees"
                 % (text.split("\ntrees")[0].count("\n") + 2)),
                (text.replace("leaf\n", "loaf\n", 1), "line %d: expected split, leaf or untrained"
                 % (text.split("leaf\n")[0].count("\n") + 1)),
                (text.replace("total_sv", "total", 1), "line %d: the model has no total_sv"
                 % (text.split("\nSV\n")[0].count("\n") + 2))):
            self.write("damaged", damaged)
            self.fails("damaged: " + message, "damaged")
        self.write("damaged", text.replace(" 0:", " 0:9", 1))
        run = self.forest("--all", "models", "damaged")
        self.assertRegex(run.stderr, r"\Adamaged: cell \d+ of tree 1 has a support vector that the "
                                     r"forest lacks\n\Z")
        self.assertFalse(os.path.exists(self.path("models")))

    def test_wrong_command_lines(self):
        self.fails_with_help("one forest is needed, not 0")
        self.fails_with_help("one forest is needed, not 2", "forest", "data")
        self.fails_with_help("--tree and --cell need each other", "--tree", "1", "forest")
        self.fails_with_help("--tree and --cell need each other", "--cell", "1", "forest")
        self.fails_with_help("option --tree needs a number from 1, not 0", "--tree", "0", "forest")
        self.fails_with_help("option --cell needs a number from 1, not x", "--cell", "x", "forest")
        self.fails_with_help("-o needs --tree and --cell", "-o", "model", "forest")
        self.fails_with_help("-o and --metric need different files",
                             "--tree", "1", "--cell", "1", "-o", "f", "--metric", "f", "forest")
        self.fails_with_help("forest would be written over itself", "--metric", "forest", "forest")
        self.fails_with_help("--all and --tree exclude each other",
                             "--all", "models", "--tree", "1", "--cell", "1", "forest")
        self.fails_with_help("forest would be written over itself",
                             "--tree", "1", "--cell", "1", "-o", "forest", "forest")
        self.fails_with_help("option --trees not recognized", "--trees", "1", "forest")

    def test_help(self):
        run = self.check_ok(self.forest("--help"))
        self.assertTrue(run.stdout.startswith("Usage: forest.py [--metric ranges] forest\n"))

    def test_nobody_reads(self):
        self.check_nobody_reads("forest.py", "forest")


class WeightedForestTest(ForestTools):
    """A forest with weights of features, of which two of fourteen matter."""

    def setUp(self):
        super().setUp()
        draws = random.Random(3)
        rows = []
        for _ in range(600):
            row = {k: draws.choice((0, draws.randrange(1, 64) / 64)) for k in range(1, 15)}
            label = 1 if (row[3] > 0.4) == (row[5] > 0.2) else -1
            rows.append("%+d %s\n" % (label, " ".join("%d:%g" % pair for pair in row.items() if pair[1])))
        self.write("data", "".join(rows))
        self.train("--cells", "200", "--trees", "3", "-c", "10", "-g", "0.5", "--digits", "17", "data",
                   "forest")
        self.assertTrue(self.read("forest").startswith("svm_forest 2\n"))
        self.text = self.read("forest")
        self.section = self.text.split("\nweights ")[1].split("\ntrees")[0]
        head, *lines = self.section.splitlines()
        self.weights = {int(index): float(weight) for index, weight in map(str.split, lines)}
        self.assertEqual(int(head.split()[0]), len(self.weights))
        self.others = float(head.split()[1])

    def ranges(self):
        """Those of the file that --metric wrote, by feature."""
        x, limits, *lines = self.lines("ranges")
        self.assertEqual((x, limits), ("x", "0 1"))
        for line in lines:
            self.assertEqual(line.split()[1], "0")
        return {int(index): float(high) for index, _, high in map(str.split, lines)}

    def test_list(self):
        first, second, third = self.check_ok(self.forest("forest")).stdout.splitlines()[:3]
        order = sorted(self.weights, key=self.weights.get, reverse=True)
        self.assertEqual(set(order[:2]), {3, 5})
        self.assertEqual(second, "14 features have weights, and others %.3g; the largest: %s" % (
            self.others, ", ".join("%d: %.3g" % (f, self.weights[f]) for f in order[:10])))
        self.assertTrue(first.startswith("c_svc, rbf: 3 trees, "))
        self.assertEqual(third, "tree\tcell\tsupport vectors\tclasses")

    def test_the_file_of_weights_tells_them_exactly(self):
        run = self.check_ok(self.forest("--metric", "ranges", "forest"))
        self.assertEqual(run.stdout, self.check_ok(self.forest("forest")).stdout)
        self.assertEqual({f: 1 / high for f, high in self.ranges().items()}, self.weights)
        self.assertLess(max(len(line) for line in self.lines("ranges")), 16)  # few digits
        section = "5 0.25\n1 1e+300\n3 0.1\n4 0\n5 3.1415926535897931\n9 4.9406564584124654e-324"
        self.write("other", self.text.replace(self.section, section))
        self.check_ok(self.forest("--metric", "ranges", "other"))
        ranges = self.ranges()
        self.assertEqual(sorted(ranges), list(range(1, 15)))  # all in support vectors
        for feature, weight in ((1, 1e300), (2, 0.25), (3, 0.1), (5, math.pi), (14, 0.25)):
            self.assertTrue(math.isclose(1 / ranges[feature], weight, rel_tol=1e-15))
        for feature in (4, 9):  # as near as a number comes
            self.assertEqual(ranges[feature], sys.float_info.max)
        self.assertIn("5 features have weights, and others 0.25; the largest: 1: 1e+300, 5: 3.14, 3: 0.1",
                      self.forest("other").stdout)

    def test_a_cell_and_the_file_of_weights(self):
        run = self.check_ok(self.forest("--tree", "1", "--cell", "1", "-o", "plain", "forest"))
        self.assertEqual(run.stderr, "rows for the model of a cell need the weights of features, which "
                                     "--metric writes\n")
        run = self.check_ok(self.forest("--tree", "1", "--cell", "1", "-o", "model", "--metric", "ranges",
                                        "forest"))
        self.assertEqual(run.stderr, "")
        self.assertRegex(self.read("model"), re.escape(self.read("plain")) +
                         r"metric [0-9a-f]{16} ranges\n\Z")
        self.check_ok(self.command(SVM_PREDICT, "-q", "--metric", "ranges", "data", "model", "by-metric"))
        self.check_models_together(self.weights)  # writes weighted rows
        self.check_ok(self.command(SVM_PREDICT, "-q", "weighted", "plain", "by-hand"))
        self.assertEqual(self.read("by-metric"), self.read("by-hand"))
        self.write("ranges", self.read("ranges").replace(" 0 ", " 0 1", 1))
        run = self.command(SVM_PREDICT, "-q", "--metric", "ranges", "data", "model", "out")
        self.assertIn("does not have the weights", run.stderr)

    def test_damaged_weights(self):
        head, tail = self.text.split("\nweights")
        place = head.count("\n") + 2
        for old, new, line, message in (
                ("weights 14 ", "weight 14 ", place, "the number of weights"),
                ("weights 14 ", "weights x ", place, "the number of weights"),
                ("weights 14 ", "weights 13 ", place + 14, "the number of trees"),
                ("weights 14 ", "weights 15 ", place + 15, "a feature and its weight"),
                ("\n1 ", "\n1 -", place + 1, "a feature and its weight")):
            self.write("damaged", head + ("\nweights" + tail).replace(old, new, 1))
            self.fails("damaged: line %d: expected %s" % (line, message), "damaged")


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
