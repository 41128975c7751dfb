#!/usr/bin/env python3
"""Usage: excerpts_test.py SOURCE_FOLDER
Each excerpt of docs/embedding.md is a piece of a program that is compiled and run, or of the script that
does so."""
import pathlib
import sys
import textwrap


def excerpts(text):
    """The indented blocks, as (number of the first line, lines)."""
    block, first = [], 0
    for number, line in enumerate(text.splitlines() + ["end"], 1):
        if line.startswith("    ") or (block and not line):
            first = first if block else number
            block.append(line)
        elif block:
            yield first, textwrap.dedent("\n".join(block)).strip().splitlines()
            block = []


def occurs(excerpt, lines):
    """Whether the lines have the excerpt, however deep it stands there."""
    for start in range(len(lines) - len(excerpt) + 1):
        piece = lines[start:start + len(excerpt)]
        if textwrap.dedent("\n".join(piece)).splitlines() == excerpt:
            return True
    return False


def main():
    source = pathlib.Path(sys.argv[1])
    files = [path for path in (source / "examples" / "embedding").glob("*/*") if path.is_file()]
    files += (source / "tests" / "embedding" / "hosts").glob("*.h")
    texts = [path.read_text(encoding="utf-8").splitlines()
             for path in files + [source / "tests" / "embedding" / "embedding_test.sh"]]
    page = (source / "docs" / "embedding.md").read_text(encoding="utf-8")
    count = wrong = 0
    for line, excerpt in excerpts(page):
        count += 1
        if not any(occurs(excerpt, text) for text in texts):
            wrong += 1
            print(f"docs/embedding.md:{line}: no program has this:\n" + "\n".join(excerpt))
    print(f"{count} excerpts, {wrong} of which are in no program")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
