// Rows of a precomputed kernel: their length, and the errors if they are too short.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Row;

// 0:serial 1:1.5 2:2.5 ..., in memory that ends with the row.
Row row_of(double serial, int values) {
  Row row = {{0, serial}};
  for (int k = 1; k <= values; ++k) row.push_back({k, k + 0.5});
  row.push_back({-1, 0});
  row.shrink_to_fit();
  return row;
}

// A model whose decision value is the sum of the kernel values of support vectors with these serial
// numbers, which the library does not pack.
class SerialModel {
 public:
  explicit SerialModel(const std::vector<double>& serials) : coefficients_(serials.size(), 1) {
    model_.param = test::parameters(EPSILON_SVR, PRECOMPUTED);
    model_.nr_class = 2;
    model_.l = static_cast<int>(serials.size());
    for (const double serial : serials) vectors_.push_back({{0, serial}, {-1, 0}});
    for (Row& row : vectors_) rows_.push_back(row.data());
    model_.SV = rows_.data();
    column_ = coefficients_.data();
    model_.sv_coef = &column_;
    model_.rho = &rho_;
  }
  SerialModel(const SerialModel&) = delete;
  SerialModel& operator=(const SerialModel&) = delete;

  // NaN on failure.
  double value_of(const Row& x) const {
    double value = 0;
    return svm_predict_values(&model_, x.data(), &value);
  }

 private:
  svm_model model_{};
  std::vector<Row> vectors_;
  std::vector<svm_node*> rows_;
  std::vector<double> coefficients_;
  double* column_ = nullptr;
  double rho_ = 0;
};

// Why a row has no value for support vectors with these serial numbers; empty if it has, and then
// the values are checked.
std::string refusal(const Row& x, const std::vector<double>& serials) {
  const double value = SerialModel(serials).value_of(x);
  if (std::isnan(value)) {
    const std::string function = "svm_predict_values: ", error = svm_last_error();
    EXPECT_EQ(error.rfind(function, 0), 0U) << error;
    return error.substr(function.size());
  }
  double sum = 0;
  for (const double serial : serials) sum += x[static_cast<std::size_t>(serial)].value;
  EXPECT_EQ(value, sum);
  return "";
}

const std::string kNone = "precomputed kernel: a row has no value for serial number ";
const std::string kBad = "precomputed kernel: a support vector begins with 0:";

TEST(PrecomputedRowTest, ReachesItsEndAndNoFurther) {
  for (int values = 0; values < 40; ++values) {
    const Row row = row_of(1, values);
    for (int serial = 0; serial < values + 6; ++serial) {
      EXPECT_EQ(refusal(row, {static_cast<double>(serial)}),
                serial <= values ? "" : kNone + std::to_string(serial));
    }
  }
}

TEST(PrecomputedRowTest, SerialNumbersAreWholeNumbersThatFitAnInt) {
  const Row x = row_of(1, 8);
  EXPECT_EQ(refusal(x, {0, -0.0, 7}), "");
  EXPECT_EQ(refusal(x, {2147483647}), kNone + "2147483647");
  for (const double bad : {-1.0, 0.5, 2.5, 2147483647.5, 2147483648.0, 1e300, -1e300, std::nan(""),
                           HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(refusal(x, {bad}).rfind(kBad, 0), 0U) << bad;
  }
}

TEST(PrecomputedRowTest, TheFirstMissingValueIsNamed) {
  const Row x = row_of(1, 3);
  EXPECT_EQ(refusal(x, {}), "");
  EXPECT_EQ(refusal({{-1, 0}}, {}), "");
  EXPECT_EQ(refusal(x, {3, 1, 2, 2, 0}), "");
  EXPECT_EQ(refusal(x, {2, 4, 9}), kNone + "4");
  EXPECT_EQ(refusal(x, {2, 2147483647}), kNone + "2147483647");
  EXPECT_EQ(refusal({{-1, 0}}, {1}), kNone + "1");
  EXPECT_EQ(refusal(x, {5, 0.5}), kNone + "5");
  const std::string rest = ", which is no serial number";
  EXPECT_EQ(refusal(x, {1, 2.5}), kBad + "2.5" + rest);
  EXPECT_EQ(refusal(x, {-1, 9}), kBad + "-1" + rest);
  EXPECT_EQ(refusal(x, {1e300}), kBad + "1.0000000000000001e+300" + rest);
  EXPECT_EQ(refusal(x, {std::nan("")}), kBad + "nan" + rest);
}

// If such a row were walked for every support vector, the test would take too long.
TEST(PrecomputedRowTest, ARowIsWalkedOnce) {
  constexpr int kValues = 200000;
  const SerialModel model(std::vector<double>(kValues, kValues));
  EXPECT_EQ(model.value_of(row_of(1, kValues)), kValues * (kValues + 0.5));
}

}  // namespace
}  // namespace svm
