#!/usr/bin/env python3
"""Usage: docs_commands_test.py SOURCE_FOLDER [PAGE...]
Runs the commands that the documents show, page by page and in order, each page in an empty folder that
has the project's files and the built programs (SVM_BIN_DIR) in build/ and in PATH.

    ```sh            a script: its commands must succeed
    ```python        what the interpreter runs, after all such blocks before it on the page
    ```console       commands after `$ ` and what they print; a line `...` stands for any lines
    <!-- given: COMMANDS -->             run before the next block, to make what the page assumes
    <!-- needs: COMMANDS -->             the next block is skipped where these fail
    <!-- not run: REASON -->             for the next block
    <!-- not run from here: REASON -->   for the rest of the page

Other blocks must not look like commands.  Of those that are not run, the project's scripts must be there
and know the options."""
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
from typing import Iterator, List, Tuple

import docs_pages
from docs_pages import Block

SECONDS = 120  # for one block
COMMAND = re.compile(r"(\$ |time |\w+=\S+ )*(\S*/)?(svm-\w+|cmake|ctest|make|cc|c\+\+|g\+\+|gcc|python3?|pip|"
                     r"apt(-get)?|dpkg(-\w+)?|sudo|thundersvm-\w+|R CMD|javac?|mkoctfile|mkdocs|git|sed|cd)( |$)|"
                     r"(\$ )?(\S*/)?(tools|bench|build|site)/\S+")
# Elsewhere last digits may differ, as the C library's functions do.
SAME_NUMBERS = sys.platform == "linux" and platform.machine() == "x86_64"
TIMES = re.compile(r"\b\d+(\.\d+)?( ?(s|seconds))\b")  # of output, which vary


class Failed(Exception):
    """What is wrong with a block."""


def looks_like_commands(block: Block) -> bool:
    """But a line that sums up the usage of a program is none."""
    return any(COMMAND.match(line) and "[options]" not in line for line in block.text.splitlines())


def run(script: str, folder: pathlib.Path, programs: str) -> "subprocess.CompletedProcess[str]":
    path = [programs, os.path.dirname(sys.executable), os.environ["PATH"]]
    environment = dict(os.environ, PATH=":".join(path), HOME=str(folder), LC_ALL="C.UTF-8",
                       PYTHONDONTWRITEBYTECODE="1")
    environment.pop("LIBSVM_SOLVER", None)
    return subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, timeout=SECONDS, check=False)


def session(text: str) -> Iterator[Tuple[str, List[str]]]:
    """Commands and their output."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")] + [len(lines)]
    if starts[0] != 0:
        raise Failed("a session begins with a command, `$ `")
    for start, end in zip(starts, starts[1:]):
        yield lines[start][2:], lines[start + 1:end]


def pattern(expected: List[str]) -> str:
    """The regular expression for output."""
    text = ""
    for line in expected:
        if line == "...":
            text += r"(?:.*\n)*?"
        else:
            text += re.escape(TIMES.sub(r"N\2", line.rstrip())) + "\n"
    return text


def check_session(block: Block, folder: pathlib.Path, programs: str) -> None:
    for command, expected in session(block.text):
        done = run(command, folder, programs)
        if done.returncode != 0:
            raise Failed(f"{command}\nexit status {done.returncode}\n{done.stdout}")
        if not SAME_NUMBERS:
            continue
        lines = [TIMES.sub(r"N\2", line.rstrip()) + "\n" for line in done.stdout.splitlines()]
        if not re.fullmatch(pattern(expected), "".join(lines)):
            raise Failed(f"{command}\nprints\n{done.stdout}")


def check_script(script: str, folder: pathlib.Path, programs: str) -> None:
    done = run(script, folder, programs)
    if done.returncode != 0:
        raise Failed(f"exit status {done.returncode}\n{script}\n{done.stdout}")


def check_names(block: Block, folder: pathlib.Path, programs: str, texts: "dict[str, str]") -> None:
    """Programs of the project are there, and scripts of bench/ know their long options."""
    for line in block.text.replace("\\\n", " ").splitlines():
        match = re.match(r"(?:\w+=\S+ |time |~/csmo/)*((?:bench|tools|site)/[\w.]+|svm-\w+)(.*)", line)
        if not match:
            continue
        program, rest = match.groups()
        path = pathlib.Path(programs) / program if program.startswith("svm-") else folder / program
        if not path.exists():
            raise Failed(f"there is no {program}")
        if program.startswith("svm-") or program.startswith("bench/"):
            if program not in texts:
                texts[program] = run(f"{path} --help", folder, programs).stdout
                if program.startswith("bench/"):  # whose options may belong to a command of it
                    texts[program] += path.read_text(encoding="utf-8")
            for option in re.findall(r"(?<!\S)\[?(--[a-z][a-z-]*)", rest.split(" -- ")[0].split("#")[0]):
                if option not in texts[program]:
                    raise Failed(f"{program} has no option {option}")


def check_page(path: pathlib.Path, source: pathlib.Path, programs: str) -> Tuple[int, int, List[str]]:
    """Numbers of blocks of commands that were run and not run, and what is wrong."""
    ran, left_out, errors = 0, 0, []
    texts: "dict[str, str]" = {}
    python = ""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for each in source.iterdir():
            if not each.name.startswith((".", "build")):
                (folder / each.name).symlink_to(each)
        (folder / "build").symlink_to(programs)
        for block in docs_pages.blocks(path, source):
            try:
                if block.not_run is not None:
                    left_out += block.language == "python" or looks_like_commands(block)
                    check_names(block, folder, programs, texts)
                    continue
                lacking = [each for each in block.needs if run(each, folder, programs).returncode != 0]
                if lacking:
                    print(f"{block.place}: skipped: {lacking[0]}")
                    continue
                for script in block.given:
                    check_script(script, folder, programs)
                if block.language == "sh":
                    check_script(block.text, folder, programs)
                elif block.language == "python":
                    python += block.text
                    (folder / "page.py").write_text(python, encoding="utf-8")
                    check_script("python3 page.py", folder, programs)
                elif block.language == "console":
                    check_session(block, folder, programs)
                elif looks_like_commands(block):
                    raise Failed("commands are ```sh or ```console blocks, or have a remark why not")
                else:
                    continue
                ran += 1
            except (Failed, subprocess.TimeoutExpired) as error:
                errors.append(f"{block.place}: {error}")
    return ran, left_out, errors


def main() -> int:
    source = pathlib.Path(sys.argv[1]).resolve()
    programs = str(pathlib.Path(os.environ["SVM_BIN_DIR"]).resolve())
    wanted = [source / each for each in sys.argv[2:]] or docs_pages.pages(source)
    all_ran, all_left_out, errors = 0, 0, []
    for path in wanted:
        ran, left_out, found = check_page(path, source, programs)
        all_ran, all_left_out, errors = all_ran + ran, all_left_out + left_out, errors + found
    print("\n".join(errors + [f"{all_ran} blocks run, {all_left_out} not, {len(errors)} errors"]))
    return 1 if errors or not all_ran else 0


if __name__ == "__main__":
    sys.exit(main())
