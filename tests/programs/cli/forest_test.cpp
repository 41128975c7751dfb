// Forests by the programs: what they write, say and refuse.
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "programs/cli/file_rows_source.h"
#include "programs/cli/main.h"
#include "tests/child.h"
#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

constexpr int kKilledByInterrupt = 128 + SIGINT;
// Trees without end.
const std::string kTrain = SVM_BIN_DIR "/svm-train";
const Words kEndless = {kTrain, "-a", "csmo", "--cells", "50", "--trees", "1000000"};

class ForestCli : public TrainSolverCli {
 protected:
  ForestCli() { folder_.write("targets", test::text_of(random_data(300, 3, false, 3))); }

  ProcessResult train_forest(const Words& options, const Words& files = {"data", "forest"}) const {
    return train(joined(joined({"-a", "csmo", "--cells", "50"}, options), files));
  }
  std::string forest_of(const Words& options, const std::string& data = "data") const {
    const ProcessResult result = train_forest(joined({"-q"}, options), {data, "any"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out + result.err, "");
    return result.status == 0 ? folder_.read("any") : "";
  }
  ProcessResult predict(const Words& words) const {
    return run(joined({SVM_BIN_DIR "/svm-predict"}, words), {}, folder_.path());
  }
  // Expects this message, and that no file is made or lost.
  void expect_refusal(const ProcessResult& result, const std::string& message,
                      std::size_t files) const {
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_EQ(folder_.count(), files) << message;
  }
};

TEST_F(ForestCli, IsTrainedAndPredicts) {
  const ProcessResult result = train_forest({"-c", "10", "--trees", "3"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const Words lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].rfind("metric: ", 0), 0U);
  EXPECT_EQ(lines[3].rfind("tree 3 of 3: cells = ", 0), 0U);
  EXPECT_TRUE(contains(folder_.read("forest"), "\ntrees 3\n"));
  EXPECT_GT(accuracy("forest"), 85);
  EXPECT_EQ(folder_.count(), 4U);
  EXPECT_TRUE(contains(forest_of({}), "\ntrees 5\n"));
  ASSERT_EQ(train({"-q", "--trees", "2", "data", "forest"}).status, 0);
  EXPECT_TRUE(contains(folder_.read("forest"), "\ntrees 2\nleaf\n"));  // cells of at most 2000
}

TEST_F(ForestCli, DoesNotDependOnThreadsOrOnWhereTheRowsAre) {
  folder_.write("weights", [] {
    std::string text;
    for (int i = 0; i < 300; ++i) text += std::to_string(i % 3) + "\n";
    return text;
  }());
  folder_.write("sparse", "1 1:1 7:2\n-1\n1 7:1\n-1 2:1\n1 1:2 3:4\n-1 2:3\n1 3:1\n");
  for (const Words& options : {Words{"data"},
                               {"-b", "1", "data"},
                               {"--row-weights", "weights", "-w1", "3", "data"},
                               {"-s", "3", "-b", "1", "targets"},
                               {"-s", "4", "targets"},
                               {"-a", "smo", "-t", "0", "data"},
                               {"--cells", "2", "sparse"},
                               {"--seed", "7", "--digits", "17", "data"}}) {
    const std::string data = options.back();
    Words words(options.begin(), options.end() - 1);
    words.insert(words.end(), {"--threads", "1"});
    const std::string text = forest_of(words, data);
    words.emplace_back("--out-of-core");
    EXPECT_EQ(forest_of(words, data), text) << testing::PrintToString(options);
    words.back() = "--threads";
    words.emplace_back("3");
    EXPECT_EQ(forest_of(words, data), text) << testing::PrintToString(options);
    words.emplace_back("--out-of-core");
    EXPECT_EQ(forest_of(words, data), text) << testing::PrintToString(options);
  }
  EXPECT_EQ(folder_.count(), 5U);
}

TEST_F(ForestCli, CertifiesItsCells) {
  for (const char* const more : {"-q", "--out-of-core"}) {
    const ProcessResult result = train_forest({"--check", more});
    EXPECT_EQ(result.status, 0) << result.err;
    const std::string before = "violation of the optimality conditions = ";
    const std::size_t at = result.out.find(before);
    ASSERT_NE(at, std::string::npos) << result.out;
    const double violation = std::stod(result.out.substr(at + before.size()));
    EXPECT_GT(violation, 0);
    EXPECT_LE(violation, 0.001);
  }
}

TEST_F(ForestCli, IsCrossValidated) {
  const ProcessResult result = train_forest({"-q", "-v", "3", "-c", "10"}, {"data"});
  const std::string before = "Cross Validation Accuracy = ";
  ASSERT_EQ(result.out.rfind(before, 0), 0U) << result.err;
  EXPECT_GT(std::stod(result.out.substr(before.size())), 80);
  EXPECT_EQ(train_forest({"-q", "-v", "3", "-c", "10", "--threads", "3"}, {"data"}).out,
            result.out);
  EXPECT_TRUE(contains(train_forest({"-q", "-s", "3", "-v", "3"}, {"targets"}).out,
                       "Cross Validation Mean squared error = 0."));
  EXPECT_EQ(folder_.count(), 2U);
}

TEST_F(ForestCli, ProbabilitiesArePredicted) {
  ASSERT_EQ(train_forest({"-q", "-b", "1"}).status, 0);
  EXPECT_TRUE(contains(predict({"data", "forest", "out"}).out, "Model supports probability"));
  const ProcessResult result = predict({"-b", "1", "data", "forest", "out"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Words lines = lines_of(folder_.read("out"));
  ASSERT_EQ(lines.size(), 301U);
  EXPECT_EQ(lines[0], "labels 1 -1");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::istringstream line(lines[i]);
    double label = 0, first = 0, second = 0;
    line >> label >> first >> second;
    EXPECT_NEAR(first + second, 1, 1e-5);
    EXPECT_EQ(label, first > second ? 1 : -1);
  }
  ASSERT_EQ(train_forest({"-q"}).status, 0);
  expect_refusal(predict({"-b", "1", "data", "forest", "new"}), "does not support proba", 4);
  ASSERT_EQ(train_forest({"-q", "-s", "3", "-b", "1"}, {"targets", "forest"}).status, 0);
  EXPECT_TRUE(contains(predict({"-b", "1", "targets", "forest", "out"}).out, ",sigma=0."));
}

TEST_F(ForestCli, PredictionsDoNotDependOnThreadsAndMayGoToAPipe) {
  ASSERT_EQ(train_forest({"-q"}).status, 0);
  ASSERT_EQ(predict({"-q", "data", "forest", "out"}).status, 0);
  const std::string labels = folder_.read("out");
  EXPECT_EQ(lines_of(labels).size(), 300U);
  EXPECT_EQ(predict({"-q", "data", "forest", "-"}).out, labels);
  ASSERT_EQ(predict({"-q", "--threads", "3", "data", "forest", "out"}).status, 0);
  EXPECT_EQ(folder_.read("out"), labels);
}

TEST_F(ForestCli, OtherFilesAreNoForest) {
  ASSERT_EQ(train_forest({"-q"}).status, 0);
  const std::string forest = folder_.read("forest");
  expect_refusal(predict({"forest", "data", "out"}), "can't open model file data", 3);
  expect_refusal(predict({"forest", "forest", "out"}), "forest: line 1", 3);
  folder_.write("damaged", replaced(forest, "\nsplit ", "\nspalt "));
  expect_refusal(predict({"data", "damaged", "out"}), "ERROR: damaged: line ", 4);
  folder_.write("damaged", forest.substr(0, forest.size() / 2));
  expect_refusal(predict({"data", "damaged", "out"}), "ERROR: damaged: line ", 4);
  const std::size_t leaf = forest.rfind("leaf\n");
  folder_.write("damaged", forest.substr(0, leaf) + "untrained\n");
  expect_refusal(predict({"data", "damaged", "out"}), "the forest has leaves that are not trained",
                 4);
}

TEST_F(ForestCli, ReplacesForestsAndModelsOnly) {
  folder_.write("forest", "notes\n");
  expect_refusal(train_forest({}), "can't save model to file forest", 3);
  EXPECT_EQ(folder_.read("forest"), "notes\n");
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(train({"-q", "data", "model"}).status, 0);
    ASSERT_EQ(train_forest({"-q"}, {"data", "model"}).status, 0);
    EXPECT_EQ(folder_.read("model").rfind("svm_forest 1\n", 0), 0U);
  }
}

TEST_F(ForestCli, RefusesWrongOptions) {
  ASSERT_EQ(train({"-q", "data", "model"}).status, 0);
  for (const auto& [options, message] : std::vector<std::pair<Words, std::string>>{
           {{"--cells", "1"}, "option --cells: '1' is out of range"},
           {{"--trees", "0"}, "option --trees: '0' is out of range"},
           {{"--compact"}, "takes neither --compact nor --init"},
           {{"--out-of-core", "-v", "2"}, "option --out-of-core: for a forest"},
           {{"-s", "1"}, "a forest is not for nu-SVC"},
           {{"-s", "2"}, "a forest is not for one-class SVM"},
           {{"-t", "0", "-a", "dcd"}, "a forest needs a solver whose support vectors are rows"},
           {{"--init", "model"}, "takes neither --compact nor --init"}}) {
    expect_refusal(train_forest(options, {"data", "new"}), message, 3);
    if (options[0] == "--compact" || options[0] == "--init") continue;
    expect_refusal(train_forest(joined(options, {"--out-of-core"}), {"data", "new"}), "", 3);
  }
  expect_refusal(train({"--out-of-core", "data", "new"}), "option --out-of-core: for a forest", 3);
}

TEST_F(ForestCli, OutOfCoreNeedsAFileThatStays) {
  ASSERT_EQ(::mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  Child child(joined(kEndless, {"--out-of-core", "pipe", "new"}), folder_.path());
  EXPECT_GE(open_fifo(folder_.file("pipe")), 0);
  EXPECT_EQ(child.wait(), 1000);  // status 1
  EXPECT_TRUE(contains(folder_.read("other-output"), "pipe is no regular file"));
  folder_.write("empty", "");
  folder_.write("bad", rows_text(300) + "1 2:x\n");
  for (const auto& [data, message] : std::vector<std::pair<std::string, std::string>>{
           {"none", "can't open input file none"},
           {"empty", "empty: the file is empty"},
           {"bad", "bad: line 301, column 3: '2:x'"}}) {
    expect_refusal(train_forest({"--out-of-core"}, {data, "new"}), message, 6);
  }
}

TEST_F(ForestCli, OutOfCoreNoticesThatTheFileChanged) {
  cli::FileRowsSource source(folder_.file("data"), RowRules(), folder_.path());
  EXPECT_EQ(source.labels().l, 300);
  EXPECT_EQ(source.max_index(), 3);
  svm::Run run(Messages(nullptr));
  const RowNumbers rows = {0, 7, 299};
  source.load(rows, run);
  Tree tree(1);
  source.divide(rows, tree, run);
  EXPECT_EQ(source.part(0), rows);
  const LoadedRows loaded = source.load_part(0);
  EXPECT_EQ(source.problem().x[299].nodes()[2].index, 3);
  folder_.write("data", rows_text(299));
  EXPECT_THROW(source.load(rows, run), cli::Failure);
  EXPECT_THROW(source.divide(rows, tree, run), cli::Failure);
  EXPECT_EQ(folder_.count(), 2U);
}

TEST_F(ForestCli, CtrlCKeepsTheTreesThatWereFinished) {
  for (const char* const more : {"--counts", "--out-of-core"}) {
    Words line = joined(kEndless, {"data", "forest"});
    line.insert(line.begin() + 1, {"-b", "1", more});
    Child child(line, folder_.path());
    ASSERT_TRUE(child.read_until("tree 2 of 1000000"));
    child.send(SIGINT);
    child.read_all();
    EXPECT_EQ(child.wait(), kKilledByInterrupt);
    const std::string said = folder_.read("other-output");
    EXPECT_TRUE(contains(said, " trees are in forest.partial")) << said;
    EXPECT_TRUE(contains(said, "no probability estimates")) << said;
    EXPECT_GT(accuracy("forest.partial"), 80);
    EXPECT_FALSE(folder_.exists("forest"));
    EXPECT_EQ(folder_.count(), 5U);
  }
}

TEST_F(ForestCli, CtrlCBeforeTheFirstTreeLeavesNothing) {
  Child child(endless({"--cells", "300", "data", "forest"}), folder_.path(),
              Child::Reads::kTerminal);
  ASSERT_TRUE(child.read_until("violation"));
  child.send(SIGINT);
  EXPECT_TRUE(contains(child.read_all(), "interrupted: no tree was finished"));
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
  EXPECT_EQ(folder_.count(), 2U);
}

TEST_F(ForestCli, TheTimeLimitEndsIt) {
  const ProcessResult result =
      train_forest({"--trees", "1000000", "--time-limit", "0.5"}, {"data", "forest"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.err, " of 1000000 trees are in forest\n")) << result.err;
  EXPECT_GT(accuracy("forest"), 80);
  Words line = endless({"--cells", "300", "--time-limit", "0.3", "data", "new"});
  line.erase(line.begin());
  expect_refusal(train(line), "ERROR: time limit: no tree was finished", 4);
  expect_refusal(train_forest({"--trees", "1000000", "--time-limit", "0.5", "-v", "2"}, {"data"}),
                 "not completed within the time limit", 4);
}

TEST_F(ForestCli, GridWritesAForest) {
  const std::string program = SVM_BIN_DIR "/svm-grid";
  const Words line = {program, "-gnuplot", "null",    "-out", "null", "-log2c",
                      "0,4,2", "-log2g",   "0,-2,-2", "-v",   "3"};
  const ProcessResult found = run(
      joined(line, {"-a", "csmo", "--cells", "60", "--trees", "2", "--model", "forest", "data"}),
      {}, folder_.path());
  ASSERT_EQ(found.status, 0) << found.err;
  std::istringstream last(lines_of(found.out).back());
  std::string c, g;
  last >> c >> g;
  ASSERT_EQ(train({"-q", "-a", "csmo", "--cells", "60", "--trees", "2", "-c", c, "-g", g, "data",
                   "other"})
                .status,
            0);
  EXPECT_EQ(folder_.read("forest"), folder_.read("other"));
  EXPECT_GT(accuracy("forest"), 80);
  expect_refusal(
      run(joined(line, {"--cells", "60", "-s", "1", "--model", "new", "data"}), {}, folder_.path()),
      "--cells writes a forest to --model: a forest is not for nu-SVC", 5);
  for (const Words& more :
       {Words{"--trees", "2", "--model", "new"}, {"--cells", "60", "--trees", "2"}}) {
    expect_refusal(run(joined(joined(line, more), {"data"}), {}, folder_.path()),
                   "option --trees: needs --cells and --model", 5);
  }
}

// Programs with a limited address space.
class ForestMemory : public ForestCli {
 protected:
  void SetUp() override {
    if (!kMemoryIsTold) GTEST_SKIP() << kMemoryIsUnknown;
    if (run({"/bin/sh", "-c", "ulimit -v 1000000"}).status != 0) {
      GTEST_SKIP() << "the shell cannot limit an address space";
    }
  }
  ProcessResult run_limited(Words line, std::size_t megabytes) const {
    line[0].insert(0, SVM_BIN_DIR "/");
    return run(joined({"/bin/sh", "-c",
                       "ulimit -v " + std::to_string(megabytes * 1024) +
                           " && SVM_NUM_THREADS=1 exec \"$@\" >printed",
                       "sh"},
                      line),
               {}, folder_.path());
  }
};

TEST_F(ForestMemory, OutOfCoreTrainsOnMoreRowsThanFit) {
  constexpr std::size_t kRows = 100000, kValues = 40, kMegabytes = 100;
  static_assert(kRows * kValues * sizeof(svm_node) > kMegabytes / 2 * 1024 * 1024);
  Draws draws(1);
  std::string text;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::size_t first = draws.below(100);
    text += first < 50 ? "-1" : "1";
    for (std::size_t k = 1; k <= kValues; ++k) {
      text += " " + std::to_string(k) + ":0." + std::to_string(k == 1 ? 100 + first : 100 + i % 7);
    }
    text += "\n";
  }
  folder_.write("large", text);
  const Words line = {"svm-train", "-q", "-a",  "csmo",    "-t",   "0",       "-m",
                      "10",        "-e", "0.1", "--cells", "1000", "--trees", "1"};
  const ProcessResult refused = run_limited(joined(line, {"large", "forest"}), kMegabytes);
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(contains(refused.err, "out of memory")) << refused.err;
  EXPECT_FALSE(folder_.exists("forest"));
  const ProcessResult result =
      run_limited(joined(line, {"--out-of-core", "large", "forest"}), kMegabytes);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(folder_.read("forest").rfind("svm_forest 1\n", 0), 0U);
  EXPECT_EQ(folder_.count(), 5U);  // data, targets, large, printed, forest
}

// A forest has as many pairs of classes as it likes, without a number in the file for each.
TEST_F(ForestMemory, HostileForestsAreRefused) {
  const std::string head = "svm_forest 1\nsvm_type c_svc\nkernel_type linear\n";
  const std::string tail =
      "leaf\nsvm_type c_svc\nkernel_type linear\nnr_class 1\ntotal_sv 0\nrho\nlabel 1\nnr_sv 0\n"
      "SV\n";
  std::string labels;
  for (int c = 1; c <= 20000; ++c) labels += " " + std::to_string(c);
  for (const auto& [forest, message] : std::vector<std::pair<std::string, std::string>>{
           {head + "nr_class 2147483647\ntotal_sv 0\nlabel 1 2\nSV\ntrees 1\n" + tail,
            "forest: line 6, column 1: 'label': 2147483647 values are expected, more than the file "
            "holds"},
           {head + "nr_class 2\ntotal_sv 2147483647\nlabel 1 2\nSV\ntrees 1\n" + tail,
            "total_sv announces 2147483647 support vectors, more than the file holds"},
           {head + "nr_class 1\ntotal_sv 0\nlabel 1\nSV\ntrees 2147483647\n" + tail,
            "expected split, leaf or untrained"},
           {head + "nr_class 20000\ntotal_sv 0\nlabel" + labels + "\nSV\ntrees 1\n" + tail,
            "out of memory"}}) {
    folder_.write("forest", forest);
    const ProcessResult result = run_limited({"svm-predict", "data", "forest", "out"}, 80);
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_FALSE(folder_.exists("out"));
  }
}

}  // namespace
}  // namespace svm::test
