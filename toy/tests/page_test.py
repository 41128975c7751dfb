#!/usr/bin/env python3
"""Usage: page_test.py PAGE

Drives the page (toy.html, as toy/build makes it) in a headless Chromium, and compares what it shows
with the native programs in SVM_BIN_DIR.  Exit status 77 where something that it needs is missing.
"""
import os
import re
import sys
import tempfile
import time
from typing import List

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases  # noqa: E402
from browser import Keys, Page, skip  # noqa: E402

PAGE = sys.argv[1] if len(sys.argv) > 1 else ""


def set_machine(page: Page, svm_type: int, kernel: int, solver: str = "smo",
                **numbers: float) -> None:
    values = dict(eps=0.001, gamma=0.7, coef0=0.3, c=4, nu=0.15, p=0.06, degree=3)
    values.update(numbers)
    for name, value in dict(values, type=svm_type, kernel=kernel).items():
        page.run("document.getElementById(arguments[0]).value = arguments[1]", name, str(value))
    page.set_value("solver", solver)


def data_of(page: Page) -> str:
    return page.get("toy.dataText(toy.state.points, toy.currentType())")


def trained_model(page: Page) -> str:
    page.wait_for("toy.state.result || document.getElementById('fault').textContent", "a model")
    assert not page.text("fault"), page.text("fault")
    return page.get("toy.state.result.model")


def is_class(pixel: List[int], colour: str) -> bool:
    """Does the tint of a class prevail?  On a transparent ground colours keep their own values."""
    red, _, blue, alpha = pixel
    return alpha > 20 and (blue > red + 30 if colour == "blue" else red > blue + 30)


def check_start(page: Page) -> None:
    page.settle()
    paint = page.get("performance.getEntriesByType('paint')"
                     ".find((e) => e.name === 'first-contentful-paint').startTime")
    print("first paint after %d ms" % paint)
    assert page.get("toy.state.points.length") == 160
    assert page.element("status").text.endswith("iterations")
    assert page.get("toy.state.result.status") == 0


def check_mouse(page: Page) -> None:
    """Points by mouse and keyboard, and what the surface looks like at once."""
    page.element("clear").click()
    assert page.text("status").startswith("Put some points")
    set_machine(page, 0, 2, gamma=2)
    for u, v in [(0.2, 0.3), (0.25, 0.6)]:
        page.click(u, v)
    page.driver.find_elements("css selector", "#colours button")[1].click()
    for u, v in [(0.8, 0.35), (0.75, 0.7)]:
        page.click(u, v)
    points = page.get("toy.state.points")
    assert [point["c"] for point in points] == [0, 0, 1, 1], points
    assert abs(points[0]["x"] - 0.2) < 0.01 and abs(points[0]["y"] - 0.7) < 0.01, points
    page.settle()
    assert is_class(page.pixel(0.1, 0.5), "blue"), page.pixel(0.1, 0.5)
    assert is_class(page.pixel(0.9, 0.5), "orange"), page.pixel(0.9, 0.5)
    assert page.get("toy.state.result.vectors") == len(
        cases.native_model(data_of(page), page.text("command")).split("SV\n")[1].splitlines())


def check_keyboard(page: Page) -> None:
    before = page.get("toy.state.points.length")
    page.run("document.getElementById('board').focus()")
    page.keys("1", Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_UP)
    page.chord(Keys.SHIFT, Keys.ARROW_RIGHT)
    page.keys(Keys.ENTER)
    point = page.get("toy.state.points.at(-1)")
    assert point == {"x": 0.56, "y": 0.52, "c": 0}, point
    page.keys("3", " ")
    assert page.get("toy.state.points.at(-1).c") == 2
    page.keys(Keys.DELETE, Keys.DELETE)
    assert page.get("toy.state.points.length") == before
    page.chord(Keys.CONTROL, "z")
    assert page.get("toy.state.points.length") == before + 1
    page.settle()
    # Everything else is reached by Tab, has a name, and shows that it has the focus.
    seen = set()
    page.run("document.activeElement.blur()")
    for _ in range(80):
        page.keys(Keys.TAB)
        seen.add(page.get("document.activeElement.id"))
    # The list of pairs is there only while there is something in it, the map likewise.
    for name in ["example", "theme", "undo", "clear", "freehand", "board", "type", "kernel", "solver",
                 "c", "gamma", "compare", "phases", "map-start", "folds", "load", "save", "model",
                 "copy"]:
        assert name in seen, "Tab does not reach " + name
    nameless = page.get(
        "[...document.querySelectorAll('button, input, select, canvas')].filter((e) =>"
        "!(e.labels && e.labels.length) && !e.getAttribute('aria-label') &&"
        "!e.textContent.trim()).map((e) => e.outerHTML)")
    assert not nameless, nameless
    page.run("document.getElementById('board').focus()")
    page.keys(Keys.TAB)
    assert page.get("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def check_models(page: Page) -> None:
    """The bytes of the native program, by the command line that the page shows."""
    count = 0

    def compare(exact: bool = True) -> None:
        nonlocal count
        ours = trained_model(page)
        native = cases.native_model(data_of(page), page.text("command"))
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
            set_machine(page, svm_type, kernel)
            compare(exact=kernel != 3)  # its tanh is the C library's
            for solver in ["csmo", "csmo-off", "hybrid", "smo1"]:
                if (name == "two classes" and kernel == 2) or (
                        name == "digits" and kernel in (0, 2) and solver == "csmo"):
                    set_machine(page, svm_type, kernel, solver)
                    compare()
    print(count, "models are those of svm-train")
    assert count > 100
    page.element("model").click()
    assert page.downloaded("toy.model").decode() == trained_model(page)
    page.element("save").click()
    assert page.downloaded("toy.data").decode() == data_of(page)


def check_predictions(page: Page) -> None:
    """The labels of the surface's cells are svm-predict's."""
    page.set_points(cases.blobs(90, 3, 5))
    set_machine(page, 0, 2, gamma=6)
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


def check_regression(page: Page) -> None:
    page.run("toy.showExample('sine')")
    page.settle()
    x, y, tube = page.get(
        "[Array.from(toy.board.curve.x), Array.from(toy.board.curve.y), toy.board.curve.tube]")
    assert tube == 0.05
    worst = max(abs(b - 0.5 - 0.33 * cases.math.sin(2 * cases.math.pi * a)) for a, b in zip(x, y))
    assert worst < 0.12, worst
    # The curve is drawn where it is: in ink, on its tube.
    at = len(x) // 4
    red, green, blue, alpha = page.pixel(x[at], 1 - y[at])
    assert alpha > 200 and max(red, green, blue) < 130, (red, green, blue, alpha)
    set_machine(page, 4, 2, gamma=16, c=16, nu=0.3)
    page.settle()
    assert 0 < page.get("toy.board.curve.tube") < 0.2


def check_one_class(page: Page) -> None:
    page.run("toy.showExample('blob')")
    page.settle()
    assert page.pixel(0.64, 0.6)[3] > 20
    assert page.pixel(0.03, 0.03)[3] == 0
    outside = page.get("toy.board.surface.labels.filter((l) => l < 0).length")
    assert 0 < outside < 256 * 256


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
    set_machine(page, 0, 2)
    for name, value in [("c-from", -1), ("c-to", 3), ("g-from", -2), ("g-to", 2), ("by", 2)]:
        page.set_value(name, value)
    cells = []
    for svm_type in [0, 3]:
        set_machine(page, svm_type, 2)
        page.element("map-start").click()
        page.wait_for("document.getElementById('map-status').textContent.startsWith('Best')",
                      "the map")
        cells = page.get("toy.map.cells")
        assert len(cells) == 9
        for k, value in enumerate(cells):
            cost, gamma = 2.0 ** (-1 + 2 * (k % 3)), 2.0 ** (2 - 2 * (k // 3))
            native = cases.native_rate(data_of(page), "-s %d -c %.17g -g %.17g -p 0.06 -v 5 --seed 1"
                                       % (svm_type, cost, gamma))
            assert "%g" % value == "%g" % native, (svm_type, cost, gamma, value, native)
    assert "mean squared error %.6g." % min(cells) in page.text("map-status")
    page.run("document.getElementById('map').focus()")
    page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
    column, row = page.get("toy.map.at")
    assert float(page.get("document.getElementById('c').value")) == 2.0 ** (-1 + 2 * column)
    assert float(page.get("document.getElementById('gamma').value")) == 2.0 ** (2 - 2 * row)
    # A long one can be stopped.
    page.set_points(cases.blobs(1500, 2, 4))
    set_machine(page, 0, 2)
    page.element("map-start").click()
    page.element("map-stop").click()
    assert page.text("map-status") == "Stopped."
    assert page.get("toy.map.cells.includes(null)")
    page.set_points(cases.blobs(50, 2, 4))
    assert page.text("map-status").endswith("compute again.")


def check_faults(page: Page) -> None:
    page.set_points(cases.blobs(40, 2, 6))
    for name, value, svm_type, text in [
            ("c", -1, 0, "C <= 0"), ("gamma", -2, 0, "gamma < 0"), ("nu", 1.5, 1, "nu <= 0 or nu > 1"),
            ("eps", 0, 0, "eps <= 0"), ("nu", 0.999, 1, None), ("p", -1, 3, "p < 0"),
            ("gamma", "", 0, "gamma is not a number")]:
        set_machine(page, svm_type, 2)
        page.set_value(name, value)
        if text is None:
            trained_model(page)
            continue
        page.wait_for("document.getElementById('fault').textContent", text)
        assert page.text("fault") == text, page.text("fault")
        assert not page.element("model").is_enabled()
    page.set_points(cases.blobs(41, 2, 6)[:40] + [{"x": 0.5, "y": 0.5, "c": 0}] * 40)
    set_machine(page, 1, 2, nu=0.9)
    page.wait_for("document.getElementById('fault').textContent", "infeasible nu")
    assert page.text("fault") == "specified nu is infeasible"
    set_machine(page, 0, 2)
    trained_model(page)
    assert not page.text("fault")


def load(page: Page, text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        page.run("document.getElementById('file-status').textContent = ''")
        page.element("load").send_keys(path)
        page.wait_for("!/^(reading.*)?$/.test(document.getElementById('file-status').textContent)",
                      "the end of reading")
    return page.text("file-status")


def check_files(page: Page) -> None:
    page.set_points(cases.blobs(30, 2, 8))
    set_machine(page, 0, 2)
    before = trained_model(page)
    for text, fault in [
            ("1 1:0.5 2:0.5\n2 1:0.5 2:x\n", "line 2, column 9: '2:x': the value is not a number"),
            ("1 1:0.5\n\n", "line 2: the line is empty"),
            ("1 2:0.5 1:0.5\n", "the index does not come after 2; indices must ascend"),
            ("1 1:1 2:2 3:3\n", "line 1: feature 3: the page shows features 1 and 2 only"),
            ("one 1:1\n", "the label is not a number"),
            ("1.5 1:1 2:1\n-1 1:1 2:0\n", "label 1.5 is not a class number"),
            ("".join("%d 1:1 2:1\n" % i for i in range(7)), "7 different labels"),
            ("", "the file is empty")]:
        status = load(page, text)
        assert fault in status, (text, status)
        # The old points stay, with their model.
        assert page.get("toy.state.points.length") == 30
        assert trained_model(page) == before
    assert load(page, "-1 1:-2.5 2:7\n+1 1:1e1 2:3 # a remark\n-1 2:4\n") == "3 points"
    page.settle()
    assert data_of(page) == "-1 1:-2.5 2:7\n1 1:10 2:3\n-1 2:4\n", data_of(page)
    trained = trained_model(page)
    assert trained == cases.native_model(data_of(page), page.text("command"))
    assert "label 1 -1\n" in trained or "label -1 1\n" in trained
    assert load(page, "0.5 1:0.1\n0.75 1:0.3\n0.1 1:0.9\n") == "3 points"
    page.settle()
    assert page.get("toy.currentType()") == 3
    # What was saved comes back.
    page.run("toy.showExample('moons')")
    page.settle()
    data = data_of(page)
    page.element("clear").click()
    assert load(page, data) == "160 points"
    assert data_of(page) == data


def check_many(page: Page) -> None:
    """10,000 points: the page goes on drawing while they are trained on."""
    page.run("window.frames_seen = 0;"
             "const count = () => { ++window.frames_seen;"
             "if (!window.frames_end) requestAnimationFrame(count); }; count();")
    set_machine(page, 0, 2, c=10, gamma=10)
    start = time.monotonic()
    page.set_points(cases.blobs(10000, 2, 10))
    page.wait_for("toy.state.result", "10,000 points", 120)
    seconds = time.monotonic() - start
    frames = page.get("window.frames_seen")
    page.run("window.frames_end = true")
    print("10,000 points: %.2f s, %d frames meanwhile" % (seconds, frames))
    assert page.get("toy.state.points.length") == 10000
    # Training on the page's thread would leave two or three frames.
    assert frames > 5, frames
    page.settle()
    assert is_class(page.pixel(0.05, 0.5), "blue") and is_class(page.pixel(0.95, 0.5), "orange")
    page.element("compare").click()
    page.wait_for("document.getElementById('compare-status').textContent.startsWith('Too large')",
                  "that this is too large to be recorded", 120)
    # A change ends a training that takes long, and so does Stop.
    set_machine(page, 0, 1, c=1e6, gamma=50, degree=9)
    page.wait_for("!document.getElementById('stop').hidden", "the button that stops")
    page.element("stop").click()
    assert page.text("status").startswith("Stopped")
    set_machine(page, 0, 0)
    page.set_points(cases.blobs(40, 2, 6))
    trained_model(page)


def check_network(page: Page) -> None:
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    addresses = [a for a in re.findall(r"\b(?:https?:)?//[\w.-]+\.[a-z]{2,}", text)
                 if not a.startswith("//#")]
    assert not addresses, addresses
    assert not re.search(r"<(script|link|img|iframe)[^>]* (src|href)=\"(?!data:,)", text)
    asked = [a for a in page.requests()
             if not a.startswith(("chrome:", "data:", "blob:", "devtools:", "chrome-untrusted:"))]
    assert asked == ["file://" + os.path.abspath(PAGE)], asked
    assert page.console_errors() == [], page.console_errors()


def check_screens() -> None:
    """A phone's width, and dark."""
    with Page(PAGE, size=(360, 740), dark=True, scale=2) as page:
        page.settle()
        page.element("compare").click()
        page.wait_for("toy.traces.runs", "the traces")
        page.element("map-start").click()
        page.wait_for("document.getElementById('map-status').textContent.startsWith('Best')",
                      "the map")
        wide = page.get("[...document.querySelectorAll('body *')].filter((e) => "
                        "e.getBoundingClientRect().right > 360.5 && "
                        "!e.classList.contains('visually-hidden')).map((e) => e.outerHTML)")
        assert page.get("document.documentElement.scrollWidth") <= 360 and not wide, wide
        ground = page.get("getComputedStyle(document.body).backgroundColor")
        assert max(map(int, re.findall(r"\d+", ground))) < 60, ground
        before = page.get("toy.state.points.length")
        page.run("document.getElementById('board').scrollIntoView()")
        page.click(0.05, 0.95)
        assert page.get("toy.state.points.length") == before + 1
        page.run("document.getElementById('theme').click()")
        ground = page.get("getComputedStyle(document.body).backgroundColor")
        assert min(map(int, re.findall(r"\d+", ground))) > 200, ground
        assert page.console_errors() == [], page.console_errors()


def main() -> None:
    if not os.path.exists(PAGE):
        skip("there is no page %r: toy/build makes it (with emscripten)" % PAGE)
    for program in ["svm-train", "svm-predict"]:
        if not os.path.exists(os.path.join(cases.PROGRAMS, program)):
            raise SystemExit("there is no %s in %s: set SVM_BIN_DIR" % (program, cases.PROGRAMS))
    with Page(PAGE) as page:
        for check in [check_start, check_mouse, check_keyboard, check_models, check_predictions,
                      check_regression, check_one_class, check_traces, check_map, check_faults,
                      check_files, check_many, check_network]:
            start = time.monotonic()
            try:
                check(page)
            except Exception:
                print(check.__name__, "failed; the page says:", page.text("status"),
                      page.text("fault"), page.console_errors())
                raise
            print("%s: %.1f s" % (check.__name__, time.monotonic() - start), flush=True)
    check_screens()
    print("the page on a phone, dark and light")


if __name__ == "__main__":
    main()
