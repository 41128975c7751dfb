// Linear scaling of rows, written as svmlight text.
#ifndef SVM_SCALING_SCALER_H_
#define SVM_SCALING_SCALER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scaling/range_file.h"
#include "svm.h"

namespace svm {

// The ends of the range map to the limits exactly.  A range that is a point is not meant for this.
double scale_value(double value, const Range& range, const Limits& limits);

class Scaler {
 public:
  // Receives the text, in pieces that need not end where a line ends.
  using Write = std::function<void(std::string_view)>;

  // Throws std::bad_alloc.
  Scaler(ScalingParameters parameters, Write write);

  // Writes a line with its '\n', in full no later than with flush().  `row` ends with index -1.
  // Features that do not vary, and those without parameters, vanish; features missing from the row
  // are written where 0 scales to something else.  Throws what `write` throws.
  void write_row(double label, const svm_node* row);
  void flush();

  std::size_t nonzeros() const { return nonzeros_; }  // features written so far

 private:
  void flush_if_long();
  void append_fillers(std::size_t end);

  ScalingParameters parameters_;
  // Text of the features a row may lack: filler k, of feature filler_index_[k], is
  // filler_text_[filler_begin_[k], filler_begin_[k + 1]).  A gap in a row is one piece of it.
  std::vector<int> filler_index_;
  std::vector<std::size_t> filler_begin_;
  std::string filler_text_;
  std::size_t next_filler_ = 0;  // within a row
  std::size_t nonzeros_ = 0;
  Write write_;
  std::string out_;  // not yet written
};

// What restored parameters mean for a data file.  `seen` are the data's own ranges and `restored`
// the file's; the result has the ranges to scale by.  `unknown` receives the indices of features
// that vary in the data but have no parameters: they are scaled to 0.
std::vector<FeatureRange> merge_ranges(const std::vector<FeatureRange>& seen,
                                       const std::vector<FeatureRange>& restored,
                                       std::vector<int>& unknown);

}  // namespace svm

#endif  // SVM_SCALING_SCALER_H_
