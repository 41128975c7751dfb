"""Fitted estimators of scikit-learn made from ours, and ours from those.

scikit-learn's estimators predict from private attributes.  What is set here is what its versions
1.2 to 1.9 read; a version ignores the attributes that others have.
"""

from typing import Any, Dict, Type

import numpy as np
import scipy.sparse as sp
from sklearn import svm
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._model import KERNELS, Model
from ._rows import Rows

# scikit-learn's estimators by the numbers of the library.
COUNTERPARTS = {
    _native.C_SVC: svm.SVC,
    _native.NU_SVC: svm.NuSVC,
    _native.ONE_CLASS: svm.OneClassSVM,
    _native.EPSILON_SVR: svm.SVR,
    _native.NU_SVR: svm.NuSVR,
}


def to_sklearn(estimator: Any) -> Any:
    """The estimator of scikit-learn that predicts as `estimator` does, which is fitted."""
    check_is_fitted(estimator)
    _refuse_functions(estimator)
    counterpart = COUNTERPARTS[estimator._svm_type]
    model = estimator._model
    coefficients, intercepts = model.coefficients, -model.thresholds
    count = coefficients.shape[1]
    has_probabilities = bool(getattr(estimator, "_probA", np.empty(0)).size)
    is_sparse = is_sparse_model(estimator)
    iterations = np.array(estimator._num_iter, dtype=np.int32)
    attributes = {
        **_input_attributes(estimator),
        "_sparse": is_sparse,
        "_gamma": float(estimator._gamma),
        "_effective_probability": has_probabilities,
        "_probA": np.empty(0),
        "_probB": np.empty(0),
        "_num_iter": iterations,
        "fit_status_": estimator.fit_status_,
        "support_": np.array(estimator.support_, dtype=np.int32),
        "support_vectors_": _support_vectors(estimator.support_vectors_, is_sparse),
        "_n_support": np.full(2, count, dtype=np.int32),  # as scikit-learn has it without classes
        "_dual_coef_": with_zeros(coefficients) if is_sparse else coefficients,
        "_intercept_": intercepts,
        "n_iter_": int(iterations[0]),
    }
    sign = 1
    if hasattr(estimator, "classes_"):
        # scikit-learn numbers the classes of a model, which lacks those without weighted rows.
        kept = estimator._kept
        sign = -1 if len(kept) == 2 else 1
        attributes["classes_"] = estimator.classes_[kept]
        attributes["class_weight_"] = np.array(estimator.class_weight_, dtype=np.float64)[kept]
        attributes["_n_support"] = np.array(estimator._n_support, dtype=np.int32)[kept]
        attributes["n_iter_"] = iterations
        if has_probabilities:
            attributes["_probA"], attributes["_probB"] = model.probability_slopes
    attributes["dual_coef_"] = sign * attributes["_dual_coef_"]
    attributes["intercept_"] = sign * intercepts
    if hasattr(estimator, "offset_"):
        attributes["offset_"] = -intercepts
    return _made(counterpart, estimator, attributes)


def from_sklearn(kind: Type[Any], estimator: Any) -> Any:
    """The estimator of the class `kind` that predicts as `estimator` of scikit-learn does, which is
    fitted."""
    counterpart = COUNTERPARTS[kind._svm_type]
    if not isinstance(estimator, counterpart):
        given = estimator if isinstance(estimator, type) else type(estimator)
        raise TypeError(
            f"{kind.__name__}.from_sklearn: a fitted sklearn.svm.{counterpart.__name__}, "
            f"not {given.__module__}.{given.__qualname__}"
        )
    check_is_fitted(estimator)
    _refuse_functions(estimator)
    coefficients = estimator._dual_coef_
    if sp.issparse(coefficients):
        coefficients = coefficients.toarray()
    coefficients, intercepts = np.array(coefficients), np.array(estimator._intercept_)
    # Estimators that an older version pickled have no numbers of iterations.
    iterations = getattr(estimator, "_num_iter", np.zeros(len(intercepts)))
    iterations = np.array(iterations, dtype=np.int32)
    attributes = {
        **_input_attributes(estimator),
        "_sparse": bool(estimator._sparse),
        "_gamma": float(estimator._gamma),
        "_num_iter": iterations,
        "fit_status_": estimator.fit_status_,
        "support_": np.array(estimator.support_, dtype=np.int32),
        "support_vectors_": _support_vectors(estimator.support_vectors_, estimator._sparse),
        "n_iter_": int(iterations[0]),
    }
    sign = 1
    if hasattr(estimator, "classes_"):
        classes = len(estimator.classes_)
        if len(estimator._n_support) != classes:
            raise ValueError(
                f"the model has {len(estimator._n_support)} of the {classes} classes, because all "
                "rows of the others had weight 0, and does not tell which: fit it without them"
            )
        sign = -1 if classes == 2 else 1
        attributes["classes_"] = np.array(estimator.classes_)
        attributes["class_weight_"] = np.array(estimator.class_weight_)
        attributes["_kept"] = np.arange(classes, dtype=np.int32)
        attributes["_probA"] = np.array(estimator._probA)
        attributes["_probB"] = np.array(estimator._probB)
        attributes["n_iter_"] = iterations
    dual_coef = sign * coefficients
    attributes["dual_coef_"] = sp.csr_matrix(dual_coef) if estimator._sparse else dual_coef
    attributes["intercept_"] = sign * intercepts
    if hasattr(estimator, "offset_"):
        attributes["offset_"] = -intercepts
    model = model_of(kind._svm_type, estimator, coefficients, intercepts)
    attributes["_n_support"] = model.support_by_class
    attributes["_model"] = model
    result = _made(kind, estimator, attributes)
    result._predictor = result._predictor_of(model)
    return result


def _refuse_functions(estimator: Any) -> None:
    if callable(estimator.kernel):
        raise ValueError(
            "a kernel that is a function is not converted: fit with kernel='precomputed' and its "
            "values"
        )


def _made(kind: Type[Any], estimator: Any, attributes: Dict[str, Any]) -> Any:
    """An estimator of the class `kind` with those parameters of `estimator` that the class has, and
    with the attributes."""
    names = kind._get_param_names()
    values = estimator.get_params(deep=False)
    # In scikit-learn 1.9 and later the default is "deprecated", which means False.
    if values.get("probability", False) in (False, "deprecated"):
        values.pop("probability", None)
    result = kind(
        **{name: clone(value, safe=False) for name, value in values.items() if name in names}
    )
    for name, value in attributes.items():
        setattr(result, name, value)
    return result


def _input_attributes(estimator: Any) -> Dict[str, Any]:
    """What an estimator knows of the rows that it was fitted on."""
    names = ("shape_fit_", "n_features_in_", "feature_names_in_")
    return {name: getattr(estimator, name) for name in names if hasattr(estimator, name)}


def _support_vectors(vectors: Any, is_sparse: bool) -> Any:
    """A copy in doubles: a CSR matrix whose indices are sorted, or an array; without rows if the
    kernel is precomputed."""
    if is_sparse:
        result = sp.csr_matrix(vectors, dtype=np.float64, copy=True)
        result.sum_duplicates()
        return result
    return np.array(vectors, dtype=np.float64, order="C")


def with_zeros(values: np.ndarray) -> sp.csr_matrix:
    """A sparse matrix that stores every value, as scikit-learn reads its data as an array."""
    lines, count = values.shape
    columns = np.tile(np.arange(count), lines)
    starts = np.arange(lines + 1) * count
    return sp.csr_matrix((values.ravel(), columns, starts), shape=values.shape)


def is_sparse_model(estimator: Any) -> bool:
    """True if scikit-learn stores the coefficients of this estimator of ours as a sparse matrix."""
    return bool(estimator._sparse) and estimator.kernel != "precomputed"


def model_of(svm_type: int, estimator: Any, coefficients: Any, intercepts: Any) -> Model:
    """The model of a fitted estimator of scikit-learn or of ours, with these coefficients and
    intercepts instead of its own."""
    if sp.issparse(coefficients):
        coefficients = coefficients.toarray()
    precomputed = callable(estimator.kernel) or estimator.kernel == "precomputed"
    param = _native.Parameter(
        svm_type=svm_type,
        kernel_type=_native.PRECOMPUTED if precomputed else KERNELS[estimator.kernel],
        degree=int(estimator.degree),
        gamma=float(estimator._gamma),
        coef0=float(estimator.coef0),
    )
    support = np.array(estimator.support_, dtype=np.int32) + np.int32(1)
    arrays = {"sv_coef": coefficients, "rho": -np.asarray(intercepts, dtype=np.float64)}
    numbers = {"sv_indices": support}
    if hasattr(estimator, "classes_"):
        classes = getattr(estimator, "_kept", np.arange(len(estimator.classes_)))
        numbers["label"] = classes
        numbers["nr_sv"] = np.asarray(estimator._n_support)[classes]
        if len(estimator._probA) > 0:
            arrays["prob_a"], arrays["prob_b"] = estimator._probA, estimator._probB
    rows = None
    if not precomputed:
        rows = Rows(_support_vectors(estimator.support_vectors_, estimator._sparse))
    _check_shapes(len(support), arrays)
    return Model.from_arrays(param, rows, len(coefficients) + 1, arrays, numbers)


def _check_shapes(count: int, arrays: Dict[str, Any]) -> None:
    """The library reads arrays without knowing their lengths."""
    lines, columns = np.shape(arrays["sv_coef"])
    functions = lines * (lines + 1) // 2
    if columns != count or any(
        np.shape(values) != (functions,) for name, values in arrays.items() if name != "sv_coef"
    ):
        raise ValueError(f"coefficients or intercepts of another shape than {count} vectors need")
