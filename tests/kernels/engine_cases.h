// What the tests of all engines share: kinds of rows, and exact values.
#ifndef SVM_TESTS_KERNELS_ENGINE_CASES_H_
#define SVM_TESTS_KERNELS_ENGINE_CASES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernel_function.h"
#include "svm.h"
#include "tests/training_data.h"

namespace svm::test {

using Rows = std::vector<Row>;

// --- kinds of rows ---

// The value of a feature in a row, if the row has it.
using Value = std::optional<double>;

// When values are computed in single precision, if that will do.
enum class Single { kNever, kOnRequest, kChosen };

struct Kind {
  const char* name;
  const char* exact;   // the engine that is chosen for LIBSVM's arithmetic
  const char* others;  // further engines of LIBSVM's arithmetic that hold these rows, plain aside
  Single single;       // of RBF values that spread from 0 to 1
  Value (*draw)(Draws& draws, std::size_t row, std::size_t feature);
  int (*index)(std::size_t feature) = [](std::size_t feature) {
    return static_cast<int>(feature) + 1;
  };
};

inline double whole(Draws& draws, int least, int most) {
  return least + static_cast<double>(draws.below(static_cast<std::size_t>(most - least) + 1));
}

inline double any_sign(Draws& draws, double value) { return draws.below(2) == 0 ? value : -value; }

inline double one_of(Draws& draws, std::initializer_list<double> values) {
  return values.begin()[draws.below(values.size())];
}

// A value as svm-scale writes it.
inline double six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return std::strtod(text, nullptr);
}

// A value of its own for each feature.
inline double centre(std::size_t feature) { return std::sin(1.0 + static_cast<double>(feature)); }

constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline const std::vector<Kind> kKinds = {
    {"Real", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value { return draws.between(-1, 1); }},
    {"Gaps", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       if (draws.below(2) == 0) return {};
       return draws.between(-1, 1);
     }},
    // Two rows have common features seldom.
    {"Apart", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t row, std::size_t feature) -> Value {
       if ((row + feature) % 2 == 0 && draws.below(9) > 0) return {};
       return draws.between(-1, 1);
     }},
    {"Sparse", "columns", "dense", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       if (draws.below(20) > 0) return {};
       return feature % 2 == 0 ? 0.125 : draws.between(-1, 1);
     },
     [](std::size_t feature) { return 1 + 60000 * static_cast<int>(feature); }},
    {"SparseOnes", "bits", "integers dense columns", Single::kOnRequest,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       if (draws.below(20) > 0) return {};
       return 1;
     }},
    {"Ones", "bits", "integers dense columns", Single::kOnRequest,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       if (draws.below(5) > 2) return {};
       return 1;
     }},
    {"FarIndices", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       if (draws.below(3) == 0) return {};
       return draws.between(-1, 1);
     },
     [](std::size_t feature) {
       const int first[] = {-2147483647 - 1, -5, 0, 7};
       return feature < 4 ? first[feature] : 2147483000 + static_cast<int>(feature);
     }},
    {"EmptyRows", "columns", "dense", Single::kChosen,
     [](Draws& draws, std::size_t row, std::size_t) -> Value {
       if (row % 3 != 1) return {};
       return draws.between(-1, 1);
     }},
    {"StoredZeros", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       return one_of(draws, {0.0, -0.0, draws.between(-1, 1)});
     }},
    {"ZerosAndOnes", "integers", "dense columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       return one_of(draws, {-0.0, 1, 1});
     }},
    {"Bytes", "integers", "dense columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       if (draws.below(2) == 0) return {};
       return whole(draws, 0, 255);
     }},
    {"SignedBytes", "integers", "dense columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value { return whole(draws, -120, 135); }},
    {"TooManyForBytes", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value { return whole(draws, -255, 255); }},
    {"SixteenBits", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value { return whole(draws, -32768, 32767); }},
    {"Grey", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       if (draws.below(2) == 0) return {};
       return feature == 0 ? 1 : whole(draws, 0, 255) / 255;
     }},
    {"SixDigits", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       const double grey = whole(draws, 0, 255) / (feature % 10 == 9 ? 251 : 255);
       if (draws.below(3) == 0) return {};
       return six_digits(grey);
     }},
    {"Shifted", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       const double grey = draws.below(3) > 0 ? 0 : whole(draws, 0, 255);
       return feature == 0 ? -0.5 : six_digits((grey - 33.3) / 78.6);
     }},
    {"Decimals", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       return feature % 10 == 9 ? whole(draws, 0, 255) / 257 : whole(draws, 0, 2000) / 2000;
     }},
    {"Digits", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       const double power = one_of(draws, {1e3, 1e6, 1e9});
       return whole(draws, -1000000, 1000000) / power;
     }},
    {"Marks", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       if (draws.below(3) > 0) return {};
       if (feature < 5) return draws.between(-1, 1);
       return feature % 7 == 0 ? -2 : 2;
     }},
    {"TwoValues", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       const double two[] = {centre(feature), feature % 2 == 0 ? 1 : centre(feature + 99)};
       if (feature % 5 == 0 && draws.below(3) == 0) return {};
       return two[draws.below(2)];
     }},
    {"Mixed", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       if (draws.below(3) == 0) return {};
       if (feature % 4 == 0) return draws.between(-1, 1);
       return feature % 4 == 1 ? 1 : whole(draws, 0, 255) / 255;
     }},
    {"Far", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       return 1000 * static_cast<double>(feature + 1) + draws.between(-1, 1);
     }},
    // Nearly equal rows, at two distances.
    {"Clusters", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t row, std::size_t feature) -> Value {
       return centre(feature + row % 7) + 1e-2 * draws.between(-1, 1);
     }},
    {"NarrowClusters", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t row, std::size_t feature) -> Value {
       return 1000 + centre(feature + row % 7) + 1e-5 * draws.between(-1, 1);
     }},
    {"Ranges", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       return std::pow(10, static_cast<double>(feature % 7) - 3) * draws.between(-1, 1);
     }},
    {"WideRanges", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t feature) -> Value {
       return std::pow(10, 12 * centre(feature)) * draws.between(-1, 1);
     }},
    // Nothing is left to compute.
    {"AllEqual", "dense", "columns", Single::kChosen,
     [](Draws&, std::size_t, std::size_t feature) -> Value { return centre(feature); }},
    // Close to multiples of a unit, but small beside it.
    {"SmallBesideWhole", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t row, std::size_t feature) -> Value {
       const bool is_small = feature % 2 == 1 || row % 8 == 0;
       return is_small ? draws.between(0, 1.4e-5) : whole(draws, 0, 3);
     }},
    {"SmallUnit", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value { return 5e-8 * whole(draws, 0, 255); }},
    // All values of a row are equal, and so are their errors as floats.
    {"EqualErrors", "dense", "columns", Single::kChosen,
     [](Draws&, std::size_t row, std::size_t) -> Value {
       const auto single = static_cast<float>(centre(row));
       const double step = std::nextafter(single, row % 2 == 0 ? 2.0F : -2.0F) - single;
       return single + 0.499 * step;
     }},
    {"Huge", "dense", "columns", Single::kNever,
     [](Draws& draws, std::size_t, std::size_t) -> Value { return 1e20 * draws.between(-1, 1); }},
    {"Tiny", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value { return 1e-15 * draws.between(-1, 1); }},
    {"Subnormal", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       const double value = one_of(draws, {5e-324, 1e-310, draws.between(0, 1), 1e-160});
       if (draws.below(4) == 0) return {};
       return any_sign(draws, value);
     }},
    {"SubnormalOnly", "dense", "columns", Single::kChosen,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       return any_sign(draws, one_of(draws, {5e-324, 1e-310, 3e-309}));
     }},
    {"Extremes", "dense", "columns", Single::kNever,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       const double value = one_of(draws, {1e300, 5e-324, 0, 1, 1e-160, 1e154, 1e16, 0.1});
       if (draws.below(3) == 0) return {};
       return any_sign(draws, value);
     }},
    {"NotFinite", "plain", "", Single::kNever,
     [](Draws& draws, std::size_t row, std::size_t) -> Value {
       if (row % 3 == 0) return one_of(draws, {kInfinity, -kInfinity, std::nan(""), 0});
       return draws.between(-1, 1);
     }},
    {"Unsorted", "plain", "", Single::kNever,
     [](Draws& draws, std::size_t, std::size_t) -> Value {
       if (draws.below(2) == 0) return {};
       return draws.between(-1, 1);
     },
     [](std::size_t feature) { return static_cast<int>(feature * 7 % 10); }},
};

inline void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

inline const Kind& kind_of(const std::string& name) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds),
                       [&](const Kind& kind) { return kind.name == name; });
}

// One row of ten is the copy of another one, and one of twenty is empty.
inline Rows rows_of(const Kind& kind, std::size_t count, std::size_t features) {
  Draws draws(7 * count + features);
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t lot = draws.below(20);
    if (i > 1 && lot < 2) {
      rows.push_back(rows[draws.below(i)]);
      continue;
    }
    rows.emplace_back();
    for (std::size_t f = 0; f < features && (i < 2 || lot != 2); ++f) {
      const Value value = kind.draw(draws, i, f);
      if (value) rows.back().push_back({kind.index(f), *value});
    }
    rows.back().push_back({-1, 0});
  }
  return rows;
}

inline std::vector<const svm_node*> pointers_to(const Rows& rows) {
  std::vector<const svm_node*> pointers;
  for (const Row& row : rows) pointers.push_back(row.data());
  return pointers;
}

// --- kernels ---

inline KernelFunction kernel_of(int type, double gamma, double coef0 = 0.25, int degree = 3) {
  svm_parameter param = parameters(C_SVC, type);
  param.gamma = gamma;
  param.coef0 = coef0;
  param.degree = degree;
  return KernelFunction(param);
}

// A gamma for which RBF values spread from 0 to 1; 1 if there is none.
inline double spread(const Rows& rows) {
  double sum = 0;
  const KernelFunction linear = kernel_of(LINEAR, 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const svm_node *u = rows[i - 1].data(), *v = rows[i].data();
    sum += linear.of_rows(u, u) + linear.of_rows(v, v) - 2 * linear.of_rows(u, v);
  }
  const double gamma = static_cast<double>(rows.size()) / sum;
  return gamma > 0 && std::isfinite(gamma) ? gamma : 1;
}

inline std::vector<KernelFunction> kernels_for(const Rows& rows) {
  const double gamma = spread(rows);
  return {kernel_of(RBF, gamma),
          kernel_of(LINEAR, 1),
          kernel_of(POLY, gamma),
          kernel_of(SIGMOID, gamma),
          kernel_of(RBF, 30 * gamma),
          kernel_of(POLY, gamma, 0, 2),
          kernel_of(SIGMOID, gamma, 0),
          kernel_of(RBF, 0.01 * gamma),
          kernel_of(RBF, 1e3 * gamma),
          kernel_of(POLY, gamma, -1, 9),
          kernel_of(RBF, 1e6 * gamma),
          kernel_of(RBF, 1e-20 * gamma),
          kernel_of(RBF, 0)};
}

// --- exact values ---

// Sums over the features of both rows: products, their sizes, squared differences, squares.
struct Inner {
  long double dot = 0, most = 0, distance = 0, norms = 0;
  int terms = 0;
};

inline Inner inner_of(const Row& one, const Row& other) {
  Inner inner;
  const auto add = [&](long double u, long double v) {
    inner.dot += u * v;
    inner.most += std::fabs(u * v);
    inner.distance += (u - v) * (u - v);
    inner.norms += u * u + v * v;
    ++inner.terms;
  };
  const svm_node *x = one.data(), *z = other.data();
  while (x->index != -1 || z->index != -1) {
    if (z->index == -1 || (x->index != -1 && x->index < z->index)) {
      add((x++)->value, 0);
    } else if (x->index == -1 || z->index < x->index) {
      add(0, (z++)->value);
    } else {
      add((x++)->value, (z++)->value);
    }
  }
  return inner;
}

struct Exact {
  long double value;
  long double plain_error;     // permitted error of doubles
  long double error_of_norms;  // additional error if squared distances lose digits of large norms

  long double error(bool by_norms) const { return plain_error + (by_norms ? error_of_norms : 0); }
};

inline Exact exact(const KernelFunction& kernel, const Inner& inner) {
  constexpr long double kUnit = 0x1p-53L, kFew = 20, kLeast = 1e-300L;
  const long double unit = (kFew + inner.terms / 4.0L) * kUnit;
  const long double base = kernel.gamma * inner.dot + kernel.coef0;
  const long double most = kernel.gamma * inner.most + std::fabs(kernel.coef0);
  switch (kernel.type) {
    case LINEAR:
      return {inner.dot, unit * inner.most + kLeast, 0};
    case POLY:
      return {std::pow(base, kernel.degree),
              kernel.degree * unit * std::pow(most, kernel.degree) + kLeast, 0};
    case SIGMOID:
      return {std::tanh(base), unit * std::min(1.0L, most * 2) + unit * most + kLeast, 0};
    default: {
      constexpr long double kSmallNorms = 16;  // norms times gamma up to which distances may be
                                               // computed from norms
      const long double value = std::exp(-kernel.gamma * inner.distance);
      const long double norms = kernel.gamma * inner.norms;
      const long double lost = kernel.gamma * inner.distance + std::min(norms, kSmallNorms);
      return {value, unit * value * (4 + lost) + kLeast, unit * value * norms};
    }
  }
}

}  // namespace svm::test

#endif  // SVM_TESTS_KERNELS_ENGINE_CASES_H_
