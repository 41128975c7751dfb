#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "programs/data/dataset.h"

namespace svm {
namespace {

using Pairs = std::vector<std::pair<int, double>>;

struct Row {
  double label;
  Pairs pairs;
};

Row parse(std::string_view line, RowRules rules = {}) {
  std::vector<svm_node> nodes(line.size());
  svm_node* end = nodes.data();
  Row row;
  row.label = RowParser(rules).parse(line, 3, end);
  for (const svm_node* node = nodes.data(); node != end; ++node) {
    row.pairs.emplace_back(node->index, node->value);
  }
  return row;
}

void expect_row(std::string_view line, double label, const Pairs& pairs, RowRules rules = {}) {
  SCOPED_TRACE(line);
  try {
    const Row row = parse(line, rules);
    EXPECT_EQ(row.label, label);
    EXPECT_EQ(row.pairs, pairs);
  } catch (const InputError& error) {
    ADD_FAILURE() << error.what();
  }
}

void expect_error(std::string_view line, const std::string& what, RowRules rules = {},
                  InputError::Part part = InputError::Part::kFeatures) {
  SCOPED_TRACE(line);
  try {
    parse(line, rules);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "line 3" + what);
    EXPECT_EQ(error.line(), 3U);
    EXPECT_EQ(error.part(), part);
    EXPECT_EQ(error.legacy(), "");
  }
}

void expect_label_error(std::string_view line, const std::string& what, RowRules rules = {}) {
  expect_error(line, what, rules, InputError::Part::kLabel);
}

TEST(RowParser, AcceptsOrdinaryRows) {
  expect_row("1 1:0.5 3:-2", 1, {{1, 0.5}, {3, -2}});
  expect_row("-1 2147483647:1e-3", -1, {{2147483647, 1e-3}});
  expect_row("+1", 1, {});
  expect_row("0x10 1:0x1p-1", 16, {{1, 0.5}});
  expect_row("1.5\t1:1\t2:2", 1.5, {{1, 1}, {2, 2}});
}

TEST(RowParser, AcceptsWhatLibsvmAccepts) {
  expect_row("1 0:1", 1, {{0, 1}});
  expect_row("1 +1:+5", 1, {{1, 5}});
  expect_row("1 1: 5 2: \t 6", 1, {{1, 5}, {2, 6}});
  expect_row("1 1:5\r", 1, {{1, 5}});
  expect_row("1 1:5\v\f\r", 1, {{1, 5}});
  expect_row("1 1:5\v 2:6", 1, {{1, 5}, {2, 6}});
  expect_row(" \t 1   1:5  2:6  ", 1, {{1, 5}, {2, 6}});
  expect_row("1 ", 1, {});
  expect_row("1 \r", 1, {});
  expect_row("\r1 1:1", 1, {{1, 1}});
  expect_row("1 \r1:\r1", 1, {{1, 1}});
  expect_row("1 1:1 # note", 1, {{1, 1}});
  expect_row("1 1:1 2", 1, {{1, 1}});
  expect_row("1 1 2", 1, {});
  expect_row("1e-310 1:1", 1e-310, {{1, 1}});
  expect_row("1 1:0 2:-0", 1, {{1, 0}, {2, -0.0}});
  expect_row("3e9 1:1", 3e9, {{1, 1}});
  expect_row(std::string_view("1 1:1 \0", 7), 1, {{1, 1}});
}

TEST(RowParser, KeepsSubnormalsOnlyWhereAsked) {
  RowRules rules;
  rules.reject_subnormals = false;
  expect_row("1 1:1e-310 2:1e-400", 1, {{1, 1e-310}, {2, 0}}, rules);
  expect_error("1 1:1 2:1e-310",
               ", column 7: '2:1e-310': the value is too close to zero (below "
               "2.2250738585072014e-308)");
  expect_error("1 2:-1e-400",
               ", column 3: '2:-1e-400': the value is too close to zero (below "
               "2.2250738585072014e-308)");
}

TEST(RowParser, RefusesMalformedLabels) {
  expect_label_error("", ": the line is empty");
  expect_label_error(" \t ", ": the line is empty");
  expect_label_error("\r", ": the line is empty");
  expect_label_error("abc 1:1", ", column 1: 'abc': the label is not a number");
  expect_label_error("  1x 1:1",
                     ", column 3: '1x': the label is not a number: text follows its digits");
  expect_label_error("1:1 2:2",
                     ", column 1: '1:1': the label is not a number: text follows its digits");
  expect_label_error("nan 1:1", ", column 1: 'nan': the label must not be NaN");
  expect_label_error("-inf 1:1", ", column 1: '-inf': the label must be finite");
  expect_label_error("1e400 1:1", ", column 1: '1e400': the label is too large");
  expect_label_error("\r 1 1:1",
                     ", column 1: '\\r 1': the label is not a number: white space only");
  expect_label_error("1\r",
                     ", column 1: '1\\r': the label must be followed by a blank, a tab or the "
                     "end of the line");
  expect_label_error(
      "\xEF\xBB\xBF"
      "1 1:1",
      ", column 1: '\xEF\xBB\xBF"
      "1': the label is not a number: the file begins with a byte order mark");
  expect_label_error(std::string_view("1\0 1:1", 6),
                     ", column 1: '1\\x00': the label is not a number: text follows its digits");
}

// Checks the format that a line seems to have; the parser's tests use line 7, programs see line 1.
TEST(RowParser, OtherFormatsAreNamed) {
  const std::string form =
      "; rows have the form: label index:value index:value ...; svm-convert (tools/convert.py) "
      "makes such a file of a "
      "table";
  const std::string label = "the label is not a number";
  const auto message = [](std::string_view line, std::size_t number) -> std::string {
    std::vector<svm_node> nodes(line.size() + 1);
    svm_node* end = nodes.data();
    try {
      RowParser({}).parse(line, number, end);
    } catch (const InputError& error) {
      const std::string what = error.what();
      const std::size_t begin = what.find("the ");
      return begin == std::string::npos ? what : what.substr(begin);
    }
    return "no error";
  };
  EXPECT_EQ(message("5.1,3.5,setosa", 7), label +
                                              ": text follows its digits; the line looks like "
                                              "comma-separated values (CSV)" +
                                              form);
  EXPECT_EQ(message("5,1;3,5", 7), label +
                                       ": text follows its digits; the line looks like "
                                       "comma-separated values (CSV)" +
                                       form);
  EXPECT_EQ(message("5.1;3.5", 7), label +
                                       ": text follows its digits; the line looks like values "
                                       "separated by semicolons (CSV)" +
                                       form);
  EXPECT_EQ(message("setosa\t5.1", 7),
            label + "; the line looks like tab-separated values (TSV)" + form);
  const std::string header = "; the line looks like a header, names of columns" + form;
  EXPECT_EQ(message("label,width", 1), label + header);
  EXPECT_EQ(message("\"label\";\"width\"", 1), label + header);
  const std::string comment = "; the line looks like a comment, which this format lacks";
  EXPECT_EQ(message("# label, width", 1), label + comment);
  EXPECT_EQ(message(" # 1 2 3", 7), label + comment);
  EXPECT_EQ(message("1,2 1:0.5", 1), label + ": text follows its digits");
  EXPECT_EQ(message("x 1:0.5", 1), label);
  for (const char* const missing : {"1 1:?", "1 1:NA 2:5"}) {
    EXPECT_EQ(message(missing, 7),
              "the value is missing; svm-convert (tools/convert.py) makes such a file of a "
              "table");
  }
  for (const auto& [start, tool] :
       std::vector<std::pair<std::string, std::string>>{{"\x1F\x8B\x08", "zcat"},
                                                        {"\xFD"
                                                         "7zXZ",
                                                         "xz -dc"},
                                                        {"BZh91AY", "bzcat"},
                                                        {"\x28\xB5\x2F\xFD", "zstdcat"},
                                                        {"PK\x03\x04", "unzip -p"}}) {
    EXPECT_NE(message(start + "x", 1).find("and " + tool + " FILE | ... /dev/stdin reads it"),
              std::string::npos)
        << tool;
    EXPECT_EQ(message(start + "x", 2), label);
  }
  EXPECT_EQ(message("\xFF\xFE"
                    "1",
                    1),
            "the file is UTF-16; it must be ASCII or UTF-8");
  for (const std::string_view line :
       {std::string_view("1\0 \0", 4), std::string_view("\0001\0 ", 4),
        std::string_view("+\0001\0 \0", 6)}) {
    EXPECT_EQ(message(line, 1), "the file is UTF-16; it must be ASCII or UTF-8");
  }
  EXPECT_EQ(
      message("1 qid:3 1:2", 7),
      "line 7, column 3: 'qid:3': qid: is of ranking data, which this format lacks; remove it");
  const std::string old_ends = "; lines end as on old Macs, which tr '\\r' '\\n' changes";
  EXPECT_EQ(message("1\r2 1:3\r", 1),
            "the label must be followed by a blank, a tab or the end of the line" + old_ends);
  EXPECT_EQ(message("1 1:2 \r2 1:3\r", 1), "the index must be followed by ':'" + old_ends);
  EXPECT_EQ(message("1 1:2 \r2 1:3\r", 2), "the index must be followed by ':'");
  EXPECT_EQ(message("1 1:x\r", 1), "the value is not a number");
}

TEST(RowParser, TellsTheFirstTextThatIsIgnored) {
  RowParser parser({});
  std::vector<svm_node> nodes(9);
  const auto ignored_after = [&](std::string_view line, std::size_t number) {
    svm_node* end = nodes.data();
    parser.parse(line, number, end);
    return parser.ignored();
  };
  EXPECT_EQ(ignored_after("1 1:2 # text", 1), "");
  EXPECT_EQ(ignored_after("1 1:2 \r", 2), "");
  const std::string first =
      "line 3, column 7: '3.-0.2': without a colon, the rest of the row is ignored";
  EXPECT_EQ(ignored_after("1 1:2 3.-0.2 4", 3), first);
  EXPECT_EQ(ignored_after("1 x", 4), first);
}

TEST(RowParser, CarriageReturnMayEndALabelWhereAsked) {
  RowRules rules;
  rules.cr_ends_label = true;
  expect_row("1\r", 1, {}, rules);
  expect_row("1\v1:2", 1, {{1, 2}}, rules);
  expect_label_error("\r", ": the line is empty", rules);
  expect_label_error("x\r", ", column 1: 'x': the label is not a number", rules);
}

TEST(RowParser, ClassLabelsFitAnIntAfterTruncation) {
  RowRules rules;
  rules.class_labels = true;
  expect_row("2147483647.9", 2147483647.9, {}, rules);
  expect_row("-2147483648.9", -2147483648.9, {}, rules);
  expect_label_error("2147483648", ", column 1: '2147483648': the class label does not fit an int",
                     rules);
  expect_label_error("-2147483649 1:1",
                     ", column 1: '-2147483649': the class label does not fit an int", rules);
}

TEST(RowParser, RefusesMalformedPairs) {
  expect_error("1 1:abc", ", column 3: '1:abc': the value is not a number");
  expect_error("1 1:1 a:2", ", column 7: 'a:2': expected index:value");
  expect_error("1 1 :5", ", column 3: '1': the index must be followed by ':'");
  expect_error("1 1 2:3", ", column 3: '1': the index must be followed by ':'");
  expect_error("1 1x:3", ", column 3: '1x:3': the index must be followed by ':'");
  expect_error("1 :5", ", column 3: ':5': expected index:value");
  expect_error("1 1:1 # a:b", ", column 7: '#': expected index:value");
  expect_error("1 1:", ", column 3: '1:': the value is missing");
  expect_error("1 1: \t", ", column 3: '1: \\t': the value is missing");
  expect_error("1 1:\r", ", column 3: '1:\\r': the value is missing");
  expect_error("1 1:2x", ", column 3: '1:2x': the value is not a number: text follows its digits");
  expect_error("1 1:2,5 2:1",
               ", column 3: '1:2,5': the value is not a number: text follows its digits");
  expect_error("1 1:1:1",
               ", column 3: '1:1:1': the value is not a number: text follows its digits");
  expect_error("1 1:1\r2:2", ", column 3: '1:1\\r2:2': pairs must be separated by blanks or tabs");
  expect_error("1 -1:1", ", column 3: '-1:1': the index is negative");
  expect_error("1 2147483648:1", ", column 3: '2147483648:1': the index does not fit an int");
  expect_error("1 99999999999999999999:1",
               ", column 3: '99999999999999999999:1': the index does not fit an int");
  expect_error("1 3:1 2:1",
               ", column 7: '2:1': the index does not come after 3; indices must ascend");
  expect_error("1 3:1 3:1",
               ", column 7: '3:1': the index does not come after 3; indices must ascend");
  expect_error("1 1:nan", ", column 3: '1:nan': the value must not be NaN");
  expect_error("1 1:-inf", ", column 3: '1:-inf': the value must be finite");
  expect_error("1 1:1e400", ", column 3: '1:1e400': the value is too large");
}

TEST(RowParser, PrecomputedRowsHaveNoGaps) {
  RowRules rules;
  rules.precomputed = true;
  expect_row("1 0:7 1:1 2:1", 1, {{0, 7}, {1, 1}, {2, 1}}, rules);
  expect_row("1 0:-3.5 1:1", 1, {{0, -3.5}, {1, 1}}, rules);
  expect_error("1", ": with a precomputed kernel a row must begin with index 0", rules);
  expect_error("1 1:1",
               ", column 3: '1:1': with a precomputed kernel indices must be 0, 1, 2 ... without "
               "gaps; expected 0",
               rules);
  expect_error("1 0:1 1:1 3:1",
               ", column 11: '3:1': with a precomputed kernel indices must be 0, 1, 2 ... without "
               "gaps; expected 2",
               rules);
  expect_error("1 0:?", ", column 3: '0:?': the value is not a number", rules);
}

// Any text is read or refused; sanitizers check the ends of the exact-sized memory.
TEST(RowParser, SurvivesDamage) {
  const std::string alphabet("0123456789:: \t\r\v.-+eExXpPnainf#\0\xC3", 33);
  std::mt19937 random(99);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string line = "-1 1:0.5 2:1e-3 7:0x1p3 9:4";
    for (auto change = random() % 4; change > 0; --change) {
      line[random() % line.size()] = alphabet[random() % alphabet.size()];
    }
    line.resize(line.size() - random() % 10);
    const std::vector<char> exact(line.begin(), line.end());
    RowRules rules;
    rules.cr_ends_label = random() % 2 == 0;
    rules.class_labels = random() % 2 == 0;
    try {
      const Row row = parse({exact.data(), exact.size()}, rules);
      EXPECT_TRUE(std::isfinite(row.label));
      int last = -1;
      for (const auto& [index, value] : row.pairs) {
        EXPECT_GT(index, last);
        EXPECT_TRUE(std::isfinite(value));
        last = index;
      }
      ++accepted;
    } catch (const InputError& error) {
      EXPECT_EQ(error.line(), 3U);
    }
  }
  EXPECT_GT(accepted, 1000);
}

TEST(InputError, ShortensLongTokens) {
  const std::string text = describe_place(1, 2, std::string(100, 'x'), "too long");
  EXPECT_EQ(text, "line 1, column 2: '" + std::string(40, 'x') + "...': too long");
  // Texts are not cut within a character.
  const std::string umlauts = describe_place(0, 0, std::string(39, 'x') + "\xC3\xA4\xC3\xA4", "r");
  EXPECT_EQ(umlauts, "'" + std::string(39, 'x') + "...': r");
  EXPECT_EQ(describe_place(4, 0, "a\x7F\t", "r"), "line 4: 'a\\x7f\\t': r");
}

}  // namespace
}  // namespace svm
