// An engine for some of the examples of another one.
#ifndef SVM_KERNELS_ENGINES_PART_ENGINE_H_
#define SVM_KERNELS_ENGINES_PART_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/engines/row_engine.h"

namespace svm {

// What an engine knows of its examples, for one that takes its values from it: example k of this
// one is example number[k] of that one, which must outlive this.
class NumberedEngine : public RowEngine {
 public:
  std::size_t pack_width() const final { return engine_.pack_width(); }
  void prefetch(std::size_t example) const override { engine_.prefetch(number_[example]); }
  double diagonal(std::size_t example) const final { return engine_.diagonal(number_[example]); }
  bool is_exact(std::size_t example) const final { return engine_.is_exact(number_[example]); }
  bool is_symmetric() const final { return engine_.is_symmetric(); }
  double largest_value() const final { return engine_.largest_value(); }
  double value_cost() const final { return engine_.value_cost(); }
  double rounding() const final { return engine_.rounding(); }
  void add_precise_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                        const std::uint32_t* columns, std::size_t width, double* sums) const final {
    engine_.add_precise_sums(numbers(examples, count).data(), factors, count,
                             numbers(columns, width).data(), width, sums);
  }
  std::shared_ptr<const RowEngine> precise() const final;

 protected:
  NumberedEngine(const RowEngine& engine, std::vector<std::uint32_t> number)
      : engine_(engine), number_(std::move(number)) {}

  const RowEngine& engine() const { return engine_; }
  std::uint32_t number(std::size_t example) const { return number_[example]; }
  std::vector<std::uint32_t> numbers(const std::uint32_t* examples, std::size_t count) const;

 private:
  const RowEngine& engine_;
  const std::vector<std::uint32_t> number_;
};

// An engine for these examples alone.
std::unique_ptr<RowEngine> make_part_engine(std::shared_ptr<const RowEngine> engine,
                                            std::vector<std::uint32_t> number);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PART_ENGINE_H_
