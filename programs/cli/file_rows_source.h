// Rows of a forest's training that stay in their data file.
#ifndef SVM_PROGRAMS_CLI_FILE_ROWS_SOURCE_H_
#define SVM_PROGRAMS_CLI_FILE_ROWS_SOURCE_H_

#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/io/input_file.h"
#include "base/io/row_scanner.h"
#include "training/forest/cells.h"

namespace svm::cli {

class FileRowsSource final : public RowSource {
 public:
  // Reads the file once, for its labels.  Cells will be kept in files in `folder`.  Throws Failure
  // if the file cannot be read, or not more than once.
  FileRowsSource(const std::string& path, const RowRules& rules, std::string folder);

  int max_index() const { return max_index_; }  // 0 if no row has features
  // The problem; its rows are null.
  svm_problem labels();
  void set_weights(const double* weights) { problem_.weights = weights; }

  // These throw Failure if the file cannot be read any more or the disk is full.
  LoadedRows load(const RowNumbers& rows, Run& run) override;
  void divide(const RowNumbers& rows, const Tree& tree, Run& run) override;
  LoadedRows load_part(std::size_t p) override;

 private:
  // Reads the file, and calls use(number, label, row, size) for each row until it returns false.
  using Use =
      std::function<bool(std::size_t number, double label, const svm_node* row, std::size_t size)>;
  void read(const Use& use) const;
  [[noreturn]] void changed() const;

  const std::string path_;
  const RowRules rules_;
  const std::string folder_;
  int max_index_ = 0;
  std::vector<double> labels_;
  std::vector<const svm_node*> rows_;  // by number; null, or dangling, unless loaded
  std::vector<FilePtr> files_;         // of the parts
};

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_FILE_ROWS_SOURCE_H_
