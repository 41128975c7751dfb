# Usage: e1071.R PACKAGE_FOLDER RESULTS
# Runs the examples of e1071's manual pages and its tests, as R CMD check does.  RESULTS.tests has a
# line for each of them, "pass NAME" or "fail NAME", and RESULTS.out what they print.
arguments <- commandArgs(TRUE)
library(e1071)
pdf(NULL)
pages <- list.files(file.path(arguments[1], "man"), "[.]Rd$", full.names = TRUE)
tests <- list.files(file.path(arguments[1], "tests"), "[.]R$", full.names = TRUE)
attached <- search()
results <- file(paste0(arguments[2], ".tests"), "w")
sink(paste0(arguments[2], ".out"))
for (source_file in c(pages, tests)) {
  script <- source_file
  if (grepl("[.]Rd$", source_file)) {
    script <- tempfile()
    tools::Rd2ex(source_file, script)
    if (!file.exists(script)) next  # a page without examples
  }
  cat("==", basename(source_file), "\n")
  set.seed(1)
  passed <- tryCatch({
    source(script, local = new.env(), echo = TRUE, max.deparse.length = Inf)
    TRUE
  }, error = function(e) { cat("error:", conditionMessage(e), "\n"); FALSE })
  for (name in setdiff(search(), attached)) detach(name, character.only = TRUE)
  cat(if (passed) "pass" else "fail", basename(source_file), "\n", file = results)
  flush(results)
}
