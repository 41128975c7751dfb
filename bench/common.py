"""Functions that the benchmarks share. Standard library only."""
import lzma, resource


def text_of(folder, name):
    """The text of a data set, which the folder has as NAME.xz or NAME."""
    packed = folder / (name + ".xz")
    return (lzma.decompress(packed.read_bytes()) if packed.exists() else
            (folder / name).read_bytes()).decode()


def prepare(folder, work, name, every):
    """The path of a file with every n-th row of a data set."""
    path = work / name
    path.write_text("".join(text_of(folder, name).splitlines(True)[::every]))
    return path


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
