#include "kernels/engines/row_engine.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/engines/engines.h"
#include "kernels/examples.h"
#include "simd/loops.h"

namespace svm {
namespace {

constexpr const char* kEngineVariable = "SVM_ENGINE";

struct Named {
  const char* name;
  Engine engine;
};
constexpr Named kEngines[] = {{"plain", Engine::kPlain},       {"bits", Engine::kBits},
                              {"integers", Engine::kIntegers}, {"dense", Engine::kDense},
                              {"columns", Engine::kColumns},   {"floats", Engine::kFloats},
                              {"bytes", Engine::kBytes}};

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

// Dense blocks are read faster, but hold zeros as well, so they may take twice the bytes of the
// examples at most.  Every question is a pass over the examples.
Engine choice_for(const Examples& examples, const GoOn& go_on) {
  if (!examples.is_regular()) return Engine::kPlain;
  if (fit_bits(examples)) return Engine::kBits;
  go_on_or_throw(go_on);
  const double columns = columns_cost(examples);
  const double most = kMostBytesPerValue * static_cast<double>(examples.nonzeros()) /
                      static_cast<double>(examples.size() + 1);
  if (static_cast<double>(examples.dimension()) <= most && integers_cost(examples) < columns &&
      fit_integers(examples)) {
    return Engine::kIntegers;
  }
  go_on_or_throw(go_on);
  const DenseCost dense = dense_cost(examples, go_on);
  go_on_or_throw(go_on);
  if (dense.bytes > most) return Engine::kColumns;
  return dense.nanoseconds < columns ? Engine::kDense : Engine::kColumns;
}

class ZeroEngine final : public RowEngine {
 public:
  std::unique_ptr<PackedColumns> pack(const std::uint32_t* /*examples*/, std::size_t /*count*/,
                                      std::unique_ptr<PackedColumns> /*old*/) const override {
    return std::make_unique<PackedColumns>();
  }
  void compute(std::size_t /*example*/, const PackedColumns& /*columns*/, std::size_t from,
               std::size_t to, float* out) const override {
    std::fill_n(out, to - from, 0.0F);
  }
  void compute(std::size_t /*example*/, const PackedColumns& /*columns*/, std::size_t from,
               std::size_t to, double* out) const override {
    std::fill_n(out, to - from, 0.0);
  }
  double diagonal(std::size_t /*example*/) const override { return 0; }
  double value_cost() const override { return 1; }
};

}  // namespace

bool wished_engine(Engine& wish) {
  const char* value = std::getenv(kEngineVariable);
  if (value == nullptr || *value == '\0') return false;
  std::string known;
  for (const Named& named : kEngines) {
    if (value == std::string(named.name)) {
      wish = named.engine;
      return true;
    }
    known += known.empty() ? named.name : std::string(", ") + named.name;
  }
  throw std::invalid_argument(std::string("environment variable ") + kEngineVariable + ": '" +
                              value + "' is none of " + known);
}

void RowEngine::compute_rows(const std::uint32_t* examples, std::size_t count,
                             const PackedColumns& columns, std::size_t to,
                             float* const* out) const {
  for (std::size_t r = 0; r < count; ++r) {
    if (r + 1 < count) prefetch(examples[r + 1]);
    compute(examples[r], columns, 0, to, out[r]);
  }
}

void RowEngine::add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                         const PackedColumns& columns, std::size_t from, std::size_t to,
                         double* sums) const {
  // The values stay in the first level cache, the sums of so many rows in registers.
  constexpr std::size_t kValues = 2 * kMostSumsWidth, kMostRowsAtOnce = 8;
  float values[kValues];
  const float* rows_of[kMostRowsAtOnce];
  const std::size_t width = sums_width();
  const std::size_t most_rows = std::min(kMostRowsAtOnce, kValues / width);
  const Loops& passes = loops(instruction_set());
  for (std::size_t begin = from; begin < to; begin += width) {
    const std::size_t end = std::min(to, begin + width);
    for (std::size_t first = 0; first < count; first += most_rows) {
      const std::size_t rows = std::min(most_rows, count - first);
      for (std::size_t r = 0; r < rows; ++r) {
        rows_of[r] = values + r * width;
        compute(examples[first + r], columns, begin, end, values + r * width);
      }
      passes.add_float_rows(sums + (begin - from), rows_of, 0, factors + first, rows, end - begin);
    }
  }
}

void RowEngine::add_precise_sums(const std::uint32_t* examples, const double* factors,
                                 std::size_t count, const std::uint32_t* columns, std::size_t width,
                                 double* sums) const {
  double values[kMostPreciseColumns];
  const std::unique_ptr<PackedColumns> packed = pack_block(columns, width);
  for (std::size_t r = 0; r < count; ++r) {
    if (r + 1 < count) prefetch(examples[r + 1]);
    compute(examples[r], *packed, 0, width, values);
    for (std::size_t k = 0; k < width; ++k) sums[k] += factors[r] * values[k];
  }
}

std::unique_ptr<RowEngine> make_zero_engine() { return std::make_unique<ZeroEngine>(); }

std::unique_ptr<RowEngine> make_row_engine(const KernelFunction& kernel, DataRows rows,
                                           std::size_t count, const GoOn& go_on) {
  Engine wish = Engine::kPlain;
  wished_engine(wish);  // so that an unknown name is refused
  if (kernel.type == PRECOMPUTED) return make_precomputed_engine(rows, count);
  return make_exact_engine(kernel, Examples(rows, count, go_on), go_on);
}

std::unique_ptr<RowEngine> make_exact_engine(const KernelFunction& kernel, Examples examples,
                                             const GoOn& go_on) {
  Engine wish = Engine::kPlain;
  const bool is_wished = wished_engine(wish);
  const bool is_given = is_wished && can_hold(wish, examples);
  switch (is_given ? wish : choice_for(examples, go_on)) {
    case Engine::kBits:
      return make_bits_engine(kernel, examples);
    case Engine::kIntegers:
      return make_integers_engine(kernel, std::move(examples));
    case Engine::kDense:
      return make_dense_engine(kernel, std::move(examples), go_on);
    case Engine::kColumns:
      return make_columns_engine(kernel, std::move(examples));
    default:
      return make_plain_engine(kernel, std::move(examples));
  }
}

}  // namespace svm
