"""Searches and forests by workers of dask; test_joblib.py and test_forest_joblib.py have more."""

import contextlib
import subprocess
import sys
import time

import pytest

pytest.importorskip("sklearn")
distributed = pytest.importorskip("distributed")

pytest.register_assert_rewrite("backends")
from backends import OnWorkers, environment  # noqa: E402


@contextlib.contextmanager
def workers(folder, python_folder):
    """Two workers and their scheduler, whose address is in cluster.json of the folder."""
    address = ["--scheduler-file", "cluster.json", "--no-dashboard"]
    worker = ["worker", *address, "--nthreads", "1", "--no-nanny"]
    processes = []
    try:
        for words in (["scheduler", *address, "--port", "0"], worker, worker):
            module = f"distributed.cli.dask_{words[0]}"
            processes.append(
                subprocess.Popen(
                    [sys.executable, "-W", "ignore", "-m", module, *words[1:]],
                    env=environment(python_folder),
                    cwd=folder,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
            while not (folder / "cluster.json").exists():
                assert processes[0].poll() is None
                time.sleep(0.05)
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def client(tmp_path_factory, python_folder):
    folder = tmp_path_factory.mktemp("dask")
    with workers(folder, python_folder):
        with distributed.Client(scheduler_file=str(folder / "cluster.json")) as found:
            found.wait_for_workers(2, timeout=60)
            yield found


@pytest.mark.usefixtures("client")
class TestDask(OnWorkers):
    name = "dask"

    @pytest.fixture(autouse=True)
    def of_document(self, python_folder):
        self.python_folder = python_folder

    def preparations(self, folder):
        return workers(folder, self.python_folder)
