"""Prevents two searches from writing to the same results file. programs/grid/out_lock.cpp does the same and
documents the protocol, so that svm-grid and this program exclude each other."""

import errno
import os
import socket
import sys
import time

from . import files

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None

NAMES = ("host", "process", "since", "command")  # the lines of a lock file
MOST_TEXT = 4096
LOOKS = 20
SECONDS_BETWEEN = 0.05
ATTEMPTS = 100


class Busy(RuntimeError):
    """Another search holds the lock."""


def printable(text):
    return "".join(" " if c < " " or c == "\x7f" else c for c in text)


def sign(descriptor, command):
    """Writes the owner to the lock file."""
    values = (socket.gethostname(), str(os.getpid()), time.strftime("%Y-%m-%d %H:%M:%S %z"),
              command[:MOST_TEXT // 4])
    text = "".join("%s %s\n" % (name, printable(value)) for name, value in zip(NAMES, values))
    data = text.encode(errors="replace")[:MOST_TEXT - 1].rstrip(b"\n") + b"\n"
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, data, 0)
        os.fsync(descriptor)  # so that other machines see it
    except OSError:
        pass  # only messages of others lack the text


def read_owner(descriptor):
    """Returns the owner as a dict, empty while the owner has not written it."""
    for look in range(LOOKS):
        if look:
            time.sleep(SECONDS_BETWEEN)
        text = os.pread(descriptor, MOST_TEXT, 0).decode(errors="replace")
        lines = text[:text.rfind("\n") + 1].split("\n")
        owner = dict((name, printable(value)) for name, _, value in
                     (line.partition(" ") for line in lines) if name in NAMES)
        if len(owner) == len(NAMES):
            return owner
    return {}


def is_gone(owner):
    """Whether the owner is certainly gone; nothing is known about other machines."""
    number = owner.get("process", "")
    if owner.get("host") != socket.gethostname() or not number.isdigit() or int(number) < 1:
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


def has_name(descriptor, path):
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except OSError:
        return False


def remove_left_over(descriptor, path):
    """Removes the file `path` if the descriptor still refers to it: another search may have been
    faster, and its file must stay."""
    aside = "%s.%d" % (path, os.getpid())
    if not has_name(descriptor, path):
        return
    try:
        os.rename(path, aside)
    except FileNotFoundError:
        return
    if not has_name(descriptor, aside):
        try:
            os.link(aside, path)
        except FileExistsError:
            pass
    os.remove(aside)


class OutLock:
    """with OutLock(out, command) as lock: ...

    out: a path, or None for no lock. failure: why a lock that is needed could not be taken."""

    def __init__(self, out, command):
        self.out = out
        self.command = command
        self.failure = None
        self.path = None
        self.descriptor = None

    def __enter__(self):
        if self.out is None or files.is_other_than_a_file(self.out):
            return self
        self.path = os.path.realpath(self.out) + ".lock"
        if fcntl is None:
            self.failure = "this system has no file locks"
            return self
        try:
            self._acquire()
        except OSError as error:
            self.failure = "%s: %s" % (self.path, error.strerror)
        return self

    def __exit__(self, *_):
        if self.descriptor is None:
            return
        if has_name(self.descriptor, self.path):
            os.unlink(self.path)  # before others can take the lock
        os.close(self.descriptor)

    def warn(self):
        """Warns if a lock that is needed could not be taken."""
        if self.failure:
            print("WARNING: a second search with this -out file will go unnoticed: " +
                  self.failure, file=sys.stderr, flush=True)

    def _acquire(self):
        # An owner that finishes removes the file, possibly between two of our steps.
        for _ in range(ATTEMPTS):
            flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
            is_new = True
            try:
                descriptor = os.open(self.path, flags | os.O_CREAT | os.O_EXCL, 0o666)
            except FileExistsError:
                is_new = False
                try:
                    descriptor = os.open(self.path, flags)
                except FileNotFoundError:
                    continue
            try:
                if self._lock(descriptor, is_new):
                    self.descriptor = descriptor
                    return
            finally:
                if self.descriptor is None:
                    os.close(descriptor)
        raise OSError(errno.EAGAIN, "it is removed again and again")

    def _lock(self, descriptor, is_new):
        """False if the file disappeared meanwhile."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._refuse(read_owner(descriptor), "")
        except OSError:  # the file system has no locks: the file itself is one
            owner = {} if is_new else read_owner(descriptor)
            if not is_new:
                if not is_gone(owner):
                    self._refuse(owner, ".\nIf that search is gone, remove %s: this file system "
                                        "has no locks" % self.path)
                remove_left_over(descriptor, self.path)
                return False
        else:
            if not has_name(descriptor, self.path):
                return False
        sign(descriptor, self.command)
        return True

    def _refuse(self, owner, advice):
        who = "in use by another search"
        if owner:
            who += ": process %(process)s on %(host)s, since %(since)s: %(command)s" % owner
        raise Busy("%s: %s\nWait for its end, or give another -out file%s" %
                   (self.out, who, advice))
