#!/usr/bin/env python3
"""Usage: programs_test.py PRELOADED_LIBRARY

Programs whose memory runs out end with a message and a status, and leave no file that is incomplete;
programs that get no threads do without.  The library is made of preload.c, SVM_BIN_DIR names the build.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77  # exit status that ctest takes for it
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BIN = os.path.abspath(os.environ.get("SVM_BIN_DIR", os.path.join(SOURCE, "build")))
STRIDE = int(os.environ.get("SVM_STRIDE", "0"))  # 1: every allocation, which takes minutes
LIBRARY = ""


def rows(count):
    """Rows of three classes: text."""
    lines = []
    for row in range(count):
        values = ["%d:%g" % (k + 1, (row * (7 + 4 * k) % 13) / 13 + (row % 3) / 4) for k in range(3)]
        lines.append("%d %s\n" % (row % 3, " ".join(values)))
    return "".join(lines)


class Programs(unittest.TestCase):
    """Each test has a folder of its own with data, a model and ranges."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        with open(os.path.join(self.folder, "data"), "w", encoding="utf-8") as file:
            file.write(rows(24))
        self.run_program(["svm-train", "-q", "-b", "1", "data", "model"])
        self.run_program(["svm-scale", "-s", "ranges", "data"])

    def run_program(self, words, **variables):
        environment = dict(os.environ, SVM_NUM_THREADS="1", LD_PRELOAD=LIBRARY,
                           ALLOCATIONS=os.path.join(self.folder, "allocations"))
        environment.update(variables)
        return subprocess.run([os.path.join(BIN, words[0]), *words[1:]], cwd=self.folder,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=60)

    def take_files(self):
        """The files of the folder by name; removes those that were not there before."""
        files = {}
        for name in os.listdir(self.folder):
            if name == "allocations":
                continue
            with open(os.path.join(self.folder, name), "rb") as file:
                files[name] = file.read()
            if name not in ("data", "model", "ranges"):
                os.remove(os.path.join(self.folder, name))
        return files

    def check(self, *words, **variables):
        """Repeats the program, while one of its allocations fails, over a part of them."""
        before = self.take_files()
        usual = self.run_program(words, **variables)
        self.assertEqual(usual.returncode, 0, usual.stderr)
        made = self.take_files()
        with open(os.path.join(self.folder, "allocations"), encoding="utf-8") as file:
            total = int(file.read())
        errors = 0
        tried = range(1, total + 1, STRIDE or max(1, total // 120))
        for failing in tried:
            run = self.run_program(words, FAILING_ALLOCATION=str(failing), **variables)
            files = self.take_files()
            what = "%s: allocation %d: status %d: %s" % (words[0], failing, run.returncode, run.stderr)
            if run.returncode == 0:
                self.assertEqual((run.stdout, files), (usual.stdout, made), what)
            else:
                errors += 1
                self.assertGreater(run.returncode, 0, what)
                self.assertIn("memory", run.stderr, what)
                for name, content in files.items():
                    if name == "data.out":  # the results of a grid, which come line by line
                        self.assertLessEqual(set(content.splitlines(True)),
                                             set(made[name].splitlines(True)), what)
                    else:
                        self.assertIn(content, (before.get(name), made.get(name)), what)
        self.assertGreater(errors, 0)
        print("%s: %d of %d allocations failed: %d errors" %
              (" ".join(words), len(tried), total, errors))

    def test_training(self):
        self.check("svm-train", "-q", "-b", "1", "data", "made")

    def test_training_on_threads(self):
        self.check("svm-train", "-q", "data", "made", SVM_NUM_THREADS="2")

    def test_training_that_gets_no_more_memory(self):
        """Nothing that passes on an exception may need memory, as the C library's call_once does."""
        self.check("svm-train", "-q", "-b", "1", "data", "made", SVM_NUM_THREADS="2",
                   FAILING_ALL="1")

    def test_cross_validation(self):
        self.check("svm-train", "-q", "-s", "3", "-t", "0", "-v", "3", "data")

    def test_csmo(self):
        self.check("svm-train", "-q", "-a", "csmo", "data", "made")

    def test_prediction(self):
        self.check("svm-predict", "-b", "1", "data", "model", "made")

    def test_scaling(self):
        self.check("svm-scale", "-s", "made", "data")

    def test_scaling_by_ranges(self):
        self.check("svm-scale", "-r", "ranges", "data")

    def test_grid(self):
        self.check("svm-grid", "-log2c", "0,1,1", "-log2g", "0,1,1", "-v", "2", "-gnuplot", "null",
                   "data")

    def test_without_threads(self):
        words = ["svm-train", "-b", "1", "data", "made"]
        usual = self.run_program(words)
        files = self.take_files()
        run = self.run_program(words, SVM_NUM_THREADS="4", FAILING_THREADS="1")
        self.assertEqual((run.returncode, run.stdout, self.take_files()), (0, usual.stdout, files))


def main():
    global LIBRARY
    with tempfile.TemporaryDirectory() as folder:
        # LD_PRELOAD separates names by blanks and colons, which a build folder may have.
        LIBRARY = shutil.copy(os.path.abspath(sys.argv.pop(1)), folder)
        path = os.path.join(folder, "allocations")
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, ALLOCATIONS=path)
        subprocess.run([os.path.join(BIN, "svm-train"), "--version"], env=environment,
                       stdout=subprocess.DEVNULL, check=True)
        if not os.path.exists(path):
            print("skipped: allocations of the programs cannot be replaced here")
            return SKIPPED
        return unittest.main()


if __name__ == "__main__":
    sys.exit(main())
