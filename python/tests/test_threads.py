"""The number of threads of a fit: n_jobs, joblib's contexts and workers, dask's workers."""

import ctypes
import multiprocessing
import os
import threading
import unittest.mock
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterator, List, Set

import joblib
import numpy as np
import pytest
from joblib import Parallel, delayed

from csmo import SVC, _machine, _native, _threads
from csmo._threads import thread_count

LIBRARY = 0  # lets the library choose
PROCESSORS = joblib.cpu_count()


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("SVM_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(variable, raising=False)


def context(*words: Any, **named: Any) -> Any:
    """joblib's context; parallel_config exists since joblib 1.3."""
    return getattr(joblib, "parallel_config", joblib.parallel_backend)(*words, **named)


def of_none(*_: Any) -> int:
    return thread_count(None)


def threads_of_fits() -> Callable[[], int]:
    """A function that counts the threads of the library in a fit.  Workers get it by value, because
    they cannot import a module of tests."""

    def tasks() -> Set[int]:
        return set(map(int, os.listdir("/proc/self/task")))

    def count() -> int:
        before, seen = tasks(), []

        def progress(_progress: Any, _user: Any) -> int:  # called while the library trains
            of_python = {thread.native_id for thread in threading.enumerate()}
            seen.append(len(tasks() - before - of_python))
            return 0

        class CountingCall(_machine.Call):
            def __init__(self) -> None:
                super().__init__()
                self.function = _native.ProgressFunction(progress)
                self.options.progress = ctypes.cast(self.function, ctypes.c_void_p)

        rows = np.random.RandomState(0).normal(size=(2000, 8))
        with unittest.mock.patch.object(_machine, "Call", CountingCall):
            SVC(C=100, gamma=1).fit(rows, rows.sum(axis=1) + rows[:, 0] ** 2 > 1)
        # From the main thread, the library is called on a thread of its own.
        return max(seen) + (threading.current_thread() is not threading.main_thread())

    if not os.path.isdir("/proc/self/task"):
        pytest.skip("this system does not show threads")
    return count


# --- n_jobs ---


def test_explicit_numbers_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVM_NUM_THREADS", "2")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    with context("threading", n_jobs=5):
        assert thread_count(3) == 3
        assert thread_count(np.int64(5000)) == 1024
        assert thread_count(-1) == PROCESSORS


def test_negative_numbers_count_from_the_processors_of_the_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(joblib, "cpu_count", lambda: 6)
    assert [thread_count(n) for n in (-1, -2, -6, -7, -100)] == [6, 5, 1, 1, 1]


def test_other_values_are_refused() -> None:
    with pytest.raises(ValueError, match="n_jobs == 0 has no meaning"):
        thread_count(0)
    with pytest.raises(TypeError):
        thread_count(1.5)  # type: ignore[arg-type]


def test_a_fit_takes_what_the_variables_say(monkeypatch: pytest.MonkeyPatch) -> None:
    count = threads_of_fits()
    assert count() == PROCESSORS
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert count() == 1
    monkeypatch.setenv("SVM_NUM_THREADS", "3")
    assert count() == 3


# --- contexts of joblib ---


def test_none_is_the_number_of_the_context() -> None:
    assert of_none() == LIBRARY
    for backend in ("threading", "loky", "multiprocessing"):
        with context(backend, n_jobs=3):
            assert of_none() == 3
            with context(backend, n_jobs=-1):
                assert of_none() == PROCESSORS
    with context("threading", n_jobs=1):
        assert of_none() == 1
    assert of_none() == LIBRARY


def test_a_fit_takes_the_number_of_the_context() -> None:
    count = threads_of_fits()
    with context("threading", n_jobs=3):
        assert count() == 3


def test_contexts_are_for_their_thread() -> None:
    with context("threading", n_jobs=3), ThreadPoolExecutor(1) as pool:
        assert pool.submit(of_none).result() == 1


def test_contexts_without_a_number_change_nothing() -> None:
    if not hasattr(joblib, "parallel_config"):
        pytest.skip("contexts of joblib have a number before 1.3")
    with context(backend="threading"):
        assert of_none() == LIBRARY
    with context(n_jobs=1):
        assert of_none() == 1


def test_one_counts_where_joblib_tells_it_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    loky = joblib.parallel.LokyBackend(nesting_level=0)
    monkeypatch.setattr(joblib, "parallel_config", None, raising=False)  # joblib 1.3 has it
    for n_jobs, expected in ((None, LIBRARY), (1, 1)):
        monkeypatch.setattr(_threads, "get_active_backend", lambda: (loky, n_jobs))
        assert of_none() == expected


def test_the_number_of_a_cluster_is_not_that_of_a_fit_here() -> None:
    class Cluster(joblib.parallel.ParallelBackendBase):
        def effective_n_jobs(self, n_jobs: int) -> int:
            return 500

        def apply_async(self, func: Any, callback: Any = None) -> Any:
            raise NotImplementedError

    joblib.register_parallel_backend("cluster-of-tests", Cluster)
    with context("cluster-of-tests", n_jobs=500):
        assert of_none() == LIBRARY


# --- workers of joblib ---


def test_one_job_is_no_worker() -> None:
    assert Parallel(n_jobs=1)(delayed(thread_count)(None) for _ in range(2)) == [LIBRARY] * 2


@pytest.mark.parametrize("backend", ["threading", "multiprocessing"])
def test_workers_of_a_shared_machine_take_one(backend: str) -> None:
    results = Parallel(n_jobs=2, backend=backend)(delayed(thread_count)(None) for _ in range(4))
    assert results == [1] * 4


def test_threads_of_joblib_leave_the_number_to_the_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    results = Parallel(n_jobs=2, backend="threading")(delayed(of_none)() for _ in range(4))
    assert results == [1] * 4


@pytest.mark.parametrize("inner", [None, 1, 2])
def test_workers_of_loky_take_its_inner_limit(inner: Any) -> None:
    with joblib.parallel_backend("loky", n_jobs=2, inner_max_num_threads=inner):
        results = Parallel()(delayed(threads_of_fits())() for _ in range(2))
    expected = max(1, PROCESSORS // 2) if inner is None else min(inner, PROCESSORS)
    assert results == [expected] * 2


def test_threads_within_workers_of_loky_take_one() -> None:
    def inner() -> List[int]:
        parallel = joblib.Parallel(n_jobs=2, backend="threading")
        return list(parallel(joblib.delayed(thread_count)(None) for _ in range(2)))

    assert Parallel(n_jobs=2)(delayed(inner)() for _ in range(2)) == [[1, 1]] * 2


# --- other workers ---


@pytest.mark.parametrize(
    "variables, expected",
    [
        ({}, 1),
        ({"OMP_NUM_THREADS": "x"}, 1),
        ({"OMP_NUM_THREADS": " 2,1"}, LIBRARY),
        ({"SVM_NUM_THREADS": "2"}, LIBRARY),
    ],
)
def test_other_workers_take_one_or_what_the_variables_say(
    monkeypatch: pytest.MonkeyPatch, variables: Dict[str, str], expected: int
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(of_none).result() == expected
    with multiprocessing.get_context("spawn").Pool(1) as processes:
        assert processes.apply(thread_count, (None,)) == expected


# --- workers of dask ---


@pytest.fixture
def dask_client() -> Iterator[Callable[..., Any]]:
    """dask_client(...): a client of a new cluster on this machine; OMP_NUM_THREADS is what its
    workers get."""
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    opened: List[Any] = []

    def client(limit: int = 1, **words: Any) -> Any:
        # Names of the variable's setting before and since distributed 2022.12.
        places = ("distributed.nanny.environ", "distributed.nanny.pre-spawn-environ")
        settings = {f"{place}.OMP_NUM_THREADS": limit for place in places}
        words = {"n_workers": 1, "dashboard_address": None, **words}
        with dask.config.set(settings):
            cluster = distributed.LocalCluster(**words)
        opened.extend((cluster, distributed.Client(cluster)))
        return opened[-1]

    yield client
    for each in reversed(opened):
        each.close()


@pytest.mark.parametrize("limit, tasks", [(1, 1), (1, 2), (PROCESSORS, 1), (PROCESSORS, 2)])
def test_workers_of_dask_share_what_the_variable_allows(
    dask_client: Any, limit: int, tasks: int
) -> None:
    client = dask_client(limit, threads_per_worker=tasks, processes=True)
    expected = max(1, min(limit, PROCESSORS // tasks))
    assert client.submit(thread_count, None).result() == expected
    assert client.submit(threads_of_fits()).result() == expected


def test_workers_of_dask_within_this_process_share_its_processors(
    monkeypatch: pytest.MonkeyPatch, dask_client: Any
) -> None:
    client = dask_client(threads_per_worker=2, processes=False)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 7)
    assert client.submit(thread_count, None, pure=False).result() == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert client.submit(thread_count, None, pure=False).result() == 2
    monkeypatch.setenv("SVM_NUM_THREADS", "5")
    assert client.submit(thread_count, None, pure=False).result() == LIBRARY
    assert of_none() == LIBRARY


def test_joblib_with_dask(dask_client: Any) -> None:
    # joblib 1.6, unlike 1.2, runs tasks in this process if there is a single thread elsewhere.
    dask_client(PROCESSORS, threads_per_worker=1, processes=True, n_workers=2)
    with context("dask"):
        assert of_none() == LIBRARY
        assert Parallel()(delayed(thread_count)(None) for _ in range(2)) == [PROCESSORS] * 2
