#!/usr/bin/env python3
"""Times csmo without each of its parts, on seven data sets of the paper on conjugate SMO.

  bench/ablation.py --data FOLDER [--sets a8a,w8a,...] [--costs 1,10,100,1000] [--rounds 3]
                    [--variants smo,"one level",...] [--limit 120] [--work FOLDER]

FOLDER holds the data sets as NAME.xz or NAME.  Copies the source tree (what git lists) into the work
folder and builds svm-train there, as it is and once for each variant with a change of its source text,
which must be there exactly once; the other variants are options of csmo, and smo.  Programs take turns on
the full sets: gamma is 1 over the number of features, -m 100; regressions have tubes of 0.1 standard
deviations of the target.  Prints, as Markdown, the medians of the processor seconds of csmo and the ratios
variant / csmo.  A program that takes longer than 10 s at a point runs once there; one that takes longer
than --limit seconds is ended, and its ratio has a ">".  Standard library only.
"""
import argparse, os, pathlib, resource, shutil, signal, statistics, subprocess, sys, tempfile

from common import text_of

# name: (options of svm-scale or None, regression)
SETS = {"a8a": (None, False), "w8a": (None, False), "ijcnn1": (None, False), "cod-rna": ([], False),
        "abalone_scale": (None, True), "cpusmall_scale": (None, True), "cadata": (["-y", "-1", "1"], True)}
# name: (file, text, its replacement)
EDITS = {
    "no conjugate steps": ("solvers/smo/csmo.cpp", "const bool ends = next.clipped ||", "const bool ends = true || next.clipped ||"),
    "one level": ("solvers/two_level/two_level.cpp", "if (variables < kLeastVariables ||", "if (true ||"),
    "values computed in doubles": ("solvers/registry.h", "? Precision::kSingle :", "? Precision::kDouble :"),
    "no finish in doubles": ("solvers/registry.cpp", "refinement->improve(", "(void)("),
}
OPTIONS = {"no phases": ["--free-set", "off"], "no shrinking": ["-h", "0"],
           "as published": ["--as-published"], "smo": ["-a", "smo"]}
LONG = 10  # seconds of a run that needs no repetition


def edited(source, name):
    """The file of a variant, below this folder, and its text with the variant's change."""
    path, old, new = EDITS[name]
    text = (source / path).read_text()
    if text.count(old) != 1:
        raise LookupError(f"{path} has {text.count(old)} times, not once: {old}")
    return source / path, text.replace(old, new)


def checked(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
    return done.stdout


def build(work):
    checked(["cmake", "-S", work / "source", "-B", work / "build", "-DCMAKE_BUILD_TYPE=Release"])
    checked(["cmake", "--build", work / "build", "--target", "svm-train", "svm-scale"])


def programs(source, work, variants):
    """The command of csmo and of each variant, by name."""
    shutil.rmtree(work / "source", ignore_errors=True)
    for name in checked(["git", "-C", source, "ls-files"]).splitlines():
        (work / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, work / "source" / name)
    commands = {}
    for name in ["csmo", *variants]:
        commands[name] = [work / "svm-train-csmo", "-a", "csmo", *OPTIONS.get(name, [])]
        if name in OPTIONS:
            continue
        if name in EDITS:
            path, text = edited(work / "source", name)
            before = path.read_text()
            path.write_text(text)
        build(work)
        if name in EDITS:
            path.write_text(before)
        commands[name][0] = shutil.copy(work / "build/svm-train", work / f"svm-train-{name.replace(' ', '-')}")
    return commands


def prepare(a, work, name):
    """The path of a data set, and the words of its SVM type."""
    scaling, regression = SETS[name]
    path = work / name
    path.write_text(text_of(a.data, name))
    if scaling is not None:
        path.write_text(checked([work / "build/svm-scale", *scaling, path]))
    if not regression:
        return path, []
    deviation = statistics.pstdev(float(line.split(None, 1)[0]) for line in path.read_text().splitlines())
    return path, ["-s", "3", "-p", f"{0.1 * deviation:.6g}"]


def seconds_of(command, limit):
    """Processor seconds of a program, or None if it takes more than the limit."""
    child = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env={**os.environ, "SVM_NUM_THREADS": "1"},
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 9)))
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, -signal.SIGXCPU):
        sys.exit(f"{' '.join(map(str, command))}: exit code {child.returncode}")
    return usage.ru_utime + usage.ru_stime if child.returncode == 0 else None


def measure(a, work):
    commands = programs(pathlib.Path(__file__).resolve().parent.parent, work, a.variants)
    variants = list(commands)[1:]
    totals, limited = {C: dict.fromkeys(commands, 0.0) for C in a.costs}, set()

    def row(name, C, seconds):
        ratios = [">" * ((name, C, v) in limited) + f"{seconds[v] / seconds['csmo']:.2f}" for v in variants]
        print("|", " | ".join([name, C, f"{seconds['csmo']:.3f}", *ratios]), "|", flush=True)

    print("| set | C | csmo, s |", " | ".join(variants), "|\n|" + " --- |" * (3 + len(variants)))
    for name in a.sets:
        path, words = prepare(a, work, name)
        for C in a.costs:
            runs = {variant: [] for variant in commands}
            for _ in range(a.rounds):
                for variant, command in commands.items():
                    if max(runs[variant], default=0) > LONG:
                        continue
                    seconds = seconds_of([*command, "-q", "-m", "100", "-c", C, *words, path, work / "model"], a.limit)
                    if seconds is None:
                        limited |= {(name, C, variant), ("total", C, variant)}
                    runs[variant].append(seconds or a.limit)
            medians = {variant: statistics.median(times) for variant, times in runs.items()}
            totals[C] = {variant: totals[C][variant] + seconds for variant, seconds in medians.items()}
            row(name, C, medians)
    for C in a.costs:
        row("total", C, totals[C])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    split = lambda text: text.split(",")
    p.add_argument("--data", type=pathlib.Path, required=True)
    p.add_argument("--sets", type=split, default=list(SETS))
    p.add_argument("--costs", type=split, default=["1", "10", "100", "1000"])
    p.add_argument("--variants", type=split, default=[*EDITS, "no phases", "no shrinking", "smo"],
                   help="or also: as published")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--limit", type=int, default=120, help="seconds of a run")
    p.add_argument("--work", type=pathlib.Path, help="build here and keep it")
    a = p.parse_args()
    for name in [*a.sets, *a.variants]:
        if name not in {**SETS, **EDITS, **OPTIONS}:
            p.error(f"no data set or variant {name}")
    with tempfile.TemporaryDirectory() as folder:
        measure(a, (a.work or pathlib.Path(folder)).resolve())


if __name__ == "__main__":
    sys.exit(main())
