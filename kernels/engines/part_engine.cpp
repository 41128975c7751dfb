#include <cstddef>
#include <utility>

#include "base/threads/primitives.h"
#include "kernels/engines/row_places.h"
#include "kernels/engines/row_store.h"

namespace svm {
namespace {

class PartEngine final : public RowEngine {
 public:
  PartEngine(std::shared_ptr<const RowEngine> engine, std::vector<std::uint32_t> number)
      : owned_(std::move(engine)), engine_(*owned_), number_(std::move(number)) {}
  PartEngine(RowStore& store, std::vector<std::uint32_t> number)
      : engine_(store.engine()),
        store_(store.budget().total() > 0 ? &store : nullptr),
        number_(std::move(number)) {}

  std::size_t pack_width() const override { return engine_.pack_width(); }
  void prefetch(std::size_t example) const override {
    if (store_ == nullptr) engine_.prefetch(number_[example]);  // else its row may be kept
  }
  double diagonal(std::size_t example) const override { return engine_.diagonal(number_[example]); }
  bool is_exact(std::size_t example) const override { return engine_.is_exact(number_[example]); }
  bool is_symmetric() const override { return engine_.is_symmetric(); }
  double largest_value() const override { return engine_.largest_value(); }
  double value_cost() const override { return engine_.value_cost(); }
  double value_work() const override { return engine_.value_work(); }
  double rounding() const override { return engine_.rounding(); }
  double largest_error() const override { return engine_.largest_error(); }
  bool has_relative_errors() const override { return engine_.has_relative_errors(); }
  bool gains_by_groups() const override {
    return engine_.gains_by_groups() && (store_ == nullptr || !store_->has_all());
  }
  std::shared_ptr<const RowEngine> precise() const override {
    std::shared_ptr<const RowEngine> whole = engine_.precise();
    return whole == nullptr ? nullptr : std::make_shared<PartEngine>(std::move(whole), number_);
  }

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    std::vector<std::uint32_t> numbers = this->numbers(examples, count);
    if (store_ == nullptr) return engine_.pack(numbers.data(), count, std::move(old));
    auto columns = std::make_unique<Columns>();
    columns->places = RowPlaces(std::move(numbers));
    if (old != nullptr) columns->packed = std::move(static_cast<Columns&>(*old).packed);
    return columns;
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override {
    const std::uint32_t number = number_[example];
    if (store_ != nullptr) {
      const RowPlaces& places = static_cast<const Columns&>(columns).places;
      if (const float* const row = store_->row(number)) return places.copy(row, from, to, out);
      if (const PackedTriangle* const triangle = store_->triangle()) {
        return triangle->copy(number, places.all().data() + from, to - from, out);
      }
    }
    engine_.compute(number, packed(columns), from, to, out);
  }

  // Kept rows are floats, so doubles are computed.
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    engine_.compute(number_[example], packed(columns), from, to, out);
  }

  void compute_rows(const std::uint32_t* examples, std::size_t count, const PackedColumns& columns,
                    std::size_t to, float* const* out) const override {
    if (has_triangle()) return RowEngine::compute_rows(examples, count, columns, to, out);
    std::vector<std::uint32_t> missing = numbers(examples, count);
    std::vector<float*> missing_out(out, out + count);
    if (store_ != nullptr) {
      store_->keep(missing.data(), count);
      std::size_t left = 0;
      for (std::size_t r = 0; r < count; ++r) {
        if (const float* const row = store_->kept(missing[r])) {
          static_cast<const Columns&>(columns).places.copy(row, 0, to, out[r]);
        } else {
          missing[left] = missing[r];
          missing_out[left++] = out[r];
        }
      }
      missing.resize(left);
    }
    if (missing.empty()) return;
    engine_.compute_rows(missing.data(), missing.size(), packed(columns), to, missing_out.data());
  }

  // Rows are kept over all examples: not worthwhile if that is more than kMostWaste times the
  // columns.
  void prepare_sums(const std::uint32_t* examples, std::size_t count,
                    std::size_t columns) const override {
    constexpr std::size_t kMostWaste = 4;
    const std::vector<std::uint32_t> numbers = this->numbers(examples, count);
    if (store_ == nullptr) return engine_.prepare_sums(numbers.data(), count, columns);
    if (columns * kMostWaste >= store_->size()) store_->keep(numbers.data(), count);
  }

  void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                const PackedColumns& columns, std::size_t from, std::size_t to,
                double* sums) const override {
    if (has_triangle()) {
      return RowEngine::add_sums(examples, factors, count, columns, from, to, sums);
    }
    const std::vector<std::uint32_t> numbers = this->numbers(examples, count);
    std::vector<const float*> rows(count, nullptr);
    for (std::size_t r = 0; r < count && store_ != nullptr; ++r) rows[r] = store_->kept(numbers[r]);
    for (std::size_t r = 0; r < count;) {
      const bool is_kept = rows[r] != nullptr;
      std::size_t end = r;
      while (end < count && (rows[end] != nullptr) == is_kept) ++end;
      if (is_kept) {
        const RowPlaces& places = static_cast<const Columns&>(columns).places;
        places.add(&rows[r], factors + r, end - r, from, to, sums);
      } else {
        engine_.add_sums(&numbers[r], factors + r, end - r, packed(columns), from, to, sums);
      }
      r = end;
    }
  }

  void add_precise_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                        const std::uint32_t* columns, std::size_t width,
                        double* sums) const override {
    engine_.add_precise_sums(numbers(examples, count).data(), factors, count,
                             numbers(columns, width).data(), width, sums);
  }

 private:
  // Columns of a part of a store.
  struct Columns final : PackedColumns {
    RowPlaces places;  // in the rows of the store
    // Columns of the store's engine, packed when first needed.
    mutable std::unique_ptr<PackedColumns> packed;
    mutable OnceFlag once;
  };

  bool has_triangle() const { return store_ != nullptr && store_->triangle() != nullptr; }

  std::vector<std::uint32_t> numbers(const std::uint32_t* examples, std::size_t count) const {
    std::vector<std::uint32_t> numbers(count);
    for (std::size_t k = 0; k < count; ++k) numbers[k] = number_[examples[k]];
    return numbers;
  }

  // The columns as engine_ packs them.
  const PackedColumns& packed(const PackedColumns& columns) const {
    if (store_ == nullptr) return columns;
    const auto& of_store = static_cast<const Columns&>(columns);
    run_once(of_store.once, [&] {
      const std::vector<std::uint32_t>& examples = of_store.places.all();
      of_store.packed = engine_.pack(examples.data(), examples.size(), std::move(of_store.packed));
    });
    return *of_store.packed;
  }

  const std::shared_ptr<const RowEngine> owned_;  // engine_, unless it belongs to a store
  const RowEngine& engine_;
  RowStore* const store_ = nullptr;          // keeps rows of engine_; null if none may be kept
  const std::vector<std::uint32_t> number_;  // of each example, among those of engine_
};

}  // namespace

std::shared_ptr<const RowEngine> make_part_engine(std::shared_ptr<const RowEngine> engine,
                                                  std::vector<std::uint32_t> numbers) {
  return std::make_shared<PartEngine>(std::move(engine), std::move(numbers));
}

std::shared_ptr<const RowEngine> make_part_engine(RowStore& store,
                                                  std::vector<std::uint32_t> rows) {
  for (std::uint32_t& row : rows) row = store.example(row);
  return std::make_shared<PartEngine>(store, std::move(rows));
}

}  // namespace svm
