#include "kernels/row_engine.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/bits_engine.h"
#include "kernels/columns_engine.h"
#include "kernels/dense_engine.h"
#include "kernels/examples.h"
#include "kernels/plain_engine.h"

namespace svm {
namespace {

constexpr const char* kVariable = "SVM_ENGINE";

enum class Engine { kPlain, kBits, kIntegers, kDense, kColumns };

struct Named {
  const char* name;
  Engine engine;
};
constexpr Named kEngines[] = {{"plain", Engine::kPlain},
                              {"bits", Engine::kBits},
                              {"integers", Engine::kIntegers},
                              {"dense", Engine::kDense},
                              {"columns", Engine::kColumns}};

// False where nothing is asked for.
bool wished_engine(Engine& wish) {
  const char* value = std::getenv(kVariable);
  if (value == nullptr || *value == '\0') return false;
  std::string known;
  for (const Named& named : kEngines) {
    if (value == std::string(named.name)) {
      wish = named.engine;
      return true;
    }
    known += known.empty() ? named.name : std::string(", ") + named.name;
  }
  throw std::invalid_argument(std::string("environment variable ") + kVariable + ": '" + value +
                              "' is none of " + known);
}

bool can_hold(Engine engine, const Examples& examples) {
  constexpr std::size_t kMuch = std::size_t{1} << 28;
  switch (engine) {
    case Engine::kBits:
      return examples.is_regular() && fit_bits(examples);
    case Engine::kDense:  // on request, also where it wastes memory, but not without limit
      return examples.is_regular() && examples.dimension() <= kMuch / (examples.size() + 64);
    case Engine::kIntegers:
      return false;
    case Engine::kColumns:
      return examples.is_regular();
    default:
      return true;
  }
}

// Dense blocks are read faster, but hold the zeros as well.
Engine choice_for(const Examples& examples) {
  if (!examples.is_regular()) return Engine::kPlain;
  if (fit_bits(examples)) return Engine::kBits;
  const std::size_t places = examples.size() * examples.dimension();
  const bool is_dense = places / 4 <= examples.nonzeros();
  return is_dense ? Engine::kDense : Engine::kColumns;
}

bool all_floats(const Examples& examples) {
  const double* values = examples.values();
  return std::all_of(values, values + examples.nonzeros(), [](double value) {
    return std::fabs(value) <= std::numeric_limits<float>::max() &&
           static_cast<double>(static_cast<float>(value)) == value;
  });
}

bool all_ones(const Examples& examples) {
  const double* values = examples.values();
  return std::all_of(values, values + examples.nonzeros(), [](double value) { return value == 1; });
}

}  // namespace

std::unique_ptr<RowEngine> make_row_engine(const KernelFunction& kernel,
                                           const svm_node* const* rows, std::size_t count) {
  Engine wish = Engine::kPlain;
  const bool is_wished = wished_engine(wish);
  if (kernel.type == PRECOMPUTED) return make_precomputed_engine(rows, count);
  Examples examples(rows, count);
  const bool is_given = is_wished && can_hold(wish, examples);
  switch (is_given ? wish : choice_for(examples)) {
    case Engine::kBits:
      return make_bits_engine(kernel, examples);
    case Engine::kDense:
      return make_dense_engine(kernel, std::move(examples));
    case Engine::kColumns: {
      const bool floats = all_floats(examples), ones = all_ones(examples);
      return make_columns_engine(kernel, std::move(examples), floats, ones);
    }
    default:
      return make_plain_engine(kernel, std::move(examples));
  }
}

}  // namespace svm
