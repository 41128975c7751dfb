#!/usr/bin/env python3
"""Usage: commands_test.py SOURCE_FOLDER [PAGE...]
Runs the commands that the documents show, page by page and in order, each page in an empty folder
that has the project's files and the built programs (SVM_BIN_DIR) in build/ and in PATH.

    ```sh            a script: its commands must succeed
    ```c             a program, which is compiled with the library and must succeed
    ```python        what the interpreter runs, after all such blocks before it on the page
    ```console       commands after `$ ` and what they print; a line `...` stands for any lines
    <!-- given: COMMANDS -->             run before the next block, to make what the page assumes
    <!-- needs: COMMANDS -->             the next block is skipped where these fail
    <!-- not run: REASON -->             for the next block
    <!-- not run from here: REASON -->   for the rest of the page

Other blocks must not look like commands.  Of commands that are not run, and of those within
sentences and tables, the project's programs must be there and know the options."""
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
from typing import Dict, Iterator, List, Tuple

import docs_pages
from docs_pages import Block

SECONDS = 120  # for one block
COMMAND = re.compile(
    r"(\$ |time |\w+=\S+ )*(\S*/)?(svm-\w+|thundersvm-\w+|cmake|ctest|make|cc|c\+\+|g\+\+|gcc|"
    r"python3?|pip|apt(-get)?|dpkg(-\w+)?|sudo|R CMD|javac?|mkoctfile|mkdocs|git|sed|cd)( |$)|"
    r"(\$ )?(\S*/)?(tools|bench|build|docs/site|examples/page)/\S+")
OWN_PROGRAM = re.compile(
    r"(?:\$ |\w+=\S+ |time |~/csmo/)*"
    r"((?:bench|tools|docs/site|examples/page)/[\w.]+|(?:build/)?svm-(?:train|predict|scale|grid))(?= |$)(.*)")
# Elsewhere last digits may differ, as the C library's functions do.
SAME_NUMBERS = sys.platform == "linux" and platform.machine() == "x86_64"
TIMES = re.compile(r"\b\d+(\.\d+)?( ?(s|seconds))\b")  # in output, which vary


class Failed(Exception):
    """What is wrong with a command."""


def looks_like_commands(block: Block) -> bool:
    """But a line that sums up the usage of a program is none."""
    return block.language == "python" or any(
        COMMAND.match(line) and "[options]" not in line for line in block.text.splitlines())


def session(text: str) -> Iterator[Tuple[str, List[str]]]:
    """Commands and their output."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")] + [len(lines)]
    if starts[0] != 0:
        raise Failed("a session begins with a command, `$ `")
    for start, end in zip(starts, starts[1:]):
        yield lines[start][2:], lines[start + 1:end]


def without_times(line: str) -> str:
    return TIMES.sub(r"N\2", line.rstrip()) + "\n"


def pattern(expected: List[str]) -> str:
    """The regular expression for output."""
    text = ""
    for line in expected:
        text += r"(?:.*\n)*?" if line == "..." else re.escape(without_times(line))
    return text


class Page:
    """Runs the blocks of a page in a folder."""

    def __init__(self, source: pathlib.Path, folder: pathlib.Path, programs: pathlib.Path) -> None:
        self.folder, self.programs = folder, programs
        self.python = ""                   # of the blocks so far
        self.options: Dict[str, str] = {}  # texts that name a program's options
        self.ran = self.not_run = 0        # blocks of commands
        for each in source.iterdir():
            if not each.name.startswith((".", "build")):
                (folder / each.name).symlink_to(each)
        (folder / "build").symlink_to(programs)

    def result(self, script: str) -> "subprocess.CompletedProcess[str]":
        path = [str(self.programs), os.path.dirname(sys.executable), os.environ["PATH"]]
        environment = dict(os.environ, PATH=":".join(path), HOME=str(self.folder),
                           LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1")
        environment.pop("LIBSVM_SOLVER", None)
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=self.folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True, timeout=SECONDS, check=False)

    def output(self, script: str) -> str:
        done = self.result(script)
        if done.returncode != 0:
            raise Failed(f"exit status {done.returncode}\n{script}\n{done.stdout}")
        return done.stdout

    def run_session(self, text: str) -> None:
        for command, expected in session(text):
            printed = self.output(command)
            text = "".join(without_times(line) for line in printed.splitlines())
            if SAME_NUMBERS and not re.fullmatch(pattern(expected), text):
                raise Failed(f"{command}\nprints\n{printed}")

    def check_names(self, command: str) -> None:
        """Where it is one of the project's programs, that is there and knows the long options."""
        match = OWN_PROGRAM.match(command)
        if not match:
            return
        program, rest = match[1].replace("build/", ""), match[2]
        path = (self.programs if program.startswith("svm-") else self.folder) / program
        if not path.exists():
            raise Failed(f"there is no {program}")
        if path.is_dir() or not program.startswith(("svm-", "bench/")):
            return
        if program not in self.options:
            self.options[program] = self.result(f"{path} --help").stdout
            if program.startswith("bench/"):  # whose options may belong to a command of it
                self.options[program] += path.read_text(encoding="utf-8")
        arguments = rest.split(" -- ")[0].split("#")[0]
        for option in re.findall(r"(?<!\S)\[?(--[a-z][a-z-]*)", arguments):
            if option not in self.options[program]:
                raise Failed(f"{program} has no option {option}")

    def run(self, block: Block) -> None:
        if block.not_run is not None:
            self.not_run += looks_like_commands(block)
            for line in block.text.replace("\\\n", " ").splitlines():
                self.check_names(line)
            return
        for need in block.needs:
            if self.result(need).returncode != 0:
                print(f"{block.place}: skipped: {need}")
                return
        for script in block.given:
            self.output(script)
        if block.language == "sh":
            self.output(block.text)
        elif block.language == "python":
            self.python += block.text
            (self.folder / "page.py").write_text(self.python, encoding="utf-8")
            self.output("python3 page.py")
        elif block.language == "c":
            (self.folder / "page.c").write_text(block.text, encoding="utf-8")
            self.output("cc -I. page.c -o page -Lbuild -lsvm -Wl,-rpath,$PWD/build && ./page")
        elif block.language == "console":
            self.run_session(block.text)
        elif looks_like_commands(block):
            raise Failed("commands are ```sh or ```console blocks, or have a remark why not")
        else:
            return
        self.ran += 1


def main() -> int:
    source = pathlib.Path(sys.argv[1]).resolve()
    programs = pathlib.Path(os.environ["SVM_BIN_DIR"]).resolve()
    ran, not_run = 0, 0
    errors: List[str] = []
    for path in [source / each for each in sys.argv[2:]] or docs_pages.pages(source):
        with tempfile.TemporaryDirectory() as folder:
            page = Page(source, pathlib.Path(folder), programs)
            for block in docs_pages.blocks(path, source):
                try:
                    page.run(block)
                except (Failed, subprocess.TimeoutExpired) as error:
                    errors.append(f"{block.place}: {error}")
            for command in docs_pages.code_in_sentences(path.read_text(encoding="utf-8")):
                try:
                    page.check_names(command)
                except Failed as error:
                    errors.append(f"{path.relative_to(source)}: `{command}`: {error}")
            ran, not_run = ran + page.ran, not_run + page.not_run
    print("\n".join(errors + [f"{ran} blocks run, {not_run} not, {len(errors)} errors"]))
    return 1 if errors or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
