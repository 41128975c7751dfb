"""The frame of a tool: help, errors of one line, and the exit status."""

import os
import sys

from . import files, signals


class UsageError(Exception):
    """A wrong command line."""


class Fault(Exception):
    """What is wrong with a file; the text names it."""


def main(program, arguments, usage, parse, run):
    """Returns the exit status. parse makes options, with a member `help`, from the arguments and may
    raise UsageError; run does what they tell and may also raise Fault and OSError."""
    signals.install()
    name = os.path.basename(program)
    try:
        options = parse(arguments)
        if options.help:
            print(usage.format(name), end="", flush=True)
        else:
            run(options)
        return 0
    except UsageError as error:
        print(error, file=sys.stderr)
        print('Try "%s --help" for more information.' % name, file=sys.stderr)
    except Fault as error:
        print(error, file=sys.stderr)
    except BrokenPipeError:  # as in `... | head`: nobody reads the output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(files.describe(error), file=sys.stderr)
    return 1
