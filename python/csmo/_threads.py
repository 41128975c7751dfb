"""The meaning of n_jobs."""

import multiprocessing
import operator
import os
import threading
from typing import Optional


_MOST = 1024  # limit of the library


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        return os.cpu_count() or 1


def thread_count(n_jobs: Optional[int]) -> int:
    """The number of threads for a call of the library.  0, for None, lets the library choose: the
    number in the environment variable SVM_NUM_THREADS, or one per processor.  In a process or
    thread that is a worker of another, None means 1, because the parent decides how many run."""
    if n_jobs is None:
        main = threading.current_thread() is threading.main_thread()
        return 0 if main and multiprocessing.parent_process() is None else 1
    count = operator.index(n_jobs)
    if count == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    return min(_MOST, count if count > 0 else max(1, _processors() + 1 + count))
