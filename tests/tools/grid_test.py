"""tools/grid.py with one svm-train per point, and what all ways of working share."""

import errno
import os
import shutil
import signal
import sys
import unittest
import unittest.mock

from support import (SMALL_GRID, SVM_GRID, SVM_TRAIN, TOOLS, ToolsTest, rows,
                           skip_without_build, with_path)

sys.path.append(TOOLS)
from svmgrid import outfile  # noqa: E402

CONSTANT = """#!/bin/sh
echo "$*" >>calls
echo "Cross Validation Accuracy = 77.5%"
"""


class GridTest(ToolsTest):

    def constant(self, *arguments):
        """A grid with a program that finds all points equal."""
        program = self.program("constant", CONSTANT)
        return self.tool("grid.py", "-svmtrain", program, "-gnuplot", "null", "--threads", "1",
                         *arguments)

    def test_order_output_and_ties_are_libsvms(self):
        run = self.check_ok(self.constant("-log2c", "0,4,2", "-log2g", "-1,-3,-1", "-v", "3",
                                          "-a", "csmo", "-q", "data"))
        lines = run.stdout.splitlines()
        self.assertEqual(lines[0], "[local] 2.0 -2.0 77.5 (best c=4.0, g=0.25, rate=77.5)")
        self.assertEqual(lines[2], "[local] 0.0 -2.0 77.5 (best c=1.0, g=0.25, rate=77.5)")
        self.assertEqual(lines[-1], "1.0 0.25 77.5")
        order = [tuple(map(float, line.split()[1:3])) for line in lines[:-1]]
        self.assertEqual(order, [(2, -2), (2, -1), (0, -2), (0, -1), (2, -3), (0, -3), (4, -2),
                                 (4, -1), (4, -3)])
        self.assertEqual(self.lines("data.out")[0], "log2c=2.0 log2g=-2.0 rate=77.5")
        self.assertEqual(len(self.lines("data.out")), 9)
        self.assertEqual(self.lines("calls")[0], "-c 4.0 -g 0.25 -v 3 -a csmo -q data")

    def test_parameters_left_out_and_sums_of_steps(self):
        run = self.check_ok(self.constant("-log2c", "null", "-log2g", "-1,0,1", "data"))
        self.assertEqual(run.stdout, "[local] 0.0 77.5 (best g=1.0, rate=77.5)\n"
                                     "[local] -1.0 77.5 (best g=1.0, rate=77.5)\n1.0 77.5\n")
        self.assertEqual(self.lines("data.out"), ["log2g=0.0 rate=77.5", "log2g=-1.0 rate=77.5"])
        self.check_ok(self.constant("-log2c", "0,0.4,0.1", "-log2g", "null", "-out", "my out",
                                    "data"))
        self.assertEqual(self.lines("my out")[-1], "log2c=0.30000000000000004 rate=77.5")

    def test_part_of_the_gammas(self):
        run = self.check_ok(self.constant("-log2c", "0,1,1", "-log2g", "-1,-3,-1", "--gammas",
                                          "1:3", "data"))
        gammas = {line.split()[2] for line in run.stdout.splitlines()[:-1]}
        self.assertEqual(gammas, {"-2.0", "-3.0"})

    def test_errors_have_libsvms_words(self):
        data = self.read("data")
        for arguments, message in (
                (["data", "-log2c", "null", "-log2g", "null"],
                 "-log2c and -log2g should not be null simultaneously"),
                (["data", "-c", "1"], "Use -log2c and -log2g."),
                (["nothing"], "dataset not found"),
                (["data", "-resume", "nothing"], "file for resumption not found"),
                (["data", "-log2c", "1,2"], "option -log2c needs begin,end,step or null, not 1,2"),
                (["data", "-log2c", "1,0,1"], "option -log2c: a range holds no value"),
                (["data", "-log2c"], "option -log2c needs a value"),
                (["data", "-out", "data"], "option -out: data is the dataset itself"),
                (["data", "-png", "./data"], "option -png: ./data is the dataset itself"),
                (["data", "-out", "no/out"], "no/out: No such file or directory"),
                (["data", "--threads", "0"], "option --threads needs a number from 1"),
                (["data", "--warm-start"], "option --warm-start needs svm-grid"),
                (["data", "--ssh", "h", "--slurm"], "--slurm, --parallel and --ssh exclude")):
            with self.subTest(arguments):
                run = self.constant(*arguments[1:], arguments[0])
                self.assertEqual(run.returncode, 1)
                self.assertTrue(run.stderr.startswith(message), run.stderr)
                self.assertTrue(run.stderr.endswith('\nTry "grid.py" for more information.\n'))
                self.assertEqual(self.read("data"), data)
        run = self.tool("grid.py", "-svmtrain", "nothing", "data")
        self.assertTrue(run.stderr.startswith("svm-train executable not found\n"))
        run = self.tool("grid.py")
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stdout.startswith("Usage: grid.py [grid_options] [svm_options]"))

    def test_workers_do_not_change_the_answer(self):
        program = self.wrapper()
        one = self.check_ok(self.grid("-svmtrain", program, "--threads", "1"))
        three = self.check_ok(self.grid("-svmtrain", program, "--threads", "3", "-out", "three"))
        self.check_same(one, "data.out", three, "three")

    def test_solver_and_mean_squared_error(self):
        program = self.wrapper()
        self.check_ok(self.grid("-svmtrain", program, "-a", "csmo"))
        self.assertIn(" -a csmo data", self.lines("wrapper/calls")[0])
        run = self.check_ok(self.grid("-svmtrain", program, "-s", "3"))
        lines = run.stdout.splitlines()
        rates = [float(line.split()[3]) for line in lines[:-1]]
        self.assertEqual(float(lines[-1].split()[2]), min(rates))
        alone = self.command(SVM_TRAIN, "-s", "3", "-v", "5", "-q", "-c", "32.0", "-g", "0.125",
                             "data").stdout
        mse = alone.split("squared error = ")[1].split()[0]
        self.assertIn("log2c=5.0 log2g=-3.0 rate=" + str(float(mse)), self.lines("data.out"))

    def test_epsilon_is_searched(self):
        run = self.check_ok(self.tool(
            "grid.py", "-svmtrain", self.wrapper(), "-gnuplot", "null", "--threads", "1", "-s", "3",
            "-log2c", "0,2,1", "-log2g", "null", "-log2p", "-3,-1,1", "data"))
        self.assertEqual(len(run.stdout.splitlines()), 10)
        self.assertIn(" -p 0.25 ", self.lines("wrapper/calls")[0])
        self.assertRegex(self.lines("data.out")[0], r"^log2c=1.0 log2p=-2.0 rate=\S+$")

    def test_failing_training_is_an_error(self):
        program = self.wrapper()
        self.write("data", "1 1:1\n2 nonsense:1\n")
        run = self.grid("-svmtrain", program)
        self.assertEqual(run.returncode, 1)
        self.assertIn("Wrong input format at line 2", run.stderr)
        self.assertEqual(self.read("data.out"), "")

    def test_failure_is_retried_once_and_never_a_rate(self):
        program = self.wrapper()
        self.write("wrapper/fail", "-c 32.0 -g 0.125 ")
        self.write("wrapper/fail-once", "")
        self.check_ok(self.grid("-svmtrain", program))
        self.assertEqual(len(self.lines("data.out")), 30)
        self.assertEqual(len(self.lines("wrapper/calls")), 31)
        os.remove(self.path("wrapper/fail-once"))
        self.write("wrapper/fail", "-c 32.0 -g 0.125 ")
        run = self.grid("-svmtrain", program)
        self.assertEqual(run.returncode, 1)
        self.assertIn("broken on purpose", run.stderr)
        self.assertNotIn("log2c=5.0 log2g=-3.0", self.read("data.out"))

    def test_killed_run_resumes(self):
        program = self.wrapper()
        want = self.check_ok(self.grid("-svmtrain", program, "-out", "want"))
        os.remove(self.path("wrapper/calls"))
        done = self.grid_killed_after(5, "0.1", "-svmtrain", program)
        with open(self.path("data.out"), "a", encoding="ascii") as file:
            file.write("# adaptive: log2c=5.0..-5.0/3 log2g=-3.0..3.0/3\n"
                       "# log2c=3.0 log2g=-7.0 skipped: at most 9 after 1 of 5 folds\n"
                       "# log2c=3.0 log2g=-7.0 rate=9\n"
                       "log2c=3.0 log2g=-7.0 rate=9")  # as if killed while it wrote
        os.remove(self.path("wrapper/calls"))
        run = self.check_ok(self.grid("-svmtrain", program, "-resume"))
        self.assertEqual(run.stdout.count("[resumed]"), len(done))
        self.assertEqual(len(self.lines("wrapper/calls")), 30 - len(done))
        self.write("data.out", "".join(line + "\n" for line in self.lines("data.out")
                                       if not line.startswith("#")))
        self.check_same(run, "data.out", want, "want")

    def test_second_search_is_refused(self):
        program = self.wrapper()
        self.write("wrapper/hold", "")
        first = self.start_grid("-svmtrain", program)
        self.wait_for("wrapper/calls", first)
        os.symlink("data.out", self.path("link"))
        for options in ([], ["-resume"], ["-out", "link"], ["-out", self.path("data.out")]):
            with self.subTest(options):
                self.check_refused(self.grid("-svmtrain", program, *options))
        if os.path.exists(SVM_GRID):
            self.check_refused(self.grid("-svmtrain", SVM_TRAIN))
            self.check_refused(self.command(SVM_GRID, *SMALL_GRID, "data"))
        os.remove(self.path("wrapper/hold"))
        for out in ("other", "null", "/dev/stdout"):
            run = self.check_ok(self.grid("-svmtrain", program, "-out", out))
            self.assertEqual(run.stderr, "")
        self.assertEqual(first.wait(240), 0)
        self.assertEqual(len(set(self.lines("data.out"))), 30)
        self.assertEqual(len(self.lines("wrapper/calls")), 4 * 30)
        self.assertEqual([name for name in os.listdir(self.folder) if "lock" in name], [])

    @unittest.skipUnless(os.path.exists(SVM_GRID), "there is no svm-grid")
    def test_search_of_svm_grid_is_left_alone(self):
        self.write("data", rows(1500))
        words = ["-log2c", "1,3,2", "-log2g", "2,-8,-0.002"]  # enough for this test
        first = self.start(SVM_GRID, "-gnuplot", "null", *words, "data")
        self.wait_for("data.out", first)
        for program in (SVM_TRAIN, self.wrapper()):
            self.check_refused(self.grid("-svmtrain", program))
        first.send_signal(signal.SIGINT)
        self.assertEqual(first.wait(60), -signal.SIGINT)

    def test_killed_search_locks_nobody_out(self):
        program = self.wrapper()
        self.grid_killed_after(1, "0.1", "-svmtrain", program)
        self.write("data.out.lock", "host a\n")  # of an earlier version
        run = self.check_ok(self.grid("-svmtrain", program, "-resume"))
        self.assertEqual(run.stderr, "")

    def test_interrupted_search_ends_by_the_signal(self):
        self.write("data", rows(1500))
        programs = [self.wrapper()] + ([SVM_TRAIN] if os.path.exists(SVM_GRID) else [])
        self.write("wrapper/slow", "0.1")
        for program in programs:
            for number, whole_group in ((signal.SIGINT, True), (signal.SIGTERM, False)):
                with self.subTest((program, number)):
                    if os.path.exists(self.path("data.out")):
                        os.remove(self.path("data.out"))
                    process = self.start_grid("-log2g", "2,-8,-0.002", "-svmtrain", program)
                    self.wait_for("data.out", process)
                    (os.killpg if whole_group else os.kill)(process.pid, number)
                    self.assertEqual(process.wait(60), -number)

    def test_lock_where_there_are_none(self):
        no_locks = OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        out = self.path("data.out")
        with unittest.mock.patch("fcntl.flock", side_effect=no_locks):
            file = outfile.OutFile(out, ["c"], False)
            self.assertEqual(file.fault, "%s: %s" % (out, os.strerror(errno.ENOSYS)))
            file.add((1.0,), 50)
            file.close()
        self.assertEqual(self.lines("data.out"), ["log2c=1.0 rate=50"])
        file = outfile.OutFile(out, ["c"], True)
        self.assertIsNone(file.fault)
        with self.assertRaisesRegex(outfile.Busy, "in use by another search"):
            outfile.OutFile(out, ["c"], False)
        file.close()
        self.assertEqual(self.lines("data.out"), ["log2c=1.0 rate=50"])

    def test_ssh_workers(self):
        # An ssh that knows two hosts, one of which is down.
        self.program("ssh", '#!/bin/sh\nfor last; do :; done\n'
                            'case "$*" in *" down "*) echo "no route" >&2; exit 255 ;; esac\n'
                            'exec sh -c "$last"\n')
        run = self.check_ok(self.grid("-svmtrain", self.wrapper(), "--ssh", "down,up",
                                      "--threads", "1", env=with_path(self.folder)))
        self.assertIn("no route\nworker down quit.\n", run.stderr)
        self.assertIn("[up] ", run.stdout)
        self.assertNotIn("[down]", run.stdout)
        self.assertEqual(len(set(self.lines("data.out"))), 30)

    @unittest.skipUnless(os.path.exists(SVM_GRID), "there is no svm-grid")
    def test_svm_grid_gives_the_same(self):
        for options in ([], ["-s", "3", "-log2p", "-3,-1,1", "-v", "3"], ["-log2g", "null"],
                        ["-log2c", "0,0.3,0.1", "-log2g", "-1,-2,-1"]):
            with self.subTest(options):
                words = [*SMALL_GRID, "-gnuplot", "null", "-png", "null", *options]
                fast = self.check_ok(self.tool("grid.py", "-svmtrain", SVM_TRAIN, *words, "-out",
                                               "fast", "data"))
                slow = self.check_ok(self.tool("grid.py", "-svmtrain", self.wrapper(), *words,
                                               "-out", "slow", "data"))
                self.check_same(fast, "fast", slow, "slow")
                # Each goes on from the results of the other.
                for file, program in (("slow", SVM_TRAIN), ("fast", self.wrapper())):
                    run = self.check_ok(self.tool("grid.py", "-svmtrain", program, *words, "-out",
                                                  file, "-resume", file, "data"))
                    self.assertNotIn("[local]", run.stdout)
                    self.assertEqual(run.stdout.splitlines()[-1], slow.stdout.splitlines()[-1])

    @unittest.skipUnless(os.path.exists(SVM_GRID), "there is no svm-grid")
    def test_points_that_svm_grid_skips_are_solved_later(self):
        self.write("data", rows(600))
        gammas = ["-log2g", "3,-15,-2"]
        adaptive = ["--search", "adaptive", *gammas]
        part = self.check_ok(self.grid("-svmtrain", SVM_TRAIN, *adaptive))
        self.assertIn("[skipped]", part.stdout)
        skipped = [line for line in self.lines("data.out") if " skipped: " in line]
        self.assertGreater(len(skipped), 0)
        run = self.check_ok(self.grid("-svmtrain", self.wrapper(), "-resume", *gammas))
        self.assertEqual(run.stdout.count("[local]"), len(skipped))
        self.assertEqual(run.stdout.splitlines()[-1], part.stdout.splitlines()[-1])
        self.assertEqual(self.grid("-svmtrain", self.wrapper(), *adaptive).returncode, 1)
        run = self.grid("-svmtrain", SVM_TRAIN, "--search", "some")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--search needs ", run.stderr)

    @unittest.skipUnless(os.path.exists(SVM_GRID), "there is no svm-grid")
    def test_svm_grid_is_used_with_what_it_alone_can_do(self):
        self.check_ok(self.grid("-svmtrain", SVM_TRAIN, "-a", "csmo", "--warm-start", "--refine",
                                "--model", "best"))
        self.assertGreater(len(self.lines("data.out")), 30)
        self.assertIn("\nSV\n", self.read("best"))
        self.write("data", "1 1:1\n2 nonsense:1\n")
        run = self.grid("-svmtrain", SVM_TRAIN)
        self.assertEqual(run.returncode, 1)
        self.assertIn("svm-grid failed: exit status 1", run.stderr)
        self.assertIn("Wrong input format at line 2", run.stderr)

    def test_programs_are_found_where_libsvm_has_them(self):
        # ../svm-train as seen from the script, whatever the present folder is.
        shutil.copytree(TOOLS, self.path("libsvm/tools"))
        os.symlink(SVM_TRAIN, self.path("libsvm/svm-train"))
        run = self.check_ok(self.command(
            sys.executable, self.path("libsvm/tools/grid.py"), "-gnuplot", "null", "-log2c",
            "0,2,1", "-log2g", "null", "../data", cwd="libsvm"))
        self.assertEqual(len(run.stdout.splitlines()), 4)
        self.assertTrue(self.read("libsvm/data.out"))

    def test_import(self):
        script = ("import sys; sys.path.append(%r); import grid; "
                  "print('RETURNED', grid.find_parameters('data', %r))")
        options = "-svmtrain %s -gnuplot null -log2c 0,2,1 -log2g null"
        self.program("constant", CONSTANT)
        run = self.command(sys.executable, "-c", script % (TOOLS, options % "./constant"))
        self.assertIn("RETURNED (77.5, {'c': 1.0})", run.stdout)

    def test_picture(self):
        # A gnuplot that keeps its script.
        gnuplot = self.program("gnuplot", "#!/bin/sh\ncat >script\necho picture\n")
        self.check_ok(self.grid("-svmtrain", self.wrapper(), "-gnuplot", gnuplot, "-png", "a.png"))
        self.assertIn("best: log2(C) = ", self.read("script"))
        self.assertEqual(self.read("a.png"), "picture\n")
        # It is no reason to lose the answer, nor an older picture.
        for text, png, message in (
                ("echo half; echo broken >&2; exit 1", "a.png", "gnuplot failed: broken\n"),
                ("exit 0", "a.png", "gnuplot failed: \n"),
                ("echo picture", "no/a.png",
                 "the picture cannot be written: no/a.png: No such file or directory\n")):
            with self.subTest(text):
                self.program("gnuplot", "#!/bin/sh\ncat >script\n%s\n" % text)
                run = self.check_ok(self.grid("-svmtrain", self.wrapper(), "-gnuplot", gnuplot,
                                              "-png", png))
                self.assertEqual(run.stderr, message)
                self.assertEqual(len(run.stdout.splitlines()[-1].split()), 3)
                self.assertEqual(self.read("a.png"), "picture\n")
        run = self.check_ok(self.grid("-svmtrain", self.path("wrapper/svm-train"), "-gnuplot",
                                      "/nothing"))
        self.assertEqual(run.stderr, "gnuplot executable not found\n")


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
