"""Finds the programs that the tools run."""

import os
import shutil
import subprocess

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def executable(path):
    """The path, with the system's suffix for programs if it needs one, or None."""
    for candidate in (path, path + ".exe"):
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    return None


def find(name):
    """Searches in the folder of the tools, in a build or an installation, then in PATH."""
    above = os.path.dirname(TOOLS)
    folders = [above, os.path.join(above, "build"), TOOLS, os.path.join(above, "windows"),
               os.path.join(above, "bin")]
    if os.path.basename(above) == "share":  # installed
        folders = [os.path.join(os.path.dirname(above), "bin")]
    for folder in folders:
        found = executable(os.path.normpath(os.path.join(folder, name)))
        if found:
            return found
    return shutil.which(name)


def find_svm_grid(svm_train):
    """Returns the svm-grid in the folder of this svm-train, or None."""
    beside = executable(os.path.join(os.path.dirname(os.path.abspath(svm_train)), "svm-grid"))
    return beside if beside and is_svm_grid(beside) else None


def is_svm_grid(path):
    """Whether this is our svm-grid: some systems give LIBSVM's grid.py that name."""
    try:
        answer = subprocess.run([path, "--help"], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"--gammas" in answer.stdout
