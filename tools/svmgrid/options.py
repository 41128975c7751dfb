"""The command line of grid.py."""

import os
import shlex
import shutil

from . import files, points, programs

USAGE = """Usage: grid.py [grid_options] [svm_options] dataset

grid_options:
-log2c begin,end,step|null   values of C to try, as powers of two (default -5,15,2)
-log2g begin,end,step|null   values of gamma, likewise (default 3,-15,-2)
-log2p begin,end,step|null   values of epsilon of SVR, likewise (default null)
                             null: leave the parameter to svm_options
-v n                         folds of the cross validation (default 5)
-svmtrain path               svm-train to use (default: the one of this installation)
-gnuplot path|null           gnuplot to draw with; null: no picture (default: the one in PATH)
-out path|null               file of the results (default dataset.out in this folder)
-png path                    file of the picture (default dataset.png in this folder)
-resume [path]               keep the points that a results file has (default dataset.out)
--threads n                  processors to use on this machine (default all)
--gammas b:e                 only the values b to e-1 of the gammas, counted from 0
--refine, --warm-start       as svm-grid has them; see svm-grid --help
--search full|adaptive       likewise
--cells rows, --model file   likewise
--ssh host,host              run svm-train on these machines, too
--slurm[=options]            run the gammas as a job array of Slurm; options are sbatch's
--parallel file              run the gammas by GNU Parallel on the machines of its --sshlogin file;
                             n/machine: n tasks at a time there

svm_options: all others are passed to svm-train
"""

DEFAULTS = {"c": (-5.0, 15.0, 2.0), "g": (3.0, -15.0, -2.0), "p": None}
VALUED = ("-log2c", "-log2g", "-log2p", "-v", "-svmtrain", "-gnuplot", "-out", "-png",
          "--threads", "--gammas", "--search", "--cells", "--model", "--ssh", "--parallel")


class Options:
    """dataset: a path; arguments: the other words of the command line."""

    def __init__(self, dataset, arguments):
        self.dataset = dataset
        name = os.path.basename(dataset)
        self.ranges = dict(DEFAULTS)
        self.folds = "5"
        self.svm_train = None
        self.gnuplot = shutil.which("gnuplot") or "/usr/bin/gnuplot"
        self.out = name + ".out"
        self.png = name + ".png"
        self.resume = None
        self.threads = None
        self.gammas = None
        self.ssh = []
        self.slurm = None  # list of sbatch's options
        self.parallel = None
        self.grid_only = []  # options that only svm-grid has, with their values
        self.train = []  # options of svm-train
        self.for_svm_grid = []  # the command line without grid.py's own options
        self._parse(list(arguments), name + ".out")
        self._check()

    def _parse(self, words, default_resume):
        while words:
            word = words.pop(0)
            used = [word]
            if word in VALUED:
                if not words:
                    raise ValueError("option %s needs a value" % word)
                used.append(words.pop(0))
                self._set(*used)
            elif word == "-resume":
                self.resume = default_resume
                if words and not words[0].startswith("-"):
                    self.resume = words.pop(0)
                # A bare -resume could take svm-grid's data set for its file.
                used = [word, self.resume]
            elif word == "--slurm" or word.startswith("--slurm="):
                self.slurm = shlex.split(word[len("--slurm="):])
            elif word in ("--refine", "--warm-start"):
                self.grid_only.append(word)
            elif word in ("-c", "-g"):
                raise ValueError("Use -log2c and -log2g.")
            else:
                self.train.append(word)
            if word != "-svmtrain":
                self.for_svm_grid += used

    def _set(self, word, value):
        if word in ("-log2c", "-log2g", "-log2p"):
            self.ranges[word[-1]] = None if value == "null" else parse_range(word, value)
        elif word == "-v":
            self.folds = value
        elif word == "-svmtrain":
            self.svm_train = value
        elif word == "-gnuplot":
            self.gnuplot = None if value == "null" else value
        elif word == "-out":
            self.out = None if value == "null" else value
        elif word == "-png":
            self.png = None if value == "null" else value
        elif word == "--threads":
            self.threads = parse_count(word, value)
        elif word == "--gammas":
            self.gammas = parse_slice(word, value)
        elif word == "--search":
            if value not in ("full", "adaptive"):
                raise ValueError("option --search needs full or adaptive, not %s" % value)
            self.grid_only += [word, value]
        elif word == "--cells":
            self.grid_only += [word, str(parse_count(word, value))]
        elif word == "--model":
            self.grid_only += [word, value]
        elif word == "--ssh":
            self.ssh = [host for host in value.split(",") if host]
        else:
            self.parallel = value

    def _check(self):
        """Checks all that can be checked before a program runs."""
        if self.ranges["c"] is None and self.ranges["g"] is None and self.ranges["p"] is None:
            raise ValueError("-log2c and -log2g should not be null simultaneously")
        if sum(x is not None and x != [] for x in (self.ssh, self.parallel)) + (
                self.slurm is not None) > 1:
            raise ValueError("--slurm, --parallel and --ssh exclude each other")
        self.grid()  # reports errors in ranges
        self._end_at_points()
        self._check_program()
        if self.dataset == "-":
            raise ValueError("grid.py gives its dataset to other programs: it needs a file, not standard "
                             "input (-)")
        if not os.path.exists(self.dataset):
            raise OSError("dataset not found")
        for word, path in (("-out", self.out), ("-png", self.png)):
            if path is not None and files.are_same(path, self.dataset):
                raise ValueError("option %s: %s is the dataset itself" % (word, path))
        if self.resume is not None and not os.path.exists(self.resume):
            raise OSError("file for resumption not found")
        if self.parallel is not None and not os.path.exists(self.parallel):
            raise OSError("sshlogin file %s not found" % self.parallel)

    def _end_at_points(self):
        """Makes ranges end at their last points: svm-grid has a point at an end that is lost by
        rounding here, as in LIBSVM."""
        for name, values in self.ranges.items():
            last = values and points.arithmetic_sequence(*values)[-1]
            if values and last != values[1]:
                self.ranges[name] = values[0], last, values[2]
                if "-log2" + name in self.for_svm_grid:
                    self.for_svm_grid += ["-log2" + name, "%r,%r,%r" % self.ranges[name]]

    def _check_program(self):
        if self.svm_train is None:
            self.svm_train = programs.find("svm-train")
        else:
            given = os.path.expanduser(self.svm_train)
            self.svm_train = programs.executable(given) or shutil.which(given)
        if self.svm_train is None:
            raise OSError("svm-train executable not found")
        self.svm_train = os.path.abspath(self.svm_train)

    def grid(self):
        """The grid to search."""
        ranges = {}
        for name, values in self.ranges.items():
            try:
                ranges[name] = values and points.arithmetic_sequence(*values)
            except ValueError as error:
                raise ValueError("option -log2%s: %s" % (name, error)) from None
        if self.gammas is not None and ranges["g"] is not None:
            ranges["g"] = ranges["g"][slice(*self.gammas)]
            if not ranges["g"]:
                raise ValueError("option --gammas: no value of gamma is left")
        return points.Grid(ranges, minimise=is_regression(self.train))


def is_regression(train_options):
    """Whether svm-train will report an error rather than an accuracy."""
    words = iter(train_options)
    for word in words:
        if word[:2] == "-s":
            return next(words, "").strip() in ("3", "4")
    return False


def parse_range(word, value):
    """Parses begin,end,step."""
    try:
        begin, end, step = [float(number) for number in value.split(",")]
    except ValueError:
        raise ValueError("option %s needs begin,end,step or null, not %s" %
                         (word, value)) from None
    return begin, end, step


def parse_count(word, value):
    """Parses a number from 1 on."""
    if not value.isdigit() or int(value) < 1:
        raise ValueError("option %s needs a number from 1, not %s" % (word, value))
    return int(value)


def parse_slice(word, value):
    """Parses b:e with b < e."""
    begin, _, end = value.partition(":")
    if not (begin.isdigit() and end.isdigit() and int(begin) < int(end)):
        raise ValueError("option %s needs two numbers b:e with b < e, not %s" % (word, value))
    return int(begin), int(end)
