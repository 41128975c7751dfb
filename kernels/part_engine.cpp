#include "kernels/part_engine.h"

#include <utility>

namespace svm {
namespace {

class PartEngine final : public RowEngine {
 public:
  PartEngine(std::shared_ptr<const RowEngine> engine, std::vector<std::uint32_t> number)
      : engine_(std::move(engine)), number_(std::move(number)) {}

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    const std::vector<std::uint32_t> numbers = numbers_of(examples, count);
    return engine_->pack(numbers.data(), count, std::move(old));
  }
  std::unique_ptr<PackedColumns> pack_block(const std::uint32_t* examples,
                                            std::size_t count) const override {
    const std::vector<std::uint32_t> numbers = numbers_of(examples, count);
    return engine_->pack_block(numbers.data(), count);
  }
  std::size_t pack_width() const override { return engine_->pack_width(); }
  void prefetch(std::size_t example) const override { engine_->prefetch(number_[example]); }
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override {
    engine_->compute(number_[example], columns, from, to, out);
  }
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    engine_->compute(number_[example], columns, from, to, out);
  }
  double diagonal(std::size_t example) const override {
    return engine_->diagonal(number_[example]);
  }
  bool is_exact(std::size_t example) const override { return engine_->is_exact(number_[example]); }
  bool is_symmetric() const override { return engine_->is_symmetric(); }
  double largest_value() const override { return engine_->largest_value(); }
  double value_cost() const override { return engine_->value_cost(); }

 private:
  std::vector<std::uint32_t> numbers_of(const std::uint32_t* examples, std::size_t count) const {
    std::vector<std::uint32_t> numbers(count);
    for (std::size_t k = 0; k < count; ++k) numbers[k] = number_[examples[k]];
    return numbers;
  }

  const std::shared_ptr<const RowEngine> engine_;
  const std::vector<std::uint32_t> number_;
};

}  // namespace

std::unique_ptr<RowEngine> make_part_engine(std::shared_ptr<const RowEngine> engine,
                                            std::vector<std::uint32_t> number) {
  return std::make_unique<PartEngine>(std::move(engine), std::move(number));
}

}  // namespace svm
