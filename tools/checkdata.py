#!/usr/bin/env python3
"""Checks the format of a data set."""

import math
import os
import re
import signal
import sys

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
INDEX = re.compile(r"[+-]?\d+", re.ASCII)
LARGEST_INDEX = 2**31 - 1
BAD_FEATURE = "feature '%s' not an <index>:<value> pair, <index> integer, <value> real number "


def is_number(text):
    """Whether the text is a finite decimal number that svm-train accepts."""
    return NUMBER.fullmatch(text) is not None and math.isfinite(float(text))


def label_error(label):
    """The message for an invalid label, or None. A label with commas is a list."""
    if "," in label:
        if not all(map(is_number, label.split(","))):
            return "label %s is not a valid multi-label form" % label
    elif not is_number(label):
        return "label %s is not a number" % label
    return None


def feature_errors(features):
    """Yields the messages for the index:value pairs of a row."""
    previous = -1
    for position, feature in enumerate(features):
        index, colon, value = feature.partition(":")
        if not (colon and INDEX.fullmatch(index) and is_number(value)):
            yield BAD_FEATURE % feature
            continue
        if int(index) > LARGEST_INDEX:
            yield "feature index must not be above %d; wrong feature %s" % (LARGEST_INDEX, feature)
        elif int(index) < 0:
            yield "feature index must be positive; wrong feature " + feature
        elif int(index) <= previous:
            yield ("feature indices must be in an ascending order, previous/current features "
                   "%s %s" % (features[position - 1], feature))
        previous = int(index)


def line_errors(line):
    """Yields the messages for one line, which includes its line end."""
    if not line.endswith("\n"):
        yield "missing a newline character in the end"
    words = line.split()
    if not words:
        yield "missing label, perhaps an empty line?"
        return
    message = label_error(words[0])
    if message:
        yield message
    yield from feature_errors(words[1:])


def main(program, arguments):
    """Returns the exit status."""
    if len(arguments) != 1:
        print("Usage: %s dataset" % program)
        return 1
    path = arguments[0]
    if path != "-" and not os.path.exists(path):
        print("dataset %s not found" % path)
        return 1
    lines_with_error = number = 0
    try:
        with open(0 if path == "-" else path, encoding="utf-8", errors="backslashreplace",
                  newline="\n") as file:
            for number, line in enumerate(file, 1):
                messages = list(line_errors(line))
                lines_with_error += bool(messages)
                for message in messages:
                    print("line %d: %s" % (number, message))
    except OSError as error:
        print("dataset %s: %s" % (path, error.strerror))
        return 1
    if lines_with_error:
        print("Found %d lines with error." % lines_with_error)
        return 1
    if number == 0:
        print("The file is empty.")
        return 1
    print("No error.")
    return 0


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as in `... | head`
    sys.exit(main(sys.argv[0], sys.argv[1:]))
