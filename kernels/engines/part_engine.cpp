#include "kernels/engines/part_engine.h"

#include <cstddef>
#include <utility>

#include "base/threads/primitives.h"
#include "kernels/engines/row_places.h"

namespace svm {

namespace {

// The base class of engines whose example k is example number[k] of another engine, which must
// outlive them.  Forwards all questions about examples, and precise sums.
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
  bool gains_by_groups() const override { return engine_.gains_by_groups(); }
  bool has_relative_errors() const final { return engine_.has_relative_errors(); }
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

std::vector<std::uint32_t> NumberedEngine::numbers(const std::uint32_t* examples,
                                                   std::size_t count) const {
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = number_[examples[k]];
  return numbers;
}

class PartEngine final : public NumberedEngine {
 public:
  PartEngine(std::shared_ptr<const RowEngine> engine, std::vector<std::uint32_t> number)
      : NumberedEngine(*engine, std::move(number)), whole_(std::move(engine)) {}

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    return engine().pack(numbers(examples, count).data(), count, std::move(old));
  }
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override {
    engine().compute(number(example), columns, from, to, out);
  }
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    engine().compute(number(example), columns, from, to, out);
  }
  void compute_rows(const std::uint32_t* examples, std::size_t count, const PackedColumns& columns,
                    std::size_t to, float* const* out) const override {
    engine().compute_rows(numbers(examples, count).data(), count, columns, to, out);
  }
  void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                const PackedColumns& columns, std::size_t from, std::size_t to,
                double* sums) const override {
    engine().add_sums(numbers(examples, count).data(), factors, count, columns, from, to, sums);
  }
  void prepare_sums(const std::uint32_t* examples, std::size_t count,
                    std::size_t columns) const override {
    engine().prepare_sums(numbers(examples, count).data(), count, columns);
  }

 private:
  const std::shared_ptr<const RowEngine> whole_;  // engine(), kept alive
};

std::shared_ptr<const RowEngine> NumberedEngine::precise() const {
  std::shared_ptr<const RowEngine> whole = engine_.precise();
  return whole == nullptr ? nullptr : std::make_shared<PartEngine>(std::move(whole), number_);
}

class StoreEngine final : public NumberedEngine {
 public:
  StoreEngine(RowStore<float>& store, std::vector<std::uint32_t> numbers)
      : NumberedEngine(store.engine(), std::move(numbers)), store_(store) {}

  void prefetch(std::size_t /*example*/) const override {}  // its row may be kept
  bool gains_by_groups() const override {
    return !store_.has_all() && NumberedEngine::gains_by_groups();
  }

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    auto columns = std::make_unique<Columns>();
    columns->places = RowPlaces(numbers(examples, count));
    if (old != nullptr) columns->packed = std::move(static_cast<Columns&>(*old).packed);
    return columns;
  }

  void compute(std::size_t example, const PackedColumns& packed, std::size_t from, std::size_t to,
               float* out) const override {
    const auto& columns = static_cast<const Columns&>(packed);
    if (const float* const row = store_.row(number(example))) {
      columns.places.copy(row, from, to, out);
    } else if (const PackedTriangle* const triangle = store_.triangle()) {
      triangle->copy(number(example), columns.places.all().data() + from, to - from, out);
    } else {
      engine().compute(number(example), packed_in(columns), from, to, out);
    }
  }

  void compute_rows(const std::uint32_t* examples, std::size_t count, const PackedColumns& packed,
                    std::size_t to, float* const* out) const override {
    if (store_.triangle() != nullptr) {
      return RowEngine::compute_rows(examples, count, packed, to, out);
    }
    const auto& columns = static_cast<const Columns&>(packed);
    const std::vector<std::uint32_t> numbers = this->numbers(examples, count);
    store_.keep(numbers.data(), count);
    std::vector<std::uint32_t> missing;
    std::vector<float*> missing_out;
    for (std::size_t r = 0; r < count; ++r) {
      if (const float* const row = store_.kept(numbers[r])) {
        columns.places.copy(row, 0, to, out[r]);
      } else {
        missing.push_back(numbers[r]);
        missing_out.push_back(out[r]);
      }
    }
    if (missing.empty()) return;
    engine().compute_rows(missing.data(), missing.size(), packed_in(columns), to,
                          missing_out.data());
  }

  // Kept rows are floats, so doubles are computed.
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    engine().compute(number(example), packed_in(static_cast<const Columns&>(columns)), from, to,
                     out);
  }

  // Rows are kept over all examples: not worthwhile if that is more than kMostWaste times the
  // columns.
  void prepare_sums(const std::uint32_t* examples, std::size_t count,
                    std::size_t columns) const override {
    constexpr std::size_t kMostWaste = 4;
    if (columns * kMostWaste < store_.size()) return;
    store_.keep(numbers(examples, count).data(), count);
  }

  void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                const PackedColumns& packed, std::size_t from, std::size_t to,
                double* sums) const override {
    if (store_.triangle() != nullptr) {
      return RowEngine::add_sums(examples, factors, count, packed, from, to, sums);
    }
    const auto& columns = static_cast<const Columns&>(packed);
    const std::vector<std::uint32_t> numbers = this->numbers(examples, count);
    std::vector<const float*> rows(count);
    for (std::size_t r = 0; r < count; ++r) rows[r] = store_.kept(numbers[r]);
    for (std::size_t r = 0; r < count;) {
      const bool is_kept = rows[r] != nullptr;
      std::size_t end = r;
      while (end < count && (rows[end] != nullptr) == is_kept) ++end;
      if (is_kept) {
        columns.places.add(&rows[r], factors + r, end - r, from, to, sums);
      } else {
        engine().add_sums(&numbers[r], factors + r, end - r, packed_in(columns), from, to, sums);
      }
      r = end;
    }
  }

 private:
  struct Columns final : PackedColumns {
    RowPlaces places;  // the columns, as examples of the store
    // Columns of the store's engine, packed when first needed.
    mutable std::unique_ptr<PackedColumns> packed;
    mutable OnceFlag once;
  };

  const PackedColumns& packed_in(const Columns& columns) const {
    run_once(columns.once, [&] {
      const std::vector<std::uint32_t>& examples = columns.places.all();
      columns.packed = engine().pack(examples.data(), examples.size(), std::move(columns.packed));
    });
    return *columns.packed;
  }

  RowStore<float>& store_;
};

}  // namespace

std::unique_ptr<RowEngine> make_part_engine(std::shared_ptr<const RowEngine> engine,
                                            std::vector<std::uint32_t> numbers) {
  return std::make_unique<PartEngine>(std::move(engine), std::move(numbers));
}

std::unique_ptr<RowEngine> make_part_engine(RowStore<float>& store,
                                            std::vector<std::uint32_t> rows) {
  for (std::uint32_t& row : rows) row = store.example(row);
  return std::make_unique<StoreEngine>(store, std::move(rows));
}

}  // namespace svm
