"""A headless Chromium with the page, for tests and pictures."""
import base64
import json
import os
import shutil
import sys
import tempfile
import time
from typing import Any, Dict, List, Optional, Tuple

SKIPPED = 77


def skip(reason: str) -> None:
    print("skipped:", reason)
    sys.exit(SKIPPED)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    skip("no selenium for this Python (Debian's package is python3-selenium)")

SECONDS = 60  # before something that does not come is missed


class Page:
    """The page in a browser of its own.  Close it, or use it in a `with`."""

    def __init__(self, path: str, size: Tuple[int, int] = (1200, 1000), dark: bool = False,
                 scale: float = 1) -> None:
        browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
        if not browser or not driver:
            skip("no chromium, or no chromedriver (Debian's packages: chromium, chromium-driver)")
        self.folder = tempfile.mkdtemp(prefix="toy-")
        options = Options()
        options.binary_location = browser
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
                         "--no-first-run", "--disable-background-networking",
                         "--disable-component-update", "--disable-sync",
                         "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--user-data-dir=" + os.path.join(self.folder, "profile")]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("prefs", {
            "download.default_directory": self.folder, "download.prompt_for_download": False})
        self.driver = webdriver.Chrome(service=Service(driver), options=options)
        self.driver.set_script_timeout(SECONDS)
        self.command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                     deviceScaleFactor=scale, mobile=size[0] < 500)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.command("Page.setDownloadBehavior", behavior="allow", downloadPath=self.folder)
        self.path = os.path.abspath(path)
        self.driver.get("file://" + self.path)
        self.wait_for("window.toy && toy.state.result", "the first training")

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *_: Any) -> None:
        self.driver.quit()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, name: str, **parameters: Any) -> Dict[str, Any]:
        return self.driver.execute_cdp_cmd(name, parameters)

    def get(self, expression: str, *arguments: Any) -> Any:
        return self.driver.execute_script("return " + expression, *arguments)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def element(self, name: str) -> Any:
        return self.driver.find_element(By.ID, name)

    def text(self, name: str) -> str:
        return self.get("document.getElementById(arguments[0]).textContent", name)

    def wait_for(self, expression: str, what: str, seconds: float = SECONDS) -> Any:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.get(expression)
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(what + " did not come; status: " + self.text("status") +
                             "; fault: " + self.text("fault"))

    def settle(self) -> None:
        """Waits for the model of what is on the page, and its whole picture."""
        self.wait_for("toy.state.result", "a model")
        self.wait_for("toy.board.curve || (toy.board.surface && toy.board.surface.last)",
                      "the surface")
        self.run("toy.drawBoard()")

    def set_value(self, name: str, value: Any) -> None:
        """Sets a value as if it were typed or chosen."""
        self.run("const e = document.getElementById(arguments[0]); e.value = arguments[1];"
                 "e.dispatchEvent(new Event('input', {bubbles: true}));"
                 "e.dispatchEvent(new Event('change', {bubbles: true}));", name, str(value))

    def set_points(self, points: List[Dict[str, float]]) -> None:
        self.run("toy.state.points = arguments[0]; toy.pointsChanged();", points)

    def set_machine(self, svm_type: int, kernel: int, solver: str = "smo",
                    **numbers: float) -> None:
        values = dict(eps=0.001, gamma=0.7, coef0=0.3, c=4, nu=0.15, p=0.06, degree=3)
        values.update(numbers)
        for name, value in dict(values, type=svm_type, kernel=kernel).items():
            self.run("document.getElementById(arguments[0]).value = arguments[1]", name, str(value))
        self.set_value("solver", solver)

    def data(self) -> str:
        """The points as the file that the page saves."""
        return self.get("toy.dataText(toy.state.points, toy.currentType())")

    def model(self) -> str:
        self.wait_for("toy.state.result || document.getElementById('fault').textContent", "a model")
        assert not self.text("fault"), self.text("fault")
        return self.get("toy.state.result.model")

    def pixel(self, u: float, v: float, canvas: str = "board") -> List[int]:
        """Red, green, blue, alpha at a place given as fractions of a canvas."""
        return self.run("const c = document.getElementById(arguments[0]);"
                        "return Array.from(c.getContext('2d').getImageData("
                        "arguments[1] * c.width, arguments[2] * c.height, 1, 1).data);",
                        canvas, u, v)

    def click(self, u: float, v: float, name: str = "board") -> None:
        board = self.element(name)
        size = board.size
        # Offsets count from the middle.
        ActionChains(self.driver).move_to_element_with_offset(
            board, round((u - 0.5) * size["width"]), round((v - 0.5) * size["height"])
        ).click().perform()

    def choose_tool(self, name: str) -> None:
        self.driver.find_element(By.CSS_SELECTOR, "label[for=%s]" % name).click()

    def keys(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, modifier: str, key: str) -> None:
        ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def picture(self, path: str, area: Optional[Dict[str, float]] = None,
                scale: float = 1) -> None:
        parameters: Dict[str, Any] = {"format": "png", "captureBeyondViewport": area is not None}
        if area:
            parameters["clip"] = {**area, "scale": scale}
        data = self.command("Page.captureScreenshot", **parameters)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def console_errors(self) -> List[str]:
        """Errors in the console, except for advice on reading pixels, which only tests do."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING") and
                "willReadFrequently" not in entry["message"]]

    def requests(self) -> List[str]:
        """Addresses that the page asked for."""
        addresses = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
        return addresses

    def downloaded(self, name: str) -> bytes:
        path = os.path.join(self.folder, name)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            # An empty file keeps the place while it comes.
            if os.path.exists(path) and os.path.getsize(path) > 0:
                with open(path, "rb") as file:
                    data = file.read()
                os.remove(path)
                return data
            time.sleep(0.05)
        raise AssertionError(name + " was not downloaded")

