#include "programs/data/row_reader.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "base/io/row_scanner.h"
#include "tests/temp_file.h"

namespace svm {
namespace {

using test::file_with;

struct Row {
  double label = 0;
  std::vector<svm_node> nodes;
};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool operator==(const Row& a, const Row& b) {
  if (!same_bits(a.label, b.label) || a.nodes.size() != b.nodes.size()) return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    if (a.nodes[i].index != b.nodes[i].index) return false;
    if (!same_bits(a.nodes[i].value, b.nodes[i].value)) return false;
  }
  return true;
}

// Returns false if the scanner gives up.  The text is in memory of exactly the promised size.
bool scan(const std::string& line, RowRules rules, Row& row) {
  std::vector<char> text(line.begin(), line.end());
  text.push_back('\n');
  const std::size_t size = text.size();
  text.resize(size + RowScanner::kPadding, '7');
  row.nodes.assign(most_nodes(text.data(), size), svm_node{});
  svm_node* end = row.nodes.data();
  RowScanner scanner(rules);
  scanner.seek(text.data());
  const char* const next = scanner.scan(row.label, end);
  if (next == nullptr) return false;
  EXPECT_EQ(next, text.data() + size);
  row.nodes.resize(static_cast<std::size_t>(end - row.nodes.data()));
  return true;
}

// Expects that the scanner reads a line as the parser does, or leaves it to the parser.  Returns
// true if it reads it.
bool agrees(const std::string& line, RowRules rules = {}) {
  SCOPED_TRACE(line);
  Row got;
  if (!scan(line, rules, got)) return false;
  Row want;
  try {
    want.nodes.resize(line.size());
    svm_node* end = want.nodes.data();
    want.label = RowParser(rules).parse(line, 1, end);
    want.nodes.resize(static_cast<std::size_t>(end - want.nodes.data()));
  } catch (const InputError& error) {
    ADD_FAILURE() << error.what();
    return true;
  }
  EXPECT_TRUE(got == want);
  return true;
}

TEST(BlockReader, GivesWholeLines) {
  constexpr std::size_t kBuffer = std::size_t{1} << 18;
  for (const std::string& end : {std::string(), std::string("\n")}) {
    for (std::size_t length = kBuffer - 18; length <= kBuffer + 18; ++length) {
      const std::string text = std::string(length, 'a') + "\nb\n" + std::string(40, 'c') + end;
      const FilePtr file = file_with(text);
      BlockReader blocks(file.get());
      std::string all;
      while (blocks.next()) {
        ASSERT_GT(blocks.size(), 0U);
        ASSERT_EQ(blocks.end()[-1], '\n');
        all.append(blocks.begin(), blocks.size());
      }
      ASSERT_EQ(all, end.empty() ? text + "\n" : text);
      EXPECT_FALSE(blocks.next());
    }
  }
}

TEST(BlockReader, LinesMayBeLongerThanItsBuffer) {
  const std::string text = "x\n" + std::string(3000000, 'y') + "\n" + std::string(1000000, 'z');
  const FilePtr file = file_with(text);
  BlockReader blocks(file.get());
  std::string all;
  while (blocks.next()) all.append(blocks.begin(), blocks.size());
  EXPECT_EQ(all, text + "\n");
}

TEST(BlockReader, BlocksAreSmallBehindALongLine) {
  std::string text = std::string(3000000, 'y') + "\n";
  for (int i = 0; i < 1000000; ++i) text += "z\n";
  const FilePtr file = file_with(text);
  BlockReader blocks(file.get());
  ASSERT_TRUE(blocks.next());
  EXPECT_GT(blocks.size(), 3000000U);
  std::size_t read = blocks.size();
  for (; blocks.next(); read += blocks.size()) EXPECT_LT(blocks.size(), 1000000U);
  EXPECT_EQ(read, text.size());
}

TEST(MostNodes, SufficeAndAreExactForMuchText) {
  EXPECT_GE(most_nodes("1 1:1 2:2\n3\n", 12), 4U);
  std::string text = "1";
  for (int i = 1; i <= 300000; ++i) text += " " + std::to_string(i) + ":0.5";
  text += "\n2 1:1\n3\n";
  EXPECT_EQ(most_nodes(text.data(), text.size()), 300000U + 1 + 2 + 1);
}

TEST(BlockReader, EmptyFilesHaveNoBlock) {
  const FilePtr file = file_with("");
  EXPECT_FALSE(BlockReader(file.get()).next());
}

TEST(BlockReader, ReportsFailures) {
  const FilePtr folder(std::fopen("/", "rb"));
  if (folder == nullptr) GTEST_SKIP() << "folders cannot be opened here";
  BlockReader blocks(folder.get());
  EXPECT_THROW(blocks.next(), std::system_error);
}

TEST(RowScanner, ReadsOrdinaryRows) {
  for (const char* const line :
       {"1 1:0.5 3:-2", "-1 99999999:1e-3", "+1", "1.5\t1:1\t2:2", "0 0:0 1:-0 2:0.0 3:-0.0",
        "1 1:5\r", "2 1:1 ", "2 1:1 \t ", "1 1:+.5 2:5. 3:1E+2 4:12345678 5:123456789",
        "1 1:12345678.12345678 2:0.00000001 12345678:1", "1 1:9007199254740992 2:9007199254740993",
        "1 1:0.10000000000000001 2:123456789012345678901234567890",
        "1 1:1e22 2:1e23 3:1e-22 4:1e-23 5:1.7976931348623157e308 6:2.2250738585072014e-308",
        "1 1:0000000000000000000000000000000001 2:0.3333333333333333333333333"}) {
    EXPECT_TRUE(agrees(line)) << line;
  }
}

TEST(RowScanner, LeavesTheRest) {
  for (const char* const line : {"",
                                 " ",
                                 "\r",
                                 "1\r",
                                 "x",
                                 "1x",
                                 "nan",
                                 "inf 1:1",
                                 "0x10 1:1",
                                 "1 1",
                                 "1 1:",
                                 "1 1: 5",
                                 "1 1 :5",
                                 "1 :5",
                                 "1 100000000:5",
                                 "1 +1:5",
                                 "1 -1:5",
                                 "1 1:5x",
                                 "1 1:5 # note",
                                 "1 1:5,5",
                                 "1 1:.",
                                 "1 1:-",
                                 "1 1:e5",
                                 "1 1:1e",
                                 "1 1:1e+",
                                 "1 1:1e400",
                                 "1 1:1e-310",
                                 "1 1:1e-400",
                                 "1 1:0x1",
                                 "1 1:nan",
                                 "1 1:inf",
                                 "1 2:1 1:1",
                                 "1 1:1 1:1",
                                 "1 2147483648:1",
                                 "1 12345678901234567:1",
                                 "1 99999999999999999999999:1",
                                 "1 1:1\v 2:1",
                                 "1 1:1\r2:1",
                                 "1 1:1.2.3",
                                 "1 1:1234567890123456789012.3.4",
                                 "1 1:1e00005",
                                 " 1 1:1"}) {
    Row row;
    EXPECT_FALSE(scan(line, {}, row)) << line;
  }
}

TEST(RowScanner, KeepsTheRules) {
  RowRules rules;
  rules.class_labels = true;
  EXPECT_TRUE(agrees("2147483647 1:1", rules));
  Row row;
  EXPECT_FALSE(scan("2147483648 1:1", rules, row));
  EXPECT_FALSE(scan("-2147483649 1:1", rules, row));
  rules = {};
  rules.precomputed = true;
  EXPECT_TRUE(agrees("1 0:1 1:0.5 2:3", rules));
  EXPECT_FALSE(scan("1 1:1", rules, row));
  EXPECT_FALSE(scan("1 0:1 2:1", rules, row));
  EXPECT_FALSE(scan("1", rules, row));
}

TEST(RowScanner, RandomNumbersAgreeWithTheParser) {
  std::mt19937_64 random(5);
  int scanned = 0;
  constexpr int kLines = 40000;
  for (int i = 0; i < kLines && !testing::Test::HasFailure(); ++i) {
    std::string line = std::to_string(static_cast<int>(random() % 20) - 10);
    int index = 0;
    for (auto pairs = random() % 6; pairs > 0; --pairs) {
      char text[64];
      index += 1 + static_cast<int>(random() >> (34 + random() % 30) & 0xFFFFFFU);
      std::uint64_t bits = random();
      double any = 0;
      std::memcpy(&any, &bits, sizeof any);
      const double uniform = std::ldexp(static_cast<double>(random() >> 11U), -53);
      switch (random() % 6) {
        case 0:
          std::snprintf(text, sizeof text, "%.17g", std::isfinite(any) ? any : 1.0);
          break;
        case 1:
          std::snprintf(text, sizeof text, "%.*g", static_cast<int>(random() % 19),
                        2 * uniform - 1);
          break;
        case 2:
          std::snprintf(text, sizeof text, "%.*f", static_cast<int>(random() % 22),
                        uniform * std::pow(10, static_cast<int>(random() % 20)));
          break;
        case 3:
          std::snprintf(text, sizeof text, "%llue%d",
                        static_cast<unsigned long long>(random() >> (random() % 64)),
                        static_cast<int>(random() % 60) - 30);
          break;
        case 4:
          std::snprintf(text, sizeof text, "%d", static_cast<int>(random() % 20000) - 1000);
          break;
        default:
          std::snprintf(text, sizeof text, "%.3e", uniform);
      }
      line += ' ' + std::to_string(index) + ':' + text;
    }
    if (agrees(line)) ++scanned;
  }
  EXPECT_GT(scanned, kLines * 9 / 10);
}

TEST(RowScanner, DamagedRowsAgreeWithTheParser) {
  const std::string alphabet("0123456789:: \t\r\v.-+eExXpPnainf#\0\xC3", 33);
  std::mt19937 random(3);
  int scanned = 0;
  for (int i = 0; i < 200000 && !testing::Test::HasFailure(); ++i) {
    std::string line = i % 2 == 0 ? "-1 1:0.5 2:1e-3 7:03 9:4" : "1 1:2 2:12345 13:-1.25 4444:4\r";
    for (auto change = random() % 3; change > 0; --change) {
      line[random() % line.size()] = alphabet[random() % alphabet.size()];
    }
    line.resize(line.size() - random() % 10);
    RowRules rules;
    rules.cr_ends_label = random() % 2 == 0;
    rules.class_labels = random() % 2 == 0;
    rules.reject_subnormals = random() % 2 == 0;
    if (agrees(line, rules)) ++scanned;
  }
  EXPECT_GT(scanned, 50000);
}

TEST(FileRows, MixesOrdinaryAndOtherRows) {
  const FilePtr file = file_with("1 1:2\n0x2 1:0x3\n3\n4 1:1 # note\n5 2:6");
  FileRows rows(file.get(), {});
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(rows.next());
    EXPECT_EQ(rows.label(), i);
    EXPECT_EQ(rows.line_number(), static_cast<std::size_t>(i));
  }
  EXPECT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.nodes()[0].index, 2);
  EXPECT_EQ(rows.nodes()[0].value, 6);
  EXPECT_EQ(rows.nodes()[1].index, -1);
  EXPECT_FALSE(rows.next());
}

TEST(FileRows, NamesTheLine) {
  const FilePtr file = file_with("1 1:2\n2 1:x\n");
  FileRows rows(file.get(), {});
  ASSERT_TRUE(rows.next());
  try {
    rows.next();
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "line 2, column 3: '1:x': the value is not a number");
  }
}

}  // namespace
}  // namespace svm
