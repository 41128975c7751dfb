"""How far a fitted model is from the optimum of its training problem, from model and data alone."""

import itertools

import numpy as np

BLOCK = 1000  # rows whose kernel values are in memory at a time
AT_BOUND = 1 - 1e-6  # part of the bound from which a coefficient is there; models may be in floats


def dense(X):
    return X.toarray() if hasattr(X, "toarray") else np.asarray(X)


def products(X, S, b, gamma):
    """Sums of kernel values with the rows of S times b, for each row of X; linear without gamma."""
    S = dense(S).astype(float)
    squares = (S * S).sum(axis=1)
    sums = []
    for k in range(0, X.shape[0], BLOCK):
        rows = dense(X[k : k + BLOCK]).astype(float)
        values = rows @ S.T
        if gamma is not None:
            values *= 2
            values -= squares
            values -= (rows * rows).sum(axis=1)[:, None]
            values = np.exp(gamma * values)
        sums.append(values @ b)
    return np.concatenate(sums)


def gap(slopes, decrease, increase):
    """What a step gains that lowers one variable and raises another by as much."""
    if not decrease.any() or not increase.any():
        return 0.0
    return max(0.0, slopes[decrease].max() - slopes[increase].min())


def of_classes(model, f, b, signs):
    """For rows of two classes, with decision values f without threshold and coefficients b."""
    size = np.abs(b)
    if type(model).__name__.startswith("Nu"):
        r = model.nu * len(b) / size.sum()
        groups = [signs > 0, signs < 0]  # each has a sum of its own
        bound, slopes = 1 / r, r * f
    else:
        groups, bound, slopes = [np.full(len(b), True)], model.C, f - signs
    free_up, free_down = size < AT_BOUND * bound, size > 0
    lower = np.where(signs > 0, free_down, free_up)
    raise_ = np.where(signs > 0, free_up, free_down)
    return max(gap(slopes[g], lower[g], raise_[g]) for g in groups)


def of_target(model, f, b, y):
    slopes = f - y
    if type(model).__name__.startswith("Nu"):
        return max(
            gap(sign * slopes, sign * b > 0, sign * b < AT_BOUND * model.C) for sign in (1, -1)
        )
    upwards = slopes + np.where(b >= 0, model.epsilon, -model.epsilon)
    downwards = slopes + np.where(b > 0, model.epsilon, -model.epsilon)
    lower, upper = b > -AT_BOUND * model.C, b < AT_BOUND * model.C
    return max(0.0, downwards[lower].max() - upwards[upper].min())


def violation(model, X, y):
    """The largest violation of the optimality conditions over all pairs of classes, as defined in
    docs/check.md, of a fitted SVC, NuSVC, SVR or NuSVR with kernel "rbf" (gamma a number or "auto")
    or "linear"."""
    gamma = 1 / X.shape[1] if model.gamma == "auto" else model.gamma
    gamma = gamma if model.kernel == "rbf" else None
    support, coefficients = np.asarray(model.support_), dense(model.dual_coef_).astype(float)

    def sums(rows, part, values):
        b = np.zeros(X.shape[0])
        b[support[part]] = values
        return products(X[rows], X[support[part]], values, gamma), b[rows]

    if not hasattr(model, "classes_"):
        everything = np.arange(X.shape[0])
        return of_target(model, *sums(everything, np.arange(len(support)), coefficients[0]), y)
    labels = np.searchsorted(model.classes_, y)
    worst = 0.0
    for i, j in itertools.combinations(range(len(model.classes_)), 2):
        rows = np.flatnonzero((labels == i) | (labels == j))
        part = np.flatnonzero((labels[support] == i) | (labels[support] == j))
        first = labels[support[part]] == i
        values = np.where(first, coefficients[j - 1, part], coefficients[i, part])
        signs = np.where(labels[rows] == i, 1.0, -1.0)
        if len(model.classes_) == 2:
            signs = -signs  # scikit-learn's sign for two classes
        worst = max(worst, of_classes(model, *sums(rows, part, values), signs))
    return worst
