"""Draws the contours of the rates with gnuplot, if it is installed."""

import subprocess
import sys

from . import files

SCRIPT = """set terminal pngcairo size 1000,750 font ',12'
set title {title} noenhanced
set xlabel 'log2(C)'
set ylabel 'log2(gamma)'
set xrange [{left}:{right}]
set yrange [{low}:{high}]
set view map
set contour base
set cntrparam order 8
set cntrparam bspline
set cntrparam levels discrete {levels}
set key outside right top
set label 1 {best} at screen 0.5,0.03 center noenhanced
set label 2 '' at {c},{g} point pointtype 2 pointsize 2 front
unset surface
splot '-' with lines linewidth 2 title 'rate'
{rows}
e
"""


def quote(text):
    """The text as a gnuplot string in single quotes."""
    return "'" + text.replace("'", "''").replace("\n", " ") + "'"


def gnuplot_script(grid, rates, title):
    """Returns the script, or None if the finished points make no picture."""
    if grid.names != ["c", "g"]:
        return None
    cs, gs = (sorted(set(grid.ranges[name])) for name in grid.names)
    if len(cs) < 2 or len(gs) < 2 or any((c, g) not in rates for c in cs for g in gs):
        return None
    (c, g), rate = grid.best({point: rates[point] for point in grid.points()})
    worst = (max if grid.minimise else min)(rates.values())
    if worst == rate:
        return None
    # Contours are dense near the best rate, where the choice is made.
    parts = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7)
    levels = ["%.4g" % (rate + (worst - rate) * part) for part in parts]
    rows = "\n\n".join("\n".join("%r %r %r" % (c, g, rates[c, g]) for g in gs) for c in cs)
    best = "best: log2(C) = %g, log2(gamma) = %g, C = %g, gamma = %g, %s %g%s" % (
        c, g, 2.0**c, 2.0**g, "mean squared error" if grid.minimise else "accuracy", rate,
        "" if grid.minimise else " %")
    return SCRIPT.format(title=quote(title), best=quote(best), c=c, g=g,
                         left=cs[0], right=cs[-1], low=gs[0], high=gs[-1],
                         levels=",".join(levels), rows=rows)


def draw(gnuplot, grid, rates, title, png):
    """Draws the picture. A failure only prints a message, so that the search is not lost."""
    script = gnuplot_script(grid, rates, title)
    if script is None:
        return
    try:
        run = subprocess.run([gnuplot], input=script.encode(errors="replace"),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError:
        print("gnuplot executable not found", file=sys.stderr)
        return
    if run.returncode != 0 or not run.stdout:
        print("gnuplot failed: " + run.stderr.decode(errors="replace").strip(), file=sys.stderr)
        return
    try:
        with files.new_file(png) as file:
            file.write(run.stdout)
    except OSError as error:
        print("the picture cannot be written: " + files.describe(error), file=sys.stderr)
