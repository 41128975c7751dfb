"""The documents as tests see them: pages, blocks of code and remarks on them, links, headings."""
import pathlib
import re
import textwrap
from typing import Dict, Iterator, List, NamedTuple, Optional

REMARK = re.compile(r"<!-- (given|needs|not run|not run from here): (.*?) ?-->", re.DOTALL)


class Block(NamedTuple):
    page: str
    line: int                # of its first line of code
    language: Optional[str]  # of a fenced block, maybe empty; None: indented
    text: str
    given: List[str]         # commands that are run before, unseen
    needs: List[str]         # commands that must succeed; else the block is skipped
    not_run: Optional[str]   # the reason

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def pages(source: pathlib.Path) -> List[pathlib.Path]:
    names = ("README.md", "HACKING.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
    rooms = [path for folder in ("kernels", "model", "programs", "solvers", "training")
             for path in (source / folder).rglob("README.md")]
    return [source / name for name in names] + sorted(rooms + list((source / "docs").rglob("*.md")))


def blocks(path: pathlib.Path, source: pathlib.Path) -> Iterator[Block]:
    """The blocks of code, with the remarks that stand before them.  A remark `not run from here` is
    for all blocks behind it."""
    page = path.relative_to(source).as_posix()
    lines = path.read_text(encoding="utf-8").splitlines()
    remarks: Dict[str, List[str]] = {"given": [], "needs": []}
    reason: Optional[str] = None
    reason_from_here: Optional[str] = None
    number = 0

    def block(first: int, language: Optional[str], text: List[str]) -> Block:
        nonlocal remarks, reason
        made = Block(page, first, language, textwrap.dedent("\n".join(text)).strip("\n") + "\n",
                     not_run=reason or reason_from_here, **remarks)
        remarks, reason = {"given": [], "needs": []}, None
        return made

    while number < len(lines):
        line = lines[number]
        if line.startswith("<!--"):
            first = number
            while not lines[number].endswith("-->"):
                number += 1
            remark = REMARK.fullmatch("\n".join(lines[first:number + 1]))
            if remark is None:
                raise ValueError(f"{page}:{first + 1}: not a remark that the tests know")
            if remark[1] in remarks:
                remarks[remark[1]].append(remark[2])
            elif remark[1] == "not run":
                reason = remark[2]
            else:
                reason_from_here = remark[2]
        elif line.startswith("```"):
            first = number + 1
            number = lines.index("```", first)
            yield block(first + 1, line[3:], lines[first:number])
        elif line.startswith("    ") and not lines[number - 1].strip():
            first = number
            while number < len(lines) and (not lines[number].strip() or
                                           lines[number].startswith("    ")):
                number += 1
            yield block(first + 1, None, lines[first:number])
            continue
        number += 1


def without_blocks(text: str) -> str:
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(?<=\n\n)(    .*\n|\n)+", "", text)


def code_in_sentences(text: str) -> List[str]:
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", without_blocks(text))


def links(text: str) -> List[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_blocks(text)))


def anchors(text: str) -> List[str]:
    """The places that links may name: GitHub's names of headings, and those written out."""
    found: List[str] = re.findall(r'<a id="([^"]+)">', text)
    for heading in re.findall(r"^#+ (.*)$", without_blocks(text), re.MULTILINE):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        found.append(name if name not in found else f"{name}-{found.count(name)}")
    return found
