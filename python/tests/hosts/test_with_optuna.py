"""Studies of optuna, and its search for scikit-learn, over the estimators."""

import pytest

optuna = pytest.importorskip("optuna")
pytest.importorskip("sklearn")

from sklearn.model_selection import cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import iris  # noqa: E402


@pytest.fixture(autouse=True)
def quiet():
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    yield
    optuna.logging.set_verbosity(before)


def machine(C, gamma):
    return make_pipeline(StandardScaler(), csmo.SVC(C=C, gamma=gamma))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_study(n_jobs):
    X, y = iris()

    def objective(trial):
        C = trial.suggest_float("C", 1e-3, 1e3, log=True)
        gamma = trial.suggest_float("gamma", 1e-3, 10, log=True)
        return cross_val_score(machine(C, gamma), X, y, cv=3).mean()

    sampler = optuna.samplers.TPESampler(seed=0)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.optimize(objective, n_trials=15, n_jobs=n_jobs)
    assert [trial.state.name for trial in study.trials] == ["COMPLETE"] * 15
    assert study.best_value > 0.95
    again = cross_val_score(machine(**study.best_params), X, y, cv=3).mean()
    assert study.best_value == again


def test_a_trial_is_pruned():
    """fold by fold, as a study stops a bad point early."""
    X, y = iris()

    def objective(trial):
        C = trial.suggest_categorical("C", [1e-4, 1.0])
        for fold, score in enumerate(cross_val_score(machine(C, 0.1), X, y, cv=3)):
            trial.report(score, fold)
            if trial.should_prune():
                raise optuna.TrialPruned()
        return score

    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.GridSampler({"C": [1.0, 1e-4]}, seed=0),
        pruner=optuna.pruners.ThresholdPruner(lower=0.9),
    )
    study.optimize(objective)
    states = {trial.params["C"]: trial.state.name for trial in study.trials}
    assert states == {1.0: "COMPLETE", 1e-4: "PRUNED"}


def test_its_search_for_scikit_learn():
    integration = pytest.importorskip("optuna_integration")
    X, y = iris()
    points = {"svc__C": optuna.distributions.FloatDistribution(0.1, 100, log=True)}
    search = integration.OptunaSearchCV(
        make_pipeline(StandardScaler(), csmo.SVC()), points, n_trials=6, cv=3, random_state=0
    ).fit(X, y)
    assert isinstance(search.best_estimator_[-1], csmo.SVC)
    again = cross_val_score(search.best_estimator_, X, y, cv=3).mean()
    assert search.best_score_ == pytest.approx(again, abs=1e-12)
    assert search.score(X, y) > 0.95
