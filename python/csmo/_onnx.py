"""Makes skl2onnx know the estimators, whichever of the two packages is imported first.

skl2onnx looks for converters by class.  Those of our classes convert what to_sklearn() returns, so
our models become the same ONNX as scikit-learn's, also in pipelines and in scikit-learn's
estimators of estimators.  Weights of features, which scikit-learn does not have, multiply the rows
before.  Nothing here imports skl2onnx before the program does.
"""

import sys
import warnings
from typing import Any, Dict, Optional

from ._sklearn import to_sklearn

_OPTIONS = {  # what skl2onnx offers for scikit-learn's SVC
    "zipmap": [True, False, "columns"],
    "nocl": [True, False],
    "output_class_labels": [True, False],
    "raw_scores": [True, False],
}
_waiting: Dict[type, type] = {}  # classes of ours that skl2onnx does not know, and scikit-learn's


def introduce(ours: type, theirs: type) -> None:
    """Registers a class with skl2onnx: at once, or when the program has imported skl2onnx."""
    _waiting[ours] = theirs
    if hasattr(sys.modules.get("skl2onnx"), "update_registered_converter"):
        _register()
    elif _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)  # type: ignore[arg-type]


class _Finder:
    """Stays in sys.meta_path until skl2onnx has been imported."""

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> Optional[Any]:
        if name != "skl2onnx":
            return None
        finders = [finder for finder in sys.meta_path if finder is not cls]
        specs = (finder.find_spec(name, path, target) for finder in finders)
        spec: Any = next((found for found in specs if found is not None), None)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module
            spec.loader.exec_module = lambda module: _register(execute(module))
        return spec


def _register(_: Any = None) -> None:
    if _Finder in sys.meta_path:
        sys.meta_path.remove(_Finder)  # type: ignore[arg-type]
    try:
        _register_all()
    except Exception as error:
        warnings.warn(f"this skl2onnx does not convert csmo's estimators: {error}")


def _register_all() -> None:
    from skl2onnx import update_registered_converter as update
    from skl2onnx._supported_operators import sklearn_operator_name_map as known
    from skl2onnx.common._apply_operation import apply_cast
    from skl2onnx.common.data_types import DoubleTensorType
    from skl2onnx.operator_converters import support_vector_machines as converters
    from skl2onnx.shape_calculators import support_vector_machines as shapes

    def calculate(operator: Any) -> None:
        ours = operator.raw_operator, operator.type
        _exchange(operator)
        shapes.calculate_sklearn_svm_output_shapes(operator)
        operator.raw_operator, operator.type = ours

    def weigh(scope: Any, operator: Any, container: Any, weights: Any) -> None:
        """Multiplies the rows, in floats, which the converters may take for rows as given."""
        rows = operator.inputs[0]
        weighted = scope.declare_local_variable("weighted", rows.type)
        options = {"scale": weights, "offset": 0 * weights, "op_domain": "ai.onnx.ml"}
        name = scope.get_unique_operator_name("Scaler")
        container.add_node("Scaler", rows.full_name, weighted.full_name, name=name, **options)
        operator.inputs = [weighted]

    def convert(scope: Any, operator: Any, container: Any) -> None:
        options = container.get_options(operator.raw_operator)
        if hasattr(operator.raw_operator, "feature_weights_"):
            weigh(scope, operator, container, operator.raw_operator.feature_weights_)
        _exchange(operator)
        container.add_options(id(operator.raw_operator), options)
        if operator.type == "SklearnSVC":
            converters.convert_sklearn_svm_classifier(scope, operator, container)
            return
        rows = operator.inputs[0]
        if isinstance(rows.type, DoubleTensorType):  # for which onnxruntime has no SVMRegressor
            floats = scope.declare_local_variable("floats", rows.type)
            apply_cast(scope, rows.full_name, floats.full_name, container, to=1)  # FLOAT of ONNX
            operator.inputs = [floats]
        converters.convert_sklearn_svm_regressor(scope, operator, container)

    while _waiting:
        ours, theirs = _waiting.popitem()
        options: Any = _OPTIONS if _alias(theirs) == "SklearnSVC" else None
        update(ours, f"Csmo{ours.__name__}", calculate, convert, options=options)
        if theirs not in known:  # as scikit-learn was patched when skl2onnx was imported
            known[theirs] = _alias(theirs)


def _alias(theirs: type) -> str:
    return "Sklearn" + theirs.__name__.replace("Nu", "")


def _exchange(operator: Any) -> None:
    """Puts scikit-learn's estimator in the place of ours."""
    operator.raw_operator = to_sklearn(operator.raw_operator)
    if operator.raw_operator.kernel == "precomputed":
        raise ValueError("ONNX has no precomputed kernel")
    operator.type = _alias(type(operator.raw_operator))
