"""Searches and forests by workers of Spark."""

import shutil

import pytest

pytest.importorskip("sklearn")
pytest.importorskip("joblibspark")
sql = pytest.importorskip("pyspark.sql")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

pytest.register_assert_rewrite("backends")
from backends import OnWorkers, environment  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def two_workers(python_folder):
    from joblibspark import register_spark

    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment(python_folder).items():
            patch.setenv(name, value)
        builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        register_spark()
        yield
        spark.stop()


class TestSpark(OnWorkers):
    name = "spark"
