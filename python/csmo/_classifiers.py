"""SVC and NuSVC, and what all classifiers share."""

from typing import Any, Literal, Optional, Tuple, Union

import numpy as np
import scipy.sparse as sp
from sklearn import svm
from sklearn.base import ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._base import BaseSVM, Kernel, Solver, function_pairs, parameter_constraints
from ._compat import PROBABILITY, warn_of_probability, warn_of_slopes
from ._machine import ClassWeight, Fitted, Gamma, Machine, Matrix, Metric, RandomState
from ._machine import if_probabilities, set_parameters
from ._paragraphs import with_paragraphs


Shape = Literal["ovr", "ovo"]


class Labels(ClassifierMixin):
    """Makes a classifier of a Machine whose classes are trained in pairs."""

    class_weight: ClassWeight
    random_state: RandomState
    classes_: np.ndarray
    class_weight_: np.ndarray
    # Values for estimators that lack the parameter.
    decision_function_shape: Shape = "ovr"
    break_ties: bool = False

    def fit(self: Fitted, X: Any, y: Any, sample_weight: Any = None) -> Fitted:
        """Trains on X, (n_rows, n_features) or (n_rows, n_rows) kernel values, and the labels y;
        sample_weight, (n_rows,), multiplies C of the rows.  After Ctrl-C this holds the model of
        that moment, and KeyboardInterrupt is raised."""
        return self._fit(X, y, sample_weight=sample_weight)

    def _training_set(self, X: Any, y: Any) -> Tuple[Any, np.ndarray, np.ndarray]:
        """X as the library reads it, the class numbers of y, and the classes' factors of C."""
        X, y = self._validate(X, y)
        check_classification_targets(y)
        self.classes_, numbers = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                "The number of classes has to be greater than one; "
                f"got {len(self.classes_)} class"
            )
        weights = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
        self.class_weight_ = weights
        return X, numbers.astype(np.float64), weights

    def _check_weighted(self, y: np.ndarray) -> None:
        super()._check_weighted(y)
        if len(np.unique(y)) < 2:
            raise ValueError(
                f"{self._TOO_LITTLE} all samples with positive weights belong to the same class."
            )

    def _keep_results(self, X: Any, call: Any, result: Any) -> None:
        super()._keep_results(X, call, result)
        self._kept = self._model.class_numbers

    def predict(self, X: Any) -> np.ndarray:
        """(n_rows,) labels, decided by votes of the pairs, or with break_ties by the largest value
        of decision_function."""
        check_is_fitted(self)
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        if self.break_ties and len(self.classes_) > 2:
            return self._labels(self._values(X, "predict"))
        return self.classes_.take(self._predictions(X).astype(np.intp))

    def _labels(self, values: np.ndarray) -> np.ndarray:
        """What predict returns for rows with these values of the pairs."""
        if self.break_ties and len(self.classes_) > 2:
            return self.classes_.take(np.argmax(self._decisions(values), axis=1))
        votes = np.zeros((len(values), len(self._kept)), dtype=np.intp)
        for column, (a, b) in zip(values.T, function_pairs(len(self._kept))):
            votes[:, a] += column > 0
            votes[:, b] += ~(column > 0)
        return self.classes_.take(self._kept[votes.argmax(axis=1)])

    def decision_function(self, X: Any) -> np.ndarray:
        """(n_rows,) values for two classes, positive for the second class.  Otherwise (n_rows,
        n_classes) values, or with decision_function_shape='ovo' (n_rows, n_pairs) values, positive
        for the first class of a pair."""
        return self._decisions(self._values(X))

    def _decisions(self, values: np.ndarray) -> np.ndarray:
        """What decision_function returns for rows with these values of the pairs."""
        if len(self.classes_) == 2:
            return -values.ravel()
        if self.decision_function_shape == "ovo":
            return values
        votes, sums = np.zeros((2, len(values), len(self._kept)))
        for column, (a, b) in zip(values.T, function_pairs(len(self._kept))):
            votes[:, a] += ~(column < 0)
            votes[:, b] += column < 0
            sums[:, a] += column
            sums[:, b] -= column
        # As in scikit-learn, the sums decide between equal votes, since they add less than 1/3.
        return self._by_class(votes + sums / (3 * (np.abs(sums) + 1)), -np.inf)

    def _by_class(self, values: np.ndarray, missing: float) -> np.ndarray:
        """Adds columns for classes that the model lacks because all their rows had weight 0."""
        if len(self._kept) == len(self.classes_):
            return values
        result = np.full((len(values), len(self.classes_)), missing)
        result[:, self._kept] = values
        return result


class SupportedLabels(Labels):
    """Makes a classifier of a KernelMachine."""

    dual_coef_: Matrix
    intercept_: np.ndarray
    n_iter_: np.ndarray

    def _keep_results(self, X: Any, call: Any, result: Any) -> None:
        super()._keep_results(X, call, result)
        self.n_iter_ = self._num_iter
        self._n_support = np.zeros(len(self.classes_), dtype=np.int32)
        self._n_support[self._kept] = self._model.support_by_class
        if len(self.classes_) == 2:  # positive values are for the second class
            self.dual_coef_ = -self.dual_coef_
            self.intercept_ = -self.intercept_

    @property
    def n_support_(self) -> np.ndarray:
        """(n_classes,) number of support vectors of each class."""
        check_is_fitted(self)
        return self._n_support


class Probabilities:
    """Adds probabilities to Labels."""

    @if_probabilities
    def predict_proba(self: Any, X: Any) -> np.ndarray:
        """(n_rows, n_classes) probabilities, in the order of classes_."""
        check_is_fitted(self)
        if not self._model.has_probabilities:
            why = "predict_proba is not available when fitted with probability=False"
            if self.fit_status_ != 0:
                why += ", or when the fit was interrupted"
            raise NotFittedError(why)
        ask = self._model.probabilities
        return self._by_class(self._answers(X, "predict_proba", ask), 0.0)

    @if_probabilities
    def predict_log_proba(self: Any, X: Any) -> np.ndarray:
        """(n_rows, n_classes) logarithms of probabilities."""
        return np.log(self.predict_proba(X))


class _Classifier(Probabilities, SupportedLabels, BaseSVM):
    """Base class of SVC and NuSVC."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.probability != PROBABILITY:
            warn_of_probability(type(self).__name__)

    def _keep_results(self, X: Any, call: Any, result: Any) -> None:
        super()._keep_results(X, call, result)
        if self._model.has_probabilities:
            self._probA, self._probB = self._model.probability_slopes
        else:
            self._probA = self._probB = np.empty(0)

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self)
        if self._n_support.sum() != len(self.support_):
            name = type(self).__name__
            raise ValueError(f"The internal representation of {name} was altered")
        return super()._rows(X)

    @property
    def probA_(self) -> np.ndarray:
        """(n_pairs,) slopes of the pairwise probabilities."""
        warn_of_slopes("probA_")
        return self._probA

    @property
    def probB_(self) -> np.ndarray:
        """(n_pairs,) offsets of the pairwise probabilities."""
        warn_of_slopes("probB_")
        return self._probB

    def _weights(self) -> Any:
        if len(self.classes_) == 2:
            return super()._weights()
        ends = np.concatenate([[0], np.cumsum(self._n_support[self._kept])])
        lines = []
        for a, b in function_pairs(len(self._kept)):
            of_a, of_b = slice(ends[a], ends[a + 1]), slice(ends[b], ends[b + 1])
            lines.append(
                self.dual_coef_[[b - 1], of_a] @ self.support_vectors_[of_a]
                + self.dual_coef_[[a], of_b] @ self.support_vectors_[of_b]
            )
        return sp.vstack(lines).tocsr() if sp.issparse(lines[0]) else np.vstack(lines)


@with_paragraphs
class SVC(_Classifier):
    """C-support vector classification.

    Takes scikit-learn's parameters and has its attributes.

    Parameters
    ----------
    $ C kernel degree gamma coef0 shrinking probability tol cache_size class_weight verbose max_iter
    $ decision_function_shape break_ties random_state solver support_only metric n_jobs

    Attributes
    ----------
    $ classes_ support_ support_vectors_ n_support_ dual_coef_ intercept_ coef_ iterations_of_pairs
    $ feature_weights_ fit_status_ step_counts_ class_weight_ slopes shape_fit_ n_features_in_
    $ feature_names_in_

    See Also
    --------
    GridSearchSVC : A search of C and gamma.
    LinearSVC : Linear models for very many features.
    ForestSVC : A forest of small models for very many rows.
    NystroemSVC : An approximation for very many rows.

    Examples
    --------
    >>> from csmo import SVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SVC(C=10, gamma=0.1).fit(X[::2], y[::2])
    >>> print(model.predict(X[1::50]), round(model.score(X[1::2], y[1::2]), 2))
    [0 1 2] 0.97
    """

    _svm_type = _native.C_SVC
    _parameter_constraints = {"probability": ["boolean"], **parameter_constraints(svm.SVC)}

    def __init__(
        self, *, C: float = 1.0, kernel: Kernel = "rbf", degree: int = 3, gamma: Gamma = "scale",
        coef0: float = 0.0, shrinking: bool = True,
        probability: Union[bool, Literal["deprecated"]] = PROBABILITY, tol: float = 1e-3,
        cache_size: float = 200, class_weight: ClassWeight = None, verbose: int = False,
        max_iter: int = -1, decision_function_shape: Shape = "ovr", break_ties: bool = False,
        random_state: RandomState = None, solver: Solver = "csmo", support_only: bool = False,
        metric: Metric = None, n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())


@with_paragraphs
class NuSVC(_Classifier):
    """Nu-support vector classification: `SVC` with nu instead of C.

    As in LIBSVM and scikit-learn, `class_weight` has no effect, but `sample_weight` has.

    Parameters
    ----------
    nu : float, default=0.5
        Upper bound on the fraction of margin errors and lower bound on the fraction of support
        vectors, in (0, 1].
    $ kernel degree gamma coef0 shrinking probability tol cache_size class_weight verbose max_iter
    $ decision_function_shape break_ties random_state solver support_only metric n_jobs

    Attributes
    ----------
    $ classes_ support_ support_vectors_ n_support_ dual_coef_ intercept_ coef_ iterations_of_pairs
    $ feature_weights_ fit_status_ step_counts_ class_weight_ slopes shape_fit_ n_features_in_
    $ feature_names_in_

    Examples
    --------
    >>> from csmo import NuSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NuSVC(nu=0.1).fit(X[::2], y[::2])
    >>> print(model.predict(X[1::50]), round(model.score(X[1::2], y[1::2]), 2))
    [0 1 2] 0.96
    """

    _svm_type = _native.NU_SVC
    _parameter_constraints = {"probability": ["boolean"], **parameter_constraints(svm.NuSVC)}
    _LEFT_OUT = {
        **Machine._LEFT_OUT,
        "check_class_weight_classifiers": "class_weight is ignored, as by LIBSVM",
    }
    _TOO_LITTLE = "specified nu is infeasible:"

    def _row_weights(self, sample_weight: Any, X: Any, y: np.ndarray) -> Optional[np.ndarray]:
        """Also checks nu, as the library would after a function had computed the kernel."""
        weights = super()._row_weights(sample_weight, X, y)
        sums = np.bincount(y.astype(np.intp), weights)
        least, most = sums[sums > 0].min(), sums.max()
        rounding = 0 if weights is None else 1e-9
        if self.nu * (least + most) / 2 > least * (1 + rounding):
            raise _native.SvmError("specified nu is infeasible")
        return weights

    def __init__(
        self, *, nu: float = 0.5, kernel: Kernel = "rbf", degree: int = 3, gamma: Gamma = "scale",
        coef0: float = 0.0, shrinking: bool = True,
        probability: Union[bool, Literal["deprecated"]] = PROBABILITY, tol: float = 1e-3,
        cache_size: float = 200, class_weight: ClassWeight = None, verbose: int = False,
        max_iter: int = -1, decision_function_shape: Shape = "ovr", break_ties: bool = False,
        random_state: RandomState = None, solver: Solver = "csmo", support_only: bool = False,
        metric: Metric = None, n_jobs: Optional[int] = None,
    ) -> None:  # fmt: skip
        set_parameters(locals())
