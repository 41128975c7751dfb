"""Functions that the benchmarks share. Standard library only."""
import lzma, math, multiprocessing, os, random, resource, subprocess, sys, threading, time


def text_of(folder, name):
    """The text of a data set, which the folder has as NAME.xz or NAME."""
    packed = folder / (name + ".xz")
    return (lzma.decompress(packed.read_bytes()) if packed.exists() else
            (folder / name).read_bytes()).decode()


def standardised(text):
    """Features with mean 0 and variance 1."""
    rows = [(w[0], {int(i): float(v) for i, v in (p.split(":") for p in w[1:])})
            for w in map(str.split, text.splitlines())]
    columns = {}
    for f in range(1, max(max(x) for _, x in rows) + 1):
        values = [x.get(f, 0.0) for _, x in rows]
        mean = sum(values) / len(values)
        deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
        if deviation > 0:
            columns[f] = (mean, deviation)
    return "".join(y + "".join(f" {f}:{(x.get(f, 0.0) - m) / d:.9g}" for f, (m, d) in columns.items()) + "\n"
                   for y, x in rows)


def prepare(folder, work, name, every):
    """The path of a file with every n-th row of a data set.  Names such as clusters_10000_1000 and
    noisy_5000_8 are generated: rows, features."""
    path = work / name
    made = {"clusters": clusters, "noisy": noisy}.get(name.split("_")[0])
    if made:
        # In a process of its own: a child's peak memory counts what it had before its program began.
        arguments = tuple(map(int, name.split("_")[1:]))
        maker = multiprocessing.get_context("fork").Process(
            target=lambda: path.write_text(made(*arguments)))
        maker.start()
        maker.join()
        if maker.exitcode != 0:
            raise RuntimeError("no data set: " + name)
    else:
        path.write_text("".join(text_of(folder, name).splitlines(True)[::every]))
    return path


def measured(command, limit=None, **environment):
    """Runs a program.  Processor seconds, elapsed seconds, peak megabytes, and what it printed.  Ends this
    process if it fails.  After `limit` seconds it is stopped, and the elapsed seconds are infinite."""
    command = list(map(str, command))
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             env={**os.environ, **environment})
    late = threading.Event()
    timer = threading.Timer(limit, lambda: (late.set(), child.kill())) if limit else None
    if timer:
        timer.start()
    output = child.stdout.read()
    if timer:
        timer.cancel()
    _, status, usage = os.wait4(child.pid, 0)
    elapsed = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if late.is_set():
        elapsed = math.inf
    elif child.returncode != 0:
        sys.exit(f"{' '.join(command)}: failed\n{output[-1000:]}")
    return usage.ru_utime + usage.ru_stime, elapsed, usage.ru_maxrss / 1024, output


def children_cpu():
    """Processor seconds of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def rates_of(path):
    """Rates in a results file of a search, by the exponents of C and gamma."""
    rates = {}
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            c, g, rate = [float(word.split("=")[1]) for word in line.split()]
            rates[c, g] = rate
    return rates


def clusters(rows, features, seed=1):
    """The text of a data set like TorchKM's benchmark: five normal clusters a class, whose centres
    are normal around 0, but 2 in the first half of the features for one class and in the second for
    the other; deviation 3; standardised."""
    draws = random.Random(seed)
    half = features // 2
    centres = {label: [[2.0 * ((k < half) == (label > 0)) + draws.gauss(0, 1)
                        for k in range(features)] for _ in range(5)] for label in (1, -1)}
    labels = [draws.choice((1, -1)) for _ in range(rows)]
    columns = list(zip(*([draws.gauss(mean, 3) for mean in draws.choice(centres[label])]
                         for label in labels)))
    for k, column in enumerate(columns):
        mean = math.fsum(column) / rows
        deviation = math.sqrt(math.fsum((value - mean)**2 for value in column) / rows)
        columns[k] = ["%d:%.6g" % (k + 1, (value - mean) / deviation) for value in column]
    return "".join("%+d %s\n" % (label, " ".join(row))
                   for label, row in zip(labels, zip(*columns)))


def noisy(rows, features, seed=1):
    """Uniform features, a curved boundary, and one label in ten drawn at random."""
    draws = random.Random(seed)
    lines = []
    for _ in range(rows):
        x = [draws.uniform(-1, 1) for _ in range(features)]
        label = 1 if math.sin(3 * x[0]) + x[1] * x[2] - 0.5 * x[3] > 0 else -1
        if draws.random() < 0.1:
            label = draws.choice((1, -1))
        lines.append("%+d %s\n" % (label, " ".join("%d:%.6g" % pair
                                                   for pair in enumerate(x, 1))))
    return "".join(lines)
