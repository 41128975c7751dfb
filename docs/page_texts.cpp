// What man pages and docs/options.md say of each program beside its usage and its options.
#include <map>
#include <string>

#include "docs/option_pages.h"

namespace svm::cli {

const PageText& text_of(const std::string& program) {
  static const std::map<std::string, PageText> texts = {
      {"svm-train",
       {"train a support vector machine",
        R"(Reads rows of the form "label index:value index:value ..." with ascending indices,
trains a support vector machine and writes the model, by default to the data file's
name followed by .model in the current folder.
The file format, the options and the output are those of LIBSVM 3.37.

The data file may be a pipe. As the data file, - is standard input, and as the model file,
standard output.
Options end at the first argument that does not begin with a dash, and a short option
is known by its first letter.

On a terminal, notes on standard error tell what looks like a mistake in the data or the
parameters, such as features that need svm-scale, and a line shows how far the training
is, if it takes longer than half a second. -q and TERM=dumb turn it off.

Ctrl-C ends training early: the model of that moment is written to the model file's name
followed by .partial, and the program ends by the signal (exit status 130 in a shell).  A
second Ctrl-C ends it at once.)",
        {{"svm-train -c 10 -g 0.1 train", "Train with these parameters; the model is train.model."},
         {"svm-train -a csmo -m 1000 train model",
          "The same kind of model by conjugate SMO, with 1000 MB for kernel rows."},
         {"svm-train -v 5 -c 10 train", "Print the accuracy of a cross validation in five parts."},
         {"svm-train -s 3 -p 0.1 -b 1 train model", "A regression, with an estimate of its error."},
         {"svm-train -w1 1 -w-1 5 train model",
          "Make errors on class -1 five times as expensive."}},
        {"svm-scale", "svm-grid", "svm-predict", "svm-checkdata"}}},
      {"svm-predict",
       {"predict with a support vector machine",
        R"(Predicts every row of test_file with a model that svm-train wrote, and writes one line
per row to output_file. Labels in test_file are used to print the accuracy or the error;
if they are not known, any number will do. As test_file or model_file, - is standard
input, and as output_file, standard output.

With -b 1 a classifier writes a first line "labels ..." and then the label and one
probability per class.)",
        {{"svm-predict test train.model predictions", "Predict the rows of test."},
         {"svm-predict -b 1 test train.model probabilities",
          "Write the probability of each class; the model is of svm-train -b 1."}},
        {"svm-train", "svm-scale"}}},
      {"svm-scale",
       {"scale the features of a data file",
        R"(Maps every feature of data_file linearly so that its least and largest value become the
limits, and prints the result on standard output. Features that do not vary are left
out. As data_file, - is standard input.

Scale test data as the training data was scaled: save the limits with -s when scaling
the training data and restore them with -r for the test data.)",
        {{"svm-scale -s ranges train > train.scaled", "Scale to -1 and 1, and save the ranges."},
         {"svm-scale -r ranges test > test.scaled", "Scale other data in the same way."},
         {"svm-scale -l 0 counts > counts.scaled",
          "Scale to 0 and 1: zeros, which are left out, stay."}},
        {"svm-train", "svm-easy"}}},
      {"svm-grid",
       {"search parameters of a support vector machine by cross validation",
        R"(Cross validates at every point of a grid of C and gamma (and, for epsilon-SVR, the tube
width), in one process: the data set is read once, and the points of one gamma share their
kernel rows.  Options, output and files are those of LIBSVM's grid.py; all options of
svm-train except -c and -g are accepted as well.  For regressions the rate is the mean
squared error, and the smallest is the best.  As the data file, - is standard input.

Every finished point is a line of the -out file at once.  After a kill, -resume continues
from there.  Ctrl-C ends the search with the points finished so far, by the signal (exit
status 130 in a shell).
The last line printed is the best C, gamma (and tube width) and their rate.)",
        {{"svm-grid train", "Search 110 points of C and gamma."},
         {"svm-grid -a csmo --search adaptive --refine train",
          "The same in less time, and then more closely around the best point."},
         {"svm-grid -log2c -3,9,2 -log2g null -t 0 train", "Search C of the linear kernel."},
         {"svm-grid -a csmo --warm-start --model best.model train",
          "Search, and train a model at the best point."},
         {"svm-grid -resume train", "Continue after an interruption."},
         {"svm-grid -a csmo --warm-start --cells 2000 train",
          "Search 100,000 rows and more, approximately."}},
        {"svm-train", "svm-scale", "svm-easy"}}},
  };
  return texts.at(program);
}

}  // namespace svm::cli
