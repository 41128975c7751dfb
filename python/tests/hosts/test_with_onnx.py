"""skl2onnx converts the estimators, and what contains them, as it does scikit-learn's; onnxruntime
answers as the estimators do."""

import copy
import pickle

import numpy as np
import pytest

skl2onnx = pytest.importorskip("skl2onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from sklearn import svm  # noqa: E402
from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.compose import make_column_transformer  # noqa: E402
from sklearn.datasets import make_friedman1  # noqa: E402
from sklearn.ensemble import BaggingRegressor, StackingRegressor  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.multiclass import OneVsOneClassifier  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import breast_cancer, diabetes, digits, iris  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore:The `probability` parameter:FutureWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:Attribute `prob[AB]_` was deprecated:FutureWarning"),
]
KERNELS = ["linear", "poly", "rbf", "sigmoid"]
TYPES = [np.float32, np.float64]
ARRAYS = {"options": {"zipmap": False}}


def words():
    """Two classes that are words."""
    X, y = breast_cancer()
    return X, np.array(["good", "bad"])[y]


def flowers():
    """Three classes that are numbers."""
    X, y = iris()
    return X, np.unique(y, return_inverse=True)[1]


def answers(model, X, **options):
    """What onnxruntime answers for the rows X."""
    text = skl2onnx.to_onnx(model, X[:1], **options).SerializeToString()
    session = onnxruntime.InferenceSession(text, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: X})


def certain_rows(model, X):
    """True for the rows that are not near a boundary, where the floats of onnxruntime may be on its
    other side; all rows of a model that did not converge may be near one."""
    pairs = copy.copy(model).set_params(decision_function_shape="ovo").decision_function(X)
    result = abs(pairs.reshape(len(X), -1)).min(axis=1) > 1e-4
    assert result.mean() > 0.99 or model.fit_status_ != 0
    return result


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name, options", [("SVC", {}), ("NuSVC", {"nu": 0.05})])
@pytest.mark.parametrize("load", [iris, words, breast_cancer, digits])
def test_classifiers(load, name, options, kernel, dtype):
    X, y = load()
    model = getattr(csmo, name)(kernel=kernel, **options).fit(X, y)
    rows, certain = X.astype(dtype), certain_rows(model, X)
    labels, scores = answers(model, rows, options={"zipmap": False, "raw_scores": True})
    np.testing.assert_array_equal(labels[certain], model.predict(X)[certain])
    assert scores.dtype == dtype
    values = model.decision_function(X)
    if values.ndim == 1:
        values = np.transpose([-values, values])
    np.testing.assert_allclose(scores[certain], values[certain], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name, options", [("SVC", {}), ("NuSVC", {"nu": 0.05})])
@pytest.mark.parametrize("load, close", [(iris, 1e-5), (digits, 1e-5), (words, 5e-3)])
def test_probabilities(load, close, name, options, dtype):
    """onnxruntime ends the iteration of two classes early, as scikit-learn does."""
    X, y = load()
    X, y = X[:600], y[:600]
    model = getattr(csmo, name)(probability=True, random_state=0, **options).fit(X, y)
    labels, probabilities = answers(model, X.astype(dtype), **ARRAYS)
    certain = certain_rows(model, X)
    np.testing.assert_array_equal(labels[certain], model.predict(X)[certain])
    np.testing.assert_allclose(probabilities, model.predict_proba(X), atol=close)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", ["SVR", "NuSVR"])
def test_regressions(name, kernel, dtype):
    X, y = diabetes()
    model = getattr(csmo, name)(kernel=kernel, C=10).fit(X, y)
    (found,) = answers(model, X.astype(dtype))
    assert found.dtype == dtype and found.shape == (len(X), 1)
    np.testing.assert_allclose(found.ravel(), model.predict(X), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("kernel", KERNELS)
def test_outliers(kernel, dtype):
    X = diabetes()[0] + 3 * (kernel == "linear")
    model = csmo.OneClassSVM(kernel=kernel, nu=0.2).fit(X)
    values = model.decision_function(X)
    labels, scores = answers(model, X.astype(dtype))
    close = 5e-5 * abs(values).max()
    np.testing.assert_allclose(scores.ravel(), values, atol=close)
    certain = abs(values) > close
    assert certain.mean() > 0.7
    np.testing.assert_array_equal(labels.ravel()[certain], model.predict(X)[certain])


OUTER = {
    "pipeline": lambda machine: make_pipeline(StandardScaler(), machine),
    "columns": lambda machine: make_pipeline(
        make_column_transformer((StandardScaler(), [0, 1]), remainder="passthrough"), machine
    ),
    "calibrated": lambda machine: CalibratedClassifierCV(machine, ensemble=False),
    "search": lambda machine: GridSearchCV(machine, {"C": [1, 10]}),
    "one against one": OneVsOneClassifier,
}
OF_WORDS = [name for name in OUTER if name != "one against one"]  # skl2onnx takes numbers for it


@pytest.mark.parametrize(
    "load, outer",
    [(load, outer) for load in (flowers, breast_cancer) for outer in OUTER]
    + [(load, outer) for load in (iris, words) for outer in OF_WORDS],
)
def test_classifiers_within(load, outer):
    X, y = load()
    model = OUTER[outer](csmo.SVC(tol=1e-6)).fit(X, y)
    theirs = OUTER[outer](svm.SVC(tol=1e-6)).fit(X, y)
    rows = X.astype(np.float32)
    found, expected = answers(model, rows), answers(theirs, rows)
    np.testing.assert_array_equal(found[0].ravel(), model.predict(X))
    np.testing.assert_array_equal(found[0], expected[0])
    assert len(found) == len(expected)
    for one, other in zip(found[1:], expected[1:]):
        assert type(one) is type(other) and len(one) == len(other) == len(X)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "outer",
    [
        lambda machine: make_pipeline(StandardScaler(), machine),
        lambda machine: BaggingRegressor(machine, n_estimators=2, random_state=0),
        lambda machine: StackingRegressor([("svr", machine)]),
    ],
    ids=["pipeline", "bagging", "stacking"],
)
def test_regressors_within(outer, dtype):
    X, y = diabetes()
    model = outer(csmo.SVR(C=10)).fit(X, y)
    (found,) = answers(model, X.astype(dtype))
    np.testing.assert_allclose(found.ravel(), model.predict(X), rtol=1e-4)


def test_the_outputs_are_those_of_scikit_learns_estimators():
    X, y = iris()
    model = csmo.SVC().fit(X, y)
    for options in ({}, ARRAYS, {"options": {"zipmap": "columns"}}):
        found = answers(model, X.astype(np.float32), **options)
        expected = answers(model.to_sklearn(), X.astype(np.float32), **options)
        assert str(found) == str(expected) and len(found) == len(expected)


def test_models_of_sparse_rows_and_of_pickles():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    X, y = digits()
    model = csmo.SVC().fit(scipy_sparse.csr_matrix(X), y)
    labels, _ = answers(pickle.loads(pickle.dumps(model)), X.astype(np.float32), **ARRAYS)
    np.testing.assert_array_equal(labels, model.predict(X))


def test_what_cannot_be_converted():
    X, y = iris()
    with pytest.raises(ValueError, match="a kernel that is a function is not converted"):
        skl2onnx.to_onnx(csmo.SVC(kernel=lambda a, b: a @ b.T).fit(X, y), X[:1])
    with pytest.raises(ValueError, match="ONNX has no precomputed kernel"):
        skl2onnx.to_onnx(csmo.SVC(kernel="precomputed").fit(X @ X.T, y), X[:1])

    class Derived(csmo.SVC):
        """May predict in its own way."""

    with pytest.raises(RuntimeError, match="Unable to find a shape calculator"):
        skl2onnx.to_onnx(Derived().fit(X, y), X[:1])


ORDERS = {
    "csmo first": "import csmo; csmo.SVC; assert 'skl2onnx' not in sys.modules; import skl2onnx",
    "skl2onnx first": "import skl2onnx, csmo",
    "searched for": "import csmo; csmo.SVC; import importlib.util as u; u.find_spec('skl2onnx')\n"
    "import skl2onnx",
    "patched": "import csmo; csmo.patch_sklearn(); import skl2onnx",
    "patched later": "import skl2onnx, csmo; csmo.patch_sklearn()",
}


@pytest.mark.parametrize("order", ORDERS)
def test_either_package_first(run_python, order):
    program = f"""
import sys, warnings
warnings.simplefilter("ignore", FutureWarning)
{ORDERS[order]}
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
for name in ("SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"):
    model = getattr(csmo, name)().fit(X, y)
    for each in (model, model.to_sklearn()):
        options = {{"options": {{"zipmap": False}}}} if name.endswith("SVC") else {{}}
        print(len(skl2onnx.to_onnx(each, X[:1], **options).graph.output), end=" ")
assert not [finder for finder in sys.meta_path if "csmo" in str(finder)]
"""
    assert run_python("-W", "ignore", "-c", program) == "2 2 2 2 1 1 1 1 2 2 "


def test_patched_by_the_environment(run_python):
    program = """
import skl2onnx
from sklearn.svm import SVC
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
model = SVC().fit(X, y)
print(type(model).__module__, len(skl2onnx.to_onnx(model, X[:1]).graph.output))
"""
    assert run_python("-W", "ignore", "-c", program, CSMO_PATCH="1") == "csmo._classifiers 2\n"


def test_a_skl2onnx_that_has_changed(run_python, tmp_path):
    """Both packages remain usable."""
    (tmp_path / "startup" / "skl2onnx.py").write_text("update_registered_converter = None\n")
    program = """
import csmo
csmo.SVC
import skl2onnx
assert skl2onnx.update_registered_converter is None
print(len(csmo.SVC().fit([[0], [1]], [0, 1]).support_))
"""
    assert run_python("-W", "ignore", "-c", program) == "2\n"
    errors = run_python("-W", "error", "-c", program, expect=1)
    assert "this skl2onnx does not convert csmo's estimators" in errors


@pytest.mark.parametrize("dtype", [*TYPES, np.int64])
def test_weights_of_features_are_folded_in(dtype):
    """Rows are multiplied before scikit-learn's model."""
    X, y = digits()
    X = np.round(16 * X)
    model = csmo.SVC(metric="learned", gamma=1e-5, random_state=0).fit(X, y)
    assert len(np.unique(model.feature_weights_)) > 10
    certain = certain_rows(model, X)
    labels, scores = answers(model, X.astype(dtype), **ARRAYS)
    np.testing.assert_array_equal(labels[certain], model.predict(X)[certain])
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-3, atol=1e-3)
    X, y = make_friedman1(1000, random_state=0)
    model = make_pipeline(StandardScaler(), csmo.SVR(C=100, metric="learned")).fit(X, y)
    assert len(np.unique(model[-1].feature_weights_)) > 5
    if dtype != np.int64:
        found = answers(model, X.astype(dtype))[0].ravel()
        np.testing.assert_allclose(found, model.predict(X), rtol=1e-4)
