"""scikit-learn's data sets, and pairs of its estimators and ours."""

import numpy as np
from sklearn import svm
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.preprocessing import scale

import csmo


def iris():
    X, y = load_iris(return_X_y=True)
    return scale(X), np.array(["virginica", "setosa", "versicolor"])[y]


def breast_cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return scale(X), y


def digits():
    X, y = load_digits(return_X_y=True)
    return X / 16, y


def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return scale(X), y


def both(name, **options):
    return getattr(csmo, name)(**options), getattr(svm, name)(**options)
