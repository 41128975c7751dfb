// svmlight text into memory.
#ifndef SVM_IO_DATASET_H_
#define SVM_IO_DATASET_H_

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "io/block_reader.h"
#include "io/raw_array.h"
#include "io/row_parser.h"
#include "svm.h"

namespace svm {

// A whole data file in memory.  Movable; views stay valid when it is moved.
class Dataset {
 public:
  // Reads everything from `file` (which may be a pipe), `piece` bytes at once.  Throws InputError,
  // also for a file without rows, std::system_error and std::bad_alloc.  With rules.precomputed
  // every row must begin with 0:serial, 1 <= serial <= max_index(), and hold a value for every
  // serial in use.
  Dataset(std::FILE* file, RowRules rules, std::size_t piece = BlockReader::kPiece);
  Dataset(Dataset&&) = default;
  Dataset& operator=(Dataset&&) = default;
  Dataset(const Dataset&) = delete;  // the rows of a copy would point into the original
  Dataset& operator=(const Dataset&) = delete;

  // Points into this object.
  svm_problem problem();
  int max_index() const { return max_index_; }  // 0 for rows without features
  bool has_features() const { return has_features_; }
  const std::string& first_line() const { return first_line_; }  // what is kept of it

 private:
  void check_precomputed() const;

  // Makes room for the rows of `file`, of which `bytes` bytes were read.
  void expect_rows(std::FILE* file, std::size_t bytes);
  // Makes room for `count` nodes in a row and returns where they go.
  svm_node* reserve(std::size_t count);

  std::vector<double> labels_;
  // Rows one after another, each ended by index -1, in pieces that never move.  What is left of a
  // piece when the next one begins was never touched, so it takes no memory.
  std::vector<std::unique_ptr<svm_node[], MallocDeleter>> pieces_;
  svm_node* next_ = nullptr;       // in the last piece
  svm_node* piece_end_ = nullptr;  // of it
  std::size_t piece_size_ = 0;
  std::vector<svm_node*> rows_;
  int max_index_ = 0;
  bool has_features_ = false;
  std::string first_line_;
};

}  // namespace svm

#endif  // SVM_IO_DATASET_H_
