#include "kernels/engines/shared_rows.h"

#include <algorithm>
#include <utility>

#include "kernels/engines/part_engine.h"

namespace svm {
namespace {

// A value fetched from a row that is kept costs about so much; cheaper ones are computed.
constexpr double kRowFetchCost = 2;
constexpr std::size_t kRowsPerLook = 8192;

}  // namespace

struct SharedRows::Columns : PackedColumns {
  RowPlaces places;  // numbers in the data set
  // Of the engine, made when it is first needed.
  mutable std::unique_ptr<PackedColumns> packed;
  mutable OnceFlag once;
};

class SharedRows::PartEngine final : public NumberedEngine {
 public:
  PartEngine(SharedRows& shared, std::vector<std::uint32_t> number)
      : NumberedEngine(*shared.engine_, std::move(number)), shared_(shared) {}

  void prefetch(std::size_t /*example*/) const override {}  // its row may be kept

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
    const float* row = shared_.whole_row(number(example));
    if (row != nullptr) {
      columns.places.copy(row, from, to, out);
      return;
    }
    engine().compute(number(example), packed_in(columns), from, to, out);
  }

  // Rows are kept as floats only.
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    engine().compute(number(example), packed_in(static_cast<const Columns&>(columns)), from, to,
                     out);
  }

  // Rows that are kept are not looked up: values of fused sums are cheap.
  void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                const PackedColumns& columns, std::size_t from, std::size_t to,
                double* sums) const override {
    engine().add_sums(numbers(examples, count).data(), factors, count,
                      packed_in(static_cast<const Columns&>(columns)), from, to, sums);
  }

 private:
  const PackedColumns& packed_in(const Columns& columns) const {
    run_once(columns.once, [&] {
      const std::vector<std::uint32_t>& examples = columns.places.all();
      columns.packed = engine().pack(examples.data(), examples.size(), std::move(columns.packed));
    });
    return *columns.packed;
  }

  SharedRows& shared_;
};

SharedRows::SharedRows(std::shared_ptr<const RowEngine> engine, DataRows rows, std::size_t count,
                       std::size_t bytes, const GoOn& go_on)
    : SharedRows(
          std::move(engine), rows, count,
          std::make_shared<RowBudget>(count == 0 ? 0
                                                 : std::min(count, bytes / sizeof(float) / count) *
                                                       count * sizeof(float)),
          go_on) {}

SharedRows::SharedRows(std::shared_ptr<const RowEngine> engine, DataRows rows, std::size_t count,
                       std::shared_ptr<RowBudget> budget, const GoOn& go_on)
    : engine_(std::move(engine)), kept_(count, std::move(budget)) {
  number_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kRowsPerLook == kRowsPerLook - 1) go_on_or_throw(go_on);
    number_.emplace(rows[i].place(), static_cast<std::uint32_t>(i));
  }
  const std::size_t room = kept_.budget().total() - kept_.budget().elsewhere();
  if (are_worth_keeping(*engine_) && room >= kept_.row_bytes()) {
    whole_ = WholeRows(*engine_, count, go_on);
  }
}

bool SharedRows::are_worth_keeping(const RowEngine& engine) {
  return engine.value_cost() > kRowFetchCost;
}

std::unique_ptr<RowEngine> SharedRows::engine(DataRows rows, std::size_t count, const GoOn& go_on) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kRowsPerLook == kRowsPerLook - 1) go_on_or_throw(go_on);
    numbers.push_back(number_.at(rows[i].place()));
  }
  return std::make_unique<PartEngine>(*this, std::move(numbers));
}

const float* SharedRows::whole_row(std::uint32_t example) {
  if (whole_.empty()) return nullptr;
  return kept_.row(example, [&](float* values) { whole_.compute(*engine_, example, values); });
}

}  // namespace svm
