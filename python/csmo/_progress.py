"""A progress bar, if tqdm is installed."""

import math
from typing import Any, Optional

from ._native import Watch


def make_bar(**options: Any) -> Optional[Any]:
    """A tqdm bar, or None if tqdm is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(**options)


class Bar:
    """Progress of a training, measured by the logarithm of the violation."""

    def __init__(self, tolerance: float, wanted: bool) -> None:
        self._tolerance = tolerance
        self._first = 0.0
        self._bar = None
        if wanted:
            self._bar = make_bar(total=100, desc="csmo", unit="%", leave=False)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_error: Any) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, watch: Watch) -> None:
        progress = watch.progress
        if self._bar is None or not progress.violation > 0:
            return
        self._first = max(self._first, progress.violation)
        whole = math.log(self._first / self._tolerance)
        part = math.log(self._first / progress.violation)
        if whole > 0:
            self._bar.n = round(min(100.0, 100 * part / whole))
        self._bar.set_postfix(
            iterations=progress.total_iterations, violation=f"{progress.violation:.2g}"
        )
