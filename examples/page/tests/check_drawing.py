"""What is drawn: points, surfaces and curves, in any size and light."""
import math
import re
from typing import List

import cases
from browser import Keys, Page


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
    page.set_machine(0, 2, gamma=2)
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
        cases.native_model(page.data(), page.text("command")).split("SV\n")[1].splitlines())


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
    for name in ["example", "theme", "undo", "clear", "draw", "board", "type",
                 "kernel", "solver", "c", "gamma", "compare", "phases", "map-start", "folds",
                 "load", "save", "model", "copy"]:
        assert name in seen, "Tab does not reach " + name
    nameless = page.get(
        "[...document.querySelectorAll('button, input, select, canvas')].filter((e) =>"
        "!(e.labels && e.labels.length) && !e.getAttribute('aria-label') &&"
        "!e.textContent.trim()).map((e) => e.outerHTML)")
    assert not nameless, nameless
    page.run("document.getElementById('board').focus()")
    page.keys(Keys.TAB)
    assert page.get("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def check_regression(page: Page) -> None:
    page.run("toy.showExample('sine')")
    page.settle()
    x, y, tube = page.get(
        "[Array.from(toy.board.curve.x), Array.from(toy.board.curve.y), toy.board.curve.tube]")
    assert tube == 0.05
    worst = max(abs(b - 0.5 - 0.33 * math.sin(2 * math.pi * a)) for a, b in zip(x, y))
    assert worst < 0.12, worst
    # The curve is drawn at its place: in ink, on its tube.
    at = len(x) // 4
    red, green, blue, alpha = page.pixel(x[at], 1 - y[at])
    assert alpha > 200 and max(red, green, blue) < 130, (red, green, blue, alpha)
    page.set_machine(4, 2, gamma=16, c=16, nu=0.3)
    page.settle()
    assert 0 < page.get("toy.board.curve.tube") < 0.2


def check_one_class(page: Page) -> None:
    page.run("toy.showExample('blob')")
    page.settle()
    assert page.pixel(0.64, 0.6)[3] > 20
    assert page.pixel(0.03, 0.03)[3] == 0
    outside = page.get("toy.board.surface.labels.filter((l) => l < 0).length")
    assert 0 < outside < 256 * 256


def pixels_of(page: Page, red: int, green: int, blue: int) -> int:
    """How many pixels of the board have just this colour."""
    page.run("toy.drawBoard()")
    return page.run(
        "const c = document.getElementById('board');"
        "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        "let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] === arguments[0] &&"
        "d[i + 1] === arguments[1] && d[i + 2] === arguments[2] && d[i + 3] === 255; return n;",
        red, green, blue)


LIGHT_INK, DARK_INK = (232, 235, 240), (27, 31, 38)  # of the rings of support vectors


def check_screens(path: str) -> None:
    """A phone's width, and dark."""
    with Page(path, size=(360, 740), dark=True, scale=2) as page:
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
        assert pixels_of(page, *LIGHT_INK) > 100 and pixels_of(page, *DARK_INK) == 0
        before = page.get("toy.state.points.length")
        page.run("document.getElementById('board').scrollIntoView()")
        page.click(0.05, 0.95)
        assert page.get("toy.state.points.length") == before + 1
        page.run("document.getElementById('theme').click()")
        ground = page.get("getComputedStyle(document.body).backgroundColor")
        assert min(map(int, re.findall(r"\d+", ground))) > 200, ground
        page.model()
        assert pixels_of(page, *DARK_INK) > 100 and pixels_of(page, *LIGHT_INK) == 0
        assert page.console_errors() == [], page.console_errors()


CHECKS = [check_start, check_mouse, check_keyboard, check_regression, check_one_class]
