"""LearnedMetric: the weights of features that machines learn, as a step of pipelines."""

from typing import Any, Dict

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from ._classifiers import NuSVC, SVC
from ._forest import ForestMachine
from ._log import began, many, tell
from ._machine import Fitted, checked_rows
from ._paragraphs import with_paragraphs
from ._regressors import NuSVR, SVR
from ._rows import weighted


@with_paragraphs
class LearnedMetric(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Multiplies features by weights that are learned for an RBF kernel.

    The weights are those of ``estimator`` with ``metric="learned"``, for a step of a pipeline.

    Parameters
    ----------
    estimator : SVC, NuSVC, SVR, NuSVR, ForestSVC or ForestSVR of this package, default=None
        The machine whose parameters, such as C and gamma, are used.  None stands for
        ``SVC(random_state=0)`` if y has classes, which whole numbers are too, or else for
        ``SVR()``.

    Attributes
    ----------
    $ feature_weights_ n_features_in_ feature_names_in_

    Examples
    --------
    >>> from csmo import LearnedMetric, SVR
    >>> from sklearn.datasets import make_friedman1
    >>> X, y = make_friedman1(1000, n_features=7, random_state=0)  # of which 5 matter
    >>> metric = LearnedMetric(SVR(C=100)).fit(X, y)
    >>> print(metric.feature_weights_[:5].min() > 3 * metric.feature_weights_[5:].max())
    True
    """

    feature_weights_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    def _more_tags(self) -> Dict[str, Any]:
        return {"requires_y": True}

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.target_tags.required = tags.input_tags.sparse = True
        return tags

    def fit(self: Fitted, X: Any, y: Any, sample_weight: Any = None) -> Fitted:
        """Learns the weights from X, (n_rows, n_features), and the labels or targets y;
        sample_weight, (n_rows,), multiplies C of the rows.  Ctrl-C changes nothing."""
        start = began()
        machine = self.estimator
        if machine is None:
            has_classes = type_of_target(y) in ("binary", "multiclass")
            machine = SVC(random_state=0) if has_classes else SVR()
        if not isinstance(machine, (SVC, NuSVC, SVR, NuSVR, ForestMachine)):
            raise ValueError(
                "estimator: SVC, NuSVC, SVR, NuSVR, ForestSVC or ForestSVR of csmo, or None, not "
                f"{machine!r}"
            )
        machine = clone(machine).set_params(metric="learned")
        machine._check_parameters()
        data = machine._training_set(X, y)
        self.feature_weights_ = machine._metric_alone(*data, sample_weight)
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(machine, name):
                setattr(self, name, getattr(machine, name))
        count = (self.feature_weights_ != 1).sum()
        facts = many(len(data[1]), "row"), many(count, "weight") if count else "no weights"
        tell(self, "fit", *facts, since=start)
        return self

    def transform(self, X: Any) -> Any:
        """(n_rows, n_features) the rows of X with weighted features; sparse if X is."""
        check_is_fitted(self)
        return weighted(checked_rows(self, X, reset=False), self.feature_weights_)
