#!/usr/bin/env python3
"""From data to predictions: scales, searches C and gamma, trains and predicts."""

import os
import subprocess
import sys

from svmgrid import files, programs, signals

GRID = os.path.join(programs.TOOLS, "grid.py")


class Failed(Exception):
    """A step failed; the message says which."""


def need(name):
    """Returns the path of a program. Raises Failed if there is none."""
    found = programs.find(name)
    if found is None:
        raise Failed("%s executable not found" % name)
    return found


def run(command, output=None, name=None):
    """Runs a step, which ends if a signal comes; its standard error stays visible. Returns the last
    line that it writes, if output is a pipe. Raises Failed if it fails."""
    process = None
    last = ""
    try:
        with signals.held():
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                       universal_newlines=True)
        # A signal that comes just before a read is noticed after the next line, or not before the end
        # if the pipe is read as a whole.
        for line in process.stdout or ():
            last = line
        process.wait()
    except BaseException:
        if process:
            process.terminate()
            process.wait()
        raise
    if process.returncode != 0:
        raise Failed("%s failed: exit status %d" % (name or os.path.basename(command[0]),
                                                    process.returncode))
    return last


def scale(arguments, target):
    """Runs svm-scale; target appears only when it is complete."""
    with files.new_file(target) as file:
        run([need("svm-scale"), *arguments], file)


def best_parameters(data):
    """Returns [C, gamma, rate], the last line of grid.py."""
    command = [sys.executable, GRID, "-svmtrain", need("svm-train"), data]
    return [float(word) for word in run(command, subprocess.PIPE, "grid.py").split()]


def easy(train, test):
    """Runs all steps. test may be None. Files are written to the current folder."""
    for path in filter(None, (train, test)):
        if path == "-":
            raise Failed("easy.py reads its files several times: it needs a file, not standard input (-)")
        if not os.path.exists(path):
            raise Failed("%s not found" % path)
    svm_train, svm_predict = need("svm-train"), need("svm-predict")
    name = os.path.basename(train)
    ranges, scaled, model = name + ".range", name + ".scale", name + ".model"
    written = [ranges, scaled, model, scaled + ".out", scaled + ".png"]
    if test is not None:
        written += [os.path.basename(test) + end for end in (".scale", ".predict")]
    for path in written:
        for read in filter(None, (train, test)):
            if files.are_same(path, read):
                raise Failed("%s would be written over itself" % read)

    print("Scaling training data...", flush=True)
    scale(["-s", ranges, train], scaled)
    print("Cross validation...", flush=True)
    c, g, rate = best_parameters(scaled)
    print("Best c=%s, g=%s CV rate=%s" % (c, g, rate))
    print("Training...", flush=True)
    run([svm_train, "-c", str(c), "-g", str(g), scaled, model], subprocess.DEVNULL)
    print("Output model: " + model, flush=True)
    if test is None:
        return
    name = os.path.basename(test)
    scaled, predictions = name + ".scale", name + ".predict"
    print("Scaling testing data...", flush=True)
    scale(["-r", ranges, test], scaled)
    print("Testing...", flush=True)
    run([svm_predict, scaled, model, predictions])
    print("Output prediction: " + predictions)


def main(program, arguments):
    """Returns the exit status."""
    if not arguments:
        print("Usage: %s training_file [testing_file]" % program)
        return 0
    signals.install()
    try:
        easy(arguments[0], arguments[1] if len(arguments) > 1 else None)
    except (Failed, OSError, ValueError) as error:
        print(files.describe(error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[0], sys.argv[1:]))
