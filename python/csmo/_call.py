"""Calls of the library that Ctrl-C ends, and the texts that it prints meanwhile."""

import _thread
import ctypes
import threading
import time
from typing import Any, Callable, List, Optional

from . import _native


def uninterrupted(free: Callable[[Any], None], argument: Any) -> None:
    """Calls `free` in a finalizer.  Python only prints what finalizers raise, so a KeyboardInterrupt
    is repeated a little later."""

    def interrupt() -> None:
        time.sleep(0.01)
        _thread.interrupt_main()

    try:
        free(argument)
    except KeyboardInterrupt:
        _thread.start_new_thread(interrupt, ())


class Texts:
    """Collects texts of the library; `send` is called on the thread on which they appear."""

    def __init__(self, send: Optional[Callable[[str], None]] = None) -> None:
        self.lines: List[str] = []
        keep = self.lines.append if send is None else send
        self.function = _native.TextFunction(
            lambda text, _user: keep(text.decode(errors="replace"))
        )


class Call:
    """A call of the library that Ctrl-C and `cancel` end early.

    On the main thread, the library runs on a thread of its own while the calling thread waits,
    because Python delivers signals to its main thread only.  Other threads get no signals: there
    the library runs on the calling thread.

    The caller of run() keeps the results of an interrupted call and then calls end(), so that no
    KeyboardInterrupt is lost.
    """

    POLL_SECONDS = 0.05

    def __init__(self) -> None:
        self.options = _native.default_options()
        self.watch = _native.Watch()
        self.interrupted = False
        self.warnings = Texts()
        self.messages = Texts()
        self.options.warn = self.warnings.function
        self.options.print = self.messages.function
        if _native.watch_function is not None:
            self.options.progress = _native.watch_function
            self.options.progress_user = ctypes.addressof(self.watch)
        else:  # not the wheel's library: it can be cancelled, but reports no progress
            watch = self.watch
            self._progress = _native.ProgressFunction(lambda _progress, _user: watch.cancel)
            self.options.progress = ctypes.cast(self._progress, ctypes.c_void_p)

    def weigh_rows(self, weights: Any) -> None:
        """Sets the weights of the rows: a numpy array of doubles, which is kept alive by this
        object, or None."""
        self._weights = weights
        if weights is not None:
            self.options.row_weights = weights.ctypes.data

    def count_iterations(self, functions: int) -> None:
        """Lets a training write the iterations of each decision function to `iterations`."""
        self.iterations = (ctypes.c_longlong * functions)()
        self.options.problem_iterations = self.iterations
        self.options.problem_room = functions

    def cancel(self) -> None:
        self.watch.cancel = 1

    def run(
        self, function: Callable[[], Any], on_poll: Optional[Callable[[_native.Watch], None]] = None
    ) -> Any:
        """Returns what `function` returns, even after Ctrl-C, and raises what it raises.  `on_poll`
        is called about every 0.05 seconds on the calling thread, and at the end."""
        if threading.current_thread() is not threading.main_thread():
            return function()
        outcome: List[Any] = []
        error: List[BaseException] = []
        done: List[bool] = []
        # Those of threading are not left whole by an exception at any place, as Ctrl-C raises it.
        turn, running = _thread.allocate_lock(), _thread.allocate_lock()
        running.acquire()

        def work() -> None:
            if not turn.acquire(blocking=False):
                return  # Ctrl-C came before it was known that another thread had started
            try:
                outcome.append(function())
            except BaseException as raised:  # re-raised on the calling thread
                error.append(raised)
            done.append(True)
            running.release()

        started = False
        while not done:
            try:
                if not started:
                    _thread.start_new_thread(work, ())
                    started = True
                while not done:
                    running.acquire(timeout=self.POLL_SECONDS)
                    if on_poll is not None:
                        on_poll(self.watch)
            except KeyboardInterrupt:
                self.cancel()
                self.interrupted = True
            except BaseException as raised:  # raised by on_poll, or no thread can be started
                self.cancel()
                error.append(raised)
                if not started and turn.acquire(blocking=False):
                    break
        if error:
            self.end()
            raise error[0]
        return outcome[0]

    def end(self) -> None:
        """Raises the KeyboardInterrupt that ended the call early."""
        if self.interrupted:
            raise KeyboardInterrupt
