"""tools/easy.py, subset.py and checkdata.py."""

import collections
import os
import signal
import sys
import unittest

from support import BIN, SOURCE, SVM_TRAIN, TOOLS, ToolsTest, rows, skip_without_build, with_path


class SubsetTest(ToolsTest):

    def test_rows_are_divided(self):
        for method in ("0", "1"):
            with self.subTest(method):
                run = self.check_ok(self.tool("subset.py", "-s", method, "data", "30", "a", "b"))
                self.assertEqual(run.stdout, "")
                self.assertEqual(len(self.lines("a")), 30)
                self.assertEqual(sorted(self.lines("a") + self.lines("b")),
                                 sorted(self.lines("data")))
                chosen = set(self.lines("a"))
                self.assertEqual(self.lines("a"),
                                 [line for line in self.lines("data") if line in chosen])

    def test_shares_of_classes(self):
        self.write("classes", "".join("%s 1:%d\n" % (label, row) for label, count in
                                      (("a", 13), ("b", 5), ("c", 20), ("d", 6))
                                      for row in range(count)))
        run = self.check_ok(self.tool("subset.py", "classes", "37"))
        counts = collections.Counter(line[0] for line in run.stdout.splitlines())
        self.assertEqual(counts, {"b": 5, "d": 6, "a": 11, "c": 15})

    def test_two_runs_differ(self):
        runs = {self.check_ok(self.tool("subset.py", "-s", "1", "data", "40")).stdout
                for _ in range(4)}
        self.assertGreater(len(runs), 1)

    def test_standard_input(self):
        with open(self.path("data"), "rb") as file:
            run = self.check_ok(self.tool("subset.py", "-", "90", stdin=file))
        self.assertEqual(run.stdout, self.read("data"))

    def test_errors(self):
        run = self.tool("subset.py", "data", "1")
        self.assertEqual(run.returncode, 255)
        self.assertTrue(run.stderr.startswith(
            "Error: failed to have at least one instance per class\n"))
        run = self.tool("subset.py", "-s", "3", "data", "5")
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stdout.startswith("Unknown selection method 3\nUsage: "))
        os.symlink("data", self.path("link"))
        os.link(self.path("data"), self.path("further"))
        for arguments in ([], ["data"], ["data", "x"], ["data", "10", "data"],
                          ["data", "10", "out", "./link"], ["data", "10", "further"],
                          ["data", "10", "out", "./out"], ["data", "91"], ["nothing", "3"]):
            with self.subTest(arguments):
                run = self.tool("subset.py", *arguments)
                self.assertEqual(run.returncode, 1)
                self.assertNotIn("Traceback", run.stderr)
        self.assertEqual(len(self.lines("data")), 90)
        self.check_ok(self.tool("subset.py", "data", "10", "/dev/null", "/dev/null"))
        with open(self.path("data"), "rb") as file:
            run = self.tool("subset.py", "-", "10", "data", stdin=file)
        self.assertEqual((run.returncode, len(self.lines("data"))), (1, 90))


class CheckDataTest(ToolsTest):

    def check(self, text):
        self.write("checked", text)
        run = self.tool("checkdata.py", "checked")
        self.assertEqual(run.returncode, 0 if run.stdout == "No error.\n" else 1)
        return run.stdout

    def test_good_data(self):
        self.assertEqual(self.check(self.read("data")), "No error.\n")
        self.assertEqual(self.check("1,2 0:3\n+1 +1:.5\t2:1e-3\n 1\n"), "No error.\n")

    def test_bad_data(self):
        pair = "feature '%s' not an <index>:<value> pair, <index> integer, <value> real number "
        for line, message in (
                ("x 1:1", "label x is not a number"),
                ("nan 1:1", "label nan is not a number"),
                ("1,, 1:1", "label 1,, is not a valid multi-label form"),
                ("", "missing label, perhaps an empty line?"),
                ("1 1:nan", pair % "1:nan"), ("1 1:inf", pair % "1:inf"),
                ("1 1:1e400", pair % "1:1e400"), ("1 a:1", pair % "a:1"), ("1 1:", pair % "1:"),
                ("1 1:1_0", pair % "1:1_0"),
                ("1 2147483648:2", "feature index must not be above 2147483647; wrong feature "
                                   "2147483648:2"),
                ("1 -1:2", "feature index must be positive; wrong feature -1:2"),
                ("1 2:1 1:2", "feature indices must be in an ascending order, previous/current "
                              "features 2:1 1:2")):
            with self.subTest(line):
                self.assertEqual(self.check("1 1:1\n%s\n" % line),
                                 "line 2: %s\nFound 1 lines with error.\n" % message)
        self.assertEqual(self.check("1 1:1"), "line 1: missing a newline character in the end\n"
                                              "Found 1 lines with error.\n")
        self.assertEqual(self.check(""), "The file is empty.\n")

    def test_standard_input(self):
        self.write("bad", "1 1:1\n1 x\n")
        for name, status, first in (("data", 0, "No error."), ("bad", 1, "line 2: feature 'x' not ")):
            with open(self.path(name), "rb") as file:
                run = self.tool("checkdata.py", "-", stdin=file)
            self.assertEqual(run.returncode, status)
            self.assertTrue(run.stdout.startswith(first), run.stdout)
            self.assertEqual(run.stderr, "")

    def test_usage(self):
        run = self.tool("checkdata.py", "nothing")
        self.assertEqual((run.returncode, run.stdout), (1, "dataset nothing not found\n"))
        self.assertEqual(self.tool("checkdata.py").returncode, 1)


class EasyTest(ToolsTest):

    def test_from_data_to_predictions(self):
        data = os.path.join(SOURCE, "data")
        with open(os.path.join(data, "demo.train"), encoding="ascii") as file:
            self.write("small", "".join(file.readlines()[:120]))
        run = self.check_ok(self.tool("easy.py", "small", os.path.join(data, "demo.test"),
                                      env=with_path(BIN)))
        lines = run.stdout.splitlines()
        self.assertEqual(lines[:2], ["Scaling training data...", "Cross validation..."])
        self.assertRegex(lines[2], r"^Best c=\S+, g=\S+ CV rate=\S+$")
        self.assertEqual(lines[3:7], ["Training...", "Output model: small.model",
                                      "Scaling testing data...", "Testing..."])
        self.assertRegex(lines[7], r"^Accuracy = \S+% \(\d+/\d+\) \(classification\)$")
        self.assertEqual(lines[8:], ["Output prediction: demo.test.predict"])
        for name in ("small.range", "small.scale", "small.scale.out", "small.model",
                     "demo.test.scale", "demo.test.predict"):
            self.assertTrue(self.read(name), name)

    def test_errors(self):
        self.assertEqual(self.tool("easy.py").returncode, 0)
        run = self.tool("easy.py", "nothing", env=with_path(BIN))
        self.assertEqual((run.returncode, run.stderr), (1, "nothing not found\n"))
        for arguments in (["-"], ["data", "-"]):
            run = self.tool("easy.py", *arguments, env=with_path(BIN))
            self.assertEqual((run.returncode, run.stderr), (
                1, "easy.py reads its files several times: it needs a file, not standard input (-)\n"))
        run = self.tool("grid.py", "-svmtrain", SVM_TRAIN, "-")
        self.assertEqual((run.returncode, run.stderr.splitlines()[0]), (
            1, "grid.py gives its dataset to other programs: it needs a file, not standard input (-)"))
        self.write("bad", "1 1:1\n2 x\n1 2:1 1:1\n")
        run = self.tool("easy.py", "bad", env=with_path(BIN))
        self.assertEqual(run.returncode, 1)
        self.assertIn("svm-scale failed", run.stderr)
        self.assertEqual([name for name in os.listdir(self.folder) if "scale" in name], [])

    def test_own_input_is_spared(self):
        os.link(self.path("data"), self.path("data.scale"))
        for arguments in (["data"], ["data.scale", "data"]):
            run = self.tool("easy.py", *arguments, env=with_path(BIN))
            self.assertEqual(run.returncode, 1)
            self.assertRegex(run.stderr, "^data.* would be written over itself\n$")
        self.assertEqual(self.read("data"), rows(90))

    def test_signal_ends_the_steps(self):
        self.write("data", rows(3000))
        for number in signal.SIGINT, signal.SIGTERM:
            for whole_group in True, False:
                with self.subTest((number, whole_group)):
                    process = self.start(sys.executable, os.path.join(TOOLS, "easy.py"), "data",
                                         env=with_path(BIN))
                    self.wait_for("data.scale.out", process)
                    (os.killpg if whole_group else os.kill)(process.pid, number)
                    self.assertEqual(process.wait(60), -number)
                    with self.assertRaises(ProcessLookupError):  # nothing is left in its group
                        os.killpg(process.pid, 0)
                    os.remove(self.path("data.scale.out"))


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
