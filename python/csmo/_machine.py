"""The base of all estimators: parameters, training and prediction by the library."""

from contextlib import nullcontext
from numbers import Integral
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Tuple, TypeVar, Union

import numpy as np
import scipy.sparse as sp
from sklearn import config_context, get_config
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._call import Call
from ._compat import StrOptions, check_parameters, check_weights, num_samples, validate_data
from ._log import began, many, tell
from ._model import KERNELS, Model, learned_weights
from ._progress import Bar
from ._rows import Rows, canonical
from ._threads import thread_count
from ._warnings import Told, in_python

Fitted = TypeVar("Fitted", bound=Any)  # the estimator whose fit returns it
Method = TypeVar("Method", bound=Callable[..., Any])
# Types of parameters, and of attributes that are sparse matrices if X is one and else arrays.
NamedKernel = Literal["linear", "poly", "rbf", "sigmoid"]
Gamma = Union[Literal["scale", "auto"], float]
Metric = Optional[Literal["learned"]]
ClassWeight = Union[None, Literal["balanced"], Mapping[Any, float]]
RandomState = Union[None, int, np.random.RandomState]
Matrix = Union[np.ndarray, Any]
_LARGEST_SEED = np.iinfo(np.int32).max
_OUT_OF_RANGE = "kernel values are beyond the range"  # the start of an error of the library


def own_constraints(*solvers: str) -> Dict[str, Any]:
    """Constraints of the parameters that scikit-learn does not have."""
    return {"solver": [StrOptions(set(solvers))], "n_jobs": [Integral, None]}


METRIC = {"metric": [StrOptions({"learned"}), None]}  # the constraint of the parameter


def set_parameters(given: Dict[str, Any]) -> None:
    """Sets what an __init__ was given, which are its locals(), as attributes of its self."""
    for name, value in given.items():
        if name not in ("self", "__class__"):
            setattr(given["self"], name, value)


def numpy_only() -> Any:
    """A context in which scikit-learn makes arrays of numpy of those of other libraries."""
    if get_config()["array_api_dispatch"]:
        return config_context(array_api_dispatch=False)
    return nullcontext()


def checked_rows(estimator: Any, X: Any, *y: Any, **options: Any) -> Any:
    """X, and y if given, checked and as arrays that the library reads."""
    with numpy_only():
        checked = validate_data(
            estimator,
            X,
            *y,
            accept_sparse="csr",
            accept_large_sparse=True,
            dtype=[np.float64, np.float32],
            **options,
        )
    return (canonical(checked[0]), checked[1]) if y else canonical(checked)


def copied(estimator: Any) -> Any:
    """An estimator with the same attributes.  A fit works on it until it has succeeded."""
    copy = object.__new__(type(estimator))
    copy.__dict__.update(vars(estimator))
    return copy


def _of_threads(count: int) -> str:
    return many(count, "thread") if count > 0 else "all threads"  # see _threads


def function_count(classes: int) -> int:
    """Number of decision functions: one for each pair of classes, or one without classes."""
    return max(classes * (classes - 1) // 2, 1)


def _has_probabilities(estimator: Any) -> bool:
    if not estimator._has_probability():
        raise AttributeError("predict_proba is not available when  probability=False")
    return True


def if_probabilities(method: Method) -> Method:
    """Lets those estimators have the method that are to fit probabilities."""
    available: Method = available_if(_has_probabilities)(method)
    return available


class Machine(BaseEstimator):
    """Base class of the estimators; not for direct use."""

    _svm_type: int
    tol: float
    verbose: int
    max_iter: int
    solver: str
    n_jobs: Optional[int]
    fit_status_: int
    step_counts_: Dict[str, int]
    n_features_in_: int
    feature_names_in_: np.ndarray
    _model: Any
    _predictor: Any
    # Values for estimators that lack the parameter.
    kernel: Any = "linear"
    degree: int = 3
    coef0: float = 0.0
    C: float = 1.0
    nu: float = 0.5
    epsilon: float = 0.1
    cache_size: float = 200
    shrinking: bool = True
    probability: Any = False
    _gamma: float = 0.0
    _has_bar = True
    # Kernel rows that GridSearchSVC has for its last training; a handle.
    _kernel_rows_of_search: Optional[Any] = None

    # Checks of scikit-learn that are skipped, as scikit-learn does for its own estimators.
    _LEFT_OUT = {
        "check_sample_weights_invariance": "another order of the rows ends elsewhere within tol",
        "check_sample_weight_equivalence_on_dense_data": "the same",
        "check_sample_weight_equivalence_on_sparse_data": "the same",
    }

    def _more_tags(self) -> Dict[str, Any]:
        return {"pairwise": self.kernel == "precomputed", "_xfail_checks": self._LEFT_OUT}

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    # Training

    def _validate(self, X: Any, *y: Any, **options: Any) -> Any:
        return checked_rows(self, X, *y, **options)

    def _check_parameters(self) -> None:
        check_parameters(self)
        if self.max_iter == 0:  # scikit-learn accepts 0 and returns an untrained model
            raise ValueError("max_iter=0: -1, or a number of iterations above 0")

    def _fit(self, *data: Any, sample_weight: Any) -> Any:
        """Trains on the data, X or X and y.  A copy is trained, so that a failure changes nothing.
        If Ctrl-C ends the training, takes the model of that moment and raises KeyboardInterrupt."""
        start = began()
        self._check_parameters()
        trained = copied(self)
        trained.__dict__.pop("feature_weights_", None)  # of an earlier fit
        X, y, class_weight = trained._training_set(*data)
        call = trained._train(X, y, class_weight, sample_weight)
        self.__dict__ = vars(trained)
        if start is not None:
            tell(self, "fit", *self._facts(X, call), since=start)
        call.end()
        return self

    def _facts(self, X: Any, call: Call) -> List[str]:
        """What the log tells of a training."""
        kernel = "a function" if callable(self.kernel) else self.kernel
        ended = "interrupted" if call.interrupted else "not converged" if self.fit_status_ else ""
        shape = getattr(X, "shape", None) or (len(X),)
        return [
            *map(many, shape, ("row", "column")),
            f"kernel {kernel}",
            f"solver {self.solver}",
            _of_threads(call.options.threads),
            many(int(self._num_iter.sum()), "iteration"),
            ended,
        ]

    def _train(self, X: Any, y: np.ndarray, class_weight: Any, sample_weight: Any) -> Call:
        training = self._prepared(X, y, class_weight, sample_weight)
        call = training[-1]
        call.count_iterations(function_count(len(getattr(self, "classes_", ()))))
        result = _native.sized(_native.Result)

        def train() -> Tuple[Model, Model]:
            model = self._model_of(*training, result)
            return model, self._predictor_of(model)

        call.options.quiet = not self.verbose
        with Bar(self.tol, wanted=self._has_bar and self.verbose == 2) as bar:
            try:
                self._model, self._predictor = call.run(train, bar.show)
            except _native.SvmError as error:
                text = in_python(str(error))
                if text.startswith(_OUT_OF_RANGE):
                    text = f"The dual coefficients or intercepts are not finite: {text}"
                raise _native.SvmError(text) from None
        if self.verbose:
            print("".join(call.messages.lines), end="")
        self._keep_results(X, call, result)
        return call

    def _prepared(
        self, X: Any, y: np.ndarray, class_weight: Any, sample_weight: Any
    ) -> Tuple[Rows, np.ndarray, _native.Parameter, Call]:
        """What the library trains on.  X is validated; y contains doubles, which are class numbers
        for a classifier."""
        weights = self._row_weights(sample_weight, X, y)
        rows = Rows(self._training_rows(X, num_samples(X)))
        call = self._call()
        call.weigh_rows(weights)
        return rows, y, self._parameter(class_weight), call

    def _metric_alone(self, *data: Any) -> np.ndarray:
        """Learns the weights of features that _train would learn from these data."""
        training = self._prepared(*data)
        weights: np.ndarray = training[-1].run(lambda: learned_weights(*training, self._plan()))
        training[-1].end()
        return weights

    def _plan(self) -> Optional[_native.ForestPlan]:
        """That of a forest."""
        return None

    def _model_of(self, *training: Any) -> Any:
        """Trains by the library."""
        return Model.train(*training, kernel_rows=self._kernel_rows_of_search)

    def _predictor_of(self, model: Model) -> Model:
        """A model with the same decision values that predicts faster, if there is one."""
        return model

    def _training_rows(self, X: Any, count: int) -> Any:
        """Returns what the library trains on for the `count` rows of X, and keeps what prediction
        of other rows needs."""
        self._sparse = sp.issparse(X)
        return X

    def _row_weights(self, sample_weight: Any, X: Any, y: np.ndarray) -> Optional[np.ndarray]:
        if sample_weight is None:
            return None
        with numpy_only():
            weights = np.maximum(check_weights(sample_weight, X), 0)
        self._check_weighted(y[weights > 0])
        return np.ascontiguousarray(weights)

    # The start of scikit-learn's message that the weights leave too little data to train on.
    _TOO_LITTLE = "Invalid input -"

    def _check_weighted(self, y: np.ndarray) -> None:
        """Raises ValueError if y, of the rows with positive weights, is too little to train on."""
        if len(y) == 0:
            raise ValueError(f"{self._TOO_LITTLE} all samples have zero or negative weights.")

    def _has_probability(self) -> bool:
        return self.probability != "deprecated" and bool(self.probability)

    def _parameter(self, class_weight: Any = None) -> _native.Parameter:
        kernel = _native.PRECOMPUTED if callable(self.kernel) else KERNELS[self.kernel]
        param = _native.Parameter(
            svm_type=self._svm_type,
            kernel_type=kernel,
            degree=int(self.degree),
            gamma=self._gamma,
            coef0=float(self.coef0),
            cache_size=float(self.cache_size),
            eps=float(self.tol),
            C=float(self.C),
            nu=float(self.nu),
            p=float(self.epsilon),
            shrinking=int(self.shrinking),
            probability=int(self._has_probability()),
        )
        if class_weight is not None:
            numbers = np.arange(len(class_weight), dtype=np.int32)
            param.nr_weight = len(class_weight)
            param.weight_label = np.ctypeslib.as_ctypes(numbers)
            param.weight = np.ctypeslib.as_ctypes(np.array(class_weight, np.float64))
        return param

    def _call(self) -> Call:
        call = Call()
        call.options.solver = self.solver.encode()
        call.options.threads = thread_count(self.n_jobs)
        if self.max_iter != -1:
            call.options.max_iter = int(self.max_iter)
        call.options.seed = self._drawn_seed()
        return call

    def _drawn_seed(self) -> int:
        draws = check_random_state(getattr(self, "random_state", 0))
        return int(draws.randint(_LARGEST_SEED))

    def _keep_results(self, X: Any, call: Call, result: _native.Result) -> None:
        """Sets the attributes of a fitted estimator."""
        self.fit_status_ = int(result.status != _native.CONVERGED)
        self.step_counts_ = {
            "conjugate": result.conjugate_steps,
            "clipped": result.clipped_steps,
            "plain": result.iterations - result.conjugate_steps - result.outer_steps,
            "phases": result.phases,
            "outer": result.outer_steps,
        }
        # If all rows of a class have weight 0, there are fewer functions than pairs of classes.
        count = self._model.function_count
        self._num_iter = np.array(call.iterations[:count], dtype=np.int32)
        self._warn(call, result)

    def _told(self, call: Call, result: _native.Result) -> Told:
        told = Told(call.warnings.lines)
        if result.status == _native.CONVERGED:
            told.reasons.clear()
        return told

    def _warn(self, call: Call, result: _native.Result) -> None:
        if call.interrupted:
            return  # an exception reports it
        told = self._told(call, result)
        place = f" in {told.unconverged} of {result.problems} binary problems"
        told.warn(place if result.problems > 1 else "", self.max_iter)

    # Prediction

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self)
        return Rows(self._validate(X, reset=False))

    def _values(self, X: Any, call: str = "decision_function") -> np.ndarray:
        """(n_rows, n_functions) decision values, positive for the first class of a pair."""
        return self._answers(X, call, lambda *rows: self._predictor.values(*rows))

    def _predictions(self, X: Any) -> np.ndarray:
        return self._answers(X, "predict", lambda *rows: self._predictor.predict(*rows))

    def _answers(self, X: Any, call: str, ask: Callable[..., np.ndarray]) -> np.ndarray:
        """What `ask` returns for the rows and a number of threads.  `call` is for the log."""
        start = began()
        rows, threads = self._rows(X), thread_count(self.n_jobs)
        answers = ask(rows, threads)
        if start is not None:
            tell(self, call, many(len(rows), "row"), _of_threads(threads), since=start)
        return answers
