#!/usr/bin/env python3
"""Usage: record_test.py LIBRARY C_COMPILER CXX_COMPILER, or at a release: record_test.py --make 1.1

tests/abi/VERSION/ records the interface of a version: its svm.h and svm_ext.h, and in interface.txt, a line
each, the constants, structures (size), members (offset, size, declaration) and symbols of them on LP64 systems.
A record changes until its version is released, and never again.

Tests that programs compiled for a recorded version run with today's shared library.  Today's headers
may have more constants and symbols, and structures whose first member is their size may have more members
at the end; everything that is recorded stays as it was.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
HEADERS = ("svm.h", "svm_ext.h")
CLIENTS = [("header_c89.c", "-std=c89"), ("header_cxx98.cpp", "-std=c++98")]


class Interface:
    """The names and declarations of a folder's headers; declarations are in C, on one line."""

    def __init__(self, folder):
        text = "".join((folder / header).read_text(encoding="utf-8") for header in HEADERS)
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        self.constants = re.findall(r"^#define (\w+) \d+$", text, re.MULTILINE)
        text = re.sub(r"^#(\\\n|.)*", "", text, flags=re.MULTILINE)
        for body in re.findall(r"^enum[^{;]*{([^}]*)}", text, re.MULTILINE):
            self.constants += [constant.split()[0] for constant in body.split(",") if constant.strip()]
        self.structures = {}
        for name, body in re.findall(r"^struct (\w+) {([^}]*)}", text, re.MULTILINE):
            self.structures[name] = [" ".join(member.split()) for member in body.split(";") if member.strip()]
        self.symbols = [" ".join(words.split()) for words in re.findall(r"^SVM_API ([^;]*);", text, re.MULTILINE)]

    def is_sized(self, structure):
        return self.structures[structure][0] == "size_t size"


def name_of(declaration):
    """The name that a declaration of a member or a function declares."""
    return next(filter(None, re.search(r"\(\*(\w+)\)|(\w+)\(|(\w+)$", declaration).groups()))


def pointer_type(declaration):
    """The type of a pointer to a member, for its declaration."""
    return re.sub(rf"\b{name_of(declaration)}\b", "*", declaration, count=1)


def run(command, what):
    """What the command prints; ends the test if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{what}: failed")
    return done.stdout


def build(compiler, folder, source, program, *more):
    """Compiles a program with the headers of a folder."""
    run([compiler, "-Wall", "-Wextra", "-Werror", "-I", folder, source, "-o", program, *more],
        f"{source.name} with the headers in {folder}")


def recorded(folder, compiler, work):
    """The text of interface.txt for the headers of a folder."""
    interface = Interface(folder)
    lines, numbers = [], []
    for name in interface.constants:
        lines.append(f"constant {name} %zu")
        numbers.append(name)
    for structure, members in interface.structures.items():
        lines.append(f"struct {structure} %zu" + (" or more" if interface.is_sized(structure) else ""))
        numbers.append(f"sizeof(struct {structure})")
        for member in members:
            lines.append(f"member {structure} %zu %zu {member}")
            place = f"struct {structure}, {name_of(member)}"
            numbers += [f"offsetof({place})", f"sizeof(((struct {structure}*)0)->{name_of(member)})"]
    lines += ["symbol " + symbol for symbol in interface.symbols]
    text = "\\n".join(lines)
    values = "".join(f", (size_t){number}" for number in numbers)
    (work / "numbers.c").write_text(
        '#include <stddef.h>\n#include <stdio.h>\n#include "svm_ext.h"\n'
        f'int main(void) {{\n  printf("{text}\\n"{values});\n'
        "  return sizeof(long) == 8 && sizeof(void*) == 8 ? 0 : 1;\n}\n", encoding="utf-8")
    build(compiler, folder, work / "numbers.c", work / "numbers")
    return run([work / "numbers"], "a system with 64-bit longs and pointers")


def claim(condition, message):
    return f'_Static_assert({condition}, "{message}");'


def checker(table, today):
    """A C program that compiles, links and succeeds if the interface of the table still exists."""
    anywhere, lp64, symbols = [], [], []
    for line in table.splitlines():
        kind, rest = line.split(" ", 1)
        if kind == "constant":
            name, value = rest.split()
            anywhere.append(claim(f"{name} == {value}", f"{name} was {value}"))
        elif kind == "struct":
            name, size, *more = rest.split()
            lp64.append(claim(f"sizeof(struct {name}) {'>=' if more else '=='} {size}", f"{name} had {size} bytes"))
        elif kind == "member":
            structure, offset, size, declaration = rest.split(" ", 3)
            name = name_of(declaration)
            value = f"((struct {structure}*)0)->{name}"
            anywhere.append(claim(f"_Generic(&{value}, {pointer_type(declaration)}: 1, default: 0)",
                                  f"{structure} had the member: {declaration}"))
            lp64.append(claim(f"offsetof(struct {structure}, {name}) == {offset} && sizeof({value}) == {size}",
                              f"{structure}.{name} had offset {offset} and {size} bytes"))
        else:  # it must be declared, and another declaration of the same type is no error
            name = name_of(rest)
            anywhere += [claim(f"sizeof(&{name}) > 0", f"{name} existed"), f"{rest};"]
            symbols.append(f"  (void*)&{name},")
    for structure, members in today.structures.items():
        if today.is_sized(structure):
            last = name_of(members[-1])
            lp64.append(claim(f"offsetof(struct {structure}, {last}) + sizeof(((struct {structure}*)0)->{last}) "
                              f"== sizeof(struct {structure})", f"{structure} ends in padding: fill it by a member"))
    lines = ["#include <stddef.h>", '#include "svm_ext.h"', *anywhere, "#if defined(__LP64__)", *lp64, "#endif",
             "static void* volatile const symbols[] = {", *symbols, "};",
             "int main(void) { return symbols[0] == NULL; }", ""]
    return "\n".join(lines)


def is_unreleased(folder):
    return f"\n## {folder.name}.0 - unreleased\n" in (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8")


def test_record(folder, library, compilers, work):
    table = (folder / "interface.txt").read_text(encoding="utf-8")
    today = Interface(SOURCE)
    link = [library, f"-Wl,-rpath,{library.parent}"]
    (work / "checker.c").write_text(checker(table, today), encoding="utf-8")
    build(compilers[0], SOURCE, work / "checker.c", work / "checker", "-std=c11", *link)
    run([work / "checker"], "a program that uses all symbols")
    for (client, standard), compiler in zip(CLIENTS, compilers):
        build(compiler, folder, HERE / client, work / "client", standard, "-pedantic-errors", *link)
        run([work / "client"], f"{client} of version {folder.name}")
    if sys.maxsize > 2**32 and table != recorded(folder, compilers[0], work):
        sys.exit(f"{folder}/interface.txt is not that of its headers")
    if is_unreleased(folder) and table != recorded(SOURCE, compilers[0], work):
        sys.exit(f"Version {folder.name} is not released, and its headers have changed since the "
                 f"record: python3 tests/abi/record_test.py --make {folder.name}")


def make_record(folder, work):
    if folder.exists() and not is_unreleased(folder):
        sys.exit(f"{folder.name} is released, and its record stays")
    folder.mkdir(exist_ok=True)
    for header in HEADERS:
        shutil.copyfile(SOURCE / header, folder / header)
    (folder / "interface.txt").write_text(recorded(folder, "cc", work), encoding="utf-8")


def main():
    with tempfile.TemporaryDirectory() as work:
        if len(sys.argv) == 3 and sys.argv[1] == "--make":
            make_record(HERE / sys.argv[2], pathlib.Path(work))
            return
        library, *compilers = sys.argv[1:]
        folders = sorted(path.parent for path in HERE.glob("*/interface.txt"))
        for folder in folders:
            test_record(folder, pathlib.Path(library).resolve(), compilers, pathlib.Path(work))
        names = ", ".join(folder.name for folder in folders)
        print(f"programs for these versions run with today's library: {names}")
        if not folders:
            sys.exit("there is no record")


if __name__ == "__main__":
    main()
