"""LIBSVM in Python: trains on dense and on sparse arrays, pickles a model, and meets errors.  Exits
with 1 where something is not as it should be."""
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy

from svm import LINEAR, Model, SvmError


def require(holds, what):
    if not holds:
        raise SystemExit(f"wrong: {what}")


def compressed(x):
    """Compressed sparse rows, as scipy.sparse.csr_matrix has them."""
    rows, columns = numpy.nonzero(x)
    starts = numpy.searchsorted(rows, numpy.arange(len(x) + 1))
    return SimpleNamespace(shape=x.shape, data=x[rows, columns], indptr=starts.astype(numpy.int32),
                           indices=columns.astype(numpy.int32))


# Rows of 30 features, most of them 0, in classes by three of them.
generator = numpy.random.default_rng(1)
x = generator.standard_normal((600, 30)).astype(numpy.float32)
x[generator.random(x.shape) < 0.7] = 0
y = numpy.sign(x[:, 0] + x[:, 1] * 2 - x[:, 2] + 0.1)
train, test = slice(0, 400), slice(400, 600)

# Dense rows, where they lie.
messages = []
model = Model.train(x[train], y[train], messages=messages, kernel_type=LINEAR, C=10)
require(any("optimization finished" in text for text in messages), "messages")
labels, values = model.predict(x[test])
accuracy = numpy.mean(labels == y[test])
print("accuracy:", accuracy)
require(accuracy > 0.9, "predictions")

# Sparse: the same model and the same predictions, to the bit.
sparse = Model.train(compressed(x[train]), y[train], kernel_type=LINEAR, C=10)
require(sparse.text() == model.text(), "the model of sparse rows")
require(numpy.array_equal(sparse.predict(compressed(x[test]))[1], values), "sparse predictions")

# Every second row, where it lies too.  A row of weight 0 is not there.
half = Model.train(x[train][1::2], y[train][1::2], kernel_type=LINEAR)
weights = (numpy.arange(400) % 2).astype(float)
weighted = Model.train(x[train], y[train], weights=weights, kernel_type=LINEAR)
require(weighted.text() == half.text(), "rows of weight 0")

# Pickled, for processes made by fork(); and one model for several threads at once.
with multiprocessing.get_context("fork").Pool(2) as processes:
    for _labels, copy in processes.map(model.predict, [x[test]] * 4):
        require(numpy.array_equal(copy, values), "predictions of other processes")
with ThreadPoolExecutor(4) as threads:
    for _labels, copy in threads.map(model.predict, [x[test]] * 8):
        require(numpy.array_equal(copy, values), "predictions of other threads")

warnings = []
Model.train(x[train], y[train], max_iter=3, warnings=warnings)
require(len(warnings) > 0, "a warning")
print("three iterations:", warnings[0].strip())

missing = x[train].copy()
missing[7, 7] = numpy.nan
for what, broken in (("half a model", lambda: Model.from_text(model.text()[:500])),
                     ("a negative C", lambda: Model.train(x[train], y[train], C=-1)),
                     ("a missing value", lambda: Model.train(missing, y[train]))):
    try:
        broken()
    except SvmError as error:
        print(f"{what}: {error}")
    else:
        require(False, what)
