#!/usr/bin/env python3
"""Usage: rooms_test.py SOURCE_FOLDER

No file includes a room that stands above its own.  A room is a folder, a folder in it is another
one, and each file beside svm.h is a room of its own.  Prints what does not keep to that.
"""
import os
import re
import sys

# The rooms of the library, the lowest first.  A room may include those before its line, and itself.
RANKS = [
    ["platform"],
    ["simd", "threads", "svm.h"],
    ["base/simd/loops"],
    ["base/simd/targets"],
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
    ["training"],
    ["certificate"],
]

# Those beside that order, and what they may include: rooms, or single files of one.
MODEL_FACTS = ["model/model_memory.h", "model/pairs.h", "model/svm_type.h"]
BESIDE = {
    "io": ["platform", "simd", "svm.h"],
    "base/io/data": ["platform", "simd", "io", "svm.h"],
    "scaling": ["platform", "io", "base/io/data", "svm.h"],
    "grid": ["platform", "simd", "threads", "io", "svm.h", "kernels", "kernels/engines",
             "kernels/matrix", "solvers/run", "solvers", "model", "training"],
    "cli": ["platform", "io", "base/io/data", "grid", "svm.h", "threads", "solvers", "solvers/run",
            "training", "certificate"] + MODEL_FACTS,
    "api": ["io", "svm.h", "simd", "threads", "kernels", "model", "solvers/run", "training"],
    "svm.cpp": ["api", "svm.h", "model", "solvers/run", "training"],
    "examples/page/native": ["io", "base/io/data", "svm.h", "kernels", "model", "solvers/run", "solvers/smo", "solvers",
                   "training"],
    "examples/embedding/cpp": ["svm.h"],
    "python/native": ["svm.h", "api", "grid", "kernels", "kernels/engines", "solvers", "solvers/run", "training"],
    "examples/embedding/java": ["svm.h"],
}

# What may include everything.
FREE = re.compile(r"svm-\w+\.cpp|(tests|bench|docs|tools|build[^/]*|\.[^/]*)(/|$)")

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
    if room in BESIDE:
        is_allowed = target in BESIDE[room] or included in BESIDE[room]
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


def check_itself():
    for path, included in [("base/io/a.cpp", "training/train.h"), ("base/io/a.cpp", "model/prediction.h"),
                           ("kernels/a.h", "kernels/engines/b.h"), ("base/simd/a.h", "base/threads/b.h"),
                           ("solvers/smo/a.cpp", "solvers/registry.h"), ("new/a.cpp", "svm.h"),
                           ("training/a.cpp", "base/io/b.h"), ("programs/grid/a.cpp", "programs/cli/b.h")]:
        assert fault(path, included), (path, included)
    for path, included in [("training/a.cpp", "base/simd/b.h"),
                           ("solvers/a.cpp", "solvers/smo/b.h"), ("svm.cpp", "svm.h")]:
        assert not fault(path, included), (path, included)


def main():
    folder = sys.argv[1]
    check_itself()
    count = 0
    faults = []
    for path in sorted(sources(folder)):
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            for included in INCLUDE.findall(file.read()):
                count += 1
                faults.append(fault(path, included))
    faults = [text for text in faults if text]
    print("\n".join(faults + [f"{count} includes, {len(faults)} that go up"]))
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
