"""Data and machines of the tests, and the project's programs on them."""
import math
import os
import random
import re
import subprocess
import tempfile
from typing import Dict, Iterator, List, Tuple

Point = Dict[str, float]

PROGRAMS = os.environ.get("SVM_BIN_DIR", "build")


def blobs(count: int, classes: int, seed: int) -> List[Point]:
    """Clouds that overlap, on a circle."""
    draw = random.Random(seed)
    middles = [(0.5 + 0.25 * x, 0.5 + 0.25 * y)
               for x, y in [(-1, 0), (1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, -0.7)]]
    points = []
    for i in range(count):
        x, y = middles[i % classes]
        points.append({"x": round(min(1, max(0, draw.gauss(x, 0.13))), 4),
                       "y": round(min(1, max(0, draw.gauss(y, 0.13))), 4), "c": i % classes})
    return points


def lattice(count: int) -> List[Point]:
    """Many equal values and zeros, as on a grid."""
    side = int(count ** 0.5)
    return [{"x": i / side, "y": j / side, "c": int((i - side / 2) ** 2 + (j - 2) ** 2 < side * 3)}
            for i in range(side) for j in range(side)]


def digits(count: int, seed: int) -> List[Point]:
    """Values with all the digits of a double, which a view of negative numbers shows."""
    draw = random.Random(seed)
    points = []
    for _ in range(count):
        x, y = draw.uniform(-3, 3), draw.uniform(-3, 3)
        points.append({"x": x, "y": y, "c": int(y > x * x - 2)})
    return points


TYPES, KERNELS = range(5), range(4)


def machines() -> Iterator[Tuple[int, int]]:
    for svm_type in TYPES:
        for kernel in KERNELS:
            yield svm_type, kernel


def run(command: str, folder: str) -> str:
    """What a command line of the page prints, with the programs of this build."""
    environment = dict(os.environ, PATH=os.path.abspath(PROGRAMS) + os.pathsep +
                       os.environ["PATH"])
    environment.pop("LIBSVM_SOLVER", None)
    result = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            universal_newlines=True)
    if result.returncode != 0:
        raise AssertionError("%s\n%s" % (command, result.stdout))
    return result.stdout


def native_model(data: str, command: str) -> str:
    """The model file of the page's command line on the page's data."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "toy.data"), "w", encoding="ascii") as file:
            file.write(data)
        run(command, folder)
        with open(os.path.join(folder, "toy.model"), encoding="ascii") as file:
            return file.read()


def native_rate(data: str, options: str) -> float:
    """The accuracy, or mean squared error, of svm-train -v."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "toy.data"), "w", encoding="ascii") as file:
            file.write(data)
        text = run("svm-train -q %s toy.data" % options, folder)
    found = re.search(r"(?:Accuracy|Mean squared error) = ([^%\s]+)", text)
    assert found, text
    return float(found.group(1))


def assert_close(ours: str, native: str) -> None:
    """The same support vectors, and numbers that agree in all but their last digits."""
    left, right = ours.splitlines(), native.splitlines()
    assert len(left) == len(right), (ours, native)
    for a, b in zip(left, right):
        words = list(zip(a.split(), b.split()))
        assert len(a.split()) == len(b.split()), (a, b)
        for x, y in words:
            same = x == y or math.isclose(float(x), float(y), rel_tol=1e-6, abs_tol=1e-9)
            assert same, (a, b)
