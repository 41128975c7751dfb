#!/usr/bin/env python3
"""Usage: join.py FOLDER OUTPUT

Writes the page as one file: examples/page/web with the library, FOLDER/page.js and page.wasm, inside.
"""
import base64
import os
import re
import sys
from typing import List

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "web")

# In this order; all share one scope.
SCRIPTS = ["state", "data", "examples", "engine", "surface", "board", "controls", "words", "storage", "plots", "traces",
           "map", "main"]


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def inlined(script: str) -> str:
    """The script, in which nothing ends the element that it stands in."""
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise SystemExit("join.py: a script has </script or <!-- in it")
    return script


def main(arguments: List[str]) -> None:
    if len(arguments) != 2:
        raise SystemExit(__doc__)
    folder, output = arguments
    with open(os.path.join(folder, "page.wasm"), "rb") as file:
        library = base64.b64encode(file.read()).decode("ascii")
    scripts = "\n".join(read(os.path.join(PAGE, name + ".js")) for name in SCRIPTS)
    worker = read(os.path.join(folder, "page.js")) + read(os.path.join(PAGE, "worker.js"))
    parts = {
        "style.css": read(os.path.join(PAGE, "style.css")),
        "script": inlined("(() => {\n'use strict';\n" + scripts + "})();"),
        "worker": inlined(worker),
        "library": library,
    }
    page = re.sub(r"/\*@([a-z.]+)@\*/", lambda match: parts[match.group(1)],
                  read(os.path.join(PAGE, "index.html")))
    with open(output, "w", encoding="utf-8") as file:
        file.write(page)
    print(f"{output}: {len(page.encode())} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
