"""The docstrings of the package: complete, and with examples that are right."""

import doctest
import inspect
import re

import pytest

pytest.importorskip("sklearn")

import csmo  # noqa: E402

EXCEPTIONS = {"SearchNote", "SvmError"}
NAMES = sorted(set(csmo.__all__) - EXCEPTIONS)
ESTIMATORS = [name for name in NAMES if inspect.isclass(getattr(csmo, name))]
# Parameters of the searches have no defaults.
ESTIMATORS = [name for name in ESTIMATORS if not name.endswith("SearchSVC")]


@pytest.mark.parametrize("name", NAMES)
def test_examples(name):
    found = doctest.DocTestFinder(recurse=False).find(getattr(csmo, name), name)
    assert sum(len(test.examples) for test in found) > 0
    runner = doctest.DocTestRunner()
    for test in found:
        runner.run(test)
    assert runner.summarize().failed == 0


def entries(text, title):
    """The names in a section of a docstring."""
    section = re.search(rf"^{title}\n-+\n((?:.+\n)+)", text, re.MULTILINE)
    assert section, f"no section {title}"
    names = re.findall(r"^(\w[\w, ]*) : ", section.group(1), re.MULTILINE)
    return [name for line in names for name in line.split(", ")]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_all_parameters_and_attributes_are_described(name):
    kind = getattr(csmo, name)
    text = inspect.getdoc(kind)
    assert "$" not in text
    assert max(map(len, text.splitlines())) <= 100
    assert sorted(entries(text, "Parameters")) == sorted(kind().get_params())
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame({"a": [0.0, 1, 2, 3, 4, 5, 6, 7], "b": [1.0, 0, 1, 0, 1, 0, 1, 0]})
    y = [0, 0, 0, 1, 0, 1, 1, 1]
    options = {"kernel": "linear"} if "kernel" in kind().get_params() else {}
    model = kind(**options).fit(X, y)
    described = set(entries(text, "Attributes"))
    present = {key for key in vars(model) if key.endswith("_") and not key.startswith("_")}
    assert present <= described
    absent = {"probA_", "probB_"}
    if getattr(model, "metric", True) is None:
        absent.add("feature_weights_")
    for attribute in described - absent:
        getattr(model, attribute)
    # The defaults that the text tells are those of the class.
    for key, value in re.findall(r"^(\w+) : .*default=(\S+)$", text, re.MULTILINE):
        default = inspect.signature(kind).parameters[key].default
        if key != "probability":  # which depends on scikit-learn's version
            assert eval(value) == default, key
