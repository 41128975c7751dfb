"""Models, predictions, traces and cross validation, against the native programs."""
import os
import tempfile

import cases
from browser import Keys, Page


def check_models(page: Page) -> None:
    """The bytes of the native program, by the command line that the page shows."""
    count = 0

    def compare(exact: bool = True) -> None:
        nonlocal count
        ours = page.model()
        native = cases.native_model(page.data(), page.text("command"))
        if exact:
            assert ours == native, page.text("command") + "\n" + ours + "\n" + native
        else:
            cases.assert_close(ours, native)
        count += 1

    sets = {"two classes": cases.blobs(60, 2, 1), "four": cases.blobs(120, 4, 2),
            "lattice": cases.lattice(100), "digits": cases.digits(150, 3)}
    for name, points in sets.items():
        page.set_points(points)
        for svm_type, kernel in cases.machines():
            page.set_machine(svm_type, kernel)
            compare(exact=kernel != 3)  # its tanh is the C library's
            for solver in ["csmo", "csmo-off"]:
                if (name == "two classes" and kernel == 2) or (
                        name == "digits" and kernel in (0, 2) and solver == "csmo"):
                    page.set_machine(svm_type, kernel, solver)
                    compare()
    print(count, "models are those of svm-train")
    assert count >= 100
    page.element("model").click()
    assert page.downloaded("toy.model").decode() == page.model()
    page.element("save").click()
    assert page.downloaded("toy.data").decode() == page.data()


def check_predictions(page: Page) -> None:
    """The labels of the surface's cells are svm-predict's."""
    page.set_points(cases.blobs(90, 3, 5))
    page.set_machine(0, 2, gamma=6)
    page.settle()
    size, labels = page.get("[toy.board.surface.size, Array.from(toy.board.surface.labels)]")
    model, places = page.get("toy.state.result.model"), range(0, size * size, 97)
    rows = "".join("%d 1:%.17g 2:%.17g\n" % (
        labels[k], (k % size + 0.5) / size, 1 - (k // size + 0.5) / size) for k in places)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in [("m", model), ("rows", rows)]:
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
        text = cases.run("svm-predict rows m out", folder)
    assert "Accuracy = 100% (" in text, text
    assert len(set(labels)) == 3


def check_traces(page: Page) -> None:
    """Both solvers reach the same optimum, objectives fall, and steps add up to the model."""
    page.run("toy.showExample('moons')")
    page.settle()
    for phases in [True, False]:
        if page.element("phases").is_selected() != phases:
            page.element("phases").click()
        if not page.get("toy.traces.runs !== null"):
            page.element("compare").click()
        page.wait_for("toy.traces.runs", "the traces")
        smo, csmo = page.get(
            "toy.traces.runs.map((run) => ({...run.result, trace: Object.fromEntries("
            "Object.entries(run.traces[0]).map(([k, v]) => [k, v.length >= 0 ? [...v] : v]))}))")
        assert (csmo["phases"] > 0) == phases
        assert abs(smo["objective"] - csmo["objective"]) < 1e-3 * abs(smo["objective"])
        for run in (smo, csmo):
            trace = run["trace"]
            assert trace["complete"] and trace["steps"] == run["iterations"] + run["phases"], run
            # csmo's is computed anew in doubles at the end.
            rounding = 1e-12 if run is smo else 1e-6
            assert abs(trace["objective"][-1] / run["objective"] - 1) < rounding
            falls = [a >= b - 1e-9 for a, b in zip(trace["objective"], trace["objective"][1:-1])]
            assert all(falls) and trace["violation"][-1] < 1e-3
            kinds = [kind & 3 for kind in trace["stepKind"]]
            assert kinds.count(1) == run["conjugateSteps"] and kinds.count(2) == run["phases"]
            # The changes sum up to the coefficients of the model.
            sums = {}
            for row, change in zip(trace["changedRow"], trace["change"]):
                sums[trace["rows"][row]] = sums.get(trace["rows"][row], 0) + change
            for row, value in zip(run["supportRows"], run["coefficients"][0]):
                assert abs(sums[row - 1] - value) < 1e-6, (row, sums[row - 1], value)
            # A plain step moves its pair and nothing else.
            first = trace["firstChange"]
            pair = {trace["up"][0], trace["down"][0]}
            assert set(trace["changedRow"][first[0]:first[1]]) == pair
        assert smo["conjugateSteps"] == 0 and csmo["conjugateSteps"] > 0
        assert csmo["iterations"] < smo["iterations"]
    last = page.get("document.getElementById('step').max")
    page.element("forth").click()
    page.element("forth").click()
    assert page.text("step-text") == "2 of " + str(last)
    assert "conjugate" in page.text("csmo-text") or "plain" in page.text("csmo-text")
    assert any(page.run(
        "const c = document.getElementById('objective-plot');"
        "return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0)"
        "? [1] : []"))
    # Several classes: a trace of each pair.
    page.run("toy.showExample('rings')")
    page.settle()
    page.element("compare").click()
    page.wait_for("toy.traces.runs", "the traces of three classes")
    names = page.get("[...document.getElementById('pair').options].map((o) => o.textContent)")
    assert names == ["1 and 2", "1 and 3", "2 and 3"], names
    # Regression: two variables for each point.
    page.run("toy.showExample('sine')")
    page.settle()
    page.element("compare").click()
    page.wait_for("toy.traces.runs", "the traces of a regression")


def check_map(page: Page) -> None:
    """The figures of svm-train -v 5 --seed 1."""
    page.set_points(cases.blobs(100, 3, 9))
    page.set_machine(0, 2)
    for name, value in [("c-from", -1), ("c-to", 3), ("g-from", -2), ("g-to", 2), ("by", 2)]:
        page.set_value(name, value)
    cells = []
    for svm_type in [0, 3]:
        page.set_machine(svm_type, 2)
        page.element("map-start").click()
        page.wait_for("document.getElementById('map-status').textContent.startsWith('Best')",
                      "the map")
        cells = page.get("toy.map.cells")
        assert len(cells) == 9
        for k, value in enumerate(cells):
            cost, gamma = 2.0 ** (-1 + 2 * (k % 3)), 2.0 ** (2 - 2 * (k // 3))
            native = cases.native_rate(page.data(), "-s %d -c %.17g -g %.17g -p 0.06 -v 5 --seed 1"
                                       % (svm_type, cost, gamma))
            assert "%g" % value == "%g" % native, (svm_type, cost, gamma, value, native)
    assert "mean squared error %.6g." % min(cells) in page.text("map-status")
    assert page.text("map-status").endswith("Click a cell to use its C and gamma.")
    for name, value, right, fault in [("folds", 1, 5, "the number of folds must be at least 2"),
                                      ("by", "0", 2, "the step must be above 0"),
                                      ("c-to", -2, 3, "the first log2 C is above the last log2 C"),
                                      ("g-from", "", -2, "the first log2 gamma is not a number")]:
        page.set_value(name, value)
        page.element("map-start").click()
        assert page.text("map-status") == fault, page.text("map-status")
        page.set_value(name, right)
    page.run("document.getElementById('map').focus()")
    page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
    column, row = page.get("toy.map.at")
    assert float(page.get("document.getElementById('c').value")) == 2.0 ** (-1 + 2 * column)
    assert float(page.get("document.getElementById('gamma').value")) == 2.0 ** (2 - 2 * row)
    # A long one can be stopped.
    page.set_points(cases.blobs(1500, 2, 4))
    page.set_machine(0, 2)
    page.set_value("by", 0.25)  # 289 cells
    page.element("map-start").click()
    page.element("map-stop").click()
    assert page.text("map-status") == "Stopped."
    assert page.get("toy.map.cells.includes(null)")
    page.set_points(cases.blobs(50, 2, 4))
    assert page.text("map-status").endswith("compute again.")


CHECKS = [check_models, check_predictions, check_traces, check_map]
