"""MLflow logs and loads the estimators, once it trusts their classes."""

import os

import numpy as np
import pytest

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
mlflow = pytest.importorskip("mlflow")
pytest.importorskip("mlflow.sklearn")
pytest.importorskip("sqlalchemy")

from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import iris  # noqa: E402

TRUSTED = ["csmo._classifiers.SVC", "csmo._model.Model"]  # what docs/python.md says
REQUIREMENTS = {"pip_requirements": ["csmo", "scikit-learn"]}


@pytest.fixture(scope="module", autouse=True)
def store(tmp_path_factory):
    """One for all tests, as making its database takes seconds."""
    folder, before = tmp_path_factory.mktemp("mlflow"), mlflow.get_tracking_uri()
    mlflow.set_tracking_uri(f"sqlite:///{folder}/runs.db")
    mlflow.set_experiment(
        experiment_id=mlflow.create_experiment("csmo", artifact_location=str(folder / "files"))
    )
    yield
    mlflow.set_tracking_uri(before)


def test_a_run():
    X, y = iris()
    model = make_pipeline(StandardScaler(), csmo.SVC()).fit(X, y)
    with mlflow.start_run() as run:
        mlflow.log_params(model[-1].get_params())
        mlflow.log_metric("accuracy", model.score(X, y))
        logged = mlflow.sklearn.log_model(
            model, name="model", skops_trusted_types=TRUSTED, input_example=X[:2], **REQUIREMENTS
        )
    found = mlflow.sklearn.load_model(logged.model_uri)
    np.testing.assert_array_equal(found.decision_function(X), model.decision_function(X))
    found = mlflow.pyfunc.load_model(logged.model_uri)
    np.testing.assert_array_equal(found.predict(X), model.predict(X))
    assert mlflow.get_run(run.info.run_id).data.params["kernel"] == "rbf"


def test_the_types_have_to_be_known(tmp_path):
    X, y = iris()
    model = csmo.SVC().fit(X, y)
    with pytest.raises(mlflow.exceptions.MlflowException, match="untrusted types") as caught:
        mlflow.sklearn.save_model(model, tmp_path / "refused", **REQUIREMENTS)
    assert all(name in str(caught.value) for name in TRUSTED)
    mlflow.sklearn.save_model(
        model, tmp_path / "trusted", skops_trusted_types=TRUSTED, **REQUIREMENTS
    )
    found = mlflow.sklearn.load_model(str(tmp_path / "trusted"))
    np.testing.assert_array_equal(found.predict(X), model.predict(X))


def test_pickles(tmp_path):
    X, y = iris()
    model = csmo.SVC().fit(X, y)
    options = {"serialization_format": "cloudpickle", **REQUIREMENTS}
    mlflow.sklearn.save_model(model, tmp_path / "model", **options)
    found = mlflow.sklearn.load_model(str(tmp_path / "model"))
    np.testing.assert_array_equal(found.predict(X), model.predict(X))
