"""SIGINT and SIGTERM as SystemExit, so that a search cleans up, but not while a program starts."""

import contextlib
import signal

_is_held = False
_caught = None  # while they are held


def _stop(number, _):
    global _caught
    if number == signal.SIGTERM:
        # One is enough: timeout(1) sends it to the process and to its group, and a second one would
        # end the cleaning up.  SIG_IGN would be inherited by programs.
        signal.signal(number, lambda *_: None)
    if not _is_held:
        raise SystemExit(128 + number)
    _caught = number


def install():
    """For the whole process, from the main thread."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)


@contextlib.contextmanager
def held():
    """Until its end no signal raises SystemExit: a program that is started is known by then."""
    global _is_held, _caught
    _is_held = True
    try:
        yield
    finally:
        _is_held = False
        if _caught:
            number, _caught = _caught, None
            raise SystemExit(128 + number)
