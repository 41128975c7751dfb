"""A real Slurm of one node, in a folder of its own, as the present user."""

import os
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "sinfo", "scancel")
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def find(program):
    """Daemons are not in everybody's PATH."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing():
    """Names of programs that are not installed."""
    return [program for program in PROGRAMS if find(program) is None]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Node:
    """with Node(folder): the environment of this process points to the Slurm that runs."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []

    def __enter__(self):
        for name in ("munge", "state", "spool"):
            os.makedirs(os.path.join(self.folder, name))
        os.chmod(os.path.join(self.folder, "munge"), 0o755)
        configuration = os.path.join(self.folder, "slurm.conf")
        with open(configuration, "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(
                host=socket.gethostname().partition(".")[0], user=os.geteuid(),
                folder=self.folder, processors=max(2, os.cpu_count() or 1),
                controller_port=free_port(), node_port=free_port()))
        os.environ["SLURM_CONF"] = configuration
        try:
            self.start_munge()
            self.start("slurmctld", "-D", "-f", configuration)
            self.start("slurmd", "-D", "-f", configuration)
            self.wait_until_idle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_munge(self):
        folder = os.path.join(self.folder, "munge")
        key = os.path.join(folder, "key")
        with open(key, "wb") as file:
            os.chmod(key, 0o600)
            file.write(os.urandom(128))
        path = os.path.join(folder, "socket")
        self.start("munged", "--foreground", "--force", "--key-file=" + key, "--socket=" + path,
                   "--pid-file=" + os.path.join(folder, "pid"),
                   "--log-file=" + os.path.join(folder, "log"),
                   "--seed-file=" + os.path.join(folder, "seed"), "--num-threads=2")
        for _ in range(100):
            if os.path.exists(path):
                return
            time.sleep(0.1)
        raise RuntimeError("munged does not start:\n" + self.log("munged"))

    def start(self, program, *arguments):
        with open(os.path.join(self.folder, program + ".out"), "wb") as output:
            self.daemons.append(subprocess.Popen(
                [find(program), *arguments], stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, start_new_session=True))

    def log(self, program):
        text = ""
        for name in (program + ".out", program + ".log"):
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    text += file.read()[-2000:]
        return text

    def wait_until_idle(self):
        for _ in range(300):
            answer = subprocess.run(["sinfo", "-h", "-o", "%T"], stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, universal_newlines=True)
            if answer.stdout.strip() == "idle":
                return
            time.sleep(0.2)
        raise RuntimeError("Slurm does not start:\n" + self.log("slurmctld") + self.log("slurmd"))

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        os.environ.pop("SLURM_CONF", None)
