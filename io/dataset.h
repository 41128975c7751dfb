// svmlight text into memory.  The one reader of data files: svm-train, svm-predict and svm-scale
// all use RowParser.
#ifndef SVM_IO_DATASET_H_
#define SVM_IO_DATASET_H_

#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

#include "io/input_error.h"
#include "svm.h"

namespace svm {

// What a program asks of a row beyond the grammar.
struct RowRules {
  bool class_labels = false;      // labels must fit an int after truncation
  bool precomputed = false;       // indices 0, 1, 2 ... without gaps; Dataset checks serials too
  bool reject_subnormals = true;  // LIBSVM's trainers refuse the value 1e-310, its scaler does not
  bool cr_ends_label = false;     // "1\r" is a row without features: so for LIBSVM's scaler only
};

class RowParser {
 public:
  explicit RowParser(RowRules rules) : rules_(rules) {}

  // Parses one line without '\n'.  Replaces `nodes` by the row, without the closing node of index
  // -1, and returns the label.  Throws InputError naming `line_number`.
  double parse(std::string_view line, std::size_t line_number, std::vector<svm_node>& nodes) const;

 private:
  RowRules rules_;
};

// A whole data file in memory.  Movable; views stay valid when it is moved.
class Dataset {
 public:
  // Reads everything from `file` (which may be a pipe).  Throws InputError, also for a file
  // without rows, std::system_error and std::bad_alloc.  With rules.precomputed every row must
  // begin with 0:serial, 1 <= serial <= max_index(), and hold a value for every serial in use.
  Dataset(std::FILE* file, RowRules rules);
  Dataset(Dataset&&) = default;
  Dataset& operator=(Dataset&&) = default;
  Dataset(const Dataset&) = delete;  // the rows of a copy would point into the original
  Dataset& operator=(const Dataset&) = delete;

  // Points into this object.
  svm_problem problem();
  int max_index() const { return max_index_; }  // 0 for rows without features

 private:
  void check_precomputed() const;

  std::vector<double> labels_;
  std::vector<svm_node> nodes_;  // rows one after another, each ended by index -1
  std::vector<svm_node*> rows_;
  int max_index_ = 0;
};

}  // namespace svm

#endif  // SVM_IO_DATASET_H_
