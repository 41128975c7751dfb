#!/usr/bin/env python3
"""Usage: pictures.py PAGE FOLDER

Writes the pictures of docs/toy.md, toy-*.png, to the folder.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Page  # noqa: E402


def show_all(page: Page) -> None:
    page.settle()
    page.element("compare").click()
    page.wait_for("toy.traces.runs", "the traces")
    page.set_value("step", 20)
    page.element("map-start").click()
    page.wait_for("document.getElementById('map-status').textContent.startsWith('Best')", "the map")
    page.run("document.activeElement.blur()")


def part(page: Page, selector: str, margin: int = 0) -> dict:
    box = page.get("(({x, y, width, height}) => [x, y + scrollY, width, height])"
                   "(document.querySelector(arguments[0]).getBoundingClientRect())", selector)
    x, y, width, height = box
    return {"x": x - margin, "y": y - margin, "width": width + 2 * margin,
            "height": height + 2 * margin}


def main() -> None:
    source, folder = sys.argv[1:]

    def to(name: str) -> str:
        return os.path.join(folder, "toy-%s.png" % name)

    with Page(source, size=(1080, 900)) as page:
        page.settle()
        page.picture(to("light"), {"x": 0, "y": 0, "width": 1080, "height": 880}, 0.75)
        show_all(page)
        page.picture(to("steps"), part(page, "section[aria-labelledby='steps-title']", 8), 0.75)
        page.picture(to("map"), part(page, "section[aria-labelledby='map-title']", 8), 0.75)
    with Page(source, size=(1080, 900), dark=True) as page:
        page.run("toy.showExample('rings')")
        page.settle()
        page.picture(to("dark"), {"x": 0, "y": 0, "width": 1080, "height": 880}, 0.75)
    with Page(source, size=(360, 740), dark=True) as page:
        page.run("toy.showExample('sine')")
        page.settle()
        page.picture(to("phone"), {"x": 0, "y": 0, "width": 360, "height": 740})


if __name__ == "__main__":
    main()
