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
  // Receives pieces of the text, which need not end at the end of a line.
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
  void flush_if_long();
  void append_fillers(std::size_t end);

  ScalingParameters parameters_;
  // The text of features that a row may lack: filler k, for feature filler_index_[k], is
  // filler_text_[filler_begin_[k], filler_begin_[k + 1]). The fillers for a gap in a row are
  // contiguous.
  std::vector<int> filler_index_;
  std::vector<std::size_t> filler_begin_;
  std::string filler_text_;
  std::size_t next_filler_ = 0;  // position within the current row
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
