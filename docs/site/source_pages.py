"""A hook of mkdocs.  Pages link to files of the project that are not pages in docs/.  Each of these
gets a page, with its text (Markdown; under project/), its cells (notebooks; under source/) or a
listing (code, folders; under source/), and links lead there, so the site needs no address of a
repository.  Of the other files in docs/, pictures are kept; the theme's come from a folder of its own."""
import json
import pathlib
import posixpath
import re
import tempfile
from typing import Mapping

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)")
FENCE = "`" * 8
PICTURES = {".png", ".svg"}
LANGUAGES = {".h": "cpp", ".cpp": "cpp", ".c": "c", ".py": "python", ".R": "r", ".m": "octave",
             ".java": "java", ".cmake": "cmake", ".yml": "yaml", ".cff": "yaml"}

_written = tempfile.TemporaryDirectory()  # the pages under source/, until mkdocs ends


def is_page(path: str) -> bool:
    """Whether mkdocs itself makes a page of it."""
    return path.startswith("docs/") and path.endswith(".md")


def is_picture(path: str) -> bool:
    """Whether it is copied from docs/ to the site unchanged."""
    return pathlib.PurePath(path).suffix in PICTURES


def site_path(path: str) -> str:
    """The path in the site's sources for a file or folder of the project."""
    if is_page(path) or is_picture(path):
        return path[len("docs/"):]
    if (ROOT / path).is_dir():
        return f"source/{path}/index.md"
    return f"project/{path}" if path.endswith(".md") else f"source/{path}.md"


def project_path(page: str, target: str) -> str:
    """The path, from the project's folder, to which a link on a page of the project leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def link_to(page: str, path: str) -> str:
    """A link, on the site, from a page of the project to a file or folder of it."""
    return posixpath.relpath(site_path(path), posixpath.dirname(site_path(page)) or ".")


def rewritten(text: str, page: str) -> str:
    """The text of a page of the project with its links changed for the site."""
    def link(match: "re.Match[str]") -> str:
        path = project_path(page, match.group(1))
        if not (ROOT / path).exists():
            return match.group(0)  # mkdocs reports it
        return f"]({link_to(page, path)}{match.group(2) or ''})"
    return LINK.sub(link, text)


def fenced(language: str, text: str) -> str:
    return f"{FENCE}{language}\n{text.rstrip()}\n{FENCE}\n"


def notebook(path: str) -> str:
    """The cells of a notebook, and what they have put out: text and pictures."""
    parts = []
    for cell in json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(rewritten(source, path) if cell["cell_type"] == "markdown"
                     else fenced("python", source))
        for output in cell.get("outputs", []):
            picture = output.get("data", {}).get("image/png")
            if picture:
                parts.append(f"![](data:image/png;base64,{''.join(''.join(picture).split())})")
            elif "text" in output:
                parts.append(fenced("text", "".join(output["text"])))
    return "\n\n".join(parts)


def listing(path: str) -> str:
    """The page for a file or folder that is not a page yet."""
    place = ROOT / path
    if place.is_dir():
        lines = [f"* [{posixpath.basename(each)}]({link_to(path, each)})" for each in targets(path)]
        return f"# {path}/\n\n" + "\n".join(lines)
    text = place.read_text(encoding="utf-8")
    if place.suffix == ".md":
        return rewritten(text, path)
    if place.suffix == ".ipynb":
        return notebook(path)
    language = LANGUAGES.get(place.suffix, "text")
    return f"---\nhide: [toc]\n---\n# {path}\n\n{fenced(language, text)}"


def targets(path: str) -> "list[str]":
    """The targets of a page's links, or the contents of a folder."""
    place = ROOT / path
    if place.is_dir():
        return [f"{path}/{each.name}" for each in sorted(place.iterdir()) if each.is_file()]
    if place.suffix not in (".md", ".ipynb"):
        return []
    links = LINK.finditer(place.read_text(encoding="utf-8"))
    found = [project_path(path, link.group(1)) for link in links]
    return [each for each in found if (ROOT / each).exists() and not is_picture(each)]


def nav_pages(entry: object) -> "list[str]":
    """Files of the project that the navigation refers to."""
    if isinstance(entry, dict):
        return [path for each in entry.values() for path in nav_pages(each)]
    if isinstance(entry, list):
        return [path for each in entry for path in nav_pages(each)]
    prefix = "project/"
    return [str(entry)[len(prefix):]] if str(entry).startswith(prefix) else []


def on_files(files: Files, config: Mapping) -> Files:
    pages = files.documentation_pages()
    kept = Files([each for each in files
                  if each in pages or is_picture(each.src_path)
                  or each.abs_src_path != posixpath.join(config["docs_dir"], each.src_path)])
    waiting = [f"docs/{each.src_path}" for each in pages] + nav_pages(config["nav"])
    seen = set()
    folder = pathlib.Path(_written.name)
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        waiting += targets(path)
        if is_page(path):
            continue
        name = site_path(path)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(listing(path), encoding="utf-8")
        kept.append(File(name, str(folder), config["site_dir"], config["use_directory_urls"]))
    return kept


def on_page_markdown(markdown: str, page: Page, config: Mapping, files: Files) -> str:
    of_docs = page.file.abs_src_path.startswith(config["docs_dir"])
    return rewritten(markdown, f"docs/{page.file.src_path}") if of_docs else markdown
