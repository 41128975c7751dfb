"""Tasks for the other processes of joblib's active backend."""

import pickle
import sys
import warnings
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Tuple

from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend

from ._threads import is_local


class Elsewhere(NamedTuple):
    """A backend of joblib that runs tasks in other processes, and its number of tasks at a time."""

    backend: Any
    n_jobs: int

    @classmethod
    def active(cls, n_jobs: Optional[int]) -> "Optional[Elsewhere]":
        """The active backend, if it is one of a cluster or of several processes of this computer."""
        backend, of_context = get_active_backend(prefer="threads")
        uses_threads = getattr(backend, "uses_threads", False)
        if uses_threads or (is_local(backend) and effective_n_jobs(n_jobs) == 1):
            return None
        n_jobs = of_context if n_jobs is None else n_jobs
        return cls(backend, -1 if n_jobs is None else n_jobs)

    def tasks_at_once(self) -> int:
        return int(self.backend.effective_n_jobs(self.n_jobs))

    def _stored(self, data: Any) -> Any:
        """What stands for the data in tasks, after the backend has taken them into its own store;
        or the data, if it has none: loky maps large arrays into the memory of its processes."""
        name = type(self.backend).__name__
        if name == "RayBackend":
            return sys.modules["ray"].put(data)
        if name == "SparkDistributedBackend" and hasattr(self.backend, "_spark_context"):
            return self.backend._spark_context.broadcast(data)  # Spark Connect has no such store
        if not name.startswith("Dask"):
            return data
        self.tasks_at_once()  # waits for a worker
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the size
            # What a task makes, dask makes again after the death of a worker.  What was scattered
            # is lost then, even from all workers, as dask drops copies that seem superfluous.
            dumped = sys.modules["cloudpickle"].dumps(data)
            return self.backend.client.submit(pickle.loads, dumped, pure=False)

    def _by_dask(self, function: Any, stored: Any, tasks: Iterable[Any]) -> List[Any]:
        """Hands tasks to dask itself.  joblib would wait for ever for one that fails outside of the
        function, as something cannot be unpickled there, or workers die again and again."""
        submit, options = self.backend.client.submit, getattr(self.backend, "submit_kwargs", {})
        of_all = {"pure": False, **options}
        futures = [submit(_recorded, function, stored, task, **of_all) for task in tasks]
        try:
            with self.backend.retrieval_context():
                return list(self.backend.client.gather(futures))
        finally:
            self.backend.client.cancel([each for each in futures if not each.done()])

    def run(
        self,
        function: Callable[[Any, Any], Any],
        data: Any,
        tasks: Iterable[Any],
        pre_dispatch: Any = "2*n_jobs",
    ) -> List[Any]:
        """What function(data, task) returns for each task, with its warnings, each once, and with
        joblib's failures, such as that of a process that died.  The data are sent once."""
        stored = self._stored(data)
        if type(self.backend).__name__.startswith("Dask"):
            found = self._by_dask(function, stored, tasks)
        else:
            parallel = Parallel(self.n_jobs, self.backend, pre_dispatch=pre_dispatch, batch_size=1)
            found = parallel(delayed(_recorded)(function, stored, task) for task in tasks)
        told: Dict[Tuple[Any, str], None] = {}
        for _, failure, caught in found:
            if failure is not None:
                raise failure
            told.update(dict.fromkeys(caught))
        for category, text in told:
            warnings.warn(text, category)
        return [outcome for outcome, _, _ in found]


def _here(stored: Any) -> Any:
    """The data that `_stored` has stored."""
    name = type(stored).__name__
    if name.endswith("ObjectRef"):
        return sys.modules["ray"].get(stored)
    return stored.value if name == "Broadcast" else stored


def _recorded(
    function: Callable[[Any, Any], Any], stored: Any, task: Any
) -> Tuple[Any, Optional[BaseException], List[Tuple[Any, str]]]:
    """What function(data, task) returns or raises, and its warnings (class, text).  joblibspark would
    lose what is raised, Spark try it again, and dask take a CancelledError for one of its own."""
    outcome, failure = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = function(_here(stored), task)
        except BaseException as error:
            failure = error
    return outcome, failure, [(warning.category, str(warning.message)) for warning in caught]
