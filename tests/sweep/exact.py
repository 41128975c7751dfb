"""Judges trainings in exact arithmetic: what is said to have converged must be optimal.

    exact.py --bin FOLDER [--count N] [--first N] [--case N]

Trains on small random problems by FOLDER's svm-train, with every SVM type and kernel function and
every solver that promises a KKT violation below -e.  Features are whole numbers, dyadic fractions,
dates, or numbers beside a large constant; scales go from 1e-8 to 1e12, C from 1e-3 to 1e10.  The
violation of each model is computed anew by fractions, or to 80 digits if the kernel has an
exponential function.  It shares nothing with the library but the formats of its files.

A problem passes if a model without a warning has an exact violation of at most -e and meets its
constraints, and if `--check` states a violation that is the exact one, as far as it says that it
knows it.  The number of a problem determines everything about it.
"""

import argparse
import concurrent.futures
import decimal
import functools
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction

C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR = range(5)
LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED = range(5)
FEASIBLE = Fraction(1, 10**9)
# What the division of nu-SVC's coefficients by the margin may round.
ROUNDED = Fraction(1, 10**9)
ROUNDED_BITS = 260  # of values that are not rational

decimal.getcontext().prec = 80
decimal.getcontext().Emin, decimal.getcontext().Emax = -(10**9), 10**9


def draw_features(draws, rows, features):
    """Rows of features, all of one kind."""
    kind = draws.choice(["whole", "dyadic", "real", "dates", "beside", "mixed", "repeated"])
    scale = 10.0 ** draws.randint(-8, 12) if draws.random() < 0.6 else 1.0
    constant = 10.0 ** draws.randint(5, 9)
    x = []
    for _ in range(rows):
        if kind == "whole":
            row = [float(draws.randint(-9, 9)) for _ in range(features)]
        elif kind == "dyadic":
            row = [draws.randint(-64, 64) / 16 for _ in range(features)]
        elif kind == "dates":
            row = [round(20200101 + 25000 * draws.gauss(0, 1), 2)]
            row += [round(draws.gauss(0, 1), 6) for _ in range(features - 1)]
        elif kind == "beside":
            row = [constant] + [draws.randint(0, 8) / 8 for _ in range(features - 1)]
        elif kind == "mixed":
            row = [draws.gauss(0, 1) * 10.0 ** (3 * k - 3) for k in range(features)]
        elif kind == "repeated" and x and draws.random() < 0.5:
            row = list(draws.choice(x))
        else:
            row = [draws.gauss(0, 1) for _ in range(features)]
        x.append(row)
    if kind in ("whole", "dyadic", "real", "repeated"):
        x = [[value * scale for value in row] for row in x]
    return kind, x


class Case:
    """A problem with its options, made from its number."""

    def __init__(self, number):
        draws = random.Random(number)
        self.number = number
        self.solver = draws.choice(["csmo"] * 6 + ["smo1", "platt", "pcg", "mdm", "amdm"])
        types = list(range(5)) if self.solver in ("csmo", "smo1") else [C_SVC]
        self.svm_type = draws.choice(types)
        self.kernel = draws.choice([LINEAR, LINEAR, POLY, POLY, POLY, RBF, SIGMOID, PRECOMPUTED])
        is_fixed = self.solver == "platt" and draws.random() < 0.3
        self.fixed = ["--fixed-threshold"] if is_fixed else []
        rows, features = draws.randint(2, 24), draws.randint(1, 6)
        self.kind, self.x = draw_features(draws, rows, features)
        self.degree = draws.choice([1, 2, 2, 3, 3, 4, 6])
        self.gamma = draws.choice([1.0, 0.5, 1 / features, 10.0 ** draws.randint(-6, 3)])
        self.coef0 = draws.choice([0.0, 0.0, 1.0, -1.0, 100.0])
        self.c = 10.0 ** draws.randint(-3, 10) if draws.random() < 0.7 else 1.0
        self.nu = draws.choice([0.1, 0.3, 0.5, 0.8])
        self.tube = draws.choice([0.0, 0.1, 1.0])
        self.epsilon = draws.choice([1e-3, 1e-3, 1e-3, 1e-6, 1e-1])
        self.shrinking = draws.choice([0, 1])
        if self.svm_type in (EPSILON_SVR, NU_SVR):
            size = 10.0 ** draws.choice([-2, 0, 0, 0, 4])
            # Equal rows have equal targets, because a model file does not tell them apart.
            of_row = {tuple(row): round(size * (row[-1] + draws.gauss(0, 1)), 6) for row in self.x}
            self.y = [of_row[tuple(row)] for row in self.x]
        else:
            self.y = [draws.choice([1.0, -1.0]) for _ in self.x]
            self.y[0], self.y[-1] = 1.0, -1.0
        if self.kernel == PRECOMPUTED:  # the matrix of a polynomial of degree 2, in doubles
            self.matrix = [[self.dot_in_doubles(u, v) for v in self.x] for u in self.x]

    def dot_in_doubles(self, u, v):
        return float(sum(Fraction(a) * Fraction(b) for a, b in zip(u, v)) ** 2)

    def options(self):
        return [
            *("-a", self.solver, *self.fixed, "-s", str(self.svm_type), "-t", str(self.kernel)),
            *("-d", str(self.degree), "-g", repr(self.gamma), "-r", repr(self.coef0)),
            *("-c", repr(self.c), "-n", repr(self.nu), "-p", repr(self.tube)),
            *("-e", repr(self.epsilon), "-h", str(self.shrinking)),
        ]

    def text(self):
        """The data file.  The last feature numbers the rows, which ties support vectors to them."""
        lines = []
        for t, (y, row) in enumerate(zip(self.y, self.x)):
            if self.kernel == PRECOMPUTED:
                pairs = [f"0:{t + 1}"] + [f"{k + 1}:{v!r}" for k, v in enumerate(self.matrix[t])]
            else:
                pairs = [f"{k + 1}:{value!r}" for k, value in enumerate(row)]
            lines.append(" ".join([repr(y)] + pairs) + "\n")
        return "".join(lines)

    def exact_kernel(self):
        """The kernel matrix as whole numbers, and the power of 2 that they are multiples of."""
        if self.kernel == PRECOMPUTED:
            return whole_numbers(self.matrix)
        x, unit = whole_numbers(self.x)
        ((gamma,),), unit_of_gamma = whole_numbers([[self.gamma]])
        ((coef0,),), unit_of_coef0 = whole_numbers([[self.coef0]])
        unit_of_base = min(2 * unit + unit_of_gamma, unit_of_coef0)
        coef0 <<= unit_of_coef0 - unit_of_base

        def value(u, v):
            if self.kernel == RBF:
                distance = gamma * sum((a - b) ** 2 for a, b in zip(u, v))
                return rounded(exponential(-scaled(distance, 2 * unit + unit_of_gamma)))
            inner = sum(a * b for a, b in zip(u, v))
            if self.kernel == LINEAR:
                return inner
            base = (gamma * inner << (2 * unit + unit_of_gamma - unit_of_base)) + coef0
            if self.kernel == POLY:
                return base**self.degree
            return rounded(hyperbolic_tangent(scaled(base, unit_of_base)))

        matrix = [[0] * len(x) for _ in x]
        for t, u in enumerate(x):
            for s in range(t + 1):
                matrix[t][s] = matrix[s][t] = value(u, x[s])
        units = {LINEAR: 2 * unit, POLY: self.degree * unit_of_base}
        return matrix, units.get(self.kernel, -ROUNDED_BITS)


def whole_numbers(rows):
    """Doubles as whole numbers, and the exponent of the power of 2 that they are multiples of."""
    fractions = [[Fraction(value) for value in row] for row in rows]
    unit = -max(value.denominator.bit_length() - 1 for row in fractions for value in row)
    return [[int(value * 2**-unit) for value in row] for row in fractions], unit


def scaled(number, unit):
    """number * 2^unit"""
    return Fraction(number * 2**unit) if unit >= 0 else Fraction(number, 2**-unit)


def rounded(value):
    """A value of an exponential function as a multiple of 2^-ROUNDED_BITS."""
    return int(value * 2**ROUNDED_BITS)


def exponential(exponent):
    if exponent < -10000:
        return Fraction(0)
    return Fraction((decimal.Decimal(exponent.numerator) / exponent.denominator).exp())


def hyperbolic_tangent(value):
    if value < 0:
        return -hyperbolic_tangent(-value)
    power = exponential(-2 * value)
    return (1 - power) / (1 + power)


def violation_of(f, variables):
    """The KKT violation: the largest f that may fall minus the least f that may rise."""
    lowest = min((f_t for f_t, up, _ in zip(f, *variables) if up), default=None)
    highest = max((f_t for f_t, _, down in zip(f, *variables) if down), default=None)
    return Fraction(0) if lowest is None or highest is None else max(highest - lowest, Fraction(0))


class Judgement:
    """The exact violation and the breach of the constraints of coefficients b."""

    def __init__(self, case, b):
        self.case = case
        matrix, unit = case.exact_kernel()
        (whole,), unit_of_b = whole_numbers([b])
        terms = [(s, b_s) for s, b_s in enumerate(whole) if b_s]
        self.f = [scaled(sum(row[s] * b_s for s, b_s in terms), unit + unit_of_b) for row in matrix]
        self.b = b
        self.y = [Fraction(y) for y in case.y]
        self.breach = Fraction(0)
        c_svc = self.squared_slacks if case.solver in ("mdm", "amdm") else self.c_svc
        self.violation = [
            c_svc, self.nu_svc, self.one_class, self.epsilon_svr, self.nu_svr
        ][case.svm_type]()

    def breaks(self, by, size):
        if by > 0:
            self.breach = max(self.breach, by / size if size else Fraction(1))

    def box(self, value, upper):
        self.breaks(max(-value, value - upper), upper)

    def c_svc(self):
        c = Fraction(self.case.c)
        alpha = [y * b for y, b in zip(self.y, self.b)]
        for a in alpha:
            self.box(a, c)
        if self.case.fixed:
            slopes = [y * f - 1 for f, y in zip(self.f, self.y)]
            worst = [s if a > 0 else Fraction(0) for a, s in zip(alpha, slopes)]
            return max(worst + [-s for a, s in zip(alpha, slopes) if a < c] + [Fraction(0)])
        self.breaks(abs(sum(self.b)), sum(map(abs, self.b)))
        up = [a < c if y > 0 else a > 0 for a, y in zip(alpha, self.y)]
        down = [a > 0 if y > 0 else a < c for a, y in zip(alpha, self.y)]
        return violation_of([f - y for f, y in zip(self.f, self.y)], (up, down))

    def squared_slacks(self):
        """The kernel has 1 added, its diagonal 1/C; variables have no upper bound."""
        alpha = [y * b for y, b in zip(self.y, self.b)]
        bias, c = sum(self.b), Fraction(self.case.c)
        slopes = [y * (f + bias) + a / c - 1 for f, y, a in zip(self.f, self.y, alpha)]
        falling = max((s for s, a in zip(slopes, alpha) if a > 0), default=Fraction(0))
        return max(falling, Fraction(0)) - min(min(slopes), Fraction(0))

    def nu_svc(self):
        wanted = Fraction(self.case.nu) * len(self.b)
        size = sum(map(abs, self.b))
        margin = wanted / size
        alpha = [y * b * margin for y, b in zip(self.y, self.b)]
        alpha = [Fraction(1) if abs(a - 1) < ROUNDED else a for a in alpha]
        for a in alpha:
            self.box(a, Fraction(1))
        worst = Fraction(0)
        for side in (1, -1):
            of = [t for t, y in enumerate(self.y) if y == side]
            self.breaks(abs(sum(alpha[t] for t in of) - wanted / 2), wanted)
            grows, falls = [alpha[t] < 1 for t in of], [alpha[t] > 0 for t in of]
            pair = (grows, falls) if side > 0 else (falls, grows)
            worst = max(worst, violation_of([self.f[t] * margin for t in of], pair))
        return worst

    def one_class(self):
        wanted = Fraction(self.case.nu) * len(self.b)
        for b in self.b:
            self.box(b, Fraction(1))
        self.breaks(abs(sum(self.b) - wanted), wanted)
        return violation_of(self.f, ([b < 1 for b in self.b], [b > 0 for b in self.b]))

    def sides(self, tube):
        """f of both variables of each row, and whether they may rise and fall."""
        c = Fraction(self.case.c)
        for b in self.b:
            self.box(abs(b), c)
        errors = [f - y for f, y in zip(self.f, self.y)]
        upper = ([e + tube for e in errors], [b < c for b in self.b], [b > 0 for b in self.b])
        lower = ([e - tube for e in errors], [b < 0 for b in self.b], [-b < c for b in self.b])
        return upper, lower

    def epsilon_svr(self):
        self.breaks(abs(sum(self.b)), sum(map(abs, self.b)))
        upper, lower = self.sides(Fraction(self.case.tube))
        f, up, down = (a + b for a, b in zip(upper, lower))
        return violation_of(f, (up, down))

    def nu_svr(self):
        """Of the rows' both variables only the difference is known; the best is assumed."""
        c = Fraction(self.case.c)
        total = c * Fraction(self.case.nu) * len(self.b)
        self.breaks(abs(sum(self.b)), total)
        lack = total - sum(map(abs, self.b))
        self.breaks(-lack, total)
        upper, lower = self.sides(Fraction(0))
        worst = max(violation_of(f, (up, down)) for f, up, down in (upper, lower))
        if lack <= ROUNDED * total:
            return worst
        lowest = min((f for f, up, _ in zip(*upper) if up), default=None)
        highest = max((f for f, _, down in zip(*lower) if down), default=None)
        rows = []
        for f, b in zip(upper[0], self.b):
            by = [f - lowest] if lowest is not None else []
            by += [highest - f] if highest is not None else []
            rows.append((max(by, default=Fraction(0)), c - abs(b)))
        missing = lack / 2
        for by, room in sorted(rows):
            if missing <= ROUNDED * total:
                break
            if room > 0:
                worst = max(worst, by)
                missing -= room
        return worst


def read_model(path, case):
    """The coefficient of each row: support vectors are found by their features."""
    with open(path, encoding="ascii") as file:
        header, _, vectors = file.read().partition("SV\n")
    labels = re.search(r"^label (.*)$", header, re.M)
    # Coefficients have the sign of the class that is the model's first label.
    sign = -1 if labels and labels.group(1).split()[0] == "-1" else 1
    rows = {}
    for t, row in enumerate(case.x):
        key = (t + 1.0,) if case.kernel == PRECOMPUTED else tuple(v for v in row)
        rows.setdefault(key, []).append(t)
    b = [Fraction(0)] * len(case.x)
    for line in vectors.splitlines():
        coefficient, *pairs = line.split()
        key = tuple(float(pair.split(":")[1]) for pair in pairs)
        of = rows.get(key)
        if not of:
            raise ValueError(f"no row has these features: {line}")
        value = sign * Fraction(float(coefficient))
        if labels:  # equal rows of one class are interchangeable
            of = [t for t in of if (case.y[t] > 0) == (value > 0)] or of
        t = next((t for t in of if b[t] == 0), of[0])
        b[t] = value
    return b


def judge(number, programs):
    """The problem, what is wrong with its training, or None, and a word for its outcome."""
    case = Case(number)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return (case, *judgement_of(case, programs, folder))
        except subprocess.TimeoutExpired:
            return case, "no end within two minutes", "wrong"


def judgement_of(case, programs, folder):
    data, model = os.path.join(folder, "data"), os.path.join(folder, "model")
    with open(data, "w", encoding="ascii") as file:
        file.write(case.text())
    command = [os.path.join(programs, "svm-train"), "--check", "--digits", "17"]
    run = subprocess.run(
        command + case.options() + [data, model], capture_output=True, text=True, timeout=120
    )
    if run.returncode != 0:
        return None, "refused"
    exact = Judgement(case, read_model(model, case))
    warnings = re.findall("^WARNING: (.*)", run.stdout + run.stderr, re.M)
    converged = all("finds no margin" in warning for warning in warnings)
    stated = re.search(r"optimality conditions = (.*)", run.stdout).group(1)
    violation = float(exact.violation)
    if converged and exact.violation > Fraction(case.epsilon):
        return f"converged, but the violation is {violation:.6g} of {case.epsilon}", "wrong"
    if converged and exact.breach > FEASIBLE:
        return f"converged, but the constraints are missed by {float(exact.breach):.3g}", "wrong"
    fault = fault_of_check(stated, exact.violation, Fraction(case.epsilon))
    if fault:
        return f"--check says {stated!r}: {fault}", "wrong"
    if converged and "not known" in stated:
        return f"converged, but --check says {stated!r}", "wrong"
    if converged:
        return None, "converged"
    return None, "warned" if exact.violation > Fraction(case.epsilon) else "warned though optimal"


def fault_of_check(stated, exact, epsilon):
    """What is wrong with the violation that --check states."""
    if stated.startswith(("nan", "not known")):
        return None
    number = float(stated.split()[0])
    rounding = re.search(r"rounding: ([^)]*)", stated)
    error = 1e-5 * number + (float(rounding.group(1)) if rounding else epsilon / 2)
    if ("above the tolerance" in stated) != (exact > epsilon):
        return f"it is {float(exact):.6g}, and the tolerance is {epsilon}"
    if abs(number - exact) > error:
        return f"it is {float(exact):.6g}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder with the programs")
    parser.add_argument("--count", type=int, default=300, help="number of problems (default 300)")
    parser.add_argument("--first", type=int, default=0, help="number of the first problem")
    parser.add_argument("--case", type=int, help="judge this problem alone and write its data here")
    arguments = parser.parse_args()
    first, count = arguments.first, arguments.count
    if arguments.case is not None:
        first, count = arguments.case, 1
        case = Case(first)
        with open("data", "w", encoding="ascii") as file:
            file.write(case.text())
        print("svm-train --check", *case.options(), "data")
    outcomes, faults = Counter(), 0
    judge_one = functools.partial(judge, programs=arguments.bin)
    with concurrent.futures.ProcessPoolExecutor() as processes:
        for case, fault, outcome in processes.map(judge_one, range(first, first + count)):
            outcomes[outcome] += 1
            if fault:
                faults += 1
                options = " ".join(case.options())
                print(f"problem {case.number} ({case.kind}): {options}\n  {fault}")
    print(f"{count} problems:", ", ".join(f"{n} {word}" for word, n in sorted(outcomes.items())))
    return 1 if faults or not outcomes["converged"] else 0


if __name__ == "__main__":
    sys.exit(main())
