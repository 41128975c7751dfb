# LIBSVM in R: trains on a matrix with weights of the rows, draws folds from R's generator, keeps a
# model as text, and meets an error.  Stops where something is not as it should be.
library <- dyn.load("interface.so")

# The interface reads a matrix row by row; R keeps it column by column.  Missing values are not for
# the library, which does not look for them.
rows_of <- function(x) {
  stopifnot(all(is.finite(x)))
  x <- t(x)
  storage.mode(x) <- "double"
  x
}

train <- function(x, y, cost = 1, gamma = 1 / ncol(x), weights = NULL) {
  stopifnot(length(y) == nrow(x), is.null(weights) || length(weights) == nrow(x))
  if (!is.null(weights)) weights <- as.double(weights)
  .Call(library$train, rows_of(x), as.double(y), cost, gamma, weights)
}

cross_validate <- function(x, y, folds, cost = 1, gamma = 1 / ncol(x))
  .Call(library$cross_validate, rows_of(x), as.double(y), cost, gamma, folds)

predict_rows <- function(model, x) .Call(library$predict, model, rows_of(x))

# Three species of flowers, of which each row has four measures.
x <- scale(as.matrix(iris[, 1:4]))
y <- as.integer(iris$Species)

# Messages and draws are R's.
messages <- capture.output(model <- train(x, y, cost = 10))
stopifnot(any(grepl("optimization finished", messages)))
right <- mean(predict_rows(model, x) == y)
cat("right:", right, "\n")
stopifnot(right > 0.95)

set.seed(1)
first <- cross_validate(x, y, 5)
second <- cross_validate(x, y, 5)
set.seed(1)
stopifnot(identical(cross_validate(x, y, 5), first), !identical(.Random.seed, 1L))
cat("cross validation:", mean(first == y), mean(second == y), "\n")
stopifnot(mean(first == y) > 0.9)

# What saveRDS() keeps of a model is its text.
text <- .Call(library$to_text, model)
loaded <- .Call(library$from_text, text)
stopifnot(identical(.Call(library$to_text, loaded), text))

# A row of weight 0 is not there.
weights <- rep(1:0, length.out = nrow(x))
some <- weights > 0
weighted <- train(x, y, weights = weights)
alone <- train(x[some, ], y[some])
stopifnot(identical(.Call(library$to_text, weighted), .Call(library$to_text, alone)))

# Errors are R's.
broken <- tryCatch(.Call(library$from_text, substr(text, 1, nchar(text) %/% 2)), error = conditionMessage)
stopifnot(is.character(broken))
cat("half a model:", broken, "\n")
refused <- tryCatch(train(x, y, cost = -1), error = conditionMessage)
stopifnot(is.character(refused))
cat("a negative cost:", refused, "\n")
missing <- tryCatch(predict_rows(model, replace(x, 7, NA)), error = conditionMessage)
stopifnot(is.character(missing))
