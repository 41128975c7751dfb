"""tools/grid.py --parallel: the options and results of tasks. Stand-ins for GNU Parallel and
svm-grid let them go wrong."""

import os
import sys
import unittest

from support import SVM_TRAIN, ToolsTest, skip_without_build, with_path

PARALLEL = """#!/bin/sh
# One task after the other.
while [ "$1" != sh ]; do
  [ "$1" = --joblog ] && : >"$2"
  shift
done
task=$2
while [ "$1" != ::: ]; do shift; done
shift
status=0
for row; do eval "PARALLEL_SSHLOGIN=: sh $task $row" || status=1; done
exit $status
"""

SVM_GRID = """#!{python}
import os, sys, time
here = os.path.dirname(os.path.abspath(__file__))
words = sys.argv[1:]
if words == ["--help"]:
    print("--gammas")
    sys.exit()
with open(os.path.join(here, "calls"), "a") as file:
    print(*words, file=file)
def value(name):
    return words[words.index(name) + 1]
def lines(name):
    with open(name) as file:
        return file.read().splitlines()
gamma = float(value("-log2g").split(",")[0])
points = ["log2c=%s log2g=%s" % (c, gamma) for c in (-1.0, 1.0, 3.0)]
out = value("-out")
known = lines(out)
with open(os.path.join(here, "how")) as file:
    how = file.read()
with open(out, "a") as file:
    for point in points:
        if not any(line.startswith(point + " rate=") for line in known):
            print("%s rate=%s" % (point, 80 + gamma), file=file, flush=True)
    exec(how)
print("2.0 2.0 80.0")
"""

POINTS = ["log2c=%s log2g=%s" % (c, g) for c in (-1.0, 1.0, 3.0) for g in (1.0, -1.0, -3.0)]
GAMMA_IS = "if gamma == %s:\n    "
# When nothing is written any more.
AT_LAST = GAMMA_IS % -3.0 + "while len(lines('data.out')) < 9: time.sleep(0.05)\n    "


class MergeTest(ToolsTest):

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        self.program("bin/parallel", PARALLEL)
        self.program("bin/svm-grid", SVM_GRID.format(python=sys.executable))
        self.write("logins", "# the only machine\n:\n")
        self.write("bin/how", "")
        os.symlink(SVM_TRAIN, self.path("bin/svm-train"))

    def search(self, *more):
        return self.tool("grid.py", "-svmtrain", "bin/svm-train", "-gnuplot", "null", "--parallel",
                         "logins", "-log2c", "-1,3,2", "-log2g", "-3,1,2", *more, "data",
                         env=with_path(self.path("bin")))

    def search_wrong(self, how, *more):
        """A search in which svm-grid does more than its work ends with an error; its text."""
        self.write("bin/how", how)
        run = self.search(*more)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        self.assertFalse(run.stdout and run.stdout.splitlines()[-1].startswith("2.0 "))
        self.write("bin/how", "")
        return run.stderr

    def check_complete(self, run, skipped=()):
        self.check_ok(run)
        got = [line.split(" rate=")[0] for line in self.lines("data.out") if " rate=" in line]
        self.assertEqual(sorted(got), sorted(set(POINTS) - set(skipped)))
        self.assertFalse(os.path.exists(self.path("data.out.rows")))

    def test_options_reach_the_tasks(self):
        self.check_complete(self.search("--warm-start", "-a", "csmo", "--search", "adaptive", "-v",
                                        "3", "-m", "50", "--new-option", "new value", "-q"))
        calls = self.lines("bin/calls")
        # The largest gamma is the first.
        self.assertEqual([call.split("-log2g ")[1].split(",")[0] for call in calls],
                         ["1.0", "-1.0", "-3.0"])
        for call in calls:
            for words in (" --warm-start ", " --search adaptive ", " -v 3 ",
                          " -log2c -1.0,3.0,2.0 ", " -a csmo -m 50 --new-option new value -q data"):
                self.assertIn(words, " %s " % call)
            self.assertNotIn("--threads", call)

    def test_tasks_of_one_machine_share_its_processors(self):
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (
            os.cpu_count() or 1)
        self.write("logins", "@all/2/:\n")
        self.check_complete(self.search())
        for call in self.lines("bin/calls"):
            self.assertIn(" --threads %d " % max(1, processors // 2), call)
        self.check_complete(self.search("--threads", "7"))
        self.assertIn(" --threads 7 ", self.lines("bin/calls")[-1])

    def test_points_that_svm_grid_skips_are_present(self):
        point = "log2c=3.0 log2g=-1.0"
        comment = "# %s skipped: no better than its neighbours" % point
        # Over the line that has its rate.
        how = (GAMMA_IS % -1.0 + "text = open(out).read().replace(%r, %r)\n    "
               "open(out, 'w').write(text)" % (point + " rate=79.0", comment))
        self.write("bin/how", how)
        self.check_complete(self.search("--search", "adaptive"), [point])
        self.assertEqual(self.lines("data.out").count(comment), 1)
        # A later search may be of another plan: what is left out is decided anew.
        os.remove(self.path("bin/calls"))
        self.write("bin/how", "assert not any('# ' in line for line in known), known")
        self.check_complete(self.search("--search", "adaptive", "-resume"))
        self.assertEqual(len(self.lines("bin/calls")), 1)
        self.assertEqual(self.lines("data.out").count(comment), 1)

    def test_line_that_was_cut_is_computed_again(self):
        once = self.path("bin/once")
        self.write("bin/how", GAMMA_IS % 1.0 + "if not os.path.exists(%r):\n        "
                   "open(%r, 'w').close()\n        file.truncate(40)\n        sys.exit(1)" %
                   (once, once))
        run = self.search()
        self.check_complete(run)
        self.assertIn("the task for log2g=1.0 failed: 2 of 3 points are missing", run.stderr)

    def test_line_there_twice(self):
        errors = self.search_wrong(GAMMA_IS % -1.0 + "print(points[1], 'rate=79.0', file=file)")
        self.assertRegex(errors, r"do not fit together:\n    twice in .*/data.out.rows/run-1/"
                                 r"row-1.out: \(log2c=1.0 log2g=-1.0\)\nRemove the lines")
        self.check_complete(self.search("-resume"))

    def test_different_rates(self):
        # At once, and in both attempts, or after the first was merged.
        wait_for_it = "file.flush()\n    while len(lines('data.out')) < 6: time.sleep(0.05)\n    "
        for wait in ("", wait_for_it):
            errors = self.search_wrong(GAMMA_IS % -1.0 + wait +
                                       "print(points[1], 'rate=78.0', file=file)")
            self.assertRegex(errors, r"with another rate in .*/data.out.rows/run-\d/row-1.out: "
                                     r"\(log2c=1.0 log2g=-1.0\)\n")
            self.check_complete(self.search("-resume"))

    def test_results_that_others_change(self):
        errors = self.search_wrong(AT_LAST + "text = lines('data.out')\n    "
                                   "open('data.out', 'w').write('\\n'.join(text[1:]) + '\\n')")
        self.assertIn("missing in data.out: (log2c=-1.0 log2g=1.0)\n", errors)
        self.check_complete(self.search("-resume"))
        errors = self.search_wrong(AT_LAST + "text = lines('data.out')[0]\n    "
                                   "open('data.out', 'a').write(text + '\\n')")
        self.assertIn("    twice in data.out: (log2c=-1.0 log2g=1.0)\n", errors)
        self.assertNotIn("different", errors)
        errors = self.search_wrong(AT_LAST + "text = open('data.out').read()\n    "
                                   "open('data.out', 'w').write(text.replace('=79', '=10'))")
        self.assertIn("with another rate in data.out: (log2c=1.0 log2g=-1.0), (log2c=", errors)
        errors = self.search_wrong(AT_LAST + "os.remove('data.out')")
        self.assertRegex(errors, r"missing in data.out: (\(log2c=\S+ log2g=\S+\)(, )?){9}\n")

    def test_file_to_go_on_from_is_checked_first(self):
        good = "".join("%s rate=70.0\n" % point for point in POINTS[:4])
        for text, message in (
                (POINTS[1] + " rate=70.0\n", "    twice in old: (log2c=-1.0 log2g=-1.0)\n"),
                (POINTS[1] + " rate=71.0\n", "with another rate in old: (log2c=-1.0 log2g=-1.0)")):
            self.write("old", good + text)
            errors = self.search_wrong("", "-resume", "old")
            self.assertIn("the search cannot continue from old:\n", errors)
            self.assertIn(message, errors)
            self.assertFalse(os.path.exists(self.path("bin/calls")))
        # What the old file has need not be in the new one, and must not be if it is written again.
        self.write("old", good)
        self.check_ok(self.search("-resume", "old", "-out", "new"))
        self.assertEqual(len(self.lines("new")), 5)
        errors = self.search_wrong("", "-resume", "old", "-out", "new")
        self.assertIn("in new, but not in old: (log2c=", errors)

    def test_no_out_file(self):
        self.check_ok(self.search("-out", "null"))
        errors = self.search_wrong("print(points[0], 'rate=1.0', file=file)", "-out", "null")
        for row in range(3):
            self.assertIn("/row-%d.out: (log2c=-1.0 " % row, errors)


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
