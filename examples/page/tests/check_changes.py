"""Clear, Undo, drawing and erasing, what a reload keeps, and the page's words."""
import json
import os
import re
from typing import Any, List

import cases
from browser import ActionChains, Keys, Page
from check_input import load

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")

CLEAR = "document.getElementById('clear').click();"
EMPTY = "Put some points on the board."


def wait_for_worker(page: Page, engine: str) -> None:
    """Waits until an engine's worker has answered everything that it was sent before."""
    page.driver.execute_async_script(
        "const done = arguments[0], worker = toy.%s.worker;"
        "if (!worker) return done();"
        "worker.addEventListener('message', ({data}) => { if (data.number === -1) done(); });"
        "worker.postMessage({kind: 'parse', text: '1 1:1', number: -1});" % engine)


def assert_empty(page: Page, status: str) -> None:
    assert page.get("toy.state.result === null && toy.board.surface === null &&"
                    "toy.board.curve === null && toy.board.support.size === 0")
    assert page.text("facts") == "" and page.text("status") == status, page.text("status")
    assert not page.element("model").is_enabled()


def put_two(page: Page) -> None:
    """A point of class 1 and one of class 2."""
    for c, u, v in [(0, 0.2, 0.3), (1, 0.8, 0.6)]:
        page.driver.find_elements("css selector", "#colours button")[c].click()
        page.click(u, v)


def check_late_answers(page: Page) -> None:
    """Late answers of a worker about points that are gone are not shown."""
    for name in ["moons", "rings", "blob", "sine"]:
        page.run("toy.showExample(arguments[0]);" + CLEAR, name)
        wait_for_worker(page, "live")
        assert_empty(page, EMPTY)
    page.run("toy.showExample('sine')")
    page.run("const type = document.getElementById('type'); type.value = 4; type.onchange();" +
             CLEAR)
    wait_for_worker(page, "live")
    assert_empty(page, EMPTY)
    # The same of a machine that has become a faulty one.
    page.set_machine(0, 2)
    page.run("toy.showExample('moons'); const c = document.getElementById('c'); c.value = '';"
             "c.oninput();")
    wait_for_worker(page, "live")
    assert_empty(page, "not trained")
    page.set_value("c", 8)
    page.settle()
    # Nor is a file that is still being read then.
    page.driver.execute_async_script(
        "const done = arguments[0], load = document.getElementById('load'), {send} = toy.live;"
        "toy.live.send = function (request) {"
        "  delete toy.live.send; send.call(toy.live, request);" + CLEAR + "done(request.kind); };"
        "const files = new DataTransfer(); files.items.add(new File(['1 1:1 2:1'], 'one'));"
        "load.files = files.files; load.onchange();")
    wait_for_worker(page, "live")
    assert_empty(page, EMPTY)
    assert page.text("file-status").startswith("not read"), page.text("file-status")
    page.run("toy.showExample('moons')")
    page.settle()
    # And of the steps of solvers.
    page.run("document.getElementById('compare').click();" + CLEAR)
    wait_for_worker(page, "study")
    assert page.get("toy.traces.runs") is None
    assert page.text("compare-status").endswith("record again.")


def check_clear(page: Page) -> None:
    """Clear makes the board of the start, of which points of all types can be made."""
    page.set_value("type", 0)
    for example in ["sine", "blob"]:
        page.run("toy.showExample(arguments[0])", example)
        page.settle()
        points, svm_type = page.get("[toy.state.points, toy.currentType()]")
        page.element("clear").click()
        assert_empty(page, EMPTY)
        assert page.get("toy.currentType()") == 0
        put_two(page)
        page.settle()
        assert page.get("toy.state.result.classes") == 2
        for _ in range(3):
            page.element("undo").click()
        assert page.get("[toy.state.points, toy.currentType()]") == [points, svm_type]
        page.settle()
        page.element("undo").click()
    # A type that was chosen by hand stays, whatever examples were shown meanwhile.
    page.set_value("type", 1)
    page.run("toy.showExample('sine');" + CLEAR)
    assert page.get("toy.currentType()") == 1
    for svm_type in cases.TYPES:
        page.element("clear").click()
        page.set_machine(svm_type, 2, nu=0.5)
        put_two(page)
        page.settle()
        assert page.get("toy.currentType()") == svm_type
        assert page.model() == cases.native_model(page.data(), page.text("command"))
    # Labels and the part of the plane that a file came with go as well.
    assert load(page, "-1 1:-2.5 2:7\n3 1:10 2:3\n") == "2 points"
    page.element("clear").click()
    assert page.get("toy.state.labels") == [1, 2, 3, 4, 5, 6]
    assert page.get("toy.state.view") == {"x0": 0, "x1": 1, "y0": 0, "y1": 1}
    page.element("undo").click()
    assert page.data() == "-1 1:-2.5 2:7\n3 1:10 2:3\n"
    page.element("clear").click()
    page.set_value("type", 0)


def chosen_tools(page: Page) -> List[str]:
    return page.get("[...document.querySelectorAll('[name=tool]:checked')].map((e) => e.id)")


def draw_stroke(page: Page, steps: int) -> None:
    """A stroke to the right, from the left of the board, in steps of a fiftieth of its width."""
    board = page.element("board")
    width = board.size["width"]
    stroke = ActionChains(page.driver, duration=0)
    stroke.move_to_element_with_offset(board, round(-0.4 * width), 0).click_and_hold()
    for _ in range(steps):
        stroke.move_by_offset(round(0.02 * width), 0)
    stroke.release().perform()


def check_tools(page: Page) -> None:
    page.element("clear").click()
    page.choose_tool("erase")
    assert chosen_tools(page) == ["erase"]
    page.driver.find_elements("css selector", "#colours button")[0].click()
    assert chosen_tools(page) == ["draw"]
    places = [(0.2, 0.5), (0.4, 0.5), (0.6, 0.5), (0.8, 0.2)]
    for u, v in places:
        page.click(u, v)
    before = page.get("toy.state.points")
    page.choose_tool("erase")
    page.click(0.8, 0.45)  # nothing near
    assert page.get("toy.state.points") == before
    page.click(0.81, 0.19)
    assert page.get("toy.state.points") == before[:3]
    # A stroke takes what is on its way, and is one change.
    draw_stroke(page, 30)
    assert page.get("toy.state.points") == []
    page.element("undo").click()
    assert page.get("toy.state.points") == before[:3]
    page.element("undo").click()
    assert page.get("toy.state.points") == before
    # The tools are one control: arrows choose, and Tab leaves it.
    page.run("document.getElementById('erase').focus()")
    page.keys(Keys.ARROW_LEFT)
    assert chosen_tools(page) == ["draw"]
    shown = page.get("getComputedStyle(document.querySelector('[for=draw]')).outlineStyle")
    assert shown == "solid", shown
    page.keys(Keys.TAB)
    assert page.get("document.activeElement.id") == "undo"
    # A stroke puts several points, as one change; a hand that trembles puts one.
    page.element("clear").click()
    draw_stroke(page, 1)
    assert page.get("toy.state.points.length") == 1
    draw_stroke(page, 10)
    assert 5 < page.get("toy.state.points.length") <= 12
    page.element("undo").click()
    assert page.get("toy.state.points.length") == 1


def check_touch(path: str) -> None:
    """A point is removed with a finger: by the tool, and by a long press."""
    with Page(path, size=(360, 740)) as page:
        page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        page.element("clear").click()
        page.run("document.getElementById('board').scrollIntoView()")

        def touch(u: float, v: float, until: str = "") -> None:
            x, y = page.get("(({x, y, width, height}) => [x + arguments[0] * width,"
                            "y + arguments[1] * height])"
                            "(document.getElementById('board').getBoundingClientRect())", u, v)
            page.command("Input.dispatchTouchEvent", type="touchStart",
                         touchPoints=[{"x": round(x), "y": round(y)}])
            if until:
                page.wait_for(until, "what a long press does")
            page.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

        for u in (0.2, 0.5, 0.8):
            touch(u, 0.5)
        points = page.get("toy.state.points")
        assert len(points) == 3, points
        touch(0.51, 0.51, until="toy.state.points.length === 2")
        assert page.get("toy.state.points") == [points[0], points[2]]
        page.choose_tool("erase")
        touch(0.8, 0.49)
        assert page.get("toy.state.points") == points[:1]
        page.element("undo").click()
        page.element("undo").click()
        assert page.get("toy.state.points") == points
        page.settle()
        assert page.console_errors() == [], page.console_errors()


def kept_parts(page: Page) -> List[Any]:
    return page.get("[toy.dataText(toy.state.points, toy.currentType()),"
                    "JSON.stringify(toy.currentMachine()), toy.state.view]")


def is_dark(page: Page) -> bool:
    ground = page.get("getComputedStyle(document.body).backgroundColor")
    return max(map(int, re.findall(r"\d+", ground))) < 60


def reload(page: Page) -> None:
    page.driver.refresh()
    page.wait_for("window.toy && toy.state.result", "the training after a reload")


def prefer(page: Page, scheme: str) -> None:
    page.command("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
    # Pages are told so before they are drawn next.
    page.driver.execute_async_script(
        "requestAnimationFrame(() => requestAnimationFrame(arguments[0]));")


def check_reload(path: str) -> None:
    """Theme, points and machine are as before a reload; nothing is kept of a cleared board."""
    with Page(path) as page:
        page.element("theme").click()
        page.run("toy.showExample('sine')")
        page.set_value("solver", "csmo")
        page.set_value("c", 3.5)
        page.click(0.3, 0.3)
        before = kept_parts(page)
        reload(page)
        assert is_dark(page) and kept_parts(page) == before, (before, kept_parts(page))
        assert load(page, "-1 1:-2.5 2:7\n3 1:1e1 2:3\n-1 2:4\n") == "3 points"
        before = kept_parts(page)
        reload(page)
        assert kept_parts(page) == before and page.data().startswith("-1 1:-2.5 2:7\n3 1:10 2:3\n")
        page.element("clear").click()
        reload(page)
        assert is_dark(page) and page.get("toy.state.points.length") == 160
        # The system's theme is followed as long as the page has that.
        prefer(page, "dark")
        prefer(page, "light")
        assert is_dark(page)
        page.element("theme").click()
        assert not is_dark(page)
        prefer(page, "dark")
        assert is_dark(page)
        reload(page)
        assert is_dark(page)
        assert page.console_errors() == [], page.console_errors()
        # What another page, or another version, has left there.
        points = [[0.1, 0.2, 0], [0.3, 0.4, 1]]
        for kept in ["null", "{", "[]", "7", '"x"', "{}", json.dumps({"points": [[1]]}),
                     json.dumps({"points": points, "labels": [1, 2, 3, 4, 5, 6], "view": {},
                                 "chosenType": 0, "choices": {}})]:
            script = page.command("Page.addScriptToEvaluateOnNewDocument", source=(
                "localStorage.setItem('csmo-toy-board', %s); localStorage.setItem("
                "'csmo-toy-theme', %s);" % (json.dumps(kept), json.dumps(kept))))["identifier"]
            reload(page)
            assert page.get("toy.state.points.length") == 160 and is_dark(page), kept
            page.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        # Browsers may refuse, all of it or what is too much.
        for refusal in ["Object.defineProperty(window, 'localStorage', {get() {"
                        "throw new DOMException('refused', 'SecurityError'); }});",
                        "Object.defineProperty(window, 'localStorage', {value: null});",
                        "Storage.prototype.setItem = () => {"
                        "throw new DOMException('full', 'QuotaExceededError'); };"]:
            script = page.command("Page.addScriptToEvaluateOnNewDocument",
                                  source=refusal)["identifier"]
            reload(page)
            page.element("theme").click()
            assert not is_dark(page)
            page.click(0.3, 0.3)
            page.settle()
            assert page.get("toy.state.points.length") == 161
            reload(page)
            assert page.get("toy.state.points.length") == 160 and is_dark(page)
            page.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        assert page.console_errors() == [], page.console_errors()


def library_warnings() -> List[str]:
    """The warnings in the library's sources."""
    warnings = []
    for room in ["solvers", "training"]:
        for folder, _, names in os.walk(os.path.join(ROOT, room)):
            for name in names:
                if not name.endswith((".cpp", ".h")):
                    continue
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = re.sub(r'"\s*"', "", file.read())
                warnings += re.findall(r'"(?:\\n)?(WARNING: .*?)(?:\\n)?"', text)
    return warnings


# Words for users of svm-train: options, programs and files that the page does not have.
FOREIGN = re.compile(r"README|WARNING|svm-|(^|\s)-\w")


def check_words(page: Page) -> None:
    """What the library says to users of svm-train is not what the page says."""
    assert "csmo" in page.driver.title and "csmo" in page.get(
        "document.querySelector('h1').textContent")
    warnings = library_warnings()
    assert len(warnings) > 8, warnings
    for warning in warnings:
        words = page.get("toy.warningsIn(arguments[0])", "\n%s\nobj = 1\n" % warning)
        assert not any(FOREIGN.search(text) for text in words), (warning, words)
        assert len(words) == (0 if "-h 0" in warning else 1), (warning, words)
    page.set_machine(0, 2)
    page.set_points([{"x": 0.5, "y": 0.5, "c": 0}, {"x": 0.7, "y": 0.5, "c": 0}])
    page.model()
    assert "only one class" in page.get("toy.state.result.log")
    assert "all points are of one class" in page.text("status")
    assert not FOREIGN.search(page.text("status")), page.text("status")
    page.set_machine(0, 2, c=100, gamma=1)
    page.set_points([dict(point, c=point["c"] % 2) for point in cases.blobs(1000, 6, 1)])
    page.model()
    assert "-h 0" in page.get("toy.state.result.log")
    assert page.text("status").endswith("iterations"), page.text("status")


def check_terms(page: Page) -> None:
    """Terms are explained, and controls say what they do."""
    page.run("toy.showExample('moons')")
    page.set_value("solver", "csmo")
    page.settle()
    terms = page.get("[...document.querySelectorAll('#facts dt, #numbers label')]"
                     ".map((e) => [e.textContent, e.title])")
    assert {"phases", "kernel rows", "end", "gamma"} < {term for term, _ in terms}
    assert all(len(meaning) > 30 for _, meaning in terms), terms
    assert "converged" in dict(terms)["end"]
    assert "A phase solves" in page.get("document.getElementById('phases').labels[0].title")
    page.set_value("solver", "smo")
    caption = page.get("document.getElementById('objective-plot').nextElementSibling.textContent")
    assert caption == "objective minus its final value", caption
    for words, dark in [("Dark colours", False), ("Light colours", True)]:
        assert page.text("theme") == words and is_dark(page) == dark, page.text("theme")
        page.element("theme").click()


CHECKS = [check_late_answers, check_clear, check_tools, check_words, check_terms]
