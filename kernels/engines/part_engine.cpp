#include "kernels/engines/part_engine.h"

namespace svm {

std::vector<std::uint32_t> NumberedEngine::numbers(const std::uint32_t* examples,
                                                   std::size_t count) const {
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = number_[examples[k]];
  return numbers;
}

void NumberedEngine::add_precise_sums(const std::uint32_t* examples, const double* factors,
                                      std::size_t count, const std::uint32_t* columns,
                                      std::size_t width, double* sums) const {
  engine().add_precise_sums(numbers(examples, count).data(), factors, count,
                            numbers(columns, width).data(), width, sums);
}

namespace {

class PartEngine final : public NumberedEngine {
 public:
  PartEngine(std::shared_ptr<const RowEngine> engine, std::vector<std::uint32_t> number)
      : NumberedEngine(*engine, std::move(number)), whole_(std::move(engine)) {}

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    return engine().pack(numbers(examples, count).data(), count, std::move(old));
  }
  std::unique_ptr<PackedColumns> pack_block(const std::uint32_t* examples,
                                            std::size_t count) const override {
    return engine().pack_block(numbers(examples, count).data(), count);
  }
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override {
    engine().compute(number(example), columns, from, to, out);
  }
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    engine().compute(number(example), columns, from, to, out);
  }
  void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                const PackedColumns& columns, std::size_t from, std::size_t to,
                double* sums) const override {
    engine().add_sums(numbers(examples, count).data(), factors, count, columns, from, to, sums);
  }
  std::shared_ptr<const RowEngine> precise() const override {
    std::shared_ptr<const RowEngine> whole = whole_->precise();
    return whole == nullptr ? nullptr
                            : std::make_shared<PartEngine>(std::move(whole), whole_numbers());
  }

 private:
  const std::shared_ptr<const RowEngine> whole_;  // engine(), kept alive
};

}  // namespace

std::unique_ptr<RowEngine> make_part_engine(std::shared_ptr<const RowEngine> engine,
                                            std::vector<std::uint32_t> number) {
  return std::make_unique<PartEngine>(std::move(engine), std::move(number));
}

}  // namespace svm
