// Metrics by the programs: what they write, say and refuse.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

using Words = std::vector<std::string>;

// Rows whose label depends on the first of six features; the second is often absent.
std::string one_of_six(std::size_t rows, std::uint64_t seed) {
  constexpr std::size_t kFeatures = 6;
  const Data all = one_decides(rows, kFeatures, true, seed);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    Row row(all.row(i), all.row(i) + kFeatures + 1);
    if (row[1].value < 0.5) row.erase(row.begin() + 1);
    data.add_row(all.label(i), std::move(row));
  }
  return text_of(data);
}

class MetricCli : public TrainSolverCli {
 protected:
  MetricCli() {
    folder_.write("rows", one_of_six(1200, 1));
    folder_.write("test", one_of_six(400, 2));
  }
  static Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  ProcessResult train_metric(const Words& more) const {
    return train(joined({"-a", "csmo", "-c", "10", "-g", "3"}, more));
  }
  ProcessResult of(const std::string& program, const Words& words) const {
    return run(joined({SVM_BIN_DIR "/" + program}, words), {}, folder_.path());
  }
  void expect_refusal(const ProcessResult& result, const std::string& message) const {
    EXPECT_EQ(result.status, 1) << message;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
  }
};

TEST_F(MetricCli, TrainsAndPredictsByWeights) {
  const ProcessResult result = train_metric({"--metric", "m.range", "rows", "model"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines_of(result.out)[0].rfind("metric: error of ", 0), 0U) << result.out;
  EXPECT_TRUE(contains(result.out, "; largest weights 1: "));
  const std::string range = folder_.read("m.range");
  EXPECT_EQ(range.rfind("x\n0 1\n1 0 ", 0), 0U) << range;
  EXPECT_EQ(lines_of(range).size(), 8U);
  EXPECT_TRUE(contains(lines_of(folder_.read("model")).back(), "metric "));
  const ProcessResult good = of("svm-predict", {"--metric", "m.range", "test", "model", "out"});
  ASSERT_EQ(good.status, 0) << good.err;
  EXPECT_EQ(good.err, "");
  ASSERT_EQ(train_metric({"-q", "rows", "plain"}).status, 0);
  const ProcessResult plain = of("svm-predict", {"test", "plain", "plain.out"});
  const auto wrong = [](const std::string& out) {
    return 100 - std::stod(out.substr(out.find("= ") + 2));
  };
  EXPECT_LT(2 * wrong(good.out), wrong(plain.out)) << good.out << plain.out;
  // The weights as svm-scale applies them, with 6 digits.
  const ProcessResult scaled = of("svm-scale", {"-r", "m.range", "test"});
  folder_.write("scaled", scaled.out);
  const ProcessResult again = of("svm-predict", {"scaled", "model", "out2"});
  EXPECT_EQ(again.out, good.out);
  EXPECT_TRUE(contains(again.err, "give --metric m.range, unless svm-scale -r m.range has"))
      << again.err;
}

TEST_F(MetricCli, TheLineBehindTheModelIsIgnoredByTheLibrary) {
  ASSERT_EQ(train_metric({"-q", "--metric", "m.range", "rows", "model"}).status, 0);
  const std::string text = folder_.read("model");
  svm_model* model = svm_parse_model(text.data(), text.size());
  ASSERT_NE(model, nullptr);
  svm_free_and_destroy_model(&model);
}

TEST_F(MetricCli, AKnownMetricGivesTheSameModel) {
  for (const std::string solver : {"smo", "csmo"}) {
    ASSERT_EQ(train_metric({"-a", solver, "-q", "--metric", "m.range", "rows", "one"}).status, 0);
    ASSERT_EQ(train_metric({"-a", solver, "-q", "--use-metric", "m.range", "rows", "two"}).status,
              0);
    EXPECT_EQ(folder_.read("one"), folder_.read("two"));
  }
}

TEST_F(MetricCli, IsLearnedInEachFold) {
  const ProcessResult plain = train_metric({"-q", "-v", "3", "--seed", "1", "rows"});
  const ProcessResult result =
      train_metric({"-q", "-v", "3", "--seed", "1", "--metric", "m.range", "rows"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto accuracy = [](const ProcessResult& each) {
    return std::stod(each.out.substr(each.out.find("= ") + 2));
  };
  EXPECT_GT(accuracy(result), accuracy(plain) + 5);
  EXPECT_FALSE(folder_.exists("m.range"));  // as no model is written
}

TEST_F(MetricCli, RefusedWeightsAreAllOne) {
  folder_.write("easy", text_of(random_data(400, 2, true, 3)));
  const ProcessResult result = train_metric({"--metric", "m.range", "easy", "model"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "do not lower ")) << result.out;
  EXPECT_EQ(folder_.read("m.range"), "x\n0 1\n1 0 1\n2 0 1\n");
}

TEST_F(MetricCli, FilesThatDoNotFitAreRefused) {
  ASSERT_EQ(train_metric({"-q", "--metric", "m.range", "rows", "model"}).status, 0);
  const auto predict = [&](const std::string& metric) {
    return of("svm-predict", {"--metric", metric, "test", "model", "out"});
  };
  folder_.write("other", "x\n0 1\n1 0 2\n");
  expect_refusal(predict("other"), "other does not have the weights that model was trained with");
  folder_.write("scaling", "x\n-1 1\n1 0 2\n");
  expect_refusal(predict("scaling"), "a metric has the limits 0 and 1");
  folder_.write("shifted", "x\n0 1\n3 1 2\n");
  expect_refusal(predict("shifted"), "the range of feature 3 does not go from 0");
  folder_.write("empty", "x\n0 1\n");
  expect_refusal(predict("empty"), "there are no features");
  expect_refusal(predict("none"), "can't open metric file none");
  folder_.write("text", "what\n");
  expect_refusal(predict("text"), "text: ");
  EXPECT_FALSE(folder_.exists("out"));
}

TEST_F(MetricCli, OptionsThatContradictAreRefused) {
  expect_refusal(train_metric({"--metric", "m", "--use-metric", "n", "rows"}),
                 "exclude each other");
  expect_refusal(train_metric({"--metric", "m", "--cells", "50", "rows"}), "only --metric off");
  expect_refusal(train_metric({"--metric", "m", "--init", "model", "rows"}), "--use-metric");
  expect_refusal(train_metric({"--metric", "m", "-t", "0", "rows"}), "RBF kernel");
  expect_refusal(train_metric({"--metric", "m", "-s", "2", "rows"}), "one-class");
  expect_refusal(train_metric({"--metric", "rows", "rows"}), "rows");
  expect_refusal(train_metric({"--metric", "no/m", "rows"}), "can't open metric file no/m");
  EXPECT_FALSE(folder_.exists("m"));
  EXPECT_EQ(folder_.read("rows"), one_of_six(1200, 1));
}

TEST_F(MetricCli, ATimeLimitLeavesNothing) {
  expect_refusal(train_metric({"--metric", "m", "--time-limit", "1e-9", "rows", "model"}),
                 "no metric was learned, and nothing was written");
  EXPECT_FALSE(folder_.exists("m"));
  EXPECT_FALSE(folder_.exists("model"));
}

TEST_F(MetricCli, AForestKeepsItsWeights) {
  const Words cells = {"-q", "--cells", "200", "--trees", "2"};
  ASSERT_EQ(train_metric(joined(cells, {"rows", "forest"})).status, 0);
  EXPECT_EQ(folder_.read("forest").rfind("svm_forest 2\n", 0), 0U);
  ASSERT_EQ(train_metric(joined(cells, {"--metric", "off", "rows", "plain"})).status, 0);
  EXPECT_EQ(folder_.read("plain").rfind("svm_forest 1\n", 0), 0U);
  ASSERT_EQ(train_metric(joined(cells, {"--out-of-core", "rows", "from.file"})).status, 0);
  EXPECT_EQ(folder_.read("from.file"), folder_.read("forest"));
  folder_.write("m", "x\n0 1\n1 0 0.5\n3 0 4\n");
  ASSERT_EQ(train_metric(joined(cells, {"--use-metric", "m", "rows", "known"})).status, 0);
  EXPECT_TRUE(contains(folder_.read("known"), "\nweights 2 0\n1 2\n3 0.25\ntrees 2\n"));
  expect_refusal(of("svm-predict", {"--metric", "m", "test", "forest", "out"}),
                 "is a forest, which has its own weights");
}

TEST_F(MetricCli, SearchesLearnOneOrUseOne) {
  const Words grid = {"-q",     "-a",   "csmo", "-log2c", "1,5,2", "-log2g",
                      "-1,3,2", "-out", "null", "-png",   "null"};
  const ProcessResult plain = of("svm-grid", joined(grid, {"rows"}));
  const ProcessResult result =
      of("svm-grid", joined(grid, {"--metric", "m", "--model", "model", "rows"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const auto rate = [](const std::string& out) { return std::stod(out.substr(out.rfind(' '))); };
  EXPECT_GT(rate(result.out), rate(plain.out) + 5) << result.out << plain.out;
  EXPECT_EQ(of("svm-predict", {"-q", "--metric", "m", "test", "model", "out"}).status, 0);
  const ProcessResult known = of("svm-grid", joined(grid, {"--use-metric", "m", "rows"}));
  EXPECT_EQ(rate(known.out), rate(result.out));
  expect_refusal(of("svm-grid", joined(grid, {"--metric", "m2", "--cells", "50", "rows"})),
                 "not with --cells");
}

}  // namespace
}  // namespace svm::test
