"""What the tests of the tools share. The environment variable SVM_BIN_DIR names the build."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

SKIPPED = 77  # exit status that ctest takes for it
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
TOOLS = os.path.join(SOURCE, "tools")
BIN = os.path.abspath(os.environ.get("SVM_BIN_DIR", os.path.join(SOURCE, "build")))
SVM_TRAIN = os.path.join(BIN, "svm-train")
SVM_GRID = os.path.join(BIN, "svm-grid")
CONVERT = os.path.join(TOOLS, "convert.py")
TABLE = '''id,colour,width,height,class
7,red,1.50,0,big
8,green,-2e-3,4,small
9,"light, ""red""",+3,5.,big
'''
SMALL_GRID = ["-log2c", "-1,9,2", "-log2g", "1,-7,-2"]

# An svm-train that writes down its calls, and fails, waits or takes its time if a file says so.
WRAPPER = """#!/bin/sh
echo "$*" >>{folder}/calls
while [ -f {folder}/hold ]; do sleep 0.1; done
[ -f {folder}/slow ] && sleep "$(cat {folder}/slow)"
pattern=$(cat {folder}/fail 2>/dev/null)
if [ -n "$pattern" ] && echo " $*" | grep -q -e "$pattern"; then
  [ -f {folder}/fail-once ] && rm {folder}/fail
  echo "broken on purpose" >&2
  exit 1
fi
exec {program} "$@"
"""


def rows(count):
    """A small data set of two classes: text."""
    state = 1
    lines = []
    for row in range(count):
        words = ["+1" if row % 3 else "-1"]
        for index in range(1, 5):
            state = (state * 1103515245 + 12345) % 2**31
            shift = 0.35 if row % 3 and index % 2 else 0
            words.append("%d:%.4g" % (index, state / 2**31 + shift))
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


class ToolsTest(unittest.TestCase):
    """Each test has a folder of its own with the file `data`."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="svm tools ")  # with blanks in its name
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.write("data", rows(90))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def lines(self, name):
        return self.read(name).splitlines()

    def program(self, name, text):
        path = self.write(name, text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def wrapper(self):
        """The path of a WRAPPER. No svm-grid stands beside it."""
        os.makedirs(self.path("wrapper"), exist_ok=True)
        quoted = "'" + self.path("wrapper") + "'"
        return self.program("wrapper/svm-train",
                            WRAPPER.format(folder=quoted, program="'" + SVM_TRAIN + "'"))

    def command(self, *words, cwd=None, **more):
        """Runs a command, in the folder of the test or a folder in it."""
        more.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(words, cwd=self.path(cwd or ""), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=240, **more)

    def tool(self, name, *arguments, **more):
        """Runs tools/NAME."""
        return self.command(sys.executable, os.path.join(TOOLS, name), *arguments, **more)

    def grid(self, *arguments, **more):
        """Runs a small grid on `data`, without a picture."""
        return self.tool("grid.py", "-gnuplot", "null", *SMALL_GRID, *arguments, "data", **more)

    def check_ok(self, run):
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run

    def check_nobody_reads(self, name, *arguments):
        """Runs tools/NAME with an output that is closed: it ends without a traceback."""
        process = subprocess.Popen([sys.executable, os.path.join(TOOLS, name), *arguments],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        self.assertNotIn(b"Traceback", process.stderr.read())
        process.stderr.close()
        process.wait()

    def check_same(self, run, out, other, other_out):
        """Two grids with their files of results: the same best point, the same points."""
        self.assertEqual(run.stdout.splitlines()[-1], other.stdout.splitlines()[-1])
        self.assertEqual(sorted(self.lines(out)), sorted(self.lines(other_out)))

    def start_grid(self, *arguments, **more):
        """Like grid, but leaves it running."""
        return self.start(sys.executable, os.path.join(TOOLS, "grid.py"), "-gnuplot", "null",
                          *SMALL_GRID, *arguments, "data", **more)

    def start(self, *words, **more):
        """Runs a command in the folder of the test and leaves it running, in a process group of
        its own, to the end of the test at most."""
        process = subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, **more)
        self.addCleanup(lambda: process.poll() is None and self.kill_group(process))
        return process

    def wait_for(self, name, process):
        """Until there is such a file, which the process is to make, with something in it."""
        while not (os.path.exists(self.path(name)) and self.read(name)):
            self.assertIsNone(process.poll())
            time.sleep(0.02)

    def check_refused(self, run):
        """A grid that found another one at work on its files."""
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertEqual(run.stdout, "")
        self.assertIn(": in use by another search\n", run.stderr)
        self.assertNotIn("Traceback", run.stderr)

    @staticmethod
    def kill_group(process):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def grid_killed_after(self, count, seconds, *arguments):
        """Kills a grid on the WRAPPER, whose trainings take some time, at `count` results or soon
        after; these results."""
        self.write("wrapper/slow", seconds)
        process = self.start_grid(*arguments)
        while not (os.path.exists(self.path("data.out")) and len(self.lines("data.out")) >= count):
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        self.kill_group(process)
        os.remove(self.path("wrapper/slow"))
        return self.lines("data.out")


class ConvertTest(ToolsTest):
    """Each test has the file `table.csv` with TABLE."""

    def setUp(self):
        super().setUp()
        self.write("table.csv", TABLE)

    def convert(self, *arguments, text=None, **more):
        """Runs convert.py, with a text for standard input."""
        return subprocess.run([sys.executable, CONVERT, *arguments], cwd=self.folder, input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, timeout=240, **more)

    def converted(self, *arguments, **more):
        """The output of a conversion that succeeds without a warning."""
        run = self.check_ok(self.convert(*arguments, **more))
        self.assertEqual(run.stderr, "")
        return run.stdout

    def noted(self, output, notes, *arguments, **more):
        """Runs a conversion that succeeds with this output and these notes."""
        run = self.check_ok(self.convert(*arguments, **more))
        self.assertEqual((run.stdout, run.stderr), (output, notes))

    def fails(self, message, *arguments, text=None):
        """Runs a conversion to `out` that fails with this message and leaves no file."""
        before = sorted(os.listdir(self.folder))
        run = self.convert(*arguments, "out", text=text)
        self.assertEqual((run.returncode, run.stderr), (1, message + "\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), before)


def with_path(folder):
    """The environment, with programs looked for in this folder first."""
    return dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])


def skip(message):
    """Ends the test program."""
    print("skipped: " + message)
    sys.exit(SKIPPED)


def skip_without_build():
    if os.name != "posix" or not os.path.exists(SVM_TRAIN):
        skip("these tests need a POSIX shell and svm-train")
