#!/usr/bin/env python3
"""Usage: check.py FOLDER
Checks that the built site in FOLDER loads nothing from other hosts, has everything that its pages
load and link to, and has no two entries of one name or one page in its navigation."""
import html.parser
import pathlib
import re
import sys
import urllib.parse
from typing import List, Optional, Set, Tuple

LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("embed", "src"),
         ("video", "src"), ("audio", "src"), ("object", "data"), ("link", "href"),
         ("form", "action")}
NOT_LOADED = {"canonical", "prev", "next"}  # kinds of <link>


class Page(html.parser.HTMLParser):
    """What a page loads and links to, its navigation, and the fragment names that it defines."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: List[str] = []
        self.links: List[str] = []
        self.names: Set[str] = {"", "__skip"}
        self.entries: List[Tuple[str, str]] = []  # of the navigation: page and name
        self._page: Optional[str] = None  # of the entry whose name follows
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        attributes = dict(attrs)
        self.names.update(value for name, value in attrs if name in ("id", "name") and value)
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"] or "")
            if attributes.get("class", "").startswith("md-nav__link") and "#" not in self.links[-1]:
                self._page = self.links[-1]
        for name, value in attrs:
            if (tag, name) in LOADS and value and attributes.get("rel") not in NOT_LOADED:
                self.loads.append(value)


    def handle_data(self, data: str) -> None:
        if self._page is not None and data.strip():
            self.entries.append((self._page, data.strip()))
            self._page = None


def twins(entries: List[Tuple[str, str]]) -> List[str]:
    """The pages and names that occur in more than one entry of the navigation."""
    return [text for column in zip(*entries) for text in sorted(set(column))
            if column.count(text) > 1]


def is_remote(url: str) -> bool:
    return bool(re.match(r"(\w+:)?//", url))


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in root.rglob("*.html")
             if path.name != "404.html"}  # its links start at the root of a host
    wrong = []
    for path, page in pages.items():
        wrong += [f"{path}: loads {url}" for url in page.loads if is_remote(url)]
        for url in page.loads + page.links:
            parts = urllib.parse.urlsplit(url)
            if parts.scheme or is_remote(url):
                continue
            name, place = urllib.parse.unquote(parts.path), urllib.parse.unquote(parts.fragment)
            target = (path.parent / name).resolve() if name else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                wrong.append(f"{path}: no file {url}")
            elif target in pages and place not in pages[target].names:
                wrong.append(f"{path}: no place {url}")
    entries = pages[root / "index.html"].entries
    wrong += [f"twice in the navigation: {text}" for text in twins(entries)]
    if len(entries) < 20:
        wrong.append(f"only {len(entries)} entries of the navigation")
    for path in root.rglob("*.css"):
        urls = re.findall(r"(?:@import\s+|url\()['\"]?([^'\")]+)", path.read_text(encoding="utf-8"))
        wrong += [f"{path}: loads {url}" for url in urls if is_remote(url)]
    print("\n".join(wrong + [f"{len(pages)} pages, {len(wrong)} errors"]))
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
