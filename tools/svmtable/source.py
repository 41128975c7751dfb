"""Opens the files that are read: compressed ones through their programs, and pipes, which can be
read only once."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile

from svmgrid import signals

PROGRAMS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}


class TableError(Exception):
    """A fault of a table, in a line and a column of it if these are known."""

    def __init__(self, what, line=None, column=None):
        super().__init__(what)
        self.what, self.line, self.column = what, line, column

    def describe(self, name):
        """The message for the user. name: the file."""
        place = name if self.line is None else "%s:%d" % (name, self.line)
        if self.column is not None:
            place += ": column %s" % self.column
        return "%s: %s" % (place, self.what)


class TableErrors(TableError):
    """Several faults, each with its line and column."""

    def __init__(self, faults):
        super().__init__("several faults")
        self._faults = sorted(faults, key=lambda fault: fault.line or sys.maxsize)

    def describe(self, name):
        return "\n".join(fault.describe(name) for fault in self._faults)


class Source:
    """What is read: a file, or standard input if the path is "-". keep: whether it is opened more
    than once, so that the contents of a pipe have to be kept in a temporary file."""

    def __init__(self, path, encoding="utf-8", keep=False):
        self.path = path
        self.name = "standard input" if path == "-" else path
        # A byte order mark is no part of the first name.
        self.encoding = "utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding
        self._keep = keep and (path == "-" or (os.path.exists(path) and not os.path.isfile(path)))
        self._kept = None

    @contextlib.contextmanager
    def open(self):
        """The text, with line ends as they are."""
        with self._bytes() as stream:
            text = io.TextIOWrapper(stream, encoding=self.encoding, newline="")
            try:
                yield text
            finally:
                text.detach()

    @contextlib.contextmanager
    def _bytes(self):
        with self._packed() as packed:
            program = PROGRAMS.get(os.path.splitext(self.path)[1].lower())
            if program is None:
                yield packed
                return
            with unpacked(program, packed) as stream:
                yield stream

    @contextlib.contextmanager
    def _packed(self):
        """What is read, from its beginning."""
        if not self._keep:
            with self._pipe() as pipe:
                yield pipe
            return
        if self._kept is None:
            self._kept = tempfile.TemporaryFile()
            with self._pipe() as pipe:
                shutil.copyfileobj(pipe, self._kept)
        self._kept.seek(0)
        yield self._kept

    @contextlib.contextmanager
    def _pipe(self):
        if self.path == "-":
            if sys.stdin is None:
                raise TableError("is closed")
            yield sys.stdin.buffer
            return
        with open(self.path, "rb") as file:
            yield file


@contextlib.contextmanager
def unpacked(program, packed):
    """The output of a program that reads an open file. It may be left before its end."""
    with signals.held():
        try:
            process = subprocess.Popen([program, "-dc"], stdin=packed, stdout=subprocess.PIPE)
        except FileNotFoundError:
            raise TableError("needs the program %s, which is not installed" % program) from None

    def check():
        if process.stdout.read(1):
            process.terminate()  # the rest is not wanted
        elif process.wait() != 0:
            raise TableError("%s failed: exit status %d" % (program, process.returncode))

    try:
        try:
            yield process.stdout
        except TableError:
            check()  # what was read may be wrong because the program failed
            raise
        check()
    finally:
        if process.poll() is None:
            process.terminate()
        process.stdout.close()
        process.wait()
