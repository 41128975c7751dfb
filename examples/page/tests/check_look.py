"""Contrast of text and points by WCAG, light and dark; where borders between classes are."""
import os
import tempfile
from typing import List, Tuple

import cases
from browser import Page

TEXT, GRAPHICS = 4.5, 3  # WCAG 2.2, 1.4.3 and 1.4.11

# Contrast of two colours [r, g, b], and of `over` with its alpha on `ground`.
CONTRAST = """
const part = (byte) => byte <= 10 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) + 0.05;
const ratio = (a, b) => Math.max(light(a) / light(b), light(b) / light(a));
const numbers = (css) => {
  const found = css.match(/[\\d.]+/g).map(Number);
  return found.length === 3 ? [...found, 1] : found;
};
const mixed = (over, ground) =>
  [0, 1, 2].map((i) => over[3] * over[i] + (1 - over[3]) * ground[i]);
// The colour behind an element's content.
const groundOf = (element) => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) layers.push(getComputedStyle(e).backgroundColor);
  return layers.reverse().reduce((ground, css) => mixed(numbers(css), ground), [255, 255, 255]);
};
"""

# Texts of the page, each with its contrast.
PAGE_TEXT = CONTRAST + """
return [...document.querySelectorAll('body *')].filter((e) =>
  !/^(SCRIPT|STYLE|OPTION)$/.test(e.tagName) && !e.disabled && e.getClientRects().length > 0 &&
  [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())).map((e) => {
    const ground = groundOf(e);
    return [e.textContent.trim().slice(0, 40),
      ratio(mixed(numbers(getComputedStyle(e).color), ground), ground)];
  });
"""

# From now on window.texts gets the texts of canvases: what is below them is read before they are
# drawn.
RECORD_CANVAS_TEXT = CONTRAST + """
window.texts = [];
const fillText = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
  const place = this.getTransform().transformPoint(new DOMPoint(x, y));
  const [r, g, b, alpha] = this.getImageData(place.x, place.y, 1, 1).data;
  const below = mixed([r, g, b, alpha / 255], groundOf(this.canvas));
  const hex = this.fillStyle.match(/[0-9a-f]{2}/g).map((byte) => parseInt(byte, 16));
  window.texts.push([`${this.canvas.id}: ${text}`, ratio(hex, below)]);
  return fillText.call(this, text, x, y, ...more);
};
"""

# The highest contrast of each point in a canvas of a solver's steps with the ground near it.
POINTS = CONTRAST + """
const canvas = document.getElementById(arguments[0]), ground = groundOf(canvas);
const {x0, x1, y0, y1} = toy.state.view, context = canvas.getContext('2d');
return toy.state.points.map((point) => {
  const x = Math.round((point.x - x0) / (x1 - x0) * canvas.width);
  const y = Math.round((y1 - point.y) / (y1 - y0) * canvas.height);
  const {data} = context.getImageData(x - 5, y - 5, 11, 11);
  let most = 0;
  for (let k = 0; k < data.length; k += 4) {
    const pixel = [data[k], data[k + 1], data[k + 2], data[k + 3] / 255];
    most = Math.max(most, ratio(mixed(pixel, ground), ground));
  }
  return most;
});
"""


def assert_contrast(found: List[Tuple[str, float]], least: float, count: int) -> None:
    weak = ["%s (%.2f)" % (text, value) for text, value in found if value < least - 0.005]
    assert not weak, weak
    assert len(found) >= count, found


def check_contrast(page: Page) -> None:
    """Checks the contrast of all text, and of points that have no coefficient yet."""
    # Six classes, in a line each, away from the border between classes at the start of smo.
    page.set_points([{"x": 0.1 + 0.15 * c, "y": 0.1 + 0.08 * i, "c": c}
                     for c in range(6) for i in range(10)])
    page.set_machine(0, 2)
    page.settle()
    page.run(RECORD_CANVAS_TEXT)
    page.element("compare").click()
    page.wait_for("toy.traces.runs", "the traces")
    for name, value in [("c-from", -3), ("c-to", 5), ("g-from", -9), ("g-to", 7), ("by", 1)]:
        page.set_value(name, value)
    page.element("map-start").click()
    page.wait_for("document.getElementById('map-status').textContent.startsWith('Best')",
                  "the map", 120)
    for _ in range(2):  # light and dark
        page.run("window.texts = []")
        page.element("theme").click()
        assert_contrast(page.run(PAGE_TEXT), TEXT, 40)
        found = page.get("window.texts")
        assert {text.split(":")[0] for text, _ in found} == {
            "map", "objective-plot", "violation-plot"}
        assert_contrast(found, TEXT, 150)
    # Each pair of classes before the first step, when all coefficients are 0.
    seen = set()
    for _ in range(2):
        page.element("theme").click()
        for pair in range(15):
            page.set_value("pair", pair)
            rows = page.get("toy.traces.runs[0].traces[arguments[0]].rows", pair)
            seen.update(rows)
            for canvas in ["smo-board", "csmo-board"]:
                contrast = page.run(POINTS, canvas)
                assert_contrast([("point %d of %s" % (i, canvas), contrast[i]) for i in rows],
                                GRAPHICS, 20)
    assert len(seen) == 60
    # Points of all classes, on the board's ground, which is around them.
    page.set_machine(2, 2)
    page.settle()
    page.run("toy.board.surface = null; toy.board.support = new Set(); toy.drawBoard()")
    assert_contrast([(str(i), value) for i, value in enumerate(page.run(POINTS, "board"))],
                    GRAPHICS, 60)
    page.run("document.getElementById('theme').click(); toy.drawBoard()")
    assert_contrast([(str(i), value) for i, value in enumerate(page.run(POINTS, "board"))],
                    GRAPHICS, 60)
    page.element("theme").click()


def check_borders(page: Page) -> None:
    """svm-predict has another class on either side of a border, right beside it."""
    kBeside = 0.15  # of a cell of the surface
    for points, gamma in [(cases.blobs(90, 3, 5), 6), (cases.blobs(160, 6, 3), 4)]:
        page.set_points(points)
        page.set_machine(0, 2, gamma=gamma)
        page.settle()
        segments = page.get("Array.from(toy.board.surface.lines[0])")
        size = page.get("toy.board.surface.size")
        rows, count = "", 0
        for k in range(0, len(segments), 4):
            u0, v0, u1, v1 = segments[k:k + 4]
            length = ((u1 - u0) ** 2 + (v1 - v0) ** 2) ** 0.5
            if length < 0.3 / size:  # its direction is not that of the border
                continue
            count += 1
            for side in (-kBeside / size, kBeside / size):
                u = (u0 + u1) / 2 + side * (v1 - v0) / length
                v = (v0 + v1) / 2 - side * (u1 - u0) / length
                rows += "0 1:%.17g 2:%.17g\n" % (u, 1 - v)
        assert count > 200, count
        with tempfile.TemporaryDirectory() as folder:
            for name, text in [("m", page.get("toy.state.result.model")), ("rows", rows)]:
                with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                    file.write(text)
            cases.run("svm-predict rows m out", folder)
            with open(os.path.join(folder, "out"), encoding="ascii") as file:
                labels = file.read().split()
        right = sum(a != b for a, b in zip(labels[::2], labels[1::2]))
        print("%d of %d pieces of borders lie where svm-predict has them" % (right, count))
        assert right > 0.98 * count, (right, count)  # unless classes meet within a cell


CHECKS = [check_contrast, check_borders]
