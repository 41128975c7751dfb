"""Programs of other packages that import from sklearn.svm, run with patch_sklearn.

Each test has a short program that uses the classes as the package does.  If the package itself is
installed, it is tested as well.
"""

import importlib.util

import pytest

pytest.importorskip("sklearn")

def needs(name):
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"no {name}")


QISKIT = """
from sklearn.svm import SVC

class Kernel:
    def evaluate(self, a, b):
        return a @ b.T + 1

class QSVC(SVC):
    def __init__(self, *, quantum_kernel=None, **kwargs):
        self._quantum_kernel = quantum_kernel if quantum_kernel else Kernel()
        super().__init__(kernel=self._quantum_kernel.evaluate, **kwargs)

    @property
    def quantum_kernel(self):
        return self._quantum_kernel

    @quantum_kernel.setter
    def quantum_kernel(self, kernel):
        self._quantum_kernel = kernel
        self.kernel = kernel.evaluate

    @classmethod
    def _get_param_names(cls):
        names = [name for name in SVC._get_param_names() if name != "kernel"]
        return sorted(names + ["quantum_kernel"])
"""


def test_a_derived_class_with_parameters_of_its_own(run_with):
    """qiskit-machine-learning: class QSVC(SVC)."""
    code = """
csmo.patch_sklearn()
from package import QSVC, Kernel
model = QSVC(C=2, probability=True, random_state=0)
assert isinstance(model, csmo.SVC) and model.get_params()["C"] == 2
expected = csmo.SVC(C=2, kernel=lambda a, b: a @ b.T + 1).fit(X, y).decision_function(X)
# numpy's sums, from which these kernel values are made, depend on where arrays lie in memory.
np.testing.assert_allclose(model.fit(X, y).decision_function(X), expected, rtol=1e-12, atol=1e-12)
assert model.predict_proba(X[:2]).shape == (2, 3)
kernel = Kernel()
copy = clone(model.set_params(quantum_kernel=kernel, solver="smo"))
assert copy.solver == "smo" and copy.get_params()["C"] == 2 and not hasattr(copy, "support_")
assert copy.fit(X, y).score(X, y) > 0.9
read = pickle.loads(pickle.dumps(model))
np.testing.assert_allclose(read.decision_function(X), expected, rtol=1e-12, atol=1e-12)
"""
    run_with(QISKIT, code)


@needs("qiskit_machine_learning")
def test_qiskit(run_with):
    code = """
csmo.patch_sklearn()
from qiskit_machine_learning.algorithms import QSVC
model = QSVC().fit(X[:12, :2], y[:12] + np.arange(12) % 2)
assert isinstance(model, csmo.SVC) and len(model.predict(X[:12, :2])) == 12
clone(model)
"""
    run_with("", code)


TSLEARN = """
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC

class TimeSeriesSVC(ClassifierMixin, BaseEstimator):
    def __init__(self, C=1.0, kernel="gak", degree=3, gamma="auto", coef0=0.0, shrinking=True,
                 probability=False, tol=0.001, cache_size=200, class_weight=None, verbose=0,
                 max_iter=-1, decision_function_shape="ovr", random_state=None):
        self.C, self.kernel, self.degree, self.gamma, self.coef0 = C, kernel, degree, gamma, coef0
        self.shrinking, self.probability, self.tol = shrinking, probability, tol
        self.cache_size, self.class_weight, self.verbose = cache_size, class_weight, verbose
        self.max_iter, self.decision_function_shape = max_iter, decision_function_shape
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        flat = X.reshape(len(X), -1)
        options = self.get_params()
        if self.kernel == "gak":
            options.update(kernel="precomputed")
            self._fitted, flat = flat, flat @ flat.T
        self.svm_estimator_ = SVC(**options)
        self.svm_estimator_.fit(flat, y, sample_weight=sample_weight)
        self.classes_ = self.svm_estimator_.classes_
        return self

    @property
    def support_vectors_(self):
        vectors, start = [], 0
        for count in self.svm_estimator_.n_support_:
            vectors.append(self._fitted[self.svm_estimator_.support_[start : start + count]])
            start += count
        return vectors

    def predict(self, X):
        flat = X.reshape(len(X), -1)
        return self.svm_estimator_.predict(flat @ self._fitted.T if self.kernel == "gak" else flat)
"""


def test_an_estimator_within_another(run_with):
    """tslearn: TimeSeriesSVC holds an SVC of kernel values."""
    code = """
csmo.patch_sklearn()
from package import TimeSeriesSVC
series = X.reshape(150, 4, 1)
model = clone(TimeSeriesSVC(C=0.1, class_weight="balanced")).fit(series, y, np.ones(150))
assert isinstance(model.svm_estimator_, csmo.SVC) and model.score(series, y) > 0.9
assert [len(vectors) for vectors in model.support_vectors_] == list(model.svm_estimator_.n_support_)
assert TimeSeriesSVC(kernel="rbf").fit(series, y).score(series, y) > 0.9
"""
    run_with(TSLEARN, code)


@needs("tslearn")
def test_tslearn(run_with):
    code = """
csmo.patch_sklearn()
from tslearn.svm import TimeSeriesSVC, TimeSeriesSVR
series = X.reshape(150, 4, 1)
model = TimeSeriesSVC(gamma=1.0).fit(series, y)
assert isinstance(model.svm_estimator_, csmo.SVC) and model.score(series, y) > 0.8
assert TimeSeriesSVR(gamma=1.0).fit(series, y).predict(series).shape == (150,)
"""
    run_with("", code)


PYOD = """
from sklearn.svm import OneClassSVM

class OCSVM:
    def __init__(self, kernel="rbf", degree=3, gamma="auto", coef0=0.0, tol=1e-3, nu=0.5,
                 shrinking=True, cache_size=200, verbose=False, max_iter=-1):
        self.options = dict(kernel=kernel, degree=degree, gamma=gamma, coef0=coef0, tol=tol, nu=nu,
                            shrinking=shrinking, cache_size=cache_size, verbose=verbose,
                            max_iter=max_iter)

    def fit(self, X, y=None, sample_weight=None):
        self.detector_ = OneClassSVM(**self.options)
        self.detector_.fit(X=X, y=y, sample_weight=sample_weight)
        self.decision_scores_ = self.detector_.decision_function(X) * -1
        self.intercept_ = self.detector_.intercept_
        return self

    support_ = property(lambda self: self.detector_.support_)
    support_vectors_ = property(lambda self: self.detector_.support_vectors_)
    dual_coef_ = property(lambda self: self.detector_.dual_coef_)
    coef_ = property(lambda self: self.detector_.coef_)
    offset_ = property(lambda self: self.detector_.offset_)
"""


def test_a_detector_of_outliers(run_with):
    """PyOD: OCSVM passes all parameters, and reads the attributes."""
    code = """
from sklearn import svm
theirs = {"kind": svm.OneClassSVM}["kind"](gamma="auto", nu=0.3).fit(X)
csmo.patch_sklearn()
from package import OCSVM
model = OCSVM(nu=0.3).fit(X, sample_weight=np.ones(150))
assert isinstance(model.detector_, csmo.OneClassSVM) and model.decision_scores_.shape == (150,)
np.testing.assert_allclose(model.decision_scores_, -theirs.decision_function(X), atol=0.01)
np.testing.assert_allclose(model.offset_, theirs.offset_, atol=0.01)
assert model.dual_coef_.shape == (1, len(model.support_))
assert model.support_vectors_.shape == (len(model.support_), 4) and model.intercept_.shape == (1,)
assert OCSVM(kernel="linear").fit(X).coef_.shape == (1, 4)
"""
    run_with(PYOD, code)


@needs("pyod")
def test_pyod(run_with):
    code = """
csmo.patch_sklearn()
from pyod.models.ocsvm import OCSVM
model = OCSVM(nu=0.3).fit(X)
assert isinstance(model.detector_, csmo.OneClassSVM) and model.decision_scores_.shape == (150,)
assert len(model.predict(X)) == 150 and model.dual_coef_.shape == (1, len(model.support_))
"""
    run_with("", code)


AUTO_SKLEARN = """
class LibSVM_SVC:
    def __init__(self, C, shrinking, class_weight, max_iter):
        self.words = C, shrinking, class_weight, max_iter

    def fit(self, X, y):
        import sklearn.svm

        C, shrinking, class_weight, max_iter = self.words
        self.estimator = sklearn.svm.SVC(
            C=float(C), kernel="rbf", degree=3, gamma=0.1, coef0=0.0, shrinking=shrinking == "True",
            tol=1e-3, class_weight=None if class_weight == "None" else class_weight,
            max_iter=int(max_iter), random_state=1, cache_size=200.5,
            decision_function_shape="ovr", probability=True,
        )
        self.estimator.fit(X, y)
        return self
"""


def test_an_import_within_fit(run_with):
    """auto-sklearn: imported before the patch, and needs no warning."""
    code = """
import warnings
from package import LibSVM_SVC
import sklearn.svm
with warnings.catch_warnings():
    warnings.simplefilter("error")
    csmo.patch_sklearn()
warnings.simplefilter("ignore", FutureWarning)  # of probability
model = LibSVM_SVC("10", "True", "None", "-1").fit(X, y).estimator
assert isinstance(model, csmo.SVC) and model.predict_proba(X).shape == (150, 3)
assert (model.predict_proba(X).argmax(axis=1) == y).mean() > 0.9
"""
    run_with(AUTO_SKLEARN, code)


SVMSMOTE = """
from sklearn.base import clone
from sklearn.svm import SVC

class SVMSMOTE:
    def __init__(self, svm_estimator=None, random_state=None):
        self.svm_estimator, self.random_state = svm_estimator, random_state

    def fit_resample(self, X, y):
        if self.svm_estimator is None:
            self.svm_estimator_ = SVC(gamma="scale", random_state=self.random_state)
        elif isinstance(self.svm_estimator, SVC):
            self.svm_estimator_ = clone(self.svm_estimator)
        else:
            raise TypeError(f"{type(self.svm_estimator)} is no SVC")
        self.svm_estimator_.fit(X, y)
        support = self.svm_estimator_.support_
        return support[y[support] == 1]
"""


def test_an_estimator_that_is_cloned_and_checked(run_with):
    """imbalanced-learn: SVMSMOTE, and its check of the class."""
    code = """
from sklearn import svm
existing = svm.SVC()
csmo.patch_sklearn()
from package import SVMSMOTE
for given in (None, csmo.SVC(C=2)):
    sampler = SVMSMOTE(given, random_state=0)
    rows = sampler.fit_resample(X, y)
    assert isinstance(sampler.svm_estimator_, csmo.SVC) and len(rows) > 0
try:
    SVMSMOTE(existing).fit_resample(X, y)  # made before the patch: not of the class that it is now
except TypeError:
    pass
else:
    raise SystemExit("an estimator of scikit-learn was accepted")
"""
    run_with(SVMSMOTE, code)


@needs("imblearn")
def test_imbalanced_learn(run_with):
    code = """
import warnings
from sklearn.datasets import make_classification
warnings.simplefilter("ignore")
X, y = make_classification(400, weights=[0.9], class_sep=0.8, random_state=0)
csmo.patch_sklearn()
from imblearn.over_sampling import SVMSMOTE
for given in (None, csmo.SVC(C=2)):
    sampler = SVMSMOTE(svm_estimator=given, random_state=0)
    rows, labels = sampler.fit_resample(X, y)
    assert isinstance(sampler.svm_estimator_, csmo.SVC)
    assert (labels == 1).sum() > (y == 1).sum() and len(rows) == len(labels)
"""
    run_with("", code)
