"""Output files and their errors."""

import contextlib
import os


def is_other_than_a_file(path):
    """Whether the path is a pipe or a device, such as /dev/stdout."""
    return os.path.exists(path) and not os.path.isfile(path)


def are_same(written, read):
    """Whether both are one regular file, perhaps by links. read may be a file descriptor."""
    return os.path.isfile(written) and os.path.exists(read) and os.path.samefile(written, read)


@contextlib.contextmanager
def new_file(path):
    """A binary file, replaced as a whole or not at all. Devices and links are written through."""
    if os.path.islink(path) or is_other_than_a_file(path):
        with open(path, "wb") as file:
            yield file
        return
    part = "%s.%d.part" % (path, os.getpid())
    try:
        file = open(part, "wb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    try:
        with file:
            yield file
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def fingerprint(content):
    """The digits by which a model names the bytes of a file of weights (FNV-1a of 64 bits)."""
    hashed = 0xcbf29ce484222325
    for byte in content:
        hashed = (hashed ^ byte) * 0x100000001b3 % 2**64
    return "%016x" % hashed


def describe(error):
    """The text of an error of the operating system, without its number."""
    if isinstance(error, OSError) and error.filename is not None:
        return "%s: %s" % (error.filename, error.strerror)
    return str(error)
