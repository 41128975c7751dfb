"""skops writes the estimators to files, and reads them if the program trusts their classes."""

import numpy as np
import pytest

io = pytest.importorskip("skops.io")

from skops.io.exceptions import UntrustedTypesFoundException  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import diabetes, iris  # noqa: E402

MODEL, FOREST = "csmo._model.Model", "csmo._forest_model.Forest"
TRUSTED = {  # what docs/python.md says
    "SVC": ["csmo._classifiers.SVC", MODEL],
    "NuSVC": ["csmo._classifiers.NuSVC", MODEL],
    "SVR": ["csmo._regressors.SVR", MODEL],
    "NuSVR": ["csmo._regressors.NuSVR", MODEL],
    "OneClassSVM": ["csmo._one_class.OneClassSVM", MODEL],
    "LinearSVC": ["csmo._linear.LinearSVC", MODEL],
    "LinearSVR": ["csmo._linear.LinearSVR", MODEL],
    "NystroemSVC": ["csmo._landmarks.NystroemSVC", MODEL],
    "ForestSVC": ["csmo._forest.ForestSVC", FOREST],
    "ForestSVR": ["csmo._forest.ForestSVR", FOREST],
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("in_pipeline", [False, True])
@pytest.mark.parametrize("name", TRUSTED)
def test_files(name, in_pipeline, tmp_path):
    X, y = diabetes() if name.endswith("SVR") else iris()
    machine = getattr(csmo, name)()
    model = (make_pipeline(StandardScaler(), machine) if in_pipeline else machine).fit(X, y)
    file = tmp_path / "model.skops"
    io.dump(model, file)
    assert sorted(io.get_untrusted_types(file=file)) == sorted(TRUSTED[name])
    with pytest.raises(UntrustedTypesFoundException, match=f"csmo.*{name}"):
        io.load(file)
    loaded = io.load(file, trusted=TRUSTED[name])
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert str(loaded.get_params()) == str(model.get_params())
    for each in ("decision_function", "score_samples"):
        if hasattr(model, each):
            np.testing.assert_array_equal(getattr(loaded, each)(X), getattr(model, each)(X))
    assert loaded.fit(X, y) is loaded
