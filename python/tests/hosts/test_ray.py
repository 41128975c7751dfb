"""Searches and forests by workers of Ray."""

import pytest

pytest.importorskip("sklearn")
ray = pytest.importorskip("ray")

pytest.register_assert_rewrite("backends")
from backends import OnWorkers, environment  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def two_workers(python_folder):
    from ray.util.joblib import register_ray

    variables = {"PYTHONPATH": environment(python_folder)["PYTHONPATH"]}
    options = {"include_dashboard": False, "runtime_env": {"env_vars": variables}}
    ray.init(num_cpus=2, log_to_driver=False, **options)
    register_ray()
    yield
    ray.shutdown()


class TestRay(OnWorkers):
    name = "ray"
