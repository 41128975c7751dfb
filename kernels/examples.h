// Training rows in compact form: features and values in two arrays, features numbered densely.
#ifndef SVM_KERNELS_EXAMPLES_H_
#define SVM_KERNELS_EXAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/bits.h"
#include "svm.h"
#include "threads/go_on.h"

namespace svm {

class Examples {
 public:
  // Throws Interrupted where `go_on` says so.
  Examples(const svm_node* const* rows, std::size_t count, const GoOn& go_on = nullptr);

  std::size_t size() const { return begin_.size() - 1; }
  std::size_t nonzeros() const { return features_.size(); }

  // Features are 0 ... dimension()-1, in the order of the rows' indices.  The dimension is bounded
  // by the data, however large their indices are.
  std::size_t dimension() const { return dimension_; }

  // Does every row hold rising indices and finite values?  Then features that only one of two rows
  // has can be taken as zeros in both.
  bool is_regular() const { return is_regular_; }

  std::size_t begin(std::size_t example) const { return begin_[example]; }
  std::size_t end(std::size_t example) const { return begin_[example + 1]; }
  const std::uint32_t* features() const { return features_.data(); }
  const double* values() const { return values_.data(); }

  // A copy of the values takes more memory than all else here.  Who needs them for a few examples
  // at a time drops values(), and finds those of an example in its row: feature begin(example) + k
  // has the value row(example)[k].value.
  void drop_values() { std::vector<double>().swap(values_); }
  const svm_node* row(std::size_t example) const { return rows_[example]; }

  // Asks the memory for what is known of an example, the beginning of its row at least.
  void prefetch(std::size_t example) const {
    platform::prefetch(features_.data() + begin_[example]);
    platform::prefetch(&squared_norms_[example]);
    platform::prefetch(rows_[example]);
    platform::prefetch(rows_[example] + kNodesPerLine);
  }

  // Are products of this row with others of the kind whole numbers that a float holds?
  bool has_exact_products(std::size_t example) const { return exact_products_[example] != 0; }

  double largest_squared_norm() const;

  // Sum of squared values, in index order.
  double squared_norm(std::size_t example) const { return squared_norms_[example]; }

 private:
  static constexpr std::size_t kNodesPerLine = 64 / sizeof(svm_node);

  void number_features_densely(std::size_t range);

  std::vector<const svm_node*> rows_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> features_;
  std::vector<double> values_;
  std::vector<double> squared_norms_;
  std::vector<char> exact_products_;
  std::size_t dimension_ = 0;
  bool is_regular_ = true;
};

}  // namespace svm

#endif  // SVM_KERNELS_EXAMPLES_H_
