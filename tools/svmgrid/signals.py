"""Turns SIGINT and SIGTERM into SystemExit, so that a search cleans up, but not while a program is
starting. At its end the process dies of the signal, so that a loop of a shell ends as well."""

import atexit
import contextlib
import os
import signal
import sys

_is_held = False
_caught = None  # a signal that came while they are held


def _stop(number, _):
    global _caught
    # A SIGTERM would end the cleaning up: timeout(1) sends it to the process and to its group, and
    # easy.py after a SIGINT.  Programs would inherit SIG_IGN.
    signal.signal(signal.SIGTERM, lambda *_: None)
    if os.name == "posix":
        atexit.register(_die, number)
    if not _is_held:
        raise SystemExit(128 + number)
    _caught = number


def _die(number):
    with contextlib.suppress(OSError, ValueError, AttributeError):  # nobody reads, or it is closed
        sys.stdout.flush()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def install():
    """Installs the handlers for the process. Call it from the main thread."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)


@contextlib.contextmanager
def held():
    """A context in which no signal raises SystemExit, so that a program that was started is
    known."""
    global _is_held, _caught
    _is_held = True
    try:
        yield
    finally:
        _is_held = False
        if _caught:
            number, _caught = _caught, None
            raise SystemExit(128 + number)
