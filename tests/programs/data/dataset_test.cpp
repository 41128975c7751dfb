#include "programs/data/dataset.h"

#include <cstdio>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>
#include <sys/types.h>

#include "base/io/input_file.h"
#include "tests/refusal.h"
#include "tests/temp_dir.h"
#include "tests/temp_file.h"

namespace svm {
namespace {

using test::file_with;

Dataset read(std::string_view text, RowRules rules = {}) {
  return Dataset(file_with(text).get(), rules);
}

void expect_error(std::string_view text, const std::string& what, RowRules rules = {},
                  const std::string& legacy = {}) {
  test::expect_refusal<InputError>(
      text, [&](std::string_view all) { read(all, rules); }, what, legacy);
}

TEST(Dataset, HoldsRowsOneAfterAnother) {
  Dataset data = read("1 1:0.5 3:2\n-1\n2 2:1\n");
  const svm_problem problem = data.problem();
  ASSERT_EQ(problem.l, 3);
  EXPECT_EQ(data.max_index(), 3);
  EXPECT_EQ(problem.y[0], 1);
  EXPECT_EQ(problem.y[1], -1);
  EXPECT_EQ(problem.y[2], 2);
  EXPECT_EQ(problem.x[0][0].index, 1);
  EXPECT_EQ(problem.x[0][0].value, 0.5);
  EXPECT_EQ(problem.x[0][1].index, 3);
  EXPECT_EQ(problem.x[0][2].index, -1);
  EXPECT_EQ(problem.x[1][0].index, -1);
  EXPECT_EQ(problem.x[2][0].value, 1);
  EXPECT_EQ(problem.x[2][1].index, -1);
}

TEST(Dataset, ViewsSurviveAMove) {
  Dataset first = read("1 1:1\n2 1:2\n");
  const svm_problem before = first.problem();
  Dataset second = std::move(first);
  const svm_problem after = second.problem();
  EXPECT_EQ(before.x, after.x);
  EXPECT_EQ(after.x[1][0].value, 2);
}

TEST(Dataset, LastLineMayLackItsEnd) {
  Dataset data = read("1 1:1\n2 1:2");
  EXPECT_EQ(data.problem().l, 2);
  EXPECT_EQ(data.problem().x[1][0].value, 2);
}

TEST(Dataset, RowsWithoutFeaturesHaveMaxIndexZero) {
  EXPECT_EQ(read("1\n2\n").max_index(), 0);
  EXPECT_EQ(read("1 0:5\n").max_index(), 0);
}

TEST(Dataset, ReadsAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + " 1:" + std::to_string(i) + "\n";
  std::thread writer([&] {
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t done = ::write(ends[1], text.data() + sent, text.size() - sent);
      if (done <= 0) break;
      sent += static_cast<std::size_t>(done);
    }
    ::close(ends[1]);
  });
  const FilePtr file(::fdopen(ends[0], "rb"));
  Dataset data(file.get(), {});
  writer.join();
  ASSERT_EQ(data.problem().l, 20000);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(data.problem().y[i], i);
    ASSERT_EQ(data.problem().x[i][0].value, i);
  }
}

TEST(Dataset, NamesTheLine) {
  expect_error("", "the file is empty");
  expect_error("1 1:1\n\n1 1:2\n", "line 2: the line is empty");
  expect_error("1 1:1\n\n", "line 2: the line is empty");
  expect_error("1 1:1\n1 1:2\n1 x:2", "line 3, column 3: 'x:2': expected index:value");
}

class PrecomputedDataset : public testing::Test {
 protected:
  PrecomputedDataset() { rules_.precomputed = true; }
  RowRules rules_;
};

TEST_F(PrecomputedDataset, AcceptsCompleteRows) {
  Dataset data = read("1 0:2 1:1 2:3\n-1 0:1 1:4 2:5\n", rules_);
  EXPECT_EQ(data.problem().x[0][0].value, 2);
  EXPECT_EQ(data.max_index(), 2);
  // Rows may be longer than the largest serial number needs.
  EXPECT_EQ(read("1 0:1 1:1\n1 0:1 1:2 2:3\n", rules_).problem().l, 2);
}

TEST_F(PrecomputedDataset, RowsBeginWithASerialNumber) {
  const std::string legacy = "Wrong input format: first column must be 0:sample_serial_number";
  const std::string rule = "with a precomputed kernel a row must begin with index 0";
  expect_error("1 0:1 1:1\n1 1:1\n", "line 2: '1:1': " + rule, rules_, legacy);
  expect_error("1 0:1 1:1\n1\n", "line 2: " + rule, rules_, legacy);
}

TEST_F(PrecomputedDataset, SerialNumbersAreInRange) {
  const std::string legacy = "Wrong input format: sample_serial_number out of range";
  const std::string rule = ": the serial number must be an integer from 1 to the largest index, 1";
  expect_error("1 0:0 1:1\n", "line 1: '0:0'" + rule, rules_, legacy);
  expect_error("1 0:-1 1:1\n", "line 1: '0:-1'" + rule, rules_, legacy);
  expect_error("1 0:2 1:1\n", "line 1: '0:2'" + rule, rules_, legacy);
  expect_error("1 0:0.5 1:1\n", "line 1: '0:0.5'" + rule, rules_, legacy);
  expect_error("1 0:1 1:1\n1 0:1e300 1:1\n", "line 2: '0:1.0000000000000001e+300'" + rule, rules_,
               legacy);
}

TEST_F(PrecomputedDataset, RowsHoldEveryValueInUse) {
  expect_error("1 0:1 2:1\n",
               "line 1: '2:1': with a precomputed kernel indices must be 0, 1, 2 ... without "
               "gaps; expected 1",
               rules_);
  expect_error("1 0:1 1:1\n1 0:2 1:1 2:1\n",
               "line 1: the row has 1 kernel values, but the largest serial number is 2", rules_);
}

TEST_F(PrecomputedDataset, MalformedRowsAreReportedFirst) {
  expect_error("1 1:1\n1 x:1\n", "line 2, column 3: 'x:1': expected index:value", rules_);
}

TEST(ReadWholeFile, GivesTheBytes) {
  const test::TempDir dir;
  std::string text = "a\r\n";
  text += '\0';
  EXPECT_EQ(read_whole_file(dir.write("a", text)), text);
  const std::string large(300001, 'x');
  EXPECT_EQ(read_whole_file(dir.write("b", large)), large);
  EXPECT_EQ(read_whole_file(dir.write("c", "")), "");
  EXPECT_THROW(read_whole_file(dir.file("none")), std::system_error);
  EXPECT_THROW(read_whole_file(dir.path()), std::system_error);
}

}  // namespace
}  // namespace svm
