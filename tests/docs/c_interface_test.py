#!/usr/bin/env python3
"""Usage: c_interface_test.py SOURCE_FOLDER LIBRARY C_COMPILER CXX_COMPILER [--write]

Compiles and runs the examples of docs/c-interface.md as C89, C11 and C++, one after the other in a folder of
their own.  The first block of C comes before each of the others; what an example prints is the text after
it.  With --write, the page gets what they print.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LANGUAGES = {"c89": ("c", "-std=c89"), "c11": ("c", "-std=c11"), "c++": ("c++", "-std=c++98")}
WARNINGS = ["-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
BLOCK = re.compile(r"^```(c|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def output_of(program, language, source, library, compilers, folder):
    kind, standard = LANGUAGES[language]
    path = folder / ("example.c" if kind == "c" else "example.cpp")
    path.write_text(program, encoding="utf-8")
    compile_it = [compilers[kind], standard, *WARNINGS, f"-I{source}", str(path), str(library),
                  f"-Wl,-rpath,{library.parent}", "-o", str(folder / "example")]
    compiled = subprocess.run(compile_it, capture_output=True, text=True, check=False)
    if compiled.returncode != 0:
        return compiled.stderr
    ran = subprocess.run(["./example"], cwd=folder, capture_output=True, text=True, check=False,
                         env={**os.environ, "SVM_NUM_THREADS": "2"})
    end = "" if ran.returncode == 0 else f"exit status {ran.returncode}\n"
    return ran.stdout + ran.stderr + end


def main():
    source, library = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
    compilers = {"c": sys.argv[3], "c++": sys.argv[4]}
    page = source / "docs" / "c-interface.md"
    text = page.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    first, examples = blocks[0][1], blocks[1:]
    kinds = [kind for kind, _ in examples]
    if len(kinds) != 20 or kinds != ["c", "text"] * 10:
        sys.exit(f"{page}: not ten examples with what they print")
    faults = 0
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(10):
                code, printed = examples[2 * number][1], examples[2 * number + 1][1]
                found = output_of(f"{first}\n{code}", language, source, library, compilers,
                                  pathlib.Path(folder))
                if "--write" in sys.argv:
                    text = text.replace(f"```text\n{printed}```", f"```text\n{found}```")
                elif found != printed:
                    faults += 1
                    print(f"example {number + 1} as {language} prints:\n{found}instead of:\n{printed}")
        if "--write" in sys.argv:
            page.write_text(text, encoding="utf-8")
            return
    print(f"{10 * len(LANGUAGES)} programs, {faults} faults")
    sys.exit(faults != 0)


if __name__ == "__main__":
    main()
