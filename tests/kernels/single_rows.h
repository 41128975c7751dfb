// What the tests of engines of single precision share.
#ifndef SVM_TESTS_KERNELS_SINGLE_ROWS_H_
#define SVM_TESTS_KERNELS_SINGLE_ROWS_H_

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/simd/instruction_set.h"
#include "kernels/engines/row_engine.h"
#include "tests/environment.h"
#include "tests/training_data.h"

namespace svm::test {

using Rows = std::vector<Row>;
using Draw = std::function<double(std::size_t feature)>;

inline KernelFunction kernel_of(int type, double gamma, double coef0 = 0.25, int degree = 3) {
  svm_parameter param = {};
  param.kernel_type = type;
  param.gamma = gamma;
  param.coef0 = coef0;
  param.degree = degree;
  return KernelFunction(param);
}

inline std::shared_ptr<const RowEngine> engine_for(const Rows& rows, const KernelFunction& kernel,
                                                   const std::string& engine = "",
                                                   InstructionSet set = instruction_set()) {
  const Setting setting("SVM_ENGINE", engine), instructions("SVM_INSTRUCTION_SET", svm::name(set));
  std::vector<const svm_node*> pointers;
  for (const Row& row : rows) pointers.push_back(row.data());
  return make_row_engine(kernel, pointers.data(), pointers.size(), Precision::kSingle);
}

inline bool is_single(const RowEngine& engine) { return engine.precise() != nullptr; }

inline Rows draw_rows(std::size_t count, std::size_t features, const Draw& draw) {
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    for (std::size_t f = 0; f < features; ++f) {
      const double value = draw(f);
      if (value != 0) row.push_back({static_cast<int>(f) + 1, value});
    }
    row.push_back({-1, 0});
    rows.push_back(std::move(row));
  }
  return rows;
}

// A value as svm-scale writes it.
inline double six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return std::strtod(text, nullptr);
}

// Kinds of data for the engines: real, with bits among them, with two values other than zero, far
// from zero, sparse, whole numbers, grey levels, these with six digits (one feature of ten has
// another unit), less their mean, and decimals (one feature of ten has none).
inline std::vector<std::pair<std::string, Rows>> kinds(std::size_t count) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> real(-1, 1);
  std::vector<std::pair<std::string, Rows>> all;
  all.emplace_back("real", draw_rows(count, 20, [&](std::size_t) { return real(random); }));
  all.emplace_back("long", draw_rows(count, 150, [&](std::size_t) { return real(random); }));
  all.emplace_back("bits", draw_rows(count, 60, [&](std::size_t f) {
                     return f < 7 ? real(random) : random() % 3 == 0 ? 1.0 : 0.0;
                   }));
  all.emplace_back("two values", draw_rows(count, 50, [&](std::size_t f) {
                     return f < 5 ? real(random) : random() % 3 == 0 ? 1.0 : -1.0;
                   }));
  all.emplace_back("far", draw_rows(count, 9, [&](std::size_t f) {
                     return 1000.0 * static_cast<double>(f + 1) + real(random);
                   }));
  all.emplace_back("sparse", draw_rows(count, 300, [&](std::size_t f) {
                     return random() % 50 != 0 ? 0.0 : f % 2 == 0 ? 0.125 : real(random);
                   }));
  all.emplace_back("whole", draw_rows(count, 90, [&](std::size_t) {
                     return random() % 2 == 0 ? 0.0 : static_cast<double>(random() % 256);
                   }));
  all.emplace_back(
      "grey", draw_rows(count, 90, [&](std::size_t f) {
        return f == 0 ? 1.0 : random() % 2 == 0 ? 0.0 : static_cast<double>(random() % 256) / 255;
      }));
  const auto grey = [&] { return random() % 3 != 0 ? 0.0 : static_cast<double>(random() % 256); };
  all.emplace_back("six digits", draw_rows(count, 90, [&](std::size_t f) {
                     return six_digits(grey() / (f % 10 == 9 ? 251 : 255));
                   }));
  all.emplace_back("shifted", draw_rows(count, 90, [&](std::size_t f) {
                     return f == 0 ? -0.5 : six_digits((grey() - 33.3) / 78.6);
                   }));
  all.emplace_back("decimals", draw_rows(count, 90, [&](std::size_t f) {
                     return f % 10 == 9 ? grey() / 257
                                        : static_cast<double>(random() % 2001) / 2000;
                   }));
  return all;
}

// A gamma for which RBF values spread from 0 to 1.
inline double spread(const Rows& rows) {
  double sum = 0;
  KernelFunction linear = kernel_of(LINEAR, 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const svm_node *u = rows[i - 1].data(), *v = rows[i].data();
    sum += linear.of_rows(u, u) + linear.of_rows(v, v) - 2 * linear.of_rows(u, v);
  }
  return static_cast<double>(rows.size()) / sum;
}

inline std::vector<KernelFunction> kernels_for(const Rows& rows) {
  const double gamma = spread(rows);
  return {kernel_of(RBF, gamma),        kernel_of(RBF, 30 * gamma), kernel_of(RBF, 0.01 * gamma),
          kernel_of(LINEAR, 1),         kernel_of(POLY, gamma),     kernel_of(POLY, gamma, 0, 2),
          kernel_of(SIGMOID, gamma, 0), kernel_of(SIGMOID, gamma)};
}

inline std::unique_ptr<PackedColumns> pack_all(const RowEngine& engine, std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return engine.pack(order.data(), count, nullptr);
}

inline std::vector<float> row_of(const RowEngine& engine, std::size_t example,
                                 const PackedColumns& columns, std::size_t from, std::size_t to) {
  std::vector<float> out(to - from);
  engine.compute(example, columns, from, to, out.data());
  return out;
}

// The largest error relative to the root of the diagonal values; for SIGMOID, whose matrix may be
// indefinite, relative to the larger of these.
inline double worst_error(const RowEngine& engine, const Rows& rows, const KernelFunction& kernel) {
  const auto columns = pack_all(engine, rows.size());
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); i += 3) {
    const std::vector<float> row = row_of(engine, i, *columns, 0, rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double exact = kernel.of_rows(rows[i].data(), rows[k].data());
      const double a = kernel.of_rows(rows[i].data(), rows[i].data());
      const double b = kernel.of_rows(rows[k].data(), rows[k].data());
      const double size = kernel.type == SIGMOID ? std::max(a, b) : std::sqrt(a * b);
      const double error = std::fabs(static_cast<double>(row[k]) - exact);
      if (error > 0) worst = std::max(worst, error / size);
    }
  }
  return worst;
}

}  // namespace svm::test

#endif  // SVM_TESTS_KERNELS_SINGLE_ROWS_H_
