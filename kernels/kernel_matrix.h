// The kernel matrix over the variables of a dual problem: rows on demand, cached, in the solver's
// order of the variables.  Values carry no label signs.
#ifndef SVM_KERNELS_KERNEL_MATRIX_H_
#define SVM_KERNELS_KERNEL_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/row_cache.h"
#include "kernels/row_engine.h"

namespace svm {

class KernelMatrix {
 public:
  virtual ~KernelMatrix() = default;

  // The first `length` values of row i.  The pointer is valid until the next but one call, so that
  // two rows can be used together.
  virtual const float* row(std::size_t i, std::size_t length) = 0;

  // Value (i, i) in double.
  virtual double diagonal(std::size_t i) const = 0;

  // Exchanges variables i and j.
  virtual void swap(std::size_t i, std::size_t j) = 0;

  // Would row(i, length) come from a cache?
  virtual bool is_cached(std::size_t, std::size_t) const { return false; }

  // Takes so many bytes of the cache's memory for the solver's own use; see RowCache::set_aside.
  virtual bool set_aside(std::size_t) { return false; }

  // Rows computed so far, whole or in part, and the time that took.
  long long rows_computed() const { return rows_computed_; }
  double seconds() const { return seconds_; }

 protected:
  // Fills in what the cache does not know.
  void compute(RowEngine& engine, std::size_t example, const std::uint32_t* columns,
               std::size_t length, const RowCache::Row& row);

 private:
  long long rows_computed_ = 0;
  double seconds_ = 0;
};

// One variable per example: C-SVC, nu-SVC, one-class.
class ExampleMatrix final : public KernelMatrix {
 public:
  ExampleMatrix(std::unique_ptr<RowEngine> engine, std::size_t examples, std::size_t cache_bytes);
  const float* row(std::size_t i, std::size_t length) override;
  double diagonal(std::size_t i) const override;
  void swap(std::size_t i, std::size_t j) override;
  bool is_cached(std::size_t i, std::size_t length) const override {
    return cache_.holds(i, length);
  }
  bool set_aside(std::size_t bytes) override { return cache_.set_aside(bytes); }

 private:
  std::unique_ptr<RowEngine> engine_;
  RowCache cache_;
  std::vector<std::uint32_t> example_;  // of each variable
};

// Variables t and t + l both stand for example t: epsilon-SVR and nu-SVR.  Rows are cached once,
// over the examples, and spread over the variables when asked for.
class MirroredMatrix final : public KernelMatrix {
 public:
  MirroredMatrix(std::unique_ptr<RowEngine> engine, std::size_t examples, std::size_t cache_bytes);
  const float* row(std::size_t i, std::size_t length) override;
  double diagonal(std::size_t i) const override;
  void swap(std::size_t i, std::size_t j) override;
  bool is_cached(std::size_t i, std::size_t) const override {
    return cache_.holds(example_[i], all_examples_.size());
  }
  bool set_aside(std::size_t bytes) override { return cache_.set_aside(bytes); }

 private:
  std::unique_ptr<RowEngine> engine_;
  RowCache cache_;
  std::vector<std::uint32_t> all_examples_;  // 0 ... l-1
  std::vector<std::uint32_t> example_;       // of each variable
  std::vector<float> buffer_[2];             // used in turn
  int turn_ = 0;
};

}  // namespace svm

#endif  // SVM_KERNELS_KERNEL_MATRIX_H_
