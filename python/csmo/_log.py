"""The log: one line for each call, for the logger "csmo" of Python's logging, at level INFO.

CSMO_LOG=1 in the environment prints these lines to standard error, unless handlers of the program
take them.
"""

import logging
import os
import sys
import time
from typing import Any, Optional

LOGGER = logging.getLogger("csmo")


class _StandardError(logging.StreamHandler):  # type: ignore[type-arg]
    """Prints the lines that no handler of the program takes."""

    def emit(self, record: logging.LogRecord) -> None:
        others = logging.getLogger().handlers if LOGGER.propagate else []
        if LOGGER.handlers == [self] and not others:
            self.stream = sys.stderr  # which may have been replaced
            super().emit(record)


if os.environ.get("CSMO_LOG", "") not in ("", "0"):
    LOGGER.addHandler(_StandardError())
    if LOGGER.level == logging.NOTSET:
        LOGGER.setLevel(logging.INFO)


def began() -> Optional[float]:
    """The time, if somebody reads the log; otherwise None."""
    return time.perf_counter() if LOGGER.isEnabledFor(logging.INFO) else None


def tell(owner: Any, call: str, *facts: str, since: Optional[float] = None) -> None:
    """Logs what a call of a method of `owner` did, or of a function of the package if that is None,
    and what it took since the time of `began`.  Facts that are empty are left out."""
    if LOGGER.isEnabledFor(logging.INFO):
        kind = type(owner)
        place = "csmo" if owner is None else f"{kind.__module__.split('.')[0]}.{kind.__name__}"
        time_taken = "" if since is None else f"{time.perf_counter() - since:.3f} s"
        LOGGER.info("%s.%s: %s", place, call, ", ".join(filter(None, [*facts, time_taken])))


def many(count: int, thing: str) -> str:
    """The number and the word: "1 row", "2 rows"."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
