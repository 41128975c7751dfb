// Scales rows linearly and writes them as svmlight text.
#ifndef SVM_PROGRAMS_SCALING_SCALER_H_
#define SVM_PROGRAMS_SCALING_SCALER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "programs/scaling/feature_ranges.h"
#include "svm.h"

namespace svm {

// Maps the ends of the range exactly to the limits. The range must have two different ends.
double scale_value(double value, const Range& range, const Limits& limits);

class Scaler {
 public:
  // Receives pieces of the text.
  using Write = std::function<void(std::string_view)>;

  // Throws std::bad_alloc.
  Scaler(ScalingParameters parameters, Write write);

  // Writes a line including its '\n'; part of it may be buffered until flush(). `row` is terminated
  // by index -1. Features that do not vary and those without parameters are dropped. Features that
  // are missing in the row are written if 0 scales to a different value. Throws what `write`
  // throws.
  void write_row(double label, const svm_node* row);
  void flush();

  std::size_t nonzeros() const { return nonzeros_; }  // number of features written so far
  // The index of the first feature other than 0 that was left out without parameters; 0: none.
  int left_out() const { return left_out_; }

 private:
  // A feature that varies. Features that a row lacks are written by the text of all columns, from
  // the first such column to the next one that the row has; a column whose 0 scales to 0 has none.
  struct Column {
    FeatureRange feature;
    std::size_t text, fillers;  // size of the text, and number of fillers in it, before this column
  };

  void append_fillers(const Column* begin, const Column* end);

  ScalingParameters parameters_;
  std::vector<Column> columns_;  // by ascending index; the last one is only the end of the text
  std::string filler_text_;
  std::size_t nonzeros_ = 0;
  int left_out_ = 0;
  Write write_;
  std::string out_;  // buffered text
};

// Combines restored parameters with a data file. `seen` are the ranges of the data and `restored`
// those of the file; the result has the ranges to use. `unknown` receives the indices of features
// that vary in the data but have no parameters: they are scaled to 0.
std::vector<FeatureRange> merge_ranges(const std::vector<FeatureRange>& seen,
                                       const std::vector<FeatureRange>& restored,
                                       std::vector<int>& unknown);

}  // namespace svm

#endif  // SVM_PROGRAMS_SCALING_SCALER_H_
