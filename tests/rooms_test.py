#!/usr/bin/env python3
"""Usage: rooms_test.py SOURCE_FOLDER

No file includes a room that stands above its own.  A room is a folder, a folder in it is another
one, and each file beside svm.h is a room of its own.  The source folder itself has few folders.
Prints what does not keep to that.
"""
import os
import re
import sys

# The rooms of the library, the lowest first.  A room may include those before its line, and itself.
RANKS = [
    ["base/platform"],
    ["base/simd", "base/threads", "svm.h"],
    ["svm_ext.h"],
    ["base/simd/loops"],
    ["base/simd/targets"],
    ["base/io"],
    ["kernels"],
    ["kernels/engines"],
    ["kernels/matrix"],
    ["solvers/run"],
    ["solvers/math"],
    ["solvers/phases"],
    ["solvers/smo"],
    ["solvers/two_level", "solvers/rows", "solvers/historical"],
    ["solvers/precise"],
    ["solvers"],
    ["model"],
    ["model/forest"],
    ["training"],
    ["training/metric"],
    ["training/forest"],
    ["api"],
    ["svm.cpp"],
]

# Those above the library, and what they may include: rooms, or single files of one.
MODEL_FACTS = ["model/model_file.h", "model/model_memory.h", "model/pairs.h", "model/svm_type.h"]
BASE = ["base/platform", "base/simd", "base/threads", "base/io", "svm.h"]
ABOVE = {
    "programs/platform": ["base/platform"],
    "programs/data": ["base/platform", "base/simd", "base/io", "svm.h"],
    "programs/scaling": ["base/platform", "base/io", "programs/data", "svm.h"],
    "programs/certificate": ["base/platform", "base/threads", "svm.h", "kernels", "kernels/engines",
                             "kernels/matrix", "solvers/run", "solvers/math", "solvers/smo/resolution.h",
                             "solvers/precise", "solvers", "model", "training"],
    "programs/grid": BASE + ["programs/platform", "kernels", "kernels/engines", "kernels/matrix",
                             "solvers/run", "solvers", "model", "training", "training/forest"],
    "programs/cli": BASE + MODEL_FACTS + [
        "svm_ext.h", "programs/platform", "programs/data", "programs/scaling", "programs/grid",
        "programs/certificate", "kernels/feature_weights.h", "kernels/features.h",
        "solvers", "solvers/run", "training", "training/forest"],
    "examples/page/native": ["base/io", "programs/data", "svm.h", "svm_ext.h", "kernels", "model", "solvers/run",
                             "solvers/smo", "solvers", "training"],
    "examples/embedding/cpp": ["svm.h", "svm_ext.h"],
    "examples/embedding/java": ["svm.h", "svm_ext.h"],
    "python/native": ["svm.h", "svm_ext.h", "api", "programs/grid", "kernels", "kernels/engines", "solvers",
                      "solvers/run", "training"],
}

# What may include everything.
FREE = re.compile(r"svm-\w+\.cpp|(tests|bench|docs|tools|build[^/]*|\.[^/]*)(/|$)")

# Folders of the source folder, apart from those that are made when something is built.
MOST_FOLDERS = 17
MADE = re.compile(r"\.|build|__pycache__")

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def room_of(path):
    return os.path.dirname(path) or path


def rank_of(room):
    for rank, rooms in enumerate(RANKS):
        if room in rooms:
            return rank
    return None


def fault(path, included):
    """What is wrong with an include; None where nothing is."""
    room, target = room_of(path), room_of(included)
    if room == target:
        return None
    if room in ABOVE:
        is_allowed = target in ABOVE[room] or included in ABOVE[room]
    else:
        own, other = rank_of(room), rank_of(target)
        if own is None:
            return f"{path}: {room} is no room that tests/rooms_test.py knows"
        is_allowed = other is not None and other < own
    return None if is_allowed else f"{path}: includes {included}, which is not below {room}"


def sources(folder):
    for base, folders, files in os.walk(folder):
        inside = os.path.relpath(base, folder).replace(os.sep, "/")
        prefix = "" if inside == "." else inside + "/"
        folders[:] = [name for name in folders if not FREE.match(prefix + name + "/")]
        for name in files:
            if name.endswith((".cpp", ".h")) and not FREE.match(prefix + name):
                yield prefix + name


def folder_fault(names):
    """What is wrong with the folders of the source folder; None where nothing is."""
    names = sorted(name for name in names if not MADE.match(name))
    if len(names) <= MOST_FOLDERS:
        return None
    return f"{len(names)} folders stand in a row, more than {MOST_FOLDERS}: {' '.join(names)}"


def check_itself():
    for path, included in [("base/io/a.cpp", "training/train.h"), ("base/io/a.cpp", "model/prediction.h"),
                           ("kernels/a.h", "kernels/engines/b.h"), ("base/simd/a.h", "base/threads/b.h"),
                           ("base/platform/a.h", "base/io/b.h"), ("model/a.cpp", "training/b.h"),
                           ("solvers/smo/a.cpp", "solvers/registry.h"), ("new/a.cpp", "svm.h"),
                           ("training/a.cpp", "api/b.h"), ("api/a.cpp", "programs/cli/b.h"),
                           ("programs/grid/a.cpp", "programs/cli/b.h")]:
        assert fault(path, included), (path, included)
    for path, included in [("model/a.cpp", "base/io/b.h"), ("training/a.cpp", "base/simd/b.h"),
                           ("solvers/a.cpp", "solvers/smo/b.h"), ("svm.cpp", "api/b.h"),
                           ("programs/cli/a.cpp", "model/pairs.h")]:
        assert not fault(path, included), (path, included)
    names = [f"folder{number}" for number in range(MOST_FOLDERS)]
    assert not folder_fault(names + [".git", "build-asan"]) and folder_fault(names + ["one_more"])


def main():
    folder = sys.argv[1]
    check_itself()
    count = 0
    faults = [folder_fault(each.name for each in os.scandir(folder) if each.is_dir())]
    for path in sorted(sources(folder)):
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            for included in INCLUDE.findall(file.read()):
                count += 1
                faults.append(fault(path, included))
    faults = [text for text in faults if text]
    print("\n".join(faults + [f"{count} includes, {len(faults)} faults"]))
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
