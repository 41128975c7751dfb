"""tools/grid.py --slurm or --parallel on a real engine:  cluster_test.py slurm|parallel"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import slurm_node
from support import SVM_TRAIN, ToolsTest, skip, skip_without_build, with_path

ENGINE = sys.argv.pop(1) if len(sys.argv) > 1 else "slurm"


class ClusterTest(ToolsTest):

    def setUp(self):
        super().setUp()
        self.write("logins", ":\n")
        self.engine = ["--slurm"] if ENGINE == "slurm" else ["--parallel", "logins"]

    def test_best_point_is_that_of_a_local_run(self):
        local = self.check_ok(self.grid("-svmtrain", SVM_TRAIN, "-out", "local"))
        there = self.check_ok(self.grid("-svmtrain", SVM_TRAIN, *self.engine))
        self.check_same(local, "local", there, "data.out")
        self.assertEqual(there.stdout.count("[%s] " % ENGINE), 30)
        self.assertFalse(os.path.exists(self.path("data.out.rows")))

    def test_failed_task_is_reported_and_retried(self):
        program = self.wrapper()
        # Two failures: one would be mended by the task itself.
        self.program("wrapper/svm-train-inner", self.read("wrapper/svm-train"))
        self.program("wrapper/svm-train", "#!/bin/sh\n"
                     "cd_to=$(dirname \"$0\")\n"
                     "case \" $*\" in *' -g 0.125 '*) n=$(wc -l <\"$cd_to/tries\" || echo 0)\n"
                     "  if [ \"$n\" -lt 2 ]; then echo >>\"$cd_to/tries\"; "
                     "echo 'broken on purpose' >&2; exit 1; fi ;;\nesac\n"
                     "exec \"$cd_to/svm-train-inner\" \"$@\"\n")
        self.write("wrapper/tries", "")
        run = self.check_ok(self.grid("-svmtrain", program, "--threads", "1", *self.engine))
        self.assertIn("%s: the task for log2g=-3.0 failed: 6 of 6 points are missing; "
                      "it is tried once more" % ENGINE, run.stderr)
        self.assertIn("broken on purpose", run.stderr)
        self.assertEqual(len(set(self.lines("data.out"))), 30)
        # The point after the failed one may have begun before the task ended.
        self.assertIn(len(self.lines("wrapper/calls")), (30, 31))

    def test_task_that_fails_for_good_and_resume(self):
        program = self.wrapper()
        self.write("wrapper/fail", " -g 0.125 ")
        run = self.grid("-svmtrain", program, *self.engine)
        self.assertEqual(run.returncode, 1)
        self.assertIn("1 of 5 tasks failed", run.stderr)
        self.assertNotIn("log2g=-3.0", self.read("data.out"))
        self.assertEqual(len(self.lines("data.out")), 24)
        self.assertNotIn(" rate", run.stdout.splitlines()[-1].split("]")[0])
        os.remove(self.path("wrapper/fail"))
        os.remove(self.path("wrapper/calls"))
        self.check_ok(self.grid("-svmtrain", program, "-resume", *self.engine))
        self.assertEqual(len(self.lines("wrapper/calls")), 6)
        self.assertEqual(len(set(self.lines("data.out"))), 30)

    def killing_wrapper(self):
        """A wrapper that kills its task while wrapper/kill exists: python, and the shell above it
        if the file has a word for that."""
        program = self.wrapper()
        self.program("wrapper/svm-train-inner", self.read("wrapper/svm-train"))
        self.program("wrapper/svm-train", """#!/bin/sh
here=$(dirname "$0")
case " $*" in *' -g 0.125 '*)
  if [ -f "$here/kill" ]; then
    echo >>"$here/kills"
    shell=$(ps -o ppid= -p $PPID)
    how=$(cat "$here/kill")
    [ "$how" = always ] || rm "$here/kill"
    [ "$how" = vanish ] && kill -9 $shell
    kill -9 $PPID
    exit 1
  fi ;;
esac
exec "$here/svm-train-inner" "$@"
""")
        return program

    def test_killed_task_is_retried(self):
        program = self.killing_wrapper()
        for how in "once", "vanish":
            with self.subTest(how):
                self.write("wrapper/kill", how)
                run = self.check_ok(self.grid("-svmtrain", program, "--threads", "1",
                                              *self.engine))
                self.assertIn("%s: the task for log2g=-3.0 failed: 6 of 6 points are missing; "
                              "it is tried once more" % ENGINE, run.stderr)
                self.assertEqual(run.stderr.count(" failed: "), 1)
                self.assertEqual(len(self.lines("data.out")), 30)
                self.assertEqual(len(set(self.lines("data.out"))), 30)

    def test_task_that_is_killed_every_time(self):
        program = self.killing_wrapper()
        self.write("wrapper/kill", "always")
        run = self.grid("-svmtrain", program, "--threads", "1", *self.engine)
        self.assertEqual(run.returncode, 1)
        self.assertIn("1 of 5 tasks failed", run.stderr)
        self.assertEqual(len(self.lines("wrapper/kills")), 2)
        self.assertEqual(len(set(self.lines("data.out"))), 24)
        os.remove(self.path("wrapper/kill"))
        self.check_ok(self.grid("-svmtrain", program, "-resume", *self.engine))
        self.assertEqual(len(self.lines("data.out")), 30)
        self.assertEqual(len(set(self.lines("data.out"))), 30)

    @unittest.skipUnless(os.path.isdir("/proc/self"), "needs /proc")
    def test_search_killed_alone_leaves_tasks_that_resume_ends(self):
        program = self.wrapper()
        self.write("wrapper/slow", "100")
        first = self.start_grid("-svmtrain", program, "--threads", "1", *self.engine)
        self.wait_for("wrapper/calls", first)
        first.kill()
        first.wait()
        old = {process for process in self.processes() if b"sleep" not in process[1]}
        self.assertTrue(old)
        # One that fails: it does not remove what the old tasks need.
        failing = self.program("failing", "#!/bin/sh\nexit 1\n")
        self.assertEqual(self.grid("-svmtrain", failing, "-resume", *self.engine).returncode, 1)
        end = time.monotonic() + 60
        while old.intersection(self.processes()) and time.monotonic() < end:
            time.sleep(0.2)
        self.assertEqual(old.intersection(self.processes()), set())
        self.check_ok(self.grid("-svmtrain", SVM_TRAIN, "-resume", *self.engine))
        self.assertEqual(len(self.lines("data.out")), 30)

    def test_searches_side_by_side(self):
        program = self.wrapper()
        self.write("wrapper/slow", "0.2")
        searches = [self.start_grid("-svmtrain", program, "-out", out, *self.engine)
                    for out in ("one", "other")]
        for search in searches:
            self.wait_for("wrapper/calls", search)
        os.remove(self.path("wrapper/slow"))
        for search in searches:
            self.assertEqual(search.wait(240), 0)
        self.assertEqual(len(self.lines("one")), 30)
        self.assertEqual(sorted(self.lines("one")), sorted(self.lines("other")))
        self.assertEqual(len(self.lines("wrapper/calls")), 60)
        self.assertEqual(set(os.listdir(self.folder)),
                         {"data", "one", "other", "logins", "wrapper"})

    def test_killed_search_resumes(self):
        program = self.wrapper()
        want = self.check_ok(self.grid("-svmtrain", program, "-out", "want"))
        done = set(self.grid_killed_after(4, "0.3", "-svmtrain", program, "--threads", "1",
                                          *self.engine))
        run = self.check_ok(self.grid("-svmtrain", program, "-resume", *self.engine))
        self.assertGreaterEqual(run.stdout.count("[resumed]"), len(done))
        self.check_same(run, "data.out", want, "want")

    def test_second_search_leaves_the_first_alone(self):
        program = self.wrapper()
        for out in ("data.out", "null"):
            with self.subTest(out):
                self.write("wrapper/hold", "")
                self.write("wrapper/calls", "")
                first = self.start_grid("-svmtrain", program, "-out", out, *self.engine)
                self.wait_for("wrapper/calls", first)
                seconds = [[*self.engine, "-out", out]]
                other = ["--parallel", "logins"] if ENGINE == "slurm" else ["--slurm"]
                if shutil.which("parallel" if ENGINE == "slurm" else "sbatch"):
                    seconds += [[*other, "-out", out]]
                if out != "null":
                    seconds += [[*self.engine, "-resume"], []]
                for options in seconds:
                    self.check_refused(self.grid("-svmtrain", program, *options))
                os.remove(self.path("wrapper/hold"))
                self.assertEqual(first.wait(240), 0)
                self.assertEqual(len(self.lines("wrapper/calls")), 30)  # nothing was done twice
                self.assertEqual(len(set(self.lines("data.out"))), 30)
                self.assertEqual(set(os.listdir(self.folder)),
                                 {"data", "data.out", "logins", "wrapper"})

    @unittest.skipUnless(os.path.isdir("/proc/self"), "needs /proc")
    def test_interrupt_ends_the_tasks(self):
        program = self.wrapper()
        for number in signal.SIGINT, signal.SIGTERM:
            with self.subTest(number):
                self.write("wrapper/slow", "600")
                process = self.start_grid("-svmtrain", program, *self.engine)
                self.wait_for("wrapper/calls", process)
                process.send_signal(number)
                self.assertEqual(process.wait(60), -number)
                end = time.monotonic() + 60
                while self.processes() and time.monotonic() < end:
                    time.sleep(0.2)
                self.assertEqual(self.processes(), [])
                os.remove(self.path("wrapper/calls"))

    def processes(self):
        """Processes whose command lines name the folder of this test: pairs (number, command)."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as file:
                    command = file.read()
            except OSError:
                continue
            if os.fsencode(self.folder) in command:
                found.append((pid, command))
        return found

    def test_missing_engine_and_bad_options(self):
        empty = dict(os.environ, PATH=self.folder)
        self.write("data.out", "log2c=1.0 log2g=1.0 rate=50.0\n")
        run = self.grid("-svmtrain", SVM_TRAIN, *self.engine, env=empty)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(self.read("data.out"), "log2c=1.0 log2g=1.0 rate=50.0\n")
        self.assertIn("%s executable not found" % ("sbatch" if ENGINE == "slurm" else "parallel"),
                      run.stderr)
        if ENGINE == "slurm":
            run = self.grid("-svmtrain", SVM_TRAIN, "--slurm=--partition=nowhere")
            self.assertEqual(run.returncode, 1)
            self.assertIn("sbatch failed: exit status 1", run.stderr)
            self.assertIn("invalid partition specified: nowhere", run.stderr)
        else:
            run = self.grid("-svmtrain", SVM_TRAIN, "--parallel", "nothing")
            self.assertEqual(run.returncode, 1)
            self.assertIn("sshlogin file nothing not found", run.stderr)

    @unittest.skipIf(ENGINE != "parallel", "Slurm knows its nodes")
    def test_several_tasks_on_one_machine(self):
        # A training of three tasks waits until the others are there; with one, nobody else is.
        program = self.wrapper()
        self.program("wrapper/svm-train-inner", self.read("wrapper/svm-train"))
        self.program("wrapper/svm-train", """#!/bin/sh
here=$(dirname "$0")
: >"$here/task.$PPID"
for _ in $(seq 300); do
  count=$(ls "$here" | grep -c task)
  [ "$count" -ge "$(cat "$here/wanted")" ] && break
  sleep 0.1
done
[ "$count" -ge "$(cat "$here/wanted")" ] || echo >>"$here/alone"
mkdir "$here/busy" 2>/dev/null || [ "$(cat "$here/wanted")" -gt 1 ] ||
  echo >>"$here/overlaps"
"$here/svm-train-inner" "$@"
status=$?
rmdir "$here/busy"
exit $status
""")
        for logins, wanted in ((":\n", "1"), ("3/:\n", "3")):
            with self.subTest(logins):
                for name in os.listdir(self.path("wrapper")):
                    if name.startswith("task."):
                        os.remove(self.path("wrapper/" + name))
                self.write("logins", logins)
                self.write("wrapper/wanted", wanted)
                run = self.check_ok(self.grid("-svmtrain", program, "--threads", "1",
                                              *self.engine))
                self.assertEqual(run.stderr.count("failed"), 0)
                self.assertFalse(os.path.exists(self.path("wrapper/overlaps")))
                self.assertFalse(os.path.exists(self.path("wrapper/alone")))
                self.assertEqual(len(set(self.lines("data.out"))), 30)

    @unittest.skipIf(ENGINE != "parallel", "Slurm knows its nodes")
    def test_machine_that_is_down(self):
        # An ssh that knows two hosts, one of which is down. Like a login, it sets SHELL.
        self.program("ssh", '#!/bin/sh\nwhile [ "$1" = -o ]; do shift 2; done\n'
                            'host=$1\nshift\n[ "$1" = -- ] && shift\n'
                            'SHELL=/bin/sh\nexport SHELL\n'
                            '[ $host = down ] && { echo "no route" >&2; exit 255; }\n'
                            'cd / && exec sh -c "$*"\n')
        self.write("logins", "down\n1/up\n")
        run = self.check_ok(self.grid("-svmtrain", SVM_TRAIN, *self.engine,
                                      env=with_path(self.folder)))
        self.assertIn("no route", run.stderr)
        self.assertIn("parallel: no task worked on down; going on without\n", run.stderr)
        self.assertEqual(len(set(self.lines("data.out"))), 30)

    @unittest.skipIf(ENGINE != "slurm", "only Slurm has jobs to cancel")
    def test_lost_task_is_retried(self):
        program = self.wrapper()
        self.write("wrapper/slow", "30")
        process = self.start_grid("-svmtrain", program, *self.engine)
        job = "data.out.rows/run-1/job"
        self.wait_for(job, process)
        self.wait_for("wrapper/calls", process)
        os.remove(self.path("wrapper/slow"))
        subprocess.run(["scancel", self.read(job).strip()], check=True)
        self.assertEqual(process.wait(240), 0)
        self.assertEqual(len(set(self.lines("data.out"))), 30)


def main():
    """With the engine running."""
    if ENGINE == "parallel":
        program = shutil.which("parallel")
        version = program and subprocess.run([program, "--version"], stdout=subprocess.PIPE,
                                             stderr=subprocess.DEVNULL).stdout
        if not version or b"GNU parallel" not in version:
            skip("GNU Parallel is not installed")
        unittest.main()
    absent = slurm_node.missing()
    if absent:
        skip("Slurm is not installed: no " + ", ".join(absent))
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder, \
            slurm_node.Node(os.path.join(folder, "slurm")):
        unittest.main()


if __name__ == "__main__":
    skip_without_build()
    main()
