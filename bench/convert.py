#!/usr/bin/env python3
"""Times tools/convert.py on a table with columns of all kinds, beside svm-scale on the result.

  bench/convert.py [--rows 1000000] [--build build] [--rounds 3] [--keep FOLDER]

The table is made anew, the same each time: an identifier, which is dropped, two columns of
categories, six of whole numbers, half of them often 0, eight of decimal numbers, and a label that
is text.

two passes  convert.py, which first reads all of the table to find its categories
one pass    convert.py -r, by the names of the first
scaling     svm-scale on the data that come out

Runs alternate; figures are medians, and rates those of processor time.  Standard library only.
"""
import argparse, pathlib, platform, random, statistics, subprocess, sys, tempfile, time

from common import children_cpu

SOURCE = pathlib.Path(__file__).resolve().parent.parent
POOL = 4093  # values of a column, which come in another order in each; a prime number


def columns():
    """Yields (name, values) for each column but the identifier."""
    draws = random.Random(1)
    for name, count in (("place", 12), ("kind", 300)):
        texts = ["%s %d" % (name, k) for k in range(count)]
        yield name, [draws.choice(texts) for _ in range(POOL)]
    for k in range(6):
        often_zero = k % 2
        yield "whole%d" % k, [str(0 if often_zero and draws.random() < 0.6 else
                                  draws.randrange(10**(k + 1))) for _ in range(POOL)]
    for k in range(8):
        yield "part%d" % k, ["%.*f" % (k % 5 + 1, draws.gauss(0, 100)) for _ in range(POOL)]
    yield "class", [draws.choice(("none", "some", "many")) for _ in range(POOL)]


def write_table(path, rows):
    names, pools = zip(*columns())
    with path.open("w", encoding="ascii") as file:
        file.write("id,%s\n" % ",".join(names))
        for row in range(rows):
            # Another step for each column, so that rows do not repeat.
            file.write("%d,%s\n" % (row, ",".join([pool[row * step % POOL]
                                                   for step, pool in enumerate(pools, 1)])))


def seconds(command):
    """Processor and elapsed seconds of a run."""
    before, start = children_cpu(), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return children_cpu() - before, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1000000)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=pathlib.Path, help="folder in which the files stay")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or pathlib.Path(temporary)
        table, data, names = folder / "table.csv", folder / "data", folder / "names"
        write_table(table, args.rows)
        convert = [sys.executable, str(SOURCE / "tools" / "convert.py")]
        first = [*convert, "--drop", "id", "-s", str(names), str(table), str(data)]
        commands = {"two passes": (first, table),
                    "one pass": ([*convert, "-r", str(names), str(table), str(data)], table),
                    "scaling": ([str(args.build / "svm-scale"), str(data)], data)}
        times = {what: [] for what in commands}
        for _ in range(args.rounds):
            for what, (command, _) in commands.items():
                times[what].append(seconds(command))
        print(f"{args.rows} rows of {len(list(columns())) + 1} columns, Python {platform.python_version()}")
        print(f"{'':12} {'MB read':>8} {'cpu, s':>7} {'wall, s':>8} {'MB/s':>7} {'rows/s':>9}")
        for what, (_, read) in commands.items():
            cpu, wall = map(statistics.median, zip(*times[what]))
            size = read.stat().st_size / 1e6
            print(f"{what:12} {size:8.1f} {cpu:7.2f} {wall:8.2f} {size / cpu:7.1f} "
                  f"{args.rows / cpu:9.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
