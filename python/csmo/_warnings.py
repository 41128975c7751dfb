"""The library's texts in the words of Python, and one warning for each training."""

import collections
import re
import warnings
from typing import Counter, Iterable

from sklearn.exceptions import ConvergenceWarning

_LIMIT = "the limit of iterations was reached; StandardScaler, or a larger max_iter, may help"
# What the library says, which goes by the options of the programs, and what is said here.
_WORDS = {
    "reaching max number of iterations": _LIMIT,
    "svm-scale": "StandardScaler",
    "-a csmo": "solver='csmo'",
    "the tolerance": "tol",
    "a smaller tolerance": "a smaller tol",
    "--cells": "cell_size",
    "--max-iter": "max_iter",
    "-e": "tol",
    "-m": "cache_size",
    "-t 2": "'rbf'",
    "number of positive or negative decision values <5; too few to do a probability estimation": (
        "fewer than five rows of training are on one side of the boundary, which is too few for "
        "predict_proba"
    ),
}
_WORD = re.compile(rf"(?<![\w-])({'|'.join(_WORDS)})(?![\w-])")
_LINE = re.compile(
    r"(?P<kind>WARNING|NOTE): (?:in (?P<count>\d+) problems? of cells: )?(?P<text>.*?)\.?"
)
# Classes are numbers in the library, and one whose rows all have weight 0 is missing there.
_MISSING_CLASS = "specified in weight is not found"
# Warnings that are not about convergence.
_OTHERS = ("probability estimat", "predict_proba", "it is ignored")


def in_python(text: str) -> str:
    """A text of the library in the words of Python."""
    return _WORD.sub(lambda word: _WORDS[word[0]], text)


class Told:
    """What the library said during a training."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.reasons: Counter[str] = collections.Counter()  # why binary problems did not converge
        self.notes: Counter[str] = collections.Counter()  # all else
        for line in lines:
            found = _LINE.fullmatch(line.strip())
            if found is None or _MISSING_CLASS in line:
                continue
            text = in_python(found["text"])
            is_note = found["kind"] == "NOTE" or any(other in text for other in _OTHERS)
            (self.notes if is_note else self.reasons)[text] += int(found["count"] or 1)

    def add(self, other: "Told") -> None:
        self.reasons.update(other.reasons)
        self.notes.update(other.notes)

    @property
    def unconverged(self) -> int:
        """The number of binary problems that did not converge."""
        return sum(self.reasons.values())

    def warn(self, place: str, max_iter: int) -> None:
        """Emits one warning, if there is something to tell: a ConvergenceWarning if a problem did
        not converge.  `place` says which ones, as " in 2 of 3 binary problems" does."""
        texts = [*self.reasons, *self.notes]
        if _LIMIT in self.reasons and max_iter != -1:
            texts.remove(_LIMIT)
            advice = "Consider pre-processing your data with StandardScaler or MinMaxScaler"
            end = f".  This was{place}" if place else ""
            texts.insert(0, f"Solver terminated early (max_iter={max_iter}).  {advice}{end}")
        elif self.reasons:
            texts[0] = f"Training did not converge{place}: {texts[0]}"
        if texts:
            category = ConvergenceWarning if self.reasons else UserWarning
            warnings.warn(".  Besides, ".join(texts) + ".", category)
