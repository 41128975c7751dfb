"""The engines that run the tasks of a search: Slurm and GNU Parallel."""

import contextlib
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time

SSH = "ssh -o ServerAliveInterval=30 -o ServerAliveCountMax=4"
SUBMIT_SECONDS = 10  # for the number of a job
SHARE = """case $PARALLEL_SSHLOGIN in
{counts}
*) tasks={most} ;;
esac
threads=
[ $tasks -gt 1 ] && threads="--threads $("$python" -c '
import os
try:
    processors = len(os.sched_getaffinity(0))
except AttributeError:
    processors = os.cpu_count() or 1
print(max(1, processors // '$tasks'))')"
"""


def say(message):
    print(message, file=sys.stderr, flush=True)


def quote(words):
    return " ".join(shlex.quote(word) for word in words)


def threads_option(count):
    """A script that sets the threads of a task."""
    return 'threads="--threads %d"' % count


def command_of(process):
    """The command line of a process of this machine, or nothing."""
    return subprocess.run(["ps", "-ww", "-o", "args=", "-p", process], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, universal_newlines=True,
                          errors="replace").stdout


class Slurm:
    """Runs the tasks as a job array, which sbatch waits for."""

    name = "slurm"
    program = "sbatch"
    threads = 'threads="--threads ${SLURM_CPUS_PER_TASK:-1}"'

    def __init__(self, options):
        self.words = options.slurm
        if options.threads:
            self.threads = threads_option(options.threads)

    def start(self, folder, numbers):
        task = "exec sh %s $SLURM_ARRAY_TASK_ID" % quote([os.path.join(folder, "task")])
        with open(os.path.join(folder, "job"), "wb") as job, \
                open(os.path.join(folder, "errors"), "wb") as errors:
            return subprocess.Popen(
                ["sbatch", "--parsable", "--wait", "--job-name=grid",
                 "--array=" + ",".join(map(str, numbers)),
                 "--output=" + os.path.join(folder, "slurm-%a.log"), *self.words,
                 "--wrap=" + task],
                stdin=subprocess.DEVNULL, stdout=job, stderr=errors)

    @staticmethod
    def accepted(folder):
        """Whether Slurm accepted the job."""
        return os.path.getsize(os.path.join(folder, "job")) > 0

    def learn(self, folder):
        """Does nothing: failing nodes are the administrator's business."""

    def end(self, process, folder, finished=False):
        """Stops waiting. Unless everything is finished, cancels the tasks that wait or run."""
        if not finished:
            # A cancellation may miss a task that is just being launched.
            with open(os.path.join(folder, "cancelled"), "wb"):
                pass
            self.await_number(process, folder)
        if process and process.poll() is None:
            process.terminate()
            process.wait()
        if not finished:
            self.cancel(folder)

    def await_number(self, process, folder):
        """A job without a number could not be cancelled."""
        late = time.monotonic() + SUBMIT_SECONDS
        while (process and process.poll() is None and not self.accepted(folder)
               and time.monotonic() < late):
            time.sleep(0.1)

    @staticmethod
    def cancel(folder):
        try:
            with open(os.path.join(folder, "job"), encoding="ascii") as file:
                job = file.readline().strip().partition(";")[0]
        except OSError:
            return
        if job:
            subprocess.run(["scancel", job], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)


class Login:
    """A machine, as GNU Parallel's [@groups/][number/][ssh command ]machine names it."""

    FORM = re.compile(r"(@[^/]*/)?(?:(\d+)/)?(.*)")

    def __init__(self, text):
        self.group, number, self.machine = self.FORM.fullmatch(text).groups("")
        self.tasks = max(1, int(number or 1))  # at a time

    def __str__(self):
        return "%s%d/%s" % (self.group, self.tasks, self.machine)


def read_logins(path):
    """The machines of an sshlogin file."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    texts = [text.strip() for line in lines if not line.startswith("#")
             for text in re.split(r"(?<![\\,]),(?!,)", line)]
    return [Login(text) for text in texts if text]


class Parallel:
    """Runs tasks on each machine, one at a time or as many as its login says. They share the
    processors of the machine."""

    name = "parallel"
    program = "parallel"

    def __init__(self, options):
        self.logins = read_logins(options.parallel)
        self.threads = threads_option(options.threads) if options.threads else self.shares()

    def shares(self):
        """A script that sets the threads of a task."""
        several = [login for login in self.logins if login.tasks > 1]
        if not several:
            return "threads="
        return SHARE.format(
            most=max(login.tasks for login in several),
            counts="\n".join("%s) tasks=%d ;;" % (shlex.quote(login.machine), login.tasks)
                             for login in self.logins))

    def start(self, folder, numbers):
        logins = os.path.join(folder, "logins")
        with open(logins, "w", encoding="utf-8") as file:
            file.writelines("%s\n" % login for login in self.logins)
        # ssh alone would wait forever for a machine that has lost its power.
        environment = dict(os.environ)
        environment.setdefault("PARALLEL_SSH", SSH)
        with open(os.path.join(folder, "errors"), "wb") as errors:
            process = subprocess.Popen(
                ["parallel", "--will-cite", "--jobs", "100%", "--sshloginfile", logins,
                 "--joblog", os.path.join(folder, "joblog"), "sh",
                 shlex.quote(os.path.join(folder, "task")), "{}", ":::", *map(str, numbers)],
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, env=environment)
        with open(os.path.join(folder, "engine"), "w", encoding="utf-8") as file:
            file.write("%d %s\n" % (process.pid, socket.gethostname()))
        return process

    @staticmethod
    def accepted(folder):
        """Whether GNU Parallel accepted its command line."""
        return os.path.exists(os.path.join(folder, "joblog"))

    def learn(self, folder):
        """Drops machines on which everything failed: one that fails at once would get most of the
        tasks that are tried again."""
        worked = {}
        with open(os.path.join(folder, "joblog"), encoding="utf-8", errors="replace") as file:
            for line in list(file)[1:]:
                fields = line.split("\t")
                worked[fields[1]] = worked.get(fields[1], False) or fields[6] == "0"
        bad = [host for host, well in worked.items() if not well]
        good = [login for login in self.logins
                if not any(login.machine == host or login.machine.endswith(" " + host)
                           for host in bad)]
        if bad and good:
            say("parallel: no task worked on %s; going on without" % ", ".join(bad))
            self.logins = good

    def end(self, process, folder, finished=False):
        """The first signal stops new tasks, the second ends those that run."""
        if process is None:
            self.end_left_over(folder)
            return
        while not finished and process.poll() is None:
            process.terminate()  # without effect while it starts
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
        process.wait()

    @staticmethod
    def end_left_over(folder):
        """Ends the tasks of a search that was killed."""
        # Tasks that still wait will not find their script.
        with contextlib.suppress(OSError):
            os.remove(os.path.join(folder, "task"))
        try:
            with open(os.path.join(folder, "engine"), encoding="utf-8") as file:
                process, host = file.read().split()
            for _ in range(2):
                # The number may belong to another process by now.
                if host != socket.gethostname() or folder not in command_of(process):
                    return
                os.kill(int(process), signal.SIGTERM)
                time.sleep(0.2)
        except (OSError, ValueError):
            pass
