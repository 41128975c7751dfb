// Rows of a precomputed kernel: their length, and the errors if they are too short.
#include "kernels/precomputed_row.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/kernel_function.h"
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

TEST(PrecomputedRowTest, ReachesItsEndAndNoFurther) {
  for (int values = 0; values < 40; ++values) {
    const Row nodes = row_of(1, values);
    const int length = values + 1;
    for (int first = 0; first < length + 5; ++first) {
      PrecomputedRow row(nodes.data());
      EXPECT_EQ(row.reaches(first), first < length);
      for (int position = 0; position < length; ++position) {
        ASSERT_TRUE(row.reaches(position)) << position << " of " << length;
      }
      EXPECT_FALSE(row.reaches(length));
      EXPECT_FALSE(row.reaches(1000000));
      EXPECT_EQ(row.seen(), nodes.size() - 1);
    }
  }
}

TEST(PrecomputedRowTest, SerialNumbersAreWholeNumbersThatFitAnInt) {
  const auto serial = [](double value) {
    const svm_node node = {0, value};
    return serial_number(&node);
  };
  EXPECT_EQ(serial(0), 0);
  EXPECT_EQ(serial(-0.0), 0);
  EXPECT_EQ(serial(7), 7);
  EXPECT_EQ(serial(2147483647), 2147483647);
  for (const double bad : {-1.0, 0.5, 2.5, 2147483647.5, 2147483648.0, 1e300, -1e300, std::nan(""),
                           HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(serial(bad), std::nullopt) << bad;
  }
}

std::string refusal(const Row& x, const std::vector<double>& serials) {
  std::vector<Row> support_vectors;
  std::vector<const svm_node*> pointers;
  support_vectors.reserve(serials.size());
  pointers.reserve(serials.size());
  for (const double serial : serials) support_vectors.push_back({{0, serial}, {-1, 0}});
  for (const Row& row : support_vectors) pointers.push_back(row.data());
  std::vector<double> values(serials.size());
  try {
    KernelFunction(test::parameters(C_SVC, PRECOMPUTED))
        .inner_of_row(x.data(), pointers.data(), pointers.size(), values.data());
  } catch (const PrecomputedRowError& error) {
    return error.what();
  }
  for (std::size_t s = 0; s < serials.size(); ++s) {
    EXPECT_EQ(values[s], x[static_cast<std::size_t>(serials[s])].value);
  }
  return "";
}

TEST(PrecomputedRowTest, TheFirstMissingValueIsNamed) {
  const Row x = row_of(1, 3);
  EXPECT_EQ(refusal(x, {}), "");
  EXPECT_EQ(refusal({{-1, 0}}, {}), "");
  EXPECT_EQ(refusal(x, {3, 1, 2, 2, 0}), "");
  const std::string none = "precomputed kernel: a row has no value for serial number ";
  EXPECT_EQ(refusal(x, {2, 4, 9}), none + "4");
  EXPECT_EQ(refusal(x, {2, 2147483647}), none + "2147483647");
  EXPECT_EQ(refusal({{-1, 0}}, {1}), none + "1");
  EXPECT_EQ(refusal(x, {5, 0.5}), none + "5");
  const std::string bad = "precomputed kernel: a support vector begins with 0:";
  EXPECT_EQ(refusal(x, {1, 2.5}), bad + "2.5, which is no serial number");
  EXPECT_EQ(refusal(x, {-1, 9}), bad + "-1, which is no serial number");
  EXPECT_EQ(refusal(x, {1e300}), bad + "1.0000000000000001e+300, which is no serial number");
  EXPECT_EQ(refusal(x, {std::nan("")}), bad + "nan, which is no serial number");
}

// If such a row were walked for every support vector, the test would take too long.
TEST(PrecomputedRowTest, ARowIsWalkedOnce) {
  constexpr int kValues = 1000000;
  const Row x = row_of(1, kValues), last = row_of(kValues, 0);
  const std::vector<const svm_node*> support_vectors(kValues, last.data());
  std::vector<double> values(support_vectors.size());
  KernelFunction(test::parameters(C_SVC, PRECOMPUTED))
      .inner_of_row(x.data(), support_vectors.data(), support_vectors.size(), values.data());
  EXPECT_EQ(values.back(), kValues + 0.5);
}

}  // namespace
}  // namespace svm
