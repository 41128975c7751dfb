"""Turns SIGINT and SIGTERM into SystemExit, so that a search cleans up, but not while a program is
starting."""

import contextlib
import signal

_is_held = False
_caught = None  # a signal that came while they are held


def _stop(number, _):
    global _caught
    if number == signal.SIGTERM:
        # One is enough: timeout(1) sends it to the process and to its group, and a second one would
        # end the cleaning up.  Programs would inherit SIG_IGN.
        signal.signal(number, lambda *_: None)
    if not _is_held:
        raise SystemExit(128 + number)
    _caught = number


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
