#!/usr/bin/env python3
"""Usage: search_test.py FOLDER
Checks in a browser that search works on the built site's pages opened from files, and that nothing
is requested from a host.  Needs Chromium and Selenium; exits with 77 if they are missing."""
import json
import pathlib
import shutil
import sys
import tempfile
from typing import List

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    sys.exit(77)

OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync")


def found(browser: "webdriver.Chrome", page: str, word: str) -> List[str]:
    """The targets of a search's results."""
    browser.get(page)
    field = browser.find_element(By.CSS_SELECTOR, ".md-search__input")
    browser.execute_script("arguments[0].focus()", field)
    field.send_keys(word)
    results = WebDriverWait(browser, 60).until(
        lambda it: it.find_elements(By.CSS_SELECTOR, ".md-search-result__link"))
    return [each.get_attribute("href") for each in results]


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
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        service = webdriver.chrome.service.Service(driver)
        browser = webdriver.Chrome(service=service, options=options)
        try:
            links = found(browser, (root / "index.html").as_uri(), "Cholesky")
            links += found(browser, (root / "results" / "csmo.html").as_uri(), "adaptive")
            messages = [json.loads(each["message"])["message"]
                        for each in browser.get_log("performance")]
        finally:
            browser.quit()
    urls = [each["params"]["request"]["url"] for each in messages
            if each["method"] == "Network.requestWillBeSent"]
    remote = [each for each in urls if each.startswith(("http", "ws"))]
    wanted = [(root / page).as_uri() for page in ("csmo.html", "grid.html")]
    missing = [each for each in wanted if not any(link.startswith(each) for link in links)]
    print(f"{len(links)} results; not found: {missing}; loaded from hosts: {remote}")
    return 1 if remote or missing else 0


if __name__ == "__main__":
    sys.exit(main())
