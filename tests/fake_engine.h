// A row engine whose values are any function of two examples.
#ifndef SVM_TESTS_FAKE_ENGINE_H_
#define SVM_TESTS_FAKE_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"

namespace svm::test {

class FakeEngine final : public RowEngine {
 public:
  using Value = std::function<double(std::size_t row, std::size_t column)>;
  using Diagonal = std::function<double(std::size_t)>;

  // `value` is called once for each value computed, by several threads at once if the pool of the
  // matrix has them; `packs`, if given, whenever columns are packed.
  FakeEngine(Value value, Diagonal diagonal, double cost = 10,
             std::function<void()> packs = nullptr)
      : value_(std::move(value)),
        diagonal_(std::move(diagonal)),
        cost_(cost),
        packs_(std::move(packs)) {}

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    if (packs_) packs_();
    auto columns = std::make_unique<Columns>();
    if (old != nullptr) {
      EXPECT_EQ(static_cast<Columns&>(*old).engine, this);
    }
    columns->engine = this;
    columns->token = token_;
    columns->examples.assign(examples, examples + count);
    return columns;
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override {
    compute_values(example, columns, from, to, out);
  }
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    compute_values(example, columns, from, to, out);
  }

  // The number of packed columns that exist.
  long packed() const { return token_.use_count() - 1; }

  double diagonal(std::size_t example) const override { return diagonal_(example); }
  double value_cost() const override { return cost_; }
  double value_work() const override { return 10; }

 private:
  template <typename Number>
  void compute_values(std::size_t example, const PackedColumns& columns, std::size_t from,
                      std::size_t to, Number* out) const {
    const std::vector<std::uint32_t>& examples = static_cast<const Columns&>(columns).examples;
    ASSERT_LT(from, to);
    ASSERT_LE(to, examples.size());
    for (std::size_t k = from; k < to; ++k) {
      out[k - from] = static_cast<Number>(value_(example, examples[k]));
    }
  }

  struct Columns final : PackedColumns {
    const FakeEngine* engine = nullptr;
    std::shared_ptr<const char> token;
    std::vector<std::uint32_t> examples;
  };

  const Value value_;
  const Diagonal diagonal_;
  const double cost_;
  const std::function<void()> packs_;
  const std::shared_ptr<const char> token_ = std::make_shared<const char>();
};

}  // namespace svm::test

#endif  // SVM_TESTS_FAKE_ENGINE_H_
