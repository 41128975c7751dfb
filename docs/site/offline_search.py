"""A hook of mkdocs.  A page that is opened from a file may not read other files, but it may run
scripts: the search index is therefore also written as a script.  Code listings are not searched."""
import json
import pathlib
from typing import Mapping


def on_post_build(config: Mapping) -> None:
    folder = pathlib.Path(config["site_dir"]) / "search"
    index = json.loads((folder / "search_index.json").read_text(encoding="utf-8"))
    index["docs"] = [each for each in index["docs"]
                     if not each["location"].startswith("source/")]
    text = json.dumps(index, separators=(",", ":"))
    (folder / "search_index.json").write_text(text, encoding="utf-8")
    (folder / "search_index.js").write_text(f"var __search = {{index: Promise.resolve({text})}};\n",
                                            encoding="utf-8")
