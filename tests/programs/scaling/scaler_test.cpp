#include "programs/scaling/scaler.h"

#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/io/input_error.h"
#include "programs/scaling/feature_ranges.h"

namespace svm {
namespace {

using Row = std::vector<svm_node>;

ScalingParameters parameters(std::vector<FeatureRange> features, Limits limits = {}) {
  ScalingParameters out;
  out.limits = limits;
  out.features = std::move(features);
  return out;
}

Row closed(Row row) {
  row.push_back({-1, 0});
  return row;
}

void add(RangeCollector& ranges, double label, const Row& row) {
  ranges.add_row(label, closed(row).data());
}

// A scaler with its output.
class Scaling {
 public:
  explicit Scaling(ScalingParameters parameters)
      : scaler_(std::move(parameters), [this](std::string_view text) { text_ += text; }) {}

  std::string row(double label, const Row& row) {
    text_.clear();
    scaler_.write_row(label, closed(row).data());
    scaler_.flush();
    return text_;
  }
  std::size_t nonzeros() const { return scaler_.nonzeros(); }

 private:
  std::string text_;
  Scaler scaler_;
};

TEST(ScaleValue, MapsTheEndsExactly) {
  const Range range = {0.1, 0.7};
  const Limits limits = {-0.3, 0.9};
  EXPECT_EQ(scale_value(0.1, range, limits), -0.3);
  EXPECT_EQ(scale_value(0.7, range, limits), 0.9);
  // The order of operations is LIBSVM's, and so is the rounding.
  EXPECT_EQ(scale_value(0.2, range, limits), -0.3 + (0.9 - -0.3) * (0.2 - 0.1) / (0.7 - 0.1));
  EXPECT_EQ(scale_value(5, {5, 5}, limits), -0.3);
}

TEST(RangeCollector, RowsWithoutAFeatureCountAsZero) {
  RangeCollector ranges;
  add(ranges, 3, {{1, 2}, {2, 5}});
  add(ranges, -1, {{1, 3}});
  add(ranges, 2, {{1, 4}, {7, -1}});
  const std::vector<FeatureRange> features = ranges.take_features();
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features[0].index, 1);
  EXPECT_EQ(features[0].range.min, 2);
  EXPECT_EQ(features[0].range.max, 4);
  EXPECT_EQ(features[1].index, 2);
  EXPECT_EQ(features[1].range.min, 0);
  EXPECT_EQ(features[1].range.max, 5);
  EXPECT_EQ(features[2].index, 7);
  EXPECT_EQ(features[2].range.min, -1);
  EXPECT_EQ(features[2].range.max, 0);
  EXPECT_EQ(ranges.target().min, -1);
  EXPECT_EQ(ranges.target().max, 3);
  EXPECT_EQ(ranges.rows(), 3U);
  EXPECT_EQ(ranges.pairs(), 5U);
  EXPECT_EQ(ranges.min_index(), 1);
}

TEST(RangeCollector, IndexZeroCountsOnlyWhereItStands) {
  RangeCollector ranges;
  add(ranges, 1, {{0, 2}});
  add(ranges, 1, {{0, 3}});
  add(ranges, 1, {});
  EXPECT_EQ(ranges.take_features()[0].range.min, 2);
  EXPECT_EQ(ranges.min_index(), 0);
}

TEST(RangeCollector, HugeIndicesTakeNoMemory) {
  RangeCollector ranges;
  add(ranges, 1, {{1, 1}, {2147483646, 2}, {2147483647, 3}});
  add(ranges, 1, {{2147483647, 4}});
  const std::vector<FeatureRange> features = ranges.take_features();
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features[1].index, 2147483646);
  EXPECT_EQ(features[1].range.min, 0);
  EXPECT_EQ(features[2].index, 2147483647);
  EXPECT_EQ(features[2].range.min, 3);
  EXPECT_EQ(features[2].range.max, 4);
}

TEST(RangeCollector, AgreesWithAPlainMap) {
  std::mt19937 random(1);
  RangeCollector ranges;
  std::vector<std::map<int, double>> rows(2000);
  std::map<int, std::pair<double, double>> want;
  for (auto& row : rows) {
    for (auto i = random() % 6; i > 0; --i) {
      const int index = static_cast<int>(1 + random() % (random() % 2 == 0 ? 50U : 60000U));
      row[index] = static_cast<double>(random() % 21) - 10;
      want[index];
    }
    Row nodes;
    for (const auto& [index, value] : row) nodes.push_back({index, value});
    add(ranges, 0, nodes);
  }
  for (auto& [index, range] : want) {
    range = {1e9, -1e9};
    for (const auto& row : rows) {
      const auto found = row.find(index);
      const double value = found == row.end() ? 0 : found->second;
      range = {std::min(range.first, value), std::max(range.second, value)};
    }
  }
  for (auto i = want.begin(); i != want.end();) {  // features that do not vary are left out
    i = i->second.first == i->second.second ? want.erase(i) : std::next(i);
  }
  const std::vector<FeatureRange> got = ranges.take_features();
  ASSERT_EQ(got.size(), want.size());
  auto expected = want.begin();
  for (const FeatureRange& feature : got) {
    EXPECT_EQ(feature.index, expected->first);
    EXPECT_EQ(feature.range.min, expected->second.first);
    EXPECT_EQ(feature.range.max, expected->second.second);
    ++expected;
  }
}

TEST(Scaler, WritesRows) {
  Scaling scaler(parameters({{1, {0, 2}}, {2, {3, 3}}, {3, {-1, 1}}}));
  // Feature 2 does not vary; if missing, feature 3 scales to 0, feature 1 to -1.
  EXPECT_EQ(scaler.row(1.5, {{1, 0.5}, {2, 3}, {3, 1}}), "1.5 1:-0.5 3:1 \n");
  EXPECT_EQ(scaler.row(0.1, {}), "0.10000000000000001 1:-1 \n");
  EXPECT_EQ(scaler.row(1, {{1, 1}, {9, 9}}), "1 \n");
  EXPECT_EQ(scaler.row(1, {{1, 2.0 / 3}, {3, 1e-9}}), "1 1:-0.333333 3:1e-09 \n");
  EXPECT_EQ(scaler.nonzeros(), 5U);
}

TEST(Scaler, MissingFeaturesComeInOrder) {
  Scaling scaler(parameters({{1, {0, 1}}, {2, {0, 1}}, {5, {0, 2}}, {6, {-3, 0}}, {9, {0, 1}}}));
  EXPECT_EQ(scaler.row(1, {}), "1 1:-1 2:-1 5:-1 6:1 9:-1 \n");
  EXPECT_EQ(scaler.row(1, {{2, 1}, {5, 1}, {7, 3}}), "1 1:-1 2:1 6:1 9:-1 \n");
  EXPECT_EQ(scaler.row(1, {{1, 1}, {9, 1}}), "1 1:1 2:-1 5:-1 6:1 9:1 \n");
  EXPECT_EQ(scaler.row(1, {{0, 1}, {6, -3}}), "1 1:-1 2:-1 5:-1 6:-1 9:-1 \n");
}

TEST(Scaler, ScalesTheTarget) {
  ScalingParameters p = parameters({});
  p.scale_target = true;
  p.target_limits = {0, 1};
  p.target_range = {-2, 2};
  Scaling scaler(p);
  EXPECT_EQ(scaler.row(-2, {}), "0 \n");
  EXPECT_EQ(scaler.row(1, {}), "0.75 \n");
  EXPECT_EQ(scaler.row(2, {}), "1 \n");
}

TEST(Scaler, WritesLongRows) {
  constexpr int kFeatures = 200000;
  std::vector<FeatureRange> features;
  Row row;
  std::string expected = "1 ";
  for (int i = 1; i <= kFeatures; ++i) {
    const bool present = i % 3 == 0 && i < kFeatures / 2;
    features.push_back({i, {0, 1}});
    if (present) row.push_back({i, 1});
    expected += std::to_string(i) + (present ? ":1 " : ":-1 ");
  }
  Scaling scaler(parameters(features));
  EXPECT_EQ(scaler.row(1, row), expected + '\n');
  EXPECT_EQ(scaler.row(1, row), expected + '\n');
  EXPECT_EQ(scaler.nonzeros(), std::size_t{2} * kFeatures);
}

TEST(Scaler, IndexZeroIsScaledWhereItStands) {
  Scaling scaler(parameters({{0, {2, 4}}, {1, {0, 1}}}));
  EXPECT_EQ(scaler.row(1, {{0, 4}}), "1 0:1 1:-1 \n");
  EXPECT_EQ(scaler.row(1, {}), "1 1:-1 \n");
}

TEST(MergeRanges, RestoredRangesWin) {
  std::vector<int> unknown;
  const std::vector<FeatureRange> merged =
      merge_ranges({{0, {1, 2}}, {1, {1, 2}}, {2, {1, 2}}, {4, {5, 5}}, {8, {0, 1}}},
                   {{2, {-7, 7}}, {3, {0, 3}}, {9, {0, 9}}}, unknown);
  EXPECT_EQ(unknown, (std::vector<int>{1, 8}));
  ASSERT_EQ(merged.size(), 4U);
  EXPECT_EQ(merged[0].index, 0);
  EXPECT_EQ(merged[1].index, 2);
  EXPECT_EQ(merged[1].range.max, 7);
  EXPECT_EQ(merged[2].index, 3);
  EXPECT_EQ(merged[3].index, 9);
}

TEST(RangeFile, RoundTrip) {
  const std::string text = "y\n0 1\n-3 3.1000000000000001\nx\n-1 1\n1 0 2\n2147483647 -1 1e-310\n";
  EXPECT_EQ(
      range_file_text(parse_range_file(text)),
      "y\n0 1\n-3 3.1000000000000001\nx\n-1 1\n1 0 2\n2147483647 -1 9.9999999999999694e-311\n");
  EXPECT_EQ(range_file_text(parameters({{0, {1, 2}}, {1, {3, 3}}, {2, {1, 2}}}, {0, 1})),
            "x\n0 1\n2 1 2\n");
  EXPECT_TRUE(parse_range_file("x\r\n0 1\r\n").features.empty());
}

void expect_range_error(const std::string& text, const std::string& what) {
  SCOPED_TRACE(text);
  try {
    parse_range_file(text);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), what);
  }
}

TEST(RangeFile, RefusesWhatIsMalformed) {
  expect_range_error("", "the file is empty");
  expect_range_error("z\n", "line 1, column 1: 'z': the file must begin with a line x or y");
  expect_range_error("\n", "line 2, column 1: the file must begin with a line x or y");
  expect_range_error("x\n0\n", "line 3, column 1: the file ends where the upper limit is expected");
  expect_range_error("x\n0 a\n", "line 2, column 3: 'a': the upper limit is not a number");
  expect_range_error("x\n1 0\n", "line 2, column 4: the lower limit must be below the upper limit");
  expect_range_error("y\n0 1\n2 3\n1 2 3\n", "line 4, column 1: '1': the line x is expected");
  expect_range_error("x\n0 1\n1 2\n",
                     "line 4, column 1: the file ends where the maximum is expected");
  expect_range_error("x\n0 1\n1 2 nan\n", "line 3, column 5: 'nan': the maximum must be finite");
  expect_range_error("x\n0 1\n1 2 1\n",
                     "line 3, column 6: the minimum must not be above the maximum");
  expect_range_error("x\n0 1\n1.5 2 3\n", "line 3, column 1: '1.5': the index is not an integer");
  expect_range_error("x\n0 1\n-1 2 3\n", "line 3, column 1: '-1': the index is negative");
  expect_range_error("x\n0 1\n2 0 1\n2 0 1\n",
                     "line 4, column 1: '2': the index does not come after 2; indices must ascend");
  expect_range_error("x\n0 1\n4294967297 0 1\n",
                     "line 3, column 1: '4294967297': the index does not fit an int");
}

}  // namespace
}  // namespace svm
