"""Packages that write patched models to files of their own: skl2onnx and skops.

As in test_patch_traps.py, a short program does what the package does, and the package itself is
tested if it is installed.
"""

import importlib.util

import pytest

pytest.importorskip("sklearn")

def needs(name):
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"no {name}")


SKL2ONNX = """
from sklearn.svm import NuSVC, NuSVR, OneClassSVM, SVC, SVR

NAMES = {kind: f"Sklearn{kind.__name__}" for kind in (NuSVC, NuSVR, OneClassSVM, SVC, SVR)}

def to_onnx(model):
    return NAMES[type(model)]
"""


def test_a_table_by_class(run_with):
    """skl2onnx converts what to_sklearn() returns if scikit-learn is not patched when it is
    imported, which docs/python.md says."""
    fitted = "model = csmo.SVC().fit(X, y)\n"
    after = """
csmo.patch_sklearn()
import package
assert package.to_onnx(model.to_sklearn()) == "SklearnSVC"
"""
    assert "KeyError: <class 'sklearn.svm._classes.SVC'>" in run_with(
        SKL2ONNX, fitted + after, expect=1
    )
    before = """
import package, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    csmo.patch_sklearn()
assert "package" in str(caught[0].message)
assert package.to_onnx(model.to_sklearn()) == "SklearnSVC"
"""
    run_with(SKL2ONNX, fitted + before)
    within = """
csmo.unpatch_sklearn()
import package
csmo.patch_sklearn()
assert package.to_onnx(model.to_sklearn()) == "SklearnSVC"
"""
    run_with(SKL2ONNX, fitted + within, CSMO_PATCH="1")


@needs("skl2onnx")
def test_skl2onnx(run_with):
    code = """
csmo.unpatch_sklearn()
import skl2onnx
csmo.patch_sklearn()
skl2onnx.to_onnx(csmo.SVC().fit(X, y).to_sklearn(), X[:1].astype(np.float32))
"""
    run_with("", code, CSMO_PATCH="1")


SKOPS = """
import importlib, json
import numpy as np
from sklearn.utils import Bunch

TRUSTED = ("builtins.", "numpy.", "sklearn.")

def dumped(value):
    if isinstance(value, np.ndarray):
        return {"type": "numpy.ndarray", "values": value.tolist(), "dtype": str(value.dtype)}
    if type(value) is dict:
        return {"type": "builtins.dict", "items": [[key, dumped(v)] for key, v in value.items()]}
    if type(value) is tuple:
        return {"type": "builtins.tuple", "items": list(map(dumped, value))}
    try:
        return {"type": "builtins.str", "json": json.dumps(value)}
    except TypeError:
        pass
    kind = type(value)
    state = value.__getstate__() if hasattr(value, "__getstate__") else vars(value)
    return {"type": f"{kind.__module__}.{kind.__qualname__}", "state": dumped(state)}

def untrusted(node):
    inner = [node["state"]] if "state" in node else []
    if node["type"] == "builtins.dict":
        inner += [item for _, item in node["items"]]
    found = set().union(*map(untrusted, inner)) if inner else set()
    return found | (set() if node["type"].startswith(TRUSTED) else {node["type"]})

def loaded(node):
    if "values" in node:
        return np.array(node["values"], dtype=node["dtype"])
    if "json" in node:
        return json.loads(node["json"])
    if node["type"] == "builtins.dict":
        return {key: loaded(item) for key, item in node["items"]}
    if node["type"] == "builtins.tuple":
        return tuple(map(loaded, node["items"]))
    module, name = node["type"].rsplit(".", 1)
    kind = getattr(importlib.import_module(module), name)
    result = kind.__new__(kind)
    state = loaded(node["state"])
    result.__setstate__(state) if hasattr(result, "__setstate__") else vars(result).update(state)
    return result
"""


def test_a_file_of_states_by_class(run_with):
    """skops: writes the state of each object, and asks for trust in the classes of others."""
    code = """
import package
csmo.patch_sklearn()
from sklearn.svm import OneClassSVM, SVC
for model in (SVC().fit(X, y), SVC(kernel="linear").fit(X, y), OneClassSVM().fit(X)):
    node = package.dumped(model)
    names = {f"{type(model).__module__}.{type(model).__name__}", "csmo._model.Model"}
    assert package.untrusted(node) == names, package.untrusted(node)
    read = package.loaded(node)
    np.testing.assert_array_equal(read.decision_function(X), model.decision_function(X))
assert f"{SVC.__module__}.SVC" == "csmo._classifiers.SVC"
assert f"{OneClassSVM.__module__}.OneClassSVM" == "csmo._one_class.OneClassSVM"
"""
    run_with(SKOPS, code)


@needs("skops")
def test_skops(run_with):
    code = """
import skops.io
csmo.patch_sklearn()
model = csmo.SVC().fit(X, y)
data = skops.io.dumps(model)
trusted = skops.io.get_untrusted_types(data=data)
assert set(trusted) == {"csmo._classifiers.SVC", "csmo._model.Model"}, trusted
read = skops.io.loads(data, trusted=trusted)
np.testing.assert_array_equal(read.decision_function(X), model.decision_function(X))
"""
    run_with("", code)
