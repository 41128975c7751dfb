"""Option strings: LIBSVM's letters, and this library's long options."""

from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Tuple

Words = Iterator[str]


class Member(NamedTuple):
    """The member that an option sets."""

    name: str
    convert: Callable[[str], Any]


def _is_on(value: str) -> int:
    if value not in ("on", "off"):
        raise ValueError(f"'{value}' is neither on nor off")
    return int(value == "on")


# Members of svm_parameter.
LETTERS: Dict[str, Member] = {
    "-d": Member("degree", int),
    "-g": Member("gamma", float),
    "-r": Member("coef0", float),
    "-c": Member("C", float),
    "-n": Member("nu", float),
    "-p": Member("p", float),
    "-m": Member("cache_size", float),
    "-e": Member("eps", float),
    "-h": Member("shrinking", int),
    "-b": Member("probability", int),
}

# Members of svm_options, under their names as options of svm-train.
LONG: Dict[str, Member] = {
    "-a": Member("solver", str),
    "--max-iter": Member("max_iter", int),
    "--time-limit": Member("time_limit", float),
    "--seed": Member("seed", int),
    "--threads": Member("threads", int),
    "--landmarks": Member("landmarks", int),
    "--bias": Member("bias", float),
    "--free-set": Member("free_set", _is_on),
}

# Flags of svm-train, likewise.
FLAGS: Dict[str, str] = {
    "--fixed-threshold": "fixed_threshold",
    "--as-published": "as_published",
    "--first-order": "first_order",
}


def words_of(options: Any) -> List[str]:
    """The words of an option string, or of a list of words and numbers."""
    if isinstance(options, str):
        return options.split()
    if isinstance(options, list):
        return [str(word) for word in options]
    raise TypeError("arg 1 should be a list or a str.")


def by_option(words: List[str], flags: Tuple[str, ...]) -> Iterator[Tuple[str, str]]:
    """Pairs of an option and its value, which is empty for flags.  Also accepts `--name=value`."""
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            raise ValueError("Wrong options")
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name not in flags and not equals:
            try:
                value = next(rest)
            except StopIteration:
                raise ValueError(f"Wrong options: {name} needs a value") from None
        yield name, value
