#!/usr/bin/env python3
"""Compares csmo with smo on full data sets: whole programs, with a certificate of every run.

  bench/full_size.py --data FOLDER [--bin build] [--rows ijcnn1-1,a9a] [--rounds 3] [--threads 1,2]
                     [--set avx2] [--peer FOLDER] [--out full_size.csv] [--work FOLDER]
  bench/full_size.py --data FOLDER --growth [--megabytes 2000] [--smo-limit 100]
  bench/full_size.py --tables --out full_size.csv

Build with: cmake --build build --target svm-train solver_run.  The data folder holds the data sets
as NAME.xz or NAME; --list names the rows.  smo and csmo take turns, --rounds times; the peer, the
svm-train of any LIBSVM, has one turn.  Times are medians: user + system seconds of the whole program
on one thread, elapsed seconds on more.  --set forces an instruction set for csmo as well as the best
one; --work keeps prepared data.  The largest memory of csmo is compared with 16 bytes a feature value,
48 a row for the data, the -m of the row, 60 MB, and 250 bytes a row.

Then each solver trains once more, not timed, and the violation and the objective of its model are
computed in doubles (docs/check.md; --no-check leaves that out).  --growth trains on parts of
covtype, from every 56th row to all, and prints exponents between neighbours.  Both end with a list
of what is out of bounds.  --tables prints the table of an existing results file.  Standard library only.
"""
import argparse, collections, csv, itertools, math, os, pathlib, resource, shutil, statistics, subprocess, sys
import tempfile, time

import speed

# name: data set of speed.py, options, solvers.  The last would take smo hours.
ROWS = {
    "ijcnn1-1": ("ijcnn1", "-c 1", "smo,csmo"),
    "ijcnn1-32": ("ijcnn1", "-c 32 -g 2", "smo,csmo"),
    "cod-rna-1": ("cod-rna-scaled", "-c 1 -g 1", "smo,csmo"),
    "cod-rna-100": ("cod-rna-scaled", "-c 100 -g 1", "smo,csmo"),
    "covtype14": ("covtype14", "-c 10 -g 1", "smo,csmo"),
    "mnist": ("mnist3", "-c 10 -g 0.02", "smo,csmo"),
    "a9a": ("a9a", "-c 100 -g 0.00813", "smo,csmo"),
    "w8a": ("w8a", "-c 1", "smo,csmo"),
    "cadata": ("cadata-scaled", "-s 3 -c 10", "smo,csmo"),
    "covtype": ("covtype-scaled", "-c 10 -g 1 -m 2000", "csmo"),
}
GROWTH = [56, 28, 14, 7, 4, 2, 1]  # every n-th row of covtype
TOLERANCE, OBJECTIVE_ERROR = 1e-3, 1e-6
FIELDS = ["row", "rows", "options", "solver", "threads", "set", "rounds", "seconds", "elapsed",
          "megabytes", "allowed", "status", "iterations", "objective", "checked_objective", "error",
          "violation", "infeasibility"]
# One way to train; an empty set is the best of the processor.
Way = collections.namedtuple("Way", "solver threads set")


def option(options, name, default):
    words = options.split()
    return float(words[words.index(name) + 1]) if name in words else default


def train(a, way, options, data, model):
    """User + system seconds, elapsed seconds, peak megabytes; None if it took too long."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(a.limit), int(a.limit)))
    environment = {**os.environ, "SVM_NUM_THREADS": str(way.threads)}
    if way.set:
        environment["SVM_INSTRUCTION_SET"] = way.set
    program = [a.peer / "svm-train"] if way.solver == "peer" else [a.bin / "svm-train", "-a", way.solver]
    cache = [] if "-m" in options.split() else ["-m", "100"]
    command = [*program, "-q", *cache, *options.split(), data, model]
    start = time.monotonic()
    child = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, env=environment,
                             preexec_fn=limit)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode < 0:
        return None
    if child.returncode:
        sys.exit(f"{' '.join(map(str, command))}: failed")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def certificate(a, solver, options, data, features):
    """The figures that the library reports for a training, and those computed from its model alone."""
    gamma = option(options, "-g", 1 / features)
    command = [a.bin / "parts" / "solver_run", data, int(option(options, "-s", 0)),
               option(options, "-c", 1), repr(gamma), option(options, "-p", 0.1),
               option(options, "-m", 100), f"{solver}:check"]
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True,
                              timeout=2 * a.limit)
    except subprocess.TimeoutExpired:
        return {}
    words = done.stdout.split()[-1].split(",")
    objective, checked = float(words[9]), float(words[14])
    return {"status": words[1], "iterations": words[2], "objective": words[9],
            "checked_objective": words[14], "error": f"{abs(objective - checked) / abs(checked):.1e}",
            "violation": words[12], "infeasibility": words[13]}


def measure_row(a, work, name, data, options, ways):
    """The rows of the results file for one row of the table, one for each way."""
    rows, values, features = speed.shape(data)
    allowed = (16 * values + 48 * rows + 250 * rows) / 2 ** 20 + option(options, "-m", 100) + 60
    runs = collections.defaultdict(list)
    for turn in range(a.rounds):
        for way in ways:
            if None not in runs[way] and (turn == 0 or way.solver != "peer"):
                runs[way].append(train(a, way, options, data, work / "model"))
    certificates = {} if a.no_check else {
        s: certificate(a, s, options, data, features)
        for s in dict.fromkeys(w.solver for w in ways if w.solver != "peer" and None not in runs[w])}
    results = []
    for way in ways:
        result = dict.fromkeys(FIELDS, "")
        result.update(row=name, rows=rows, options=options, solver=way.solver, threads=way.threads,
                      set=way.set, rounds=len(runs[way]), allowed=round(allowed))
        if None not in runs[way]:
            seconds, elapsed, megabytes = zip(*runs[way])
            result.update(seconds=f"{statistics.median(seconds):.3f}", megabytes=round(max(megabytes)),
                          elapsed=f"{statistics.median(elapsed):.3f}", **certificates.get(way.solver, {}))
        results.append(result)
        print(" ".join(str(v) for v in result.values() if v != ""), file=sys.stderr, flush=True)
    return results


def ways_of(a, solvers):
    ways = [Way(s, 1, "") for s in (["peer"] if a.peer else []) + solvers.split(",")]
    return (ways + [Way("csmo", n, "") for n in a.threads if n != 1] +
            ([Way("csmo", 1, a.set)] if a.set else []))


def number(result, field):
    return float(result[field]) if result and result[field] else None


def cell(value, form="{:.2f}"):
    return "" if value is None else form.format(value)


def ratio(above, below):
    return above / below if above is not None and below else None


def out_of_bounds(results):
    """The violations and objectives that are out of bounds, which a table must not hide."""
    smo = {r["row"]: number(r, "violation") for r in results if r["solver"] == "smo"}
    said, seen = [], set()
    for r in results:
        if r["solver"] != "csmo":
            continue
        if (memory := number(r, "megabytes")) and memory > number(r, "allowed"):
            said.append(f"{r['row']}, {r['threads']} thread(s) {r['set']}: {memory:.0f} MB, above {r['allowed']}")
        if r["row"] in seen or not r["violation"]:
            continue
        seen.add(r["row"])
        bound = max(TOLERANCE, smo.get(r["row"]) or 0)
        if not number(r, "violation") <= bound:
            said.append(f"{r['row']}: violation {number(r, 'violation'):.3g}, above {bound:.3g}")
        if not number(r, "error") <= OBJECTIVE_ERROR:
            said.append(f"{r['row']}: the objective is {r['error']} off")
        if r["status"] != "0":
            said.append(f"{r['row']}: status {r['status']}")
    return said


def print_bounds(results):
    print()
    for line in out_of_bounds(results) or ["Everything is within its bounds."]:
        print("*", line)


def table(results):
    named = collections.OrderedDict()
    for r in results:
        named.setdefault(r["row"], {})[Way(r["solver"], int(r["threads"]), r["set"])] = r
    ways = dict.fromkeys(w for row in named.values() for w in row)
    peer = any(w.solver == "peer" for w in ways)
    counts = [w.threads for w in ways if w.threads > 1]
    sets = [w.set for w in ways if w.set]
    titles = ["data, parameters", "rows"] + ["LIBSVM, s"] * peer + ["smo, s", "csmo, s", "csmo / smo"]
    for n in counts:
        titles += [f"{n} threads, s", "speed-up"]
    titles += [f"{s}, ratio" for s in sets] + ["MB (allowed)", "violation csmo (smo)",
                                               "error of the objective csmo (smo)"]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles))
    for name, row in named.items():
        smo, csmo = row.get(Way("smo", 1, "")), row.get(Way("csmo", 1, ""))
        cells = [f"{name.rsplit('-', 1)[0] if name[-1].isdigit() and '-' in name else name} `{csmo['options']}`",
                 csmo["rows"]]
        if peer:
            cells.append(cell(number(row.get(Way("peer", 1, "")), "seconds")))
        seconds = number(csmo, "seconds")
        cells += [cell(number(smo, "seconds")), cell(seconds), cell(ratio(seconds, number(smo, "seconds")))]
        for n in counts:
            elapsed = number(row.get(Way("csmo", n, "")), "elapsed")
            cells += [cell(elapsed), cell(ratio(number(csmo, "elapsed"), elapsed))]
        cells += [cell(ratio(number(row.get(Way("csmo", 1, s)), "seconds"), seconds)) for s in sets]
        cells.append(f"{csmo['megabytes']} ({csmo['allowed']})")
        for field, form in (("violation", "{:.2g}"), ("error", "{:.1e}")):
            cells.append(cell(number(csmo, field), form) + (f" ({cell(number(smo, field), form)})" if smo else ""))
        print("| " + " | ".join(map(str, cells)) + " |")
    print_bounds(results)


def growth_table(results):
    solvers = list(dict.fromkeys(r["solver"] for r in results))
    titles = ["rows"] + [t for s in solvers for t in (f"{s}, s", "exponent", "violation")]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles))
    last = {}
    for rows in dict.fromkeys(int(r["rows"]) for r in results):
        cells = [rows]
        for solver in solvers:
            r = next((r for r in results if int(r["rows"]) == rows and r["solver"] == solver), None)
            seconds = number(r, "seconds")
            exponent = None
            if seconds and solver in last:
                exponent = math.log(seconds / last[solver][1]) / math.log(rows / last[solver][0])
            if seconds:
                last[solver] = rows, seconds
            cells += [cell(seconds), cell(exponent), cell(number(r, "violation"), "{:.2g}")]
        print("| " + " | ".join(map(str, cells)) + " |")
    print_bounds(results)


def growth(a, work):
    options = f"-c 10 -g 1 -m {a.megabytes:g}"
    whole = speed.prepare(a.data, work, "covtype-scaled")
    smo, last = 0.0, 0  # seconds of the previous part; infinite once it has been left out
    for every in a.every:
        data = work / f"covtype-{every}"
        if every == 1:
            data = whole
        elif not data.exists():
            with open(whole) as lines, open(data, "w") as out:
                out.writelines(itertools.islice(lines, 0, None, every))
        rows = speed.shape(data)[0]
        # smo's time grows with nearly the square of the rows.
        expected = smo * (rows / last) ** 1.9 if last else 0
        solvers = "smo,csmo" if expected <= a.smo_limit else "csmo"
        results = measure_row(a, work, f"covtype-{every}", data, options, ways_of(a, solvers))
        smo = next((number(r, "seconds") for r in results if r["solver"] == "smo"), None) or math.inf
        last = rows
        yield from results


def table_rows(a, work):
    for name in a.rows:
        data, options, solvers = ROWS[name]
        path = speed.prepare(a.data, work, data)
        yield from measure_row(a, work, name, path, options, ways_of(a, solvers))


def measure(a):
    work = pathlib.Path(a.work or tempfile.mkdtemp())
    work.mkdir(parents=True, exist_ok=True)
    results = []
    try:
        with open(a.out, "w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS)
            writer.writeheader()
            for result in growth(a, work) if a.growth else table_rows(a, work):
                results.append(result)
                writer.writerow(result)
                out.flush()
    finally:
        if not a.work:
            shutil.rmtree(work)
    return results


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    p.add_argument("--rows", type=lambda t: t.split(","), default=[r for r in ROWS if r != "covtype"],
                   help="all but covtype, unless named")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--threads", type=lambda t: [int(n) for n in t.split(",")], default=[1])
    p.add_argument("--set", default="", help="plain, avx2 or neon, beside the best one")
    p.add_argument("--peer", type=pathlib.Path, help="folder of another svm-train")
    p.add_argument("--limit", type=float, default=1200, help="processor seconds of one run")
    p.add_argument("--no-check", action="store_true", help="no certificates")
    p.add_argument("--growth", action="store_true", help="times over parts of covtype")
    p.add_argument("--every", type=lambda t: [int(n) for n in t.split(",")], default=GROWTH,
                   help="parts for --growth: every n-th row")
    p.add_argument("--megabytes", type=float, default=2000, help="-m for --growth")
    p.add_argument("--smo-limit", type=float, default=100, help="seconds up to which smo takes part in --growth")
    p.add_argument("--work", help="keep prepared data here")
    p.add_argument("--out", type=pathlib.Path, default="full_size.csv")
    p.add_argument("--tables", action="store_true", help="only print the table of --out")
    p.add_argument("--list", action="store_true", help="list the rows")
    a = p.parse_args()
    if a.list:
        for name, row in ROWS.items():
            print(name, *row)
        return
    if unknown := [r for r in a.rows if r not in ROWS]:
        p.error(f"no row {unknown[0]}; --list names them")
    if a.data is None and not a.tables:
        p.error("--data is needed")
    results = list(csv.DictReader(open(a.out))) if a.tables else measure(a)
    (growth_table if a.growth else table)(results)


if __name__ == "__main__":
    main()
