#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/engines/dot_engine.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/feature_lists.h"
#include "kernels/engines/single_error.h"

namespace svm {
namespace {

// Columns are stored in chunks, as lists by feature.  A pass over a chunk scatters the products of
// the row's features, in rising order, into the sums of the columns.
template <class Value>
class ColumnsEngine final : public DotEngine {
 public:
  ColumnsEngine(const KernelFunction& kernel, std::shared_ptr<Examples> rows, double cost,
                double single_rounding, std::shared_ptr<const RowEngine> precise)
      : DotEngine(kernel, std::move(rows), single_rounding, std::move(precise)), cost_(cost) {}

  std::size_t pack_width() const override {
    return std::max(chunk_width(), DotEngine::pack_width());
  }

 private:
  struct Chunks final : Columns {
    std::size_t width = 0;  // columns per chunk, a multiple of kTile
    std::vector<FeatureLists<Value>> lists;
  };

  std::unique_ptr<Columns> new_columns() const override { return std::make_unique<Chunks>(); }

  // Wide enough that a chunk has more values than features, so that the beginnings of the lists
  // take less memory than the lists.
  std::size_t chunk_width() const {
    const double values_per_row =
        static_cast<double>(examples().nonzeros() + 1) / static_cast<double>(examples().size() + 1);
    const double rows = static_cast<double>(examples().dimension()) / values_per_row;
    return (static_cast<std::size_t>(rows) / kTile + 1) * kTile;
  }

  void fill(Columns& columns, const std::uint32_t* packed, std::size_t count) const override {
    auto& chunks = static_cast<Chunks&>(columns);
    chunks.width = chunk_width();
    chunks.lists.resize((count + chunks.width - 1) / chunks.width);
    for (FeatureLists<Value>& lists : chunks.lists) {
      const std::size_t columns_here = std::min(count, chunks.width);
      std::size_t values = 0;
      for (std::size_t k = 0; k < columns_here; ++k) {
        values += examples().end(packed[k]) - examples().begin(packed[k]);
      }
      const auto of_column = [&](std::size_t k, const auto& visit) {
        examples().for_each_value(packed[k], visit);
      };
      lists.fill(examples().dimension(), columns_here, values, of_column);
      packed += columns_here;
      count -= columns_here;
    }
  }

  void dots(std::size_t example, const Columns& columns, std::size_t begin, std::size_t end,
            double* sums) const override {
    const auto& chunks = static_cast<const Chunks&>(columns);
    std::fill(sums, sums + (end - begin), 0.0);
    const auto of_row = [&](const auto& visit) { examples().for_each_value(example, visit); };
    while (begin < end) {
      const std::size_t first = begin / chunks.width * chunks.width;
      const std::size_t next = std::min(end, first + chunks.width);
      chunks.lists[begin / chunks.width].add_products(of_row, begin - first, next - first, sums);
      sums += next - begin;
      begin = next;
    }
  }

  // columns_cost() is right for many rows at a time; a row of many short lists takes twice that.
  double dot_cost() const override { return is_single() ? cost_ : 2 * cost_; }

  double cost_;
};

bool is_float(double value) {
  return std::fabs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

bool has_floats_only(const Examples& examples) {
  return std::all_of(examples.values(), examples.values() + examples.nonzeros(), is_float);
}

// True if values may be rounded to float in single precision.  For kernels of distances, whose
// norms are not rounded, that requires small exponents.
bool are_small(const KernelFunction& kernel, const Examples& examples) {
  constexpr double kMostExponent = 1;
  return !kernel.of_distances() || kernel.gamma * examples.largest_squared_norm() <= kMostExponent;
}

}  // namespace

// A feature in a share p of the rows costs p^2 products per dot: it is in a share p of the columns,
// and in a share p of the rows that pass over them.
double columns_cost(const Examples& examples) {
  constexpr double kNanoseconds = 0.9;
  std::vector<double> counts(examples.dimension(), 0.0);
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) ++counts[examples.features()[p]];
  const auto rows = static_cast<double>(examples.size() + 1);
  double met = 0;
  for (const double count : counts) met += count / rows * (count / rows);
  return kNanoseconds * met + 0.3;
}

double columns_rounding(const KernelFunction& kernel, const Examples& examples) {
  if (!kernel.of_distances()) return dot_rounding(kernel, examples, float_error(examples).part);
  const double norm = examples.largest_squared_norm();
  const bool is_ordinary = kernel.gamma > 0x1p-60 && kernel.gamma < 0x1p60 && norm < 0x1p60;
  if (!is_ordinary || kernel.is_rounded(norm)) return std::numeric_limits<double>::infinity();
  if (!are_small(kernel, examples)) return kOrdinaryRounding;
  // Norms stay in doubles.  If two rows move by `distance` each, their dot product changes by up to
  // 2 * distance * (largest norm), and it counts twice in the exponent.
  const double distance = float_error(examples).distance;
  return rounding_of_bound(4 * kernel.gamma * std::sqrt(norm) * distance);
}

std::unique_ptr<RowEngine> make_columns_engine(const KernelFunction& kernel, Examples examples,
                                               Precision precision) {
  const double cost = columns_cost(examples);
  const bool is_single = precision == Precision::kSingle;
  const bool has_floats = examples.has_ones_only() || has_floats_only(examples);
  const bool in_floats = has_floats || (is_single && are_small(kernel, examples));
  const double rounding = is_single ? columns_rounding(kernel, examples) : 0;
  examples.drop_pairs();
  const auto shared = std::make_shared<Examples>(std::move(examples));
  const auto engine_of = [&](auto value, std::shared_ptr<const RowEngine> precise) {
    return std::unique_ptr<RowEngine>(std::make_unique<ColumnsEngine<decltype(value)>>(
        kernel, shared, cost, rounding, std::move(precise)));
  };
  const auto engine = [&](bool as_floats, std::shared_ptr<const RowEngine> precise) {
    if (shared->has_ones_only()) return engine_of(NoValue(), std::move(precise));
    return as_floats ? engine_of(0.0F, std::move(precise)) : engine_of(0.0, std::move(precise));
  };
  return is_single ? engine(in_floats, engine(has_floats, nullptr)) : engine(has_floats, nullptr);
}

}  // namespace svm
