"""The meaning of n_jobs; docs/performance.md has it as a table."""

import multiprocessing
import operator
import os
import re
import sys
import threading
from typing import Any, Optional

import joblib
from joblib.parallel import get_active_backend


_MOST = 1024  # limit of the library
_LIBRARY = 0  # lets the library choose: SVM_NUM_THREADS, or processors up to OMP_NUM_THREADS


def _openmp_limit() -> int:
    match = re.match(r"\s*([1-9]\d*)\s*(,|$)", os.environ.get("OMP_NUM_THREADS", ""))
    return int(match.group(1)) if match else 0


def is_local(backend: Any) -> bool:
    """Whether joblib's workers are on this computer."""
    return type(backend).__module__ == "joblib._parallel_backends"


def _of_context(backend: Any, n_jobs: Optional[int]) -> Optional[int]:
    """What joblib.Parallel would take in a context that sets n_jobs; None without such a context.
    The number of a cluster's backend is that of its workers, but the call runs here."""
    if n_jobs is None or not is_local(backend):
        return None
    if n_jobs == 1 and type(backend).__name__ == "LokyBackend":
        if not hasattr(joblib, "parallel_config"):
            return None  # before joblib 1.3, this is also what there is without a context
    return int(backend.effective_n_jobs(n_jobs))


def _tasks_of_dask_worker() -> int:
    """How many tasks the dask worker that runs this thread runs at once; 0 if there is none."""
    try:
        return int(sys.modules["distributed"].get_worker().state.nthreads)
    except (KeyError, ValueError, AttributeError):  # not imported, no worker, too old
        return 0


def _of_place() -> int:
    """The number of threads for a call that says nothing about them."""
    backend, n_jobs = get_active_backend()
    of_context = _of_context(backend, n_jobs)
    if of_context is not None:
        return of_context
    main_thread = threading.current_thread() is threading.main_thread()
    if main_thread and multiprocessing.parent_process() is None:
        return _LIBRARY
    if not main_thread and is_local(backend) and (backend.nesting_level or 0) > 0:
        return 1  # joblib's own threads, which share the processors
    if os.environ.get("SVM_NUM_THREADS"):
        return _LIBRARY
    tasks = 0 if main_thread else _tasks_of_dask_worker()
    if tasks > 0:
        return max(1, min(joblib.cpu_count() // tasks, _openmp_limit() or _MOST))
    return _LIBRARY if _openmp_limit() else 1


def thread_count(n_jobs: Optional[int]) -> int:
    """The number of threads for a call of the library; 0 lets the library choose.  None means the
    n_jobs of the caller's joblib.parallel_config, or else what the place allows.  In a process or
    thread that is a worker of another, that is 1, because the parent decides how many run, unless
    the environment or dask's worker says how many threads a task has."""
    if n_jobs is None:
        return min(_MOST, _of_place())
    count = operator.index(n_jobs)
    if count == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    return min(_MOST, count if count > 0 else max(1, joblib.cpu_count() + 1 + count))
