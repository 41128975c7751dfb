#!/usr/bin/env python3
"""Usage: versions_test.py SOURCE_FOLDER
All versions in documents and recipes are that of api/version.cpp, which CMake and setup.py read.  If Python
has PyYAML, CITATION.cff has what its format (1.2.0) asks for."""
import pathlib
import re
import sys
from typing import Any, Dict, List

REFERENCE_TYPES = ("article", "book", "conference-paper", "generic", "software")
# These files have the version, in these forms.
VERSIONS = {
    "CHANGELOG.md": r"^## (\S+)",
    "CITATION.cff": r"^version: (\S+)",
    **{f"docs/man/svm-{name}.1": r'^\.TH .* "csmo (.*?)"' for name in ("train", "predict", "scale", "grid")},
    "packaging/conan/conanfile.py": r'^    version = "(.*)"',
    "packaging/conda-forge/meta.yaml": r'set version = "(.*)"',
    "packaging/debian/changelog": r"\Acsmo \((.*)\)",
    "packaging/homebrew/csmo.rb": r"csmo-([\d.]*)\.tar\.gz",
    "packaging/vcpkg/vcpkg.json": r'"version": "(.*)"',
}
PLACES = {"article": "journal", "conference-paper": "conference"}  # what references must tell


def found(path: pathlib.Path, pattern: str) -> str:
    """The first group of the first match."""
    match = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    if not match:
        raise SystemExit(f"{path}: nothing like {pattern}")
    return match[1]


def author_errors(entry: Dict[str, Any]) -> List[str]:
    """Authors are persons, or one with a name that stands for several."""
    authors = entry.get("authors") or []
    good = all("name" in each or {"family-names", "given-names"} == set(each) for each in authors)
    return [] if authors and good else [f"{entry.get('title')}: authors {authors}"]


def citation_errors(citation: Dict[str, Any]) -> List[str]:
    errors = [f"no {key}" for key in ("cff-version", "message", "title", "version", "license")
              if not isinstance(citation.get(key), str)]
    errors += author_errors(citation)
    for reference in citation["references"]:
        errors += author_errors(reference)
        place = PLACES.get(reference.get("type"), "title")
        if reference.get("type") not in REFERENCE_TYPES or place not in reference or \
                not isinstance(reference.get("year"), int):
            errors.append(f"{reference.get('title')}: type, {place} or year")
    return errors


def main() -> int:
    source = pathlib.Path(sys.argv[1])
    package = found(source / "api" / "version.cpp", r'kPackageVersion\[\] = "(.*)"')
    others = {name: found(source / name, pattern) for name, pattern in VERSIONS.items()}
    errors = [f"{name} has version {version}, the package {package}"
              for name, version in others.items() if version != package]
    try:
        import yaml
    except ImportError:
        print("PyYAML is missing: the entries of CITATION.cff are not checked")
    else:
        citation = yaml.safe_load((source / "CITATION.cff").read_text(encoding="utf-8"))
        errors += [f"CITATION.cff: {error}" for error in citation_errors(citation)]
    print("\n".join(errors + [f"version {package}, {len(errors)} errors"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
