"""tools/grid.py and signals that come at unlucky moments. Stand-ins for Slurm and GNU Parallel make
these moments long."""

import ctypes
import os
import signal
import unittest

from support import ToolsTest, skip_without_build, with_path

ENDED = -signal.SIGTERM


class SignalsTest(ToolsTest):

    def start_with(self, engine, programs):
        """A search by an engine, with these programs before all others."""
        os.mkdir(self.path("bin"))
        for name, text in programs.items():
            self.program("bin/" + name, "#!/bin/sh\n" + text)
        self.write("logins", ":\n")
        return self.start_grid("-svmtrain", self.wrapper(), *engine,
                               env=with_path(self.path("bin")))

    @unittest.skipUnless(hasattr(ctypes.CDLL(None), "tgkill"), "needs a signal to a thread")
    def test_signal_to_a_worker_ends_the_search(self):
        # As the system gives it to a worker where the main thread has another one to take.
        program = self.wrapper()
        self.write("wrapper/hold", "")
        process = self.start_grid("-svmtrain", program, "--threads", "1")
        self.wait_for("wrapper/calls", process)
        threads = [int(thread) for thread in os.listdir("/proc/%d/task" % process.pid)]
        threads.remove(process.pid)
        ctypes.CDLL(None).tgkill(process.pid, threads[0], int(signal.SIGTERM))
        self.assertEqual(process.wait(60), ENDED)

    def test_job_whose_number_comes_after_the_signal_is_cancelled(self):
        process = self.start_with(["--slurm"], {
            "sbatch": "kill -TERM $PPID\nsleep 1\necho 7\nexec sleep 600\n",
            "scancel": 'echo "$*" >>scancelled\n'})
        self.assertEqual(process.wait(60), ENDED)
        self.assertEqual(self.lines("scancelled"), ["7"])
        self.assertTrue(os.path.exists(self.path("data.out.rows/run-1/cancelled")))

    def test_second_signal_lets_the_first_one_clean_up(self):
        process = self.start_with(["--slurm"], {
            "sbatch": "echo 7\nexec sleep 600\n",
            "scancel": 'echo begin >>scancelled\nsleep 1\necho "$*" >>scancelled\n'})
        self.wait_for("data.out.rows/run-1/job", process)
        process.terminate()
        self.wait_for("scancelled", process)
        process.terminate()
        self.assertEqual(process.wait(60), ENDED)
        self.assertEqual(self.lines("scancelled"), ["begin", "7"])
        self.assertFalse(os.path.exists(self.path("data.out.rows/lock")))

    def test_parallel_is_ended_that_takes_no_signal_yet(self):
        process = self.start_with(["--parallel", "logins"], {
            "parallel": "trap '' TERM\necho >started\nsleep 2\n"
                        "trap 'echo >ended; exit 1' TERM\n"
                        "for _ in $(seq 600); do sleep 0.1; done\n"})
        self.wait_for("started", process)
        process.terminate()
        self.assertEqual(process.wait(60), ENDED)
        self.assertTrue(os.path.exists(self.path("ended")))


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
