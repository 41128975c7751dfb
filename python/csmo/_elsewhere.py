"""Tasks for the other processes of joblib's active backend."""

import warnings
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Tuple

from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend

from ._threads import is_local


class Elsewhere(NamedTuple):
    """A backend of joblib that runs tasks in other processes, and its number of tasks at a time."""

    backend: Any
    n_jobs: Optional[int]

    @classmethod
    def active(cls, n_jobs: Optional[int]) -> "Optional[Elsewhere]":
        """The active backend, if it is one of a cluster or of several processes of this computer."""
        backend, of_context = get_active_backend(prefer="threads")
        uses_threads = getattr(backend, "uses_threads", False)
        if uses_threads or (is_local(backend) and effective_n_jobs(n_jobs) == 1):
            return None
        return cls(backend, of_context if n_jobs is None else n_jobs)

    def tasks_at_once(self) -> int:
        return int(self.backend.effective_n_jobs(-1 if self.n_jobs is None else self.n_jobs))

    def _with_data(self, data: Any) -> Any:
        """The backend, after it has sent the data.  joblib would have dask send them to the first
        worker that needs them, and they would be lost with it."""
        backend = self.backend
        if not type(backend).__name__.startswith("Dask"):
            return backend
        waits = {"wait_for_workers_timeout": backend.wait_for_workers_timeout}
        options = {"client": backend.client, **waits, **backend.submit_kwargs}
        backend.effective_n_jobs(-1)  # waits for a worker
        return type(backend)(scatter=[data], **options)

    def run(
        self,
        function: Callable[[Any, Any], Any],
        data: Any,
        tasks: Iterable[Any],
        pre_dispatch: Any = "2*n_jobs",
    ) -> List[Any]:
        """What function(data, task) returns for each task, with its warnings, each once, and with
        joblib's failures, such as that of a process that died.  Its `__sizeof__` tells dask that
        the data are to be sent once."""
        backend = self._with_data(data)
        parallel = Parallel(self.n_jobs, backend, pre_dispatch=pre_dispatch, batch_size=1)
        outcomes: List[Any] = []
        told: Dict[Tuple[Any, str], None] = {}
        for outcome, caught in parallel(delayed(_recorded)(function, data, task) for task in tasks):
            outcomes.append(outcome)
            told.update(dict.fromkeys(caught))
        for category, text in told:
            warnings.warn(text, category)
        return outcomes


def _recorded(
    function: Callable[[Any, Any], Any], data: Any, task: Any
) -> Tuple[Any, List[Tuple[Any, str]]]:
    """What function(data, task) returns, and its warnings, which have a class and a text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcome = function(data, task)
    return outcome, [(warning.category, str(warning.message)) for warning in caught]
