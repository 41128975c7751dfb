#!/usr/bin/env python3
"""Usage: links_test.py SOURCE_FOLDER
Links of the documents lead to files of the project, and to headings that are there."""
import pathlib
import sys

import docs_pages


def problem(path: pathlib.Path, link: str) -> str:
    """What is wrong with a link of a page; empty if nothing is."""
    if "://" in link or link.startswith("mailto:"):
        return ""
    name, _, place = link.partition("#")
    target = (path.parent / name).resolve() if name else path
    if not target.exists():
        return "there is no such file"
    if place and place not in docs_pages.anchors(target.read_text(encoding="utf-8")):
        return "there is no such heading"
    return ""


def main() -> int:
    source = pathlib.Path(sys.argv[1]).resolve()
    count = wrong = 0
    for path in docs_pages.pages(source):
        for link in docs_pages.links(path.read_text(encoding="utf-8")):
            count += 1
            what = problem(path, link)
            if what:
                wrong += 1
                print(f"{path.relative_to(source)}: {link}: {what}")
    print(f"{count} links, {wrong} of which lead nowhere")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
