"""The frame of a tool: help, errors of one line, and the exit status."""

import os
import sys

from . import files, signals


DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"  # of pages from which options are copied


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
        for word in arguments:
            if word[:1] and word[0] in DASHES:
                raise UsageError("%s has a typographic dash in the place of the sign -" % word)
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
