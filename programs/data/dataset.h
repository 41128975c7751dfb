// Reads a data file in svmlight format into memory.
#ifndef SVM_PROGRAMS_DATA_DATASET_H_
#define SVM_PROGRAMS_DATA_DATASET_H_

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/platform/raw_array.h"
#include "programs/data/row_reader.h"
#include "svm.h"

namespace svm {

// A whole data file in memory. Movable; pointers into it stay valid after a move.
class Dataset {
 public:
  // Reads all of `file` (which may be a pipe), `piece` bytes at a time. Throws InputError, also if
  // there are no rows, std::system_error and std::bad_alloc. With rules.precomputed, every row must
  // begin with 0:serial, 1 <= serial <= max_index(), and have a value for every serial number in
  // use.
  Dataset(std::FILE* file, RowRules rules, std::size_t piece = BlockReader::kPiece);
  Dataset(Dataset&&) = default;
  Dataset& operator=(Dataset&&) = default;
  Dataset(const Dataset&) = delete;  // the rows of a copy would point into the original
  Dataset& operator=(const Dataset&) = delete;

  // The rows; points into this object.
  svm_problem problem();
  int max_index() const { return max_index_; }  // 0 if no row has features
  bool has_features() const { return has_features_; }
  const std::string& first_line() const { return first_line_; }  // its first characters
  const std::string& ignored() const { return ignored_; }        // see RowReader

 private:
  void check_precomputed() const;

  // Reserves memory for the rows of `file`, of which `bytes` bytes have been read.
  void expect_rows(std::FILE* file, std::size_t bytes);
  // Reserves `count` contiguous nodes and returns the first one.
  svm_node* reserve(std::size_t count);

  std::vector<double> labels_;
  // Rows one after the other, each terminated by index -1, in blocks that never move. The unused
  // end of a block is never touched, so it occupies no memory.
  std::vector<std::unique_ptr<svm_node[], MallocDeleter>> pieces_;
  svm_node* next_ = nullptr;       // the next free node of the last block
  svm_node* piece_end_ = nullptr;  // end of the last block
  std::size_t piece_size_ = 0;
  std::vector<svm_node*> rows_;
  int max_index_ = 0;
  bool has_features_ = false;
  std::string first_line_, ignored_;
};

}  // namespace svm

#endif  // SVM_PROGRAMS_DATA_DATASET_H_
