// Chooses the engine of a data set: see the table in engines.h.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/platform/process.h"
#include "base/platform/text.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/product_layout.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/single_error.h"
#include "kernels/kernel_tail.h"

namespace svm {
namespace {

enum class Engine {
  kPlain,
  kBits,
  kIntegers,
  kDense,
  kColumns,
  kBytes,        // products of whole numbers and floats
  kFloats,       // products of floats alone
  kDifferences,  // of floats and bits
};

struct EngineChoice {
  Engine engine;
  Precision precision = Precision::kDouble;          // matters to kColumns
  std::optional<ProductLayout> products = {};        // for kBytes and kFloats
  std::optional<DifferenceLayout> differences = {};  // for kDifferences
};

constexpr const char* kEngineVariable = "SVM_ENGINE";

struct NamedEngine {
  const char* name;
  Engine engine;
};
constexpr NamedEngine kEngines[] = {
    {"plain", Engine::kPlain},       {"bits", Engine::kBits},
    {"integers", Engine::kIntegers}, {"dense", Engine::kDense},
    {"columns", Engine::kColumns},   {"bytes", Engine::kBytes},
    {"floats", Engine::kFloats},     {"differences", Engine::kDifferences}};

// The engine that SVM_ENGINE names, if it names one.
std::optional<Engine> wished_engine() {
  const char* const value = variable_value(kEngineVariable);
  if (value == nullptr) return std::nullopt;
  for (const NamedEngine& named : kEngines) {
    if (std::string_view(named.name) == value) return named.engine;
  }
  return std::nullopt;
}

bool can_hold(Engine engine, const Examples& examples) {
  constexpr std::size_t kMuch = std::size_t{1} << 28;
  switch (engine) {
    case Engine::kBits:
      return examples.is_regular() && fit_bits(examples);
    case Engine::kDense:  // on request it may waste memory, but not without limit
      return examples.is_regular() && examples.dimension() <= kMuch / (examples.size() + 64);
    case Engine::kIntegers:
      return examples.is_regular() && fit_integers(examples) &&
             examples.dimension() <= kMuch / (examples.size() + 64);
    case Engine::kColumns:
      return examples.is_regular();
    case Engine::kPlain:
      return true;
    default:  // of single precision
      return false;
  }
}

// The largest number of bytes that dense columns may take for each nonzero value of the examples:
// twice what the examples take themselves.
constexpr double kMostBytesPerValue = 2 * (sizeof(double) + sizeof(std::uint32_t));

// Dense blocks are read faster than columns, but hold zeros as well.  Every question is a pass over
// the examples.
Engine exact_choice(const Examples& examples, const RowPasses& passes) {
  if (!examples.is_regular()) return Engine::kPlain;
  if (fit_bits(examples)) return Engine::kBits;
  passes.poll();
  const double columns = columns_cost(examples);
  const double most = kMostBytesPerValue * examples.nonzeros_per_row();
  if (static_cast<double>(examples.dimension()) <= most && integers_cost(examples) < columns &&
      fit_integers(examples)) {
    return Engine::kIntegers;
  }
  passes.poll();
  const DenseCost dense = dense_cost(examples, passes);
  passes.poll();
  if (dense.bytes > most) return Engine::kColumns;
  return dense.nanoseconds < columns ? Engine::kDense : Engine::kColumns;
}

// Single precision is used if the error of a value, relative to the root of the diagonal values of
// its row and column, is estimated at kMostRounding at most.  Returns nothing if no engine of
// single precision suits the rows: for precomputed kernels, rows of irregular indices, and rows
// whose values are all 1, whose exact engine is as fast.
std::optional<EngineChoice> single_choice(const KernelFunction& kernel, const Examples& examples,
                                          std::optional<Engine> wish, const RowPasses& passes) {
  constexpr double kMostBytes = 0x1p30;   // of all rows, if SVM_ENGINE asks for the engine
  constexpr double kFeaturesPerByte = 8;  // at most, in any layout
  constexpr std::size_t kFewRows = 1000, kLeastRows = 512;
  constexpr double kNever = std::numeric_limits<double>::infinity(), kColumnsTail = 0.3,
                   kExactTail = 1.5;
  if (!tail_form(kernel.type) || !examples.is_regular() || examples.nonzeros() == 0) return {};
  const bool wants_single =
      wish == Engine::kBytes || wish == Engine::kFloats || wish == Engine::kDifferences;
  if (wish && !wants_single) return {};
  if (!wish && fit_bits(examples)) return {};
  passes.poll();
  const double values_per_row =
      static_cast<double>(examples.nonzeros()) / static_cast<double>(examples.size());
  // The search for a layout passes over all values many times, which costs more than it saves if
  // the data are wide and have few rows.
  const auto rows = static_cast<double>(examples.size());
  if (!wish && examples.size() < kLeastRows && values_per_row > rows) return {};
  const double most = wish ? kMostBytes / static_cast<double>(examples.size())
                           : kMostBytesPerValue * values_per_row;
  const auto cost_of = [&](Engine engine, double cost) { return wish == engine ? 0.0 : cost; };
  EngineChoice choice = {Engine::kColumns, Precision::kSingle};
  double least = kNever;
  const double most_features = kFeaturesPerByte * most;
  const bool may_be_dense = static_cast<double>(examples.dimension()) <= most_features ||
                            static_cast<double>(examples.used_features()) <= most_features;
  if (may_be_dense) {
    const std::vector<Examples::FeatureValues> features = examples.feature_values(passes);
    passes.poll();
    const auto try_products = [&] {
      choice.products =
          product_layout(kernel, examples, features, wish != Engine::kFloats, most, passes);
      if (choice.products) {
        choice.engine = choice.products->has_wholes() ? Engine::kBytes : Engine::kFloats;
        least = cost_of(choice.engine, choice.products->cost());
      }
      passes.poll();
    };
    // The search for a layout of products takes longer than all differences of few rows.
    const bool has_few_rows = !wish && examples.size() < kFewRows;
    if (!has_few_rows) try_products();
    double most_cost = least;
    if (wish == Engine::kDifferences) most_cost = kNever;
    DifferenceLayout differences(kernel, examples, features, most, most_cost, passes);
    const double cost = cost_of(Engine::kDifferences, differences.cost());
    if (differences.rounding <= kMostRounding && cost < least) {
      choice.engine = Engine::kDifferences;
      least = cost;
      choice.differences = std::move(differences);
    }
    passes.poll();
    if (has_few_rows && least == kNever) try_products();
  }
  double columns = kNever;
  if (columns_rounding(kernel, examples) <= kMostRounding) {
    columns = columns_cost(examples) + kColumnsTail;
  }
  if (least == kNever && columns == kNever) return {};
  if (least <= columns || !may_be_dense) return choice;
  // If floats do not suit the data, blocks of doubles may still be faster than columns.
  const DenseCost dense = dense_cost(examples, passes);
  const bool is_dense = dense.bytes <= most && dense.nanoseconds + kExactTail < columns;
  if (is_dense) return EngineChoice{Engine::kDense};
  return EngineChoice{Engine::kColumns, Precision::kSingle};
}

EngineChoice choose_engine(const KernelFunction& kernel, const Examples& examples,
                           Precision precision, std::optional<Engine> wish,
                           const RowPasses& passes) {
  if (precision == Precision::kSingle) {
    std::optional<EngineChoice> single = single_choice(kernel, examples, wish, passes);
    if (single) return *std::move(single);
  }
  const Engine engine = wish && can_hold(*wish, examples) ? *wish : exact_choice(examples, passes);
  return {engine};
}

}  // namespace

std::string engine_fault() {
  if (variable_value(kEngineVariable) == nullptr || wished_engine()) return {};
  std::string names;
  for (const NamedEngine& known : kEngines) add_item(names, known.name);
  return variable_fault(kEngineVariable, "is none of " + names);
}

std::unique_ptr<RowEngine> make_row_engine(const KernelFunction& kernel, DataRows rows,
                                           std::size_t count, Precision precision,
                                           const RowPasses& passes) {
  const std::optional<Engine> wish = wished_engine();
  if (kernel.type == PRECOMPUTED) return make_precomputed_engine(rows, count);
  Examples examples(rows, count, passes);
  EngineChoice choice = choose_engine(kernel, examples, precision, wish, passes);
  switch (choice.engine) {
    case Engine::kBits:
      return make_bits_engine(kernel, examples, passes);
    case Engine::kIntegers:
      return make_integers_engine(kernel, std::move(examples));
    case Engine::kDense:
      return make_dense_engine(kernel, std::move(examples), passes);
    case Engine::kBytes:
    case Engine::kFloats:
      return make_products_engine(kernel, std::move(examples), *choice.products, passes);
    case Engine::kDifferences:
      return make_differences_engine(kernel, std::move(examples), *choice.differences, passes);
    case Engine::kColumns:
      return make_columns_engine(kernel, std::move(examples), choice.precision);
    default:
      return make_plain_engine(kernel, std::move(examples));
  }
}

}  // namespace svm
