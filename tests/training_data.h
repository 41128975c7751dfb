// Small problems for the tests.
#ifndef SVM_TESTS_TRAINING_DATA_H_
#define SVM_TESTS_TRAINING_DATA_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernel_function.h"
#include "model/svm_type.h"
#include "solvers/run/run.h"
#include "svm.h"

namespace svm::test {

using Row = std::vector<svm_node>;  // ends with index -1

// values[0] is feature 1.  Zeros are kept.
inline Row dense_row(const std::vector<double>& values) {
  Row row;
  for (std::size_t k = 0; k < values.size(); ++k) {
    row.push_back({static_cast<int>(k) + 1, values[k]});
  }
  row.push_back({-1, 0});
  return row;
}

class Data {
 public:
  void add_row(double label, Row row) {
    labels_.push_back(label);
    rows_.push_back(std::move(row));
  }
  void add(double label, const std::vector<double>& values) { add_row(label, dense_row(values)); }

  std::size_t size() const { return rows_.size(); }
  const svm_node* row(std::size_t i) const { return rows_[i].data(); }
  double label(std::size_t i) const { return labels_[i]; }

  // Valid until rows are added or the data are destroyed.
  svm_problem problem() {
    pointers_.clear();
    for (Row& row : rows_) pointers_.push_back(row.data());
    return {static_cast<int>(rows_.size()), labels_.data(), pointers_.data()};
  }
  std::vector<const svm_node*> rows() const {
    std::vector<const svm_node*> rows;
    for (const Row& each : rows_) rows.push_back(each.data());
    return rows;
  }

 private:
  std::vector<double> labels_;
  std::vector<Row> rows_;
  std::vector<svm_node*> pointers_;
};

// Rows of a precomputed kernel; value(s, t) is the kernel value of two rows.
template <typename Value>
Data precomputed(const Data& data, Value value) {
  Data matrix;
  for (std::size_t s = 0; s < data.size(); ++s) {
    Row row = {{0, static_cast<double>(s + 1)}};
    for (std::size_t t = 0; t < data.size(); ++t) {
      row.push_back({static_cast<int>(t) + 1, value(s, t)});
    }
    row.push_back({-1, 0});
    matrix.add_row(data.label(s), row);
  }
  return matrix;
}

inline Data precomputed(const Data& data, const svm_parameter& param) {
  const KernelFunction kernel(param);
  return precomputed(
      data, [&](std::size_t s, std::size_t t) { return kernel.of_rows(data.row(s), data.row(t)); });
}

// The numbers 0 ... count-1.
inline std::vector<std::uint32_t> row_numbers(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

// LIBSVM's defaults, with gamma 1.
inline svm_parameter parameters(int svm_type, int kernel_type) {
  svm_parameter param{};
  param.svm_type = svm_type;
  param.kernel_type = kernel_type;
  param.degree = 3;
  param.gamma = 1;
  param.cache_size = 100;
  param.eps = 1e-3;
  param.C = 1;
  param.nu = 0.5;
  param.p = 0.1;
  param.shrinking = 1;
  return param;
}

// Sets the weight of one class.  `label` and `weight` must outlive the parameters.
inline void set_class_weight(svm_parameter& param, int& label, double& weight) {
  param.nr_weight = 1;
  param.weight_label = &label;
  param.weight = &weight;
}

using svm::is_classification;

// Random draws that are the same on all systems, unlike the C library's rand().
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  std::uint32_t bits() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state_ >> 33U);  // 31 bits
  }
  std::size_t below(std::size_t count) { return bits() % count; }
  double between(double low, double high) { return low + (high - low) * (bits() / 2147483648.0); }

 private:
  std::uint64_t state_;
};

// Rows of values in [0, scale]; the target is a wave along the first feature, or its sign.  The
// other features tell nothing.
inline Data one_decides(std::size_t rows, std::size_t features, bool classes, std::uint64_t seed,
                        double scale = 1) {
  Draws draws(seed);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x;
    x.reserve(features);
    for (std::size_t k = 0; k < features; ++k) x.push_back(scale * draws.between(0, 1));
    const double target = std::sin(12 * x[0] / scale);
    data.add(classes ? (target > 0 ? 1 : -1) : target, x);
  }
  return data;
}

// Rows of `features` values around 0; the label is a function of them with noise, or its sign.
inline Data random_data(std::size_t rows, std::size_t features, bool classes, std::uint64_t seed) {
  Draws draws(seed);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x;
    for (std::size_t k = 0; k < features; ++k) x.push_back(draws.between(-1, 1));
    const double target = x[0] + (features > 1 ? x[1] * x[1] - 0.3 : 0) + draws.between(-0.4, 0.4);
    data.add(classes ? (target > 0 ? 1 : -1) : target, x);
  }
  return data;
}

// Rows of three values, in four classes of unequal size.
inline Data four_classes(std::size_t rows, std::uint64_t seed) {
  const Data plain = random_data(rows, 3, false, seed);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    const svm_node* x = plain.row(i);
    const double label = (x[0].value > 0 ? 1 : 2) + (x[1].value > 0.1 ? 10 : 0);
    data.add(i % 7 == 0 ? 1 : label, {x[0].value, x[1].value, x[2].value});
  }
  return data;
}

// Captures messages and warnings during its lifetime.  Only one may exist at a time.
class Printed {
 public:
  Printed() {
    text().clear();
    warnings().clear();
  }
  static void print(const char* part) { text() += part; }
  Messages messages() const {
    return Messages(&Printed::print, [](const char* part) { warnings() += part; });
  }
  // A new run that prints here; replaces the previous one.
  Run& run() const { return run_.emplace(messages()); }
  static std::string& text() {
    static std::string kept;
    return kept;
  }
  static std::string& warnings() {
    static std::string kept;
    return kept;
  }

 private:
  mutable std::optional<Run> run_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_TRAINING_DATA_H_
