"""LIBSVM's own scripts, unmodified, where the system has them: they work with this svm-train, and
the tools here give the same."""

import itertools
import os
import random
import shutil
import unittest

from support import BIN, SMALL_GRID, SVM_TRAIN, ToolsTest, skip, skip_without_build, with_path

NAMES = {"grid.py": "svm-grid", "easy.py": "svm-easy", "subset.py": "svm-subset",
         "checkdata.py": "svm-checkdata"}  # as Debian's libsvm-tools has them


def script(name):
    """The path of LIBSVM's script, or None. Other programs have these names, too."""
    path = shutil.which(NAMES[name])
    if path is None:
        return None
    with open(path, "rb") as file:
        first = file.readline()
    return path if first.startswith(b"#!") and b"python" in first else None


class LibsvmTest(ToolsTest):

    def theirs(self, name, *arguments):
        return self.command(script(name), *arguments)

    def test_grid(self):
        for options in ([], ["-a", "csmo"], ["-w-1", "3", "-v", "3"], ["-log2g", "null"]):
            with self.subTest(options):
                words = ["-svmtrain", SVM_TRAIN, "-gnuplot", "null", *SMALL_GRID, *options]
                theirs = self.check_ok(self.theirs("grid.py", *words, "-out", "theirs", "data"))
                ours = self.check_ok(self.tool("grid.py", *words, "-out", "ours", "data"))
                self.assertEqual(theirs.stderr, "")
                self.check_same(theirs, "theirs", ours, "ours")
                # Each goes on from the results of the other. Of equal rates, theirs takes the
                # first line of the file, which ours may have finished in any order.
                best = ours.stdout.splitlines()[-1]
                for tool, file in itertools.product((self.theirs, self.tool), ("theirs", "ours")):
                    run = self.check_ok(tool("grid.py", *words, "-out", file, "-resume", file,
                                             "data"))
                    self.assertNotIn("[local]", run.stdout)
                    last = run.stdout.splitlines()[-1]
                    if tool == self.theirs and file == "ours":
                        self.assertEqual(last.split()[-1], best.split()[-1])
                    else:
                        self.assertEqual(last, best)

    def test_order_and_text_point_by_point(self):
        program = self.program("svm-train", "#!/bin/sh\n"
                               "echo \"Cross Validation Accuracy = 7$(($#%2)).5%\"\n")
        for c, g in (("-5,15,2", "3,-15,-2"), ("0,4,1", "0,0,1"), ("0,1,0.1", "3,0,-0.5"),
                     ("null", "0,6,1"), ("0,2,1", "1,9,2")):
            with self.subTest((c, g)):
                words = ["-svmtrain", program, "-gnuplot", "null", "-log2c", c, "-log2g", g]
                ours = self.check_ok(self.tool("grid.py", "--threads", "1", *words, "data"))
                theirs = self.check_ok(self.theirs("grid.py", *words, "data"))
                self.assertEqual(ours.stdout, theirs.stdout)

    def test_easy(self):
        os.mkdir(self.path("tools"))
        for name in ("easy.py", "grid.py"):
            shutil.copy(script(name), self.path("tools/" + name))
        for name in ("svm-train", "svm-scale", "svm-predict"):
            os.symlink(os.path.join(BIN, name), self.path(name))
        # It insists on a gnuplot; any will do that does nothing.
        if not os.path.exists("/usr/bin/gnuplot"):
            self.skipTest("LIBSVM's easy.py needs /usr/bin/gnuplot")
        # Unbuffered, as on a terminal: its own lines and those of its programs are in order.
        run = self.check_ok(self.command("python3", "-u", "easy.py", "../data", "../data",
                                         cwd="tools"))
        ours = self.check_ok(self.tool("easy.py", "data", "data", env=with_path(BIN)))
        self.assertEqual(run.stdout, ours.stdout)
        for name in ("data.range", "data.scale", "data.model", "data.predict"):
            self.assertEqual(self.read("tools/" + name), self.read(name), name)

    def test_checkdata(self):
        chance = random.Random(3)
        words = ("1 -1 1:2 2:3 0:1 -1:2 -3:1 a:1 3:x 3 4:5 x 1,2 1, nan 7:-.5e3 5:1. 6:. 6:e3 +2:1 "
                 "3:+-1 1:2:3 1:inf").split()
        self.write("odd", "".join(
            " ".join(chance.choice(words) for _ in range(chance.randrange(6))) + "\n"
            for _ in range(2000)))
        for name in ("odd", "data", "nothing"):
            theirs, ours = self.theirs("checkdata.py", name), self.tool("checkdata.py", name)
            self.assertEqual(theirs.stdout, ours.stdout)
            self.assertEqual(theirs.returncode, ours.returncode)

    def test_subset(self):
        chance = random.Random(9)
        for _ in range(12):
            sizes = chance.sample(range(1, 40), chance.randint(1, 5))
            wanted = chance.randint(1, min(sum(sizes), 3 * len(sizes)))
            self.write("rows", "".join("%d 1:1\n" % label for label, size in enumerate(sizes)
                                       for _ in range(size)))
            theirs = self.theirs("subset.py", "rows", str(wanted))
            ours = self.tool("subset.py", "rows", str(wanted))
            self.assertEqual(theirs.returncode, ours.returncode)
            self.assertEqual(theirs.stdout, ours.stdout, (sizes, wanted))


if __name__ == "__main__":
    skip_without_build()
    absent = [name for name in NAMES if script(name) is None]
    if absent:
        skip("LIBSVM's scripts are not installed: no " + ", ".join(absent))
    unittest.main()
