#!/usr/bin/env python3
"""Usage: page_test.py PAGE

Drives the page (toy.html, as examples/page/build makes it) in a headless Chromium, and compares what it shows
with the native programs in SVM_BIN_DIR.  Exits with status 77 if something that it needs is missing.
"""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases  # noqa: E402
import check_changes  # noqa: E402
import check_drawing  # noqa: E402
import check_figures  # noqa: E402
import check_input  # noqa: E402
import check_look  # noqa: E402
from browser import Page, skip  # noqa: E402

PAGE = sys.argv[1] if len(sys.argv) > 1 else ""


def main() -> None:
    if not os.path.exists(PAGE):
        skip("there is no page %r: examples/page/build makes it (with emscripten)" % PAGE)
    for program in ["svm-train", "svm-predict"]:
        if not os.path.exists(os.path.join(cases.PROGRAMS, program)):
            raise SystemExit("there is no %s in %s: set SVM_BIN_DIR" % (program, cases.PROGRAMS))
    with Page(PAGE) as page:
        for check in (check_drawing.CHECKS + check_figures.CHECKS + check_look.CHECKS +
                      check_changes.CHECKS + check_input.CHECKS):
            start = time.monotonic()
            try:
                check(page)
            except Exception:
                print(check.__name__, "failed; the page says:", page.text("status"),
                      page.text("fault"), page.console_errors())
                raise
            print("%s: %.1f s" % (check.__name__, time.monotonic() - start), flush=True)
    check_drawing.check_screens(PAGE)
    print("the page on a phone, dark and light")
    check_changes.check_touch(PAGE)
    print("points removed by touch")
    check_changes.check_reload(PAGE)
    print("what a reload keeps")


if __name__ == "__main__":
    main()
