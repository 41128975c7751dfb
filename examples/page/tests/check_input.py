"""Faulty parameters and files, many points, and what the page asks the network for: nothing."""
import math
import os
import re
import tempfile
import time

import cases
from browser import Page
from check_drawing import is_class


def check_faults(page: Page) -> None:
    page.set_points(cases.blobs(40, 2, 6))
    for name, value, svm_type, text in [
            ("c", -1, 0, "C must be above 0"), ("gamma", -2, 0, "gamma must be above 0"),
            ("gamma", 0, 0, "gamma must be above 0"),
            ("nu", 1.5, 1, "nu must be above 0 and at most 1"),
            ("eps", 0, 0, "tolerance must be above 0"), ("eps", -1, 0, "tolerance must be above 0"),
            ("nu", 0.999, 1, None), ("p", -1, 3, "epsilon (tube) must be at least 0"),
            ("gamma", "", 0, "gamma is not a number"), ("c", "1,000", 0, "C: write 1000 or 1.000"),
            ("c", "1,000.5", 0, "C is not a number"), ("c", "0x10", 0, "C is not a number")]:
        page.set_machine(svm_type, 2)
        page.set_value(name, value)
        if text is None:
            page.model()
            continue
        page.wait_for("document.getElementById('fault').textContent", text)
        assert page.text("fault") == text, page.text("fault")
        assert not page.element("model").is_enabled()
    page.set_points(cases.blobs(41, 2, 6)[:40] + [{"x": 0.5, "y": 0.5, "c": 0}] * 40)
    page.set_machine(1, 2, nu=0.9)
    page.wait_for("document.getElementById('fault').textContent", "infeasible nu")
    assert page.text("fault") == "nu is too large for classes of such different sizes"
    page.set_machine(0, 2)
    page.model()
    assert not page.text("fault")


def check_commas(page: Page) -> None:
    """A decimal comma, as keys put it, is a decimal point."""
    page.set_points(cases.blobs(40, 2, 6))
    page.set_machine(0, 2)
    for text, number in [("0,5", 0.5), (",25", 0.25), ("12,5", 12.5), ("0,001", 0.001),
                         ("1.5e2", 150), ("2,5e-1", 0.25)]:
        page.element("c").clear()
        page.element("c").send_keys(text)
        assert page.model() == cases.native_model(page.data(), page.text("command"))
        assert page.get("toy.currentMachine().numbers[5]") == number, text
        assert " -c %g " % number in page.text("command"), page.text("command")
        slider = page.get("document.getElementById('c').nextElementSibling.valueAsNumber")
        assert abs(slider - min(15, max(-5, math.log2(number)))) <= 0.25, (text, slider)
    page.set_machine(0, 2)
    page.model()


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
    page.set_machine(0, 2)
    before = page.model()
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
        assert page.model() == before
    assert load(page, "-1 1:-2.5 2:7\n+1 1:1e1 2:3 # a remark\n-1 2:4\n") == "3 points"
    page.settle()
    assert page.data() == "-1 1:-2.5 2:7\n1 1:10 2:3\n-1 2:4\n", page.data()
    trained = page.model()
    assert trained == cases.native_model(page.data(), page.text("command"))
    assert "label 1 -1\n" in trained or "label -1 1\n" in trained
    assert load(page, "0.5 1:0.1\n0.75 1:0.3\n0.1 1:0.9\n") == "3 points"
    page.settle()
    assert page.get("toy.currentType()") == 3
    # What was saved comes back.
    page.run("toy.showExample('moons')")
    page.settle()
    data = page.data()
    page.element("clear").click()
    assert load(page, data) == "160 points"
    assert page.data() == data


def check_many(page: Page) -> None:
    """10,000 points: the page goes on drawing while they are trained on."""
    page.run("window.frames_seen = 0;"
             "const count = () => { ++window.frames_seen;"
             "if (!window.frames_end) requestAnimationFrame(count); }; count();")
    page.set_machine(0, 2, c=1000, gamma=50)
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
    page.set_machine(0, 1, c=1e6, gamma=50, degree=9)
    page.wait_for("!document.getElementById('stop').hidden", "the button that stops")
    page.element("stop").click()
    assert page.text("status").startswith("Stopped")
    page.set_machine(0, 0)
    page.set_points(cases.blobs(40, 2, 6))
    page.model()


def check_network(page: Page) -> None:
    with open(page.path, encoding="utf-8") as file:
        text = file.read()
    addresses = [a for a in re.findall(r"\b(?:https?:)?//[\w.-]+\.[a-z]{2,}", text)
                 if not a.startswith("//#")]
    assert not addresses, addresses
    assert not re.search(r"<(script|link|img|iframe)[^>]* (src|href)=\"(?!data:,)", text)
    asked = [a for a in page.requests()
             if not a.startswith(("chrome:", "data:", "blob:", "devtools:", "chrome-untrusted:"))]
    assert asked == ["file://" + page.path], asked
    assert page.console_errors() == [], page.console_errors()


CHECKS = [check_faults, check_commas, check_files, check_many, check_network]
