#!/usr/bin/env python3
"""Usage: search_test.py FOLDER
Checks in a browser, on the built site's pages opened from files: searches and the order of what
they find, that no code is hidden under the button that copies it, and that nothing is requested
from a host.  Needs Chromium and Selenium; exits with 77 if they are missing."""
import json
import pathlib
import re
import shutil
import sys
import tempfile
import urllib.parse
from typing import Dict, List

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    sys.exit(77)

OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync")

# What people ask for, and the page that answers.
FIRST = {"missing values": "table.html", "imbalanced": "weights.html", "multiclass": "solvers.html",
         "multi-class": "solvers.html", "predict_proba": "python.html", "python": "python.html",
         "how do I handle missing values": "table.html", "cross validation": "grid.html",
         "class weights": "weights.html", "normalize": "options.html", "windows": "install.html",
         "Options": "options.html", "--check": "check.html", "<nan>": "table.html",
         "grid search": "grid.html", "custom kernel": "python.html"}
# Pages with all words come before others, and those with the word in a title before others.
SEVERAL = ("windows weights", "windows linear", "windows probability", "memory csv")
SINGLE = ("memory", "thread", "gamma", "model")
COVERED = """return [...document.querySelectorAll("pre > code")].filter((code) => {
  const button = code.parentElement.querySelector(".md-clipboard");
  const a = code.getBoundingClientRect(), b = button && button.getBoundingClientRect();
  return !b || (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
}).length"""


def results(browser: "webdriver.Chrome") -> List[List[str]]:
    """The targets of the links of each result, when there are some."""
    WebDriverWait(browser, 60).until(
        lambda it: it.find_elements(By.CSS_SELECTOR, ".md-search-result__link"))
    return browser.execute_script(
        "return [...document.querySelectorAll('.md-search-result__item')].map((item) =>"
        "[...item.querySelectorAll('a')].map((link) => link.href))")


def typed(browser: "webdriver.Chrome", page: str, word: str) -> List[str]:
    browser.get(page)
    field = browser.find_element(By.CSS_SELECTOR, ".md-search__input")
    browser.execute_script("arguments[0].focus()", field)
    field.send_keys(word)
    return [link for links in results(browser) for link in links]


def searched(browser: "webdriver.Chrome", root: pathlib.Path, query: str) -> List[str]:
    """The pages that a search finds, best first; their texts show signs as they are."""
    browser.get((root / "index.html").as_uri() + "?q=" + urllib.parse.quote(query))
    pages = [links[0][len(root.as_uri()) + 1:] for links in results(browser)]
    assert not browser.find_elements(By.CSS_SELECTOR, ".md-search-result__teaser > :not(mark)")
    return pages


def texts(root: pathlib.Path) -> Dict[str, List[str]]:
    """The titles, and all titles and texts, of each page."""
    pages: Dict[str, List[str]] = {}
    index = json.loads((root / "search" / "search_index.json").read_text(encoding="utf-8"))
    for each in index["docs"]:
        page = pages.setdefault(each["location"].split("#")[0], ["", ""])
        titles = f"{each['title']} {each.get('words', '')}".lower()
        page[0] += "\n" + titles
        page[1] += "\n" + titles + "\n" + each["text"].lower()
    return pages


def has(text: str, query: str) -> bool:
    """Whether words begin as those of the query do, without their ends."""
    return all(re.search(r"\b" + word.rstrip("s"), text) for word in query.split())


def faults_of_search(browser: "webdriver.Chrome", root: pathlib.Path) -> List[str]:
    faults = []
    for query, page in FIRST.items():
        found = searched(browser, root, query)
        if found[0] != page:
            faults.append(f"{query!r} finds first {found[0]}")
    pages = texts(root)
    for part, queries in ((1, SEVERAL), (0, SINGLE)):
        orders = [[has(pages[page][part], query) for page in searched(browser, root, query)]
                  for query in queries]
        faults += [f"{query!r} finds in this order: {order}"
                   for query, order in zip(queries, orders) if order != sorted(order, reverse=True)]
        if not any(len(set(order)) == 2 for order in orders):
            faults.append(f"none of {queries} finds pages of both kinds")
    return faults


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver:
        return 77
    with tempfile.TemporaryDirectory() as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = program
        for each in OPTIONS + (f"--user-data-dir={profile}",):
            options.add_argument(each)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        service = webdriver.chrome.service.Service(driver)
        browser = webdriver.Chrome(service=service, options=options)
        try:
            links = typed(browser, (root / "index.html").as_uri(), "Cholesky")
            links += typed(browser, (root / "results" / "csmo.html").as_uri(), "adaptive")
            faults = faults_of_search(browser, root)
            for width in (1200, 400):
                browser.set_window_size(width, 900)
                for page in ("index.html", "python.html"):
                    browser.get((root / page).as_uri())
                    # Buttons come as their code comes into view.
                    browser.execute_script("document.body.style.zoom = 0.05")
                    WebDriverWait(browser, 60).until(lambda it: it.execute_script(
                        "return document.querySelector('pre:not(:has(> .md-clipboard))') === null"))
                    browser.execute_script("document.body.style.zoom = 1")
                    covered = browser.execute_script(COVERED)
                    if covered:
                        faults.append(f"{page}, {width} wide: {covered} pieces of code are covered")
            faults += [each["message"] for each in browser.get_log("browser")]
            messages = [json.loads(each["message"])["message"]
                        for each in browser.get_log("performance")]
        finally:
            browser.quit()
    urls = [each["params"]["request"]["url"] for each in messages
            if each["method"] == "Network.requestWillBeSent"]
    faults += [f"loaded from a host: {each}" for each in urls if each.startswith(("http", "ws"))]
    for page in ("csmo.html", "grid.html"):
        if not any(link.startswith((root / page).as_uri()) for link in links):
            faults.append(f"not found: {page}")
    print("\n".join(faults + [f"{len(FIRST) + len(SEVERAL) + len(SINGLE) + 2} searches, "
                              f"{len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
