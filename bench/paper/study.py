"""What the repetitions of the papers share: data sets, runs of the programs, tables and pictures."""
import os, pathlib, re, shutil, subprocess, sys
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from common import measured, text_of

COUNTS = ("conjugate", "clipped", "plain", "phases", "outer")


@dataclass
class Training:
    """What svm-train printed.  Seconds are processor seconds of the whole program."""
    seconds: float
    iterations: int
    objective: float
    vectors: int    # support vectors of all problems
    bounded: int    # of these, those at C
    counts: dict    # of COUNTS
    output: str
    model: pathlib.Path

    def number(self, name):
        """The last number that was printed as "NAME = number"."""
        return float(re.findall(re.escape(name) + r" = ([-+.\deinf]+)", self.output)[-1])


class Study:
    def __init__(self, data, programs, work, quick, pictures):
        self.data, self.bin, self.work = data, programs, work
        self.quick, self.pictures = quick, pictures
        work.mkdir(parents=True, exist_ok=True)

    def text(self, name):
        return text_of(self.data, name)

    def prepared(self, name, make):
        """The path of a data set of this name, with the text that make() returns; made once."""
        path = self.work / name
        if not path.exists():
            path.write_text(make())
        return path

    def run(self, program, *words):
        """Processor seconds and output of one of the programs, on one thread."""
        seconds, _, _, output = measured([self.bin / program, *words], SVM_NUM_THREADS="1")
        return seconds, output

    def train(self, data, *options):
        """Trains, with the counts of the steps."""
        model = self.work / "model"
        seconds, output = self.run("svm-train", *options, "--counts", data, model)
        total = lambda pattern: sum(map(int, re.findall(pattern, output, re.MULTILINE)))
        objectives = re.findall(r"^obj = ([-+.\deinf]+)", output, re.MULTILINE)
        return Training(seconds, total(r"#iter = (\d+)"), sum(map(float, objectives)), total(r"^nSV = (\d+)"),
                        total(r"nBSV = (\d+)"), {name: total(f"#{name} = (\\d+)") for name in COUNTS},
                        output, model)

    def error(self, test, model):
        """The test error in percent."""
        _, output = self.run("svm-predict", test, model, self.work / "predictions")
        return 100 - float(re.search(r"Accuracy = ([.\d]+)", output)[1])

    def draw(self, name, script):
        """Draws NAME.svg by a gnuplot script, if pictures are wanted."""
        if self.pictures is None:
            return
        if not shutil.which("gnuplot"):
            print("gnuplot not found: no " + name + ".svg")
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        head = f"set terminal svg size 640,400 background '#ffffff'\nset output '{self.pictures / (name + '.svg')}'\n"
        subprocess.run(["gnuplot"], input=head + script, text=True, check=True, env={**os.environ, "LC_ALL": "C"})


def table(titles, rows):
    """Prints a Markdown table."""
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
