#!/usr/bin/env python3
"""Converts tables to LIBSVM data and back."""

import contextlib
import gc
import os
import sys

from svmgrid import command, files
from svmgrid.command import Fault, UsageError
from svmtable import back, forth
from svmtable.options import USAGE, Options
from svmtable.source import Source, TableError


@contextlib.contextmanager
def output_file(path):
    """A binary file that appears when it is complete; standard output if the path is "-", nothing
    if it is None."""
    if path is None:
        yield None
    elif path == "-":
        if sys.stdout is None:
            raise OSError("standard output is closed")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with files.new_file(path) as file:
            yield file


@contextlib.contextmanager
def output_files(first, second):
    """Two files that appear when both are complete."""
    with output_file(first) as one, output_file(second) as other:
        yield one, other


def check_paths(options):
    """Raises UsageError if a file would be written over one that is read, or over another, or two
    things would be read from standard input or written to standard output."""
    if options.input == options.restore == "-":
        raise UsageError("-r - and the input - exclude each other")
    if options.output == options.save == "-":
        raise UsageError("-s - needs an output file, as the data are written to standard output")
    written = [path for path in (options.output, options.save) if path not in (None, "-")]
    for path in written:
        for read in (options.input, options.restore):
            if read is not None and files.are_same(path, 0 if read == "-" else read):
                raise UsageError("%s would be written over itself" % read)
    if len(written) == 2 and os.path.abspath(written[0]) == os.path.abspath(written[1]):
        raise UsageError("-s names the output itself")


def work(options, name):
    """Does what the options tell. name: that of the input in warnings."""

    def warn(fault, kind="warning"):
        print(kind + ": " + fault.describe(name), file=sys.stderr)

    if options.back:
        back.data_to_table(options, output_files)
    elif options.predictions:
        back.name_predictions(options, output_files)
    else:
        forth.table_to_data(options, output_files, warn)


def run(options):
    """Checks the paths and works, with the name of the input in its faults."""
    check_paths(options)
    name = Source(options.input).name
    try:
        work(options, name)
    except TableError as error:
        raise Fault(error.describe(name)) from None
    except (ValueError, LookupError) as error:
        raise Fault(files.describe(error)) from None


def main(program, arguments):
    """Returns the exit status."""
    gc.disable()  # nothing here refers to itself, and searching for that takes a third of the time
    return command.main(program, arguments, USAGE, Options, run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[0], sys.argv[1:]))
