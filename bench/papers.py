#!/usr/bin/env python3
"""Repeats the tables and figures of the five papers behind the solvers, paper against here.

  bench/papers.py --data FOLDER [PAPER] [--table N] [--bin build] [--quick] [--pictures FOLDER]

PAPER is csmo, mdm, snacks, avsf or platt; without it all of them are repeated.  N is the number of a table
or figure, as --list prints them.  FOLDER holds the data sets as NAME.xz or NAME.  --quick thins data sets
and grids so that everything takes less than an hour on two cores.  Prints the tables as Markdown
(docs/results/papers.md has them), and draws figures with gnuplot into the folder of --pictures.
Solvers run --as-published.  Seconds are processor seconds of one thread.  Standard library only.
"""
import argparse, pathlib, sys, tempfile

from paper import avsf, csmo, mdm, platt, snacks
from paper.study import Study

# Each has TITLE and TABLES: a function for each table or figure, under the paper's number for it.  The
# function gets a Study and prints Markdown; the first line of its documentation is the title.
PAPERS = {"csmo": csmo, "mdm": mdm, "snacks": snacks, "avsf": avsf, "platt": platt}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("paper", nargs="?", choices=PAPERS)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--table", metavar="N")
    p.add_argument("--bin", type=lambda path: pathlib.Path(path).resolve(), default="build")
    p.add_argument("--quick", action="store_true")
    p.add_argument("--pictures", type=pathlib.Path)
    p.add_argument("--work", type=pathlib.Path, help="keep prepared data sets here")
    p.add_argument("--list", action="store_true", help="list the tables and figures")
    a = p.parse_args()
    chosen = [(name, number) for name, paper in PAPERS.items() for number in paper.TABLES
              if a.paper in (None, name) and a.table in (None, number)]
    if not chosen:
        p.error(f"no table {a.table}; --list shows what there is")
    if a.list:
        for name, number in chosen:
            print(f"{name} --table {number}: {PAPERS[name].TABLES[number].__doc__.splitlines()[0]}")
        return
    if a.data is None:
        p.error("--data is needed")
    with tempfile.TemporaryDirectory() as folder:
        study = Study(a.data, a.bin, a.work or pathlib.Path(folder), a.quick, a.pictures)
        before = None
        for name, number in chosen:
            if name != before:
                print(f"\n## {PAPERS[name].TITLE}")
            before = name
            print(f"\n### {PAPERS[name].TABLES[number].__doc__.splitlines()[0]}\n", flush=True)
            PAPERS[name].TABLES[number](study)


if __name__ == "__main__":
    sys.exit(main())
