// svm-train as a process: bad input, exit statuses, and what happens to files.
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/process.h"
#include "tests/temp_dir.h"
#include "tests/text.h"

namespace svm::test {
namespace {

const char kData[] = "1 1:1 2:0.5\n-1 1:-1\n1 1:0.8 2:-0.5\n-1 1:-0.7 2:0.2\n";

class TrainCli : public testing::Test {
 protected:
  TrainCli() { folder_.write("data", kData); }
  ProcessResult train(std::vector<std::string> arguments, const std::string& input = {}) const {
    arguments.insert(arguments.begin(), SVM_BIN_DIR "/svm-train");
    return run(arguments, input, folder_.path());
  }
  // Trains on `data` and returns the model's text.
  std::string model_of(const std::string& data, std::vector<std::string> options = {}) const {
    folder_.write("any", data);
    options.insert(options.end(), {"-q", "any", "any.model"});
    const ProcessResult result = train(options);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0 ? folder_.read("any.model") : "";
  }
  TempDir folder_;
};

// --- the command line ---

struct BadLine {
  std::vector<std::string> arguments;
  std::string first;  // first line of standard error
  std::string part;   // part of standard error
};
void PrintTo(const BadLine& line, std::ostream* out) {
  for (const std::string& argument : line.arguments) *out << argument << ' ';
}

class TrainUsage : public TrainCli, public testing::WithParamInterface<BadLine> {};

TEST_P(TrainUsage, IsRefused) {
  const ProcessResult result = train(GetParam().arguments);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(first_line(result.err), GetParam().first);
  EXPECT_TRUE(contains(result.err, GetParam().part)) << result.err;
  // Only a call without arguments prints the help itself.
  const bool is_bare = GetParam().arguments.empty();
  EXPECT_EQ(result.out.rfind("Usage: svm-train", 0) == 0, is_bare) << result.out;
  EXPECT_EQ(contains(result.err, "svm-train --help"), !is_bare) << result.err;
  EXPECT_EQ(folder_.count(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, TrainUsage,
    testing::Values(
        BadLine{{}, "", ""}, BadLine{{"-x", "3", "data"}, "Unknown option: -x", ""},
        BadLine{{"-y", "csmo", "data"}, "Unknown option: -y", ""},
        BadLine{{"--foo", "data"}, "Unknown option: --", "'--foo'"},
        BadLine{{"-s"}, "svm-train: option -s needs a value: type", ""},
        BadLine{{"-w1"}, "svm-train: option -w1 needs a value: weight", ""},
        BadLine{{"-q"}, "svm-train: file names given: 0, needed: 1", ""},
        BadLine{{"-c", "1"}, "svm-train: file names given: 0, needed: 1", ""},
        BadLine{{"-v", "1", "data"}, "n-fold cross validation: n must >= 2", "option -v"},
        BadLine{{"-v", "-3", "data"}, "n-fold cross validation: n must >= 2", "-3"},
        BadLine{{"-c", "abc", "data"}, "svm-train: option -c: 'abc' is not a number", ""},
        BadLine{{"-c", "", "data"}, "svm-train: option -c: '' is not a number", ""},
        BadLine{{"-g", "nan", "data"}, "svm-train: option -g: 'nan' is not a finite number", ""},
        BadLine{{"-e", "inf", "data"}, "svm-train: option -e: 'inf' is not a finite number", ""},
        BadLine{
            {"-n", "1e999", "data"}, "svm-train: option -n: '1e999' is too large for a double", ""},
        BadLine{{"-d", "x", "data"}, "svm-train: option -d: 'x' is not an integer", ""},
        BadLine{{"-d", "99999999999", "data"},
                "svm-train: option -d: '99999999999' does not fit an integer of 32 bits",
                ""},
        BadLine{{"-w", "2", "data"}, "svm-train: option -w: '' is not an integer", ""},
        BadLine{{"-wx", "2", "data"}, "svm-train: option -wx: 'x' is not an integer", ""}));

TEST_F(TrainCli, HelpAndVersion) {
  const ProcessResult help = train({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.out.rfind("Usage: svm-train [options] training_set_file [model_file]", 0), 0U);
  EXPECT_EQ(help.err, "");
  const ProcessResult version = train({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.out.rfind("svm-train ", 0), 0U);
  EXPECT_EQ(version.err, "");
}

TEST_F(TrainCli, OnlyTheSecondCharacterSelects) {
  EXPECT_EQ(model_of(kData, {"-cost", "5"}), model_of(kData, {"-c", "5"}));
  EXPECT_NE(model_of(kData, {"-cost", "0.1"}), model_of(kData));
}

// Outputs are checked before the data are read, which never arrive from that pipe.
TEST_F(TrainCli, OutputsAreCheckedFirst) {
  ASSERT_EQ(::mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(folder_.file("folder"));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"pipe", "no/model"}, "can't save model to file no/model\nno/model: No such file"},
      {{"pipe", "folder"}, "can't save model to file folder\nfolder: Is a directory"},
      {{"pipe", "data/model"}, "can't save model to file data/model\ndata/model: Not a directory"},
      {{"--trace", "no/trace", "pipe", "model"}, "svm-train: no/trace: No such file"},
      {{"-v", "2", "--trace", "no/trace", "pipe"}, "svm-train: no/trace: No such file"}};
  for (const auto& [arguments, message] : cases) {
    const ProcessResult result = train(arguments);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err.rfind(message, 0), 0U) << result.err;
    EXPECT_EQ(folder_.count(), 3U);
  }
}

TEST_F(TrainCli, TheDefaultModelNameIsInTheCurrentFolder) {
  std::filesystem::create_directory(folder_.file("sub"));
  folder_.write("sub/rows", kData);
  EXPECT_EQ(train({"sub/rows"}).status, 0);
  EXPECT_TRUE(folder_.exists("rows.model"));
  EXPECT_FALSE(folder_.exists("sub/rows.model"));
}

// --- data ---

// LIBSVM trains on rows without features, and so does this library, with a warning.
TEST_F(TrainCli, RowsWithoutFeaturesAreWarnedOf) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1\t2.5\t3\n-1\t4\t5\n", "the first line looks like tab-separated values (TSV); "},
      {"1 2.5 3\n-1 4 5\n", "the first line looks like values without their indices; "},
      {"1 ,2.5,3\n-1 ,4,5\n", "the first line looks like comma-separated values (CSV); "},
      {"1\n-1\n", ""}};
  for (const auto& [text, format] : cases) {
    folder_.write("rows", text);
    const ProcessResult result = train({"-q", "rows", "model"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "WARNING: rows: no row has a feature; " + format +
                              "rows have the form: label index:value index:value ...; svm-convert "
                              "(tools/convert.py) makes such a "
                              "file of a table\n");
    EXPECT_TRUE(folder_.exists("model"));
  }
  EXPECT_EQ(train({"-q", "data", "model"}).err, "");
}

struct BadData {
  std::string text;
  std::string first;
  std::string part;
  std::vector<std::string> options = {};
};
void PrintTo(const BadData& data, std::ostream* out) { *out << testing::PrintToString(data.text); }

class TrainData : public TrainCli, public testing::WithParamInterface<BadData> {};

TEST_P(TrainData, IsRefusedAndTheModelStays) {
  folder_.write("bad", GetParam().text);
  folder_.write("model", "svm_type precious");
  std::vector<std::string> arguments = GetParam().options;
  arguments.insert(arguments.end(), {"bad", "model"});
  const ProcessResult result = train(arguments);
  EXPECT_EQ(result.status, 1);
  if (!GetParam().first.empty()) {
    EXPECT_EQ(first_line(result.err), GetParam().first);
  }
  EXPECT_TRUE(contains(result.err, GetParam().part)) << result.err;
  EXPECT_EQ(folder_.read("model"), "svm_type precious");
  EXPECT_EQ(folder_.count(), 3U);
}

const char kLine1[] = "Wrong input format at line 1";
const char kLine2[] = "Wrong input format at line 2";
const char kFirstColumn[] = "Wrong input format: first column must be 0:sample_serial_number";
const char kOutOfRange[] = "Wrong input format: sample_serial_number out of range";

INSTANTIATE_TEST_SUITE_P(
    Lines, TrainData,
    testing::Values(
        BadData{"", "", "bad: the file is empty"}, BadData{"1 1:1\n\n", kLine2, "bad: line 2"},
        BadData{"   \n", kLine1, "line 1"}, BadData{"x 1:1\n", kLine1, "column 1: 'x'"},
        BadData{"1x 1:1\n", kLine1, "'1x'"}, BadData{"1 1:1\n1\r\n", kLine2, "line 2"},
        BadData{"nan 1:1\n", kLine1, "the label must not be NaN"},
        BadData{"1 1:1\ninf 1:1\n", kLine2, "the label must be finite"},
        BadData{"1e400 1:1\n", kLine1, "the label is too large"},
        BadData{"3000000000 1:1\n", kLine1, "the class label does not fit an int"},
        BadData{"-3e9 1:1\n", kLine1, "the class label does not fit an int", {"-s", "1"}},
        BadData{"1 1:1\n1 2:nan\n", kLine2, "column 3: '2:nan': the value must not be NaN"},
        BadData{"1 1:inf\n", kLine1, "the value must be finite"},
        BadData{"1 1:-inf\n", kLine1, "the value must be finite"},
        BadData{"1 1:1e400\n", kLine1, "the value is too large"},
        BadData{"1 1:1e-310\n", kLine1, "too close to zero"},
        BadData{"1 1:x\n", kLine1, "column 3: '1:x': the value is not a number"},
        BadData{"1 1:\n", kLine1, "the value is missing"}, BadData{"1 1 :5\n", kLine1, "column 3"},
        BadData{"1 -1:5\n", kLine1, "is negative"},
        BadData{"1 2:1 2:1\n", kLine1, "column 7: '2:1'"},
        BadData{"1 2:1 1:1\n", kLine1, "indices must ascend"},
        BadData{"1 4294967297:1\n", kLine1, "the index does not fit an int"},
        BadData{"1 2147483648:1\n", kLine1, "the index does not fit an int"},
        BadData{"1 99999999999999999999:1\n", kLine1, "the index does not fit an int"},
        BadData{"1 1:1 # a:b\n", kLine1, "column 7"}));

INSTANTIATE_TEST_SUITE_P(
    Precomputed, TrainData,
    testing::Values(BadData{"1 1:1\n", kFirstColumn, "line 1", {"-t", "4"}},
                    BadData{"1\n", kFirstColumn, "line 1", {"-t", "4"}},
                    BadData{"1 0:1 1:1 2:1\n1 1:1\n", kFirstColumn, "line 2", {"-t", "4"}},
                    BadData{"1 0:0 1:1\n", kOutOfRange, "'0:0'", {"-t", "4"}},
                    BadData{"1 0:3 1:1 2:1\n", kOutOfRange, "'0:3'", {"-t", "4"}},
                    BadData{"1 0:-1 1:1\n", kOutOfRange, "'0:-1'", {"-t", "4"}},
                    BadData{"1 0:1 1:1 2:1\n1 0:2 1:1\n", "", "line 2: the row has 1", {"-t", "4"}},
                    BadData{"1 0:1 1:1 3:1\n", "", "line 1: '3:1'", {"-t", "4"}},
                    BadData{"1 0:1 1:1\n1 x\n1 0:1 1:z\n",
                            "Wrong input format at line 3",
                            "'1:z'",
                            {"-t", "4"}}));

TEST_F(TrainCli, LargeLabelsAreTargetsForRegression) {
  folder_.write("large", "3000000000 1:1\n1 1:2\n");
  EXPECT_EQ(train({"-s", "3", "large", "model"}).status, 0);
  EXPECT_EQ(train({"-s", "2", "large", "model"}).status, 0);
}

TEST_F(TrainCli, AMissingFile) {
  const ProcessResult result = train({"missing", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(first_line(result.err), "can't open input file missing");
  EXPECT_FALSE(folder_.exists("model"));
}

TEST_F(TrainCli, ADirectoryIsNoDataFile) {
  const ProcessResult result = train({".", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "directory")) << result.err;
  EXPECT_FALSE(folder_.exists("model"));
}

// --- accepted spellings ---

TEST_F(TrainCli, SpellingsThatGiveTheSameModel) {
  const std::string model = model_of("1 1:1 2:0.5\n-1 1:-1\n");
  EXPECT_EQ(model_of("1 1:1 2:0.5\n-1 1:-1"), model);        // no final newline
  EXPECT_EQ(model_of("1 1:1 2:0.5\r\n-1 1:-1\r\n"), model);  // CRLF
  EXPECT_EQ(model_of("  +1\t1:1  2:5e-1 \n-1.0 +1:-1 \n"), model);
  EXPECT_EQ(model_of("1 1: 1 2:0x1p-1\n-1 1:-1 # note\n"), model);
}

TEST_F(TrainCli, APipeGivesTheModelOfTheFile) {
  ASSERT_EQ(train({"-q", "data", "from-file"}).status, 0);
  const ProcessResult result = train({"-q", "-", "from-pipe"}, kData);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(folder_.read("from-pipe"), folder_.read("from-file"));
}

// --- parameters ---

struct BadParameter {
  std::vector<std::string> options;
  std::string message;
};
void PrintTo(const BadParameter& bad, std::ostream* out) { *out << bad.message; }

class TrainParameter : public TrainCli, public testing::WithParamInterface<BadParameter> {};

TEST_P(TrainParameter, IsRefusedAfterTheDataAreRead) {
  std::vector<std::string> arguments = GetParam().options;
  arguments.insert(arguments.end(), {"data", "model"});
  const ProcessResult result = train(arguments);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(first_line(result.err), "ERROR: " + GetParam().message);
  EXPECT_EQ(result.out, "");
  EXPECT_FALSE(folder_.exists("model"));
  // A bad file is reported before a bad parameter.
  arguments[arguments.size() - 2] = "missing";
  EXPECT_EQ(first_line(train(arguments).err), "can't open input file missing");
}

INSTANTIATE_TEST_SUITE_P(
    Messages, TrainParameter,
    testing::Values(BadParameter{{"-s", "5"}, "unknown svm type"},
                    BadParameter{{"-s", "-1"}, "unknown svm type"},
                    BadParameter{{"-t", "5"}, "unknown kernel type"},
                    BadParameter{{"-g", "-1"}, "gamma < 0"},
                    BadParameter{{"-t", "1", "-d", "-1"}, "degree of polynomial kernel < 0"},
                    BadParameter{{"-m", "0"}, "cache_size <= 0"},
                    BadParameter{{"-e", "0"}, "eps <= 0"}, BadParameter{{"-c", "0"}, "C <= 0"},
                    BadParameter{{"-s", "3", "-c", "-1"}, "C <= 0"},
                    BadParameter{{"-s", "1", "-n", "0"}, "nu <= 0 or nu > 1"},
                    BadParameter{{"-s", "2", "-n", "1.5"}, "nu <= 0 or nu > 1"},
                    BadParameter{{"-s", "3", "-p", "-0.1"}, "p < 0"},
                    BadParameter{{"-h", "2"}, "shrinking != 0 and shrinking != 1"},
                    BadParameter{{"-b", "2"}, "probability != 0 and probability != 1"},
                    BadParameter{{"-g", "-1", "-c", "0"}, "gamma < 0"}));

TEST_F(TrainCli, InfeasibleNu) {
  folder_.write("unequal", "1 1:1\n1 1:2\n1 1:3\n-1 1:4\n");
  const ProcessResult result = train({"-s", "1", "-n", "0.6", "unequal", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(first_line(result.err), "ERROR: specified nu is infeasible");
  EXPECT_TRUE(contains(result.err, "0.5")) << result.err;
  EXPECT_EQ(train({"-s", "1", "-n", "0.5", "unequal", "model"}).status, 0);
}

// --- output ---

TEST_F(TrainCli, AModelThatCannotBeSaved) {
  for (const std::string target : {"missing/model", "."}) {
    const ProcessResult result = train({"data", target});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(first_line(result.err), "can't save model to file " + target);
    EXPECT_EQ(folder_.count(), 1U);
  }
}

TEST_F(TrainCli, DevicesAreWrittenThrough) {
  EXPECT_EQ(train({"data", "/dev/null"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const ProcessResult result = train({"-q", "data", "/dev/stdout"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out.rfind("svm_type c_svc\n", 0), 0U) << result.out;
  EXPECT_EQ(folder_.count(), 1U);
}

TEST_F(TrainCli, ASymbolicLinkIsWrittenThrough) {
  folder_.write("target", "svm_type old");
  std::filesystem::create_symlink("target", folder_.file("link"));
  EXPECT_EQ(train({"data", "link"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.file("link")));
  EXPECT_EQ(folder_.read("target").rfind("svm_type c_svc\n", 0), 0U);
  EXPECT_EQ(folder_.count(), 3U);
}

TEST_F(TrainCli, SparesItsInput) {
  std::filesystem::create_symlink("data", folder_.file("link"));
  std::filesystem::create_hard_link(folder_.file("data"), folder_.file("further"));
  ASSERT_EQ(train({"-q", "data", "model"}).status, 0);
  folder_.write("weights", "1\n");
  folder_.write("m.partial", folder_.read("data"));
  const std::string data = folder_.read("data"), model = folder_.read("model");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"data", "./data"},
                                             {"data", "link"},
                                             {"link", "data"},
                                             {"data", "further"},
                                             {"--trace", "further", "data", "out"},
                                             {"--trace", "model", "data", "model"},
                                             {"--init", "model", "--trace", "model", "data", "out"},
                                             {"--row-weights", "weights", "data", "weights"},
                                             {"m.partial", "m"}}) {
    const ProcessResult result = train(arguments);
    EXPECT_EQ(result.status, 1) << testing::PrintToString(arguments);
    EXPECT_TRUE(contains(result.err, ": it is the input file ")) << result.err;
  }
  EXPECT_EQ(folder_.read("data"), data);
  EXPECT_EQ(folder_.read("model"), model);
  EXPECT_EQ(folder_.read("weights"), "1\n");
  EXPECT_EQ(train({"-q", "--init", "model", "data", "model"}).status, 0);
}

TEST_F(TrainCli, SparesInputsOfWhichItsMessagesAreAppended) {
  const std::string data = folder_.read("data");
  const ProcessResult result = test::run(
      {"/bin/sh", "-c", "exec \"$0\" data >>data", SVM_BIN_DIR "/svm-train"}, {}, folder_.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "can't write /dev/stdout: it is the input file data\n");
  EXPECT_EQ(folder_.read("data"), data);
}

TEST_F(TrainCli, TwoOutputsOfOneNameAreRefusedBeforeTraining) {
  const ProcessResult result = train({"--trace", "./new", "data", "new"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "can't write new: two outputs have this name\n");
  EXPECT_FALSE(folder_.exists("new"));
  for (const char* const stream : {"/dev/null", "/dev/stdout"}) {
    EXPECT_EQ(train({"-q", "--trace", stream, "data", stream}).status, 0);
  }
}

// As with `svm-train *.train`.
TEST_F(TrainCli, AModelReplacesModelsOnly) {
  folder_.write("other", folder_.read("data"));
  const ProcessResult result = train({"data", "other"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err,
            "can't save model to file other\nthe file holds something other than a model, which "
            "would be lost\n");
  EXPECT_EQ(folder_.read("other"), folder_.read("data"));
  folder_.write("empty", "");
  for (const char* const name : {"empty", "empty", "/dev/null"}) {
    EXPECT_EQ(train({"-q", "data", name}).status, 0);
  }
  const ProcessResult appended =
      run({"/bin/sh", "-c", "echo log >log; exec \"$0\" -q data - >>log", SVM_BIN_DIR "/svm-train"},
          {}, folder_.path());
  EXPECT_EQ(appended.status, 0) << appended.err;
  EXPECT_EQ(folder_.read("log"), "log\n" + folder_.read("empty"));
}

TEST_F(TrainCli, LostLabelsAreAWarning) {
  const auto warning = [this](const std::string& rows) {
    folder_.write("rows", rows);
    return train({"-q", "rows", "m"}).err;
  };
  EXPECT_EQ(warning("0.7 1:1\n-0.7 1:2\n"),
            "WARNING: 2 of 2 labels are not whole numbers, as classes must be: 0.7 becomes 0, and "
            "2 different labels become 1; regressions are -s 3 and -s 4\n");
  EXPECT_EQ(warning("1 1:1\n1.5 1:2\n2 1:1\n"),
            "WARNING: 1 of 3 labels are not whole numbers, as classes must be: 1.5 becomes 1, and "
            "3 different labels become 2; regressions are -s 3 and -s 4\n");
  EXPECT_TRUE(contains(warning("1 1:1\n-0.5 1:2\n"), ": -0.5 becomes 0; regressions"));
  EXPECT_EQ(warning("1 1:1\n2.5 1:2\n"), "");  // a note on a terminal
}

// Times in milliseconds, with which eight digits make all rows equal.
TEST_F(TrainCli, DigitsThatTheModelFileLosesAreAWarning) {
  std::string rows;
  for (int i = 0; i < 40; ++i)
    rows += std::to_string(i / 20) + " 1:17000000000" + std::to_string(i + 10) + "\n";
  folder_.write("times", rows);
  const std::string warning =
      "WARNING: the 8 digits of features in model change decision values by up to ";
  for (const char* const solver : {"smo", "csmo"}) {
    const std::vector<std::string> line = {"-q", "-a",   solver,  "-t",   "2",
                                           "-g", "0.01", "times", "model"};
    const ProcessResult result = train(line);
    EXPECT_EQ(result.status, 0);
    EXPECT_TRUE(contains(result.err, warning)) << result.err;
    EXPECT_TRUE(contains(result.err, ", far more than the tolerance; --digits 17 keeps all\n"))
        << result.err;
    EXPECT_EQ(train({"-q", "--digits", "13", "-g", "0.01", "times", "model"}).err, "");
    EXPECT_EQ(train({"-q", "-a", solver, "data", "model"}).err, "");
  }
}

TEST_F(TrainCli, SaysThatPartsOfRowsAreIgnored) {
  folder_.write("rows", "1 1:1 2:1 # a\n-1 1:2 3.-0.2\n1 1:3 x\n");
  const ProcessResult result = train({"-q", "rows", "m"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err,
            "WARNING: rows: line 2, column 8: '3.-0.2': without a colon, the rest of the row is "
            "ignored\n");
  folder_.write("rows", "1 1:1 2:1 # a\n-1 1:2\r\n1 1:3 \n");
  EXPECT_EQ(train({"-q", "rows", "m"}).err, "");
}

TEST_F(TrainCli, QuietSaysNothing) {
  const ProcessResult result = train({"-q", "data", "model"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_NE(train({"data", "model"}).out, "");
}

TEST_F(TrainCli, RepeatedWeightsMultiply) {
  const auto with_weights = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"-c", "0.1"});
    return model_of(kData, options);
  };
  EXPECT_EQ(with_weights({"-w1", "2", "-w-1", "0.5", "-w1", "2"}),
            with_weights({"-w-1", "0.5", "-w1", "4"}));
  EXPECT_NE(with_weights({"-w1", "4"}), with_weights({}));
}

TEST_F(TrainCli, WarningsBypassQuiet) {
  ProcessResult result = train({"-q", "-w7", "2", "data", "model"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "WARNING: class label 7 specified in weight is not found\n");
  result = train({"-q", "-v", "9", "data"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err,
            "WARNING: # folds (9) > # data (4). Will use # folds = # data instead (i.e., "
            "leave-one-out cross validation)\n");
  EXPECT_EQ(result.out.rfind("Cross Validation Accuracy = ", 0), 0U) << result.out;
  result = train({"-q", "-s", "2", "-b", "1", "data", "model"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err,
            "WARNING: number of positive or negative decision values <5; too few to do a "
            "probability estimation.\n");
}

// The file has infinite coefficients, as LIBSVM's.
TEST_F(TrainCli, NuSvcWithoutAMargin) {
  folder_.write("equal", "1 1:1\n-1 1:1\n");
  const ProcessResult result = train({"-q", "-s", "1", "equal", "model"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.err, "WARNING: nu-SVC finds no margin")) << result.err;
  EXPECT_TRUE(contains(folder_.read("model"), "inf 1:1 \n-inf 1:1 \n"));
}

TEST_F(TrainCli, AFileOfOneClass) {
  folder_.write("one", "1 1:1\n1 1:2\n");
  const ProcessResult result = train({"one", "model"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out,
            "WARNING: training data in only one class. See README for details.\nTotal nSV = 0\n");
  EXPECT_EQ(folder_.read("model"),
            "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 1\ntotal_sv 0\nrho\nlabel 1\n"
            "nr_sv 0\nSV\n");
}

// As LIBSVM, the programs read infinite coefficients back and predict the second class.
TEST_F(TrainCli, ANuSvcWithoutAMarginCanBeRead) {
  folder_.write("same", "1 1:1\n-1 1:1\n1 1:2\n-1 1:2\n");
  const ProcessResult trained = train({"-q", "-s", "1", "-n", "0.9", "same", "model"});
  EXPECT_EQ(trained.status, 0);
  EXPECT_TRUE(contains(folder_.read("model"), "\ninf 1:1 \ninf 1:2 \n-inf 1:1 \n-inf 1:2 \n"));
  const ProcessResult predicted =
      run({SVM_BIN_DIR "/svm-predict", "same", "model", "out"}, {}, folder_.path());
  EXPECT_EQ(predicted.status, 0);
  EXPECT_EQ(predicted.out, "Accuracy = 50% (2/4) (classification)\n");
  EXPECT_EQ(predicted.err,
            "WARNING: model: coefficients or thresholds are infinite or NaN, as of a nu-SVC "
            "without a margin or after an overflow: the model is of no use\n");
  EXPECT_EQ(folder_.read("out"), "-1\n-1\n-1\n-1\n");
  const ProcessResult started =
      train({"-q", "-s", "1", "-n", "0.5", "--init", "model", "same", "next"});
  EXPECT_EQ(started.status, 1);
  EXPECT_EQ(started.err,
            "ERROR: --init model: the model to start from does not fit: its coefficients are "
            "infinite or NaN\n");
}

// NaN decision values have the probabilities that LIBSVM's comparison gives them.
TEST_F(TrainCli, ProbabilitiesOfANuSvcWithoutAMargin) {
  folder_.write("rows", "1 1:-3 2:-1\n1 1:2 2:3\n-1 1:-1 2:1\n1 1:1 2:-3\n");
  ASSERT_EQ(train({"-q", "-s", "1", "-b", "1", "rows", "model"}).status, 0);
  EXPECT_TRUE(contains(folder_.read("model"), "nan\n"));
  const std::string program = SVM_BIN_DIR "/svm-predict";
  const ProcessResult predicted =
      run({program, "-b", "1", "rows", "model", "out"}, {}, folder_.path());
  EXPECT_EQ(predicted.out, "Accuracy = 25% (1/4) (classification)\n");
  const std::string row = "-1 1e-07 1\n";
  EXPECT_EQ(folder_.read("out"), "labels 1 -1\n" + row + row + row + row);
}

// The number of iterations is LIBSVM's if kernel values are infinite as floats.
TEST_F(TrainCli, InfiniteKernelValuesEndTheSameIteration) {
  const auto shown = [&](const char* rows) {
    folder_.write("rows", rows);
    return train({"-s", "1", "-t", "0", "-n", "0.5", "rows", "model"}).out;
  };
  EXPECT_TRUE(contains(shown("1 1:1e25\n1 1:2e25\n-1 2:0.1001\n-1 2:0.1\n"), "#iter = 0\n"));
  EXPECT_TRUE(contains(shown("1 2:0.1001\n1 2:0.1\n-1 1:1e25\n-1 1:2e25\n"), "#iter = 1\n"));
  // A class without weight takes part in LIBSVM's gradient.
  folder_.write("rows", "1 1:1e25\n-1 1:-1e25\n1 1:2e25\n-1 1:-2e25\n");
  const ProcessResult result = train({"-t", "0", "-w1", "0", "rows", "model"});
  EXPECT_TRUE(contains(result.out, "nan, rho = ")) << result.out;
  EXPECT_TRUE(contains(folder_.read("model"), "nan\nlabel 1 -1\n"));
  EXPECT_EQ(
      result.err,
      "\nWARNING: kernel values or their sums overflow, and the model is of no use; scale the "
      "features (svm-scale)\n");
}

TEST_F(TrainCli, APredictionByAThresholdThatIsNanSaysSo) {
  folder_.write("rows", "1 1:1e25\n-1 1:-1e25\n");
  ASSERT_EQ(train({"-q", "-t", "0", "-w1", "0", "rows", "model"}).status, 0);
  const ProcessResult predicted =
      run({SVM_BIN_DIR "/svm-predict", "rows", "model", "out"}, {}, folder_.path());
  EXPECT_EQ(predicted.status, 0);
  EXPECT_TRUE(contains(predicted.err, "thresholds are infinite or NaN")) << predicted.err;
}

TEST_F(TrainCli, ACrossValidationThatOverflowsSaysSo) {
  folder_.write("rows", "1 1:1e200 2:1\n2 1:2e200\n3 1:1\n4 2:1e200\n5 1:1 2:1\n");
  const ProcessResult result = train({"-s", "3", "-t", "0", "-v", "2", "rows"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err,
                       "ERROR: cross validation failed: predictions are not numbers, because "
                       "kernel values overflow; scale the features (svm-scale)\n"))
      << result.err;
}

TEST_F(TrainCli, CrossValidationOfOneRowIsAnError) {
  folder_.write("one", "1 1:1\n");
  for (const char* type : {"0", "1", "2", "3", "4"}) {
    for (const char* probability : {"0", "1"}) {
      const ProcessResult result =
          train({"-s", type, "-b", probability, "-v", "3", "one", "model"});
      EXPECT_EQ(result.status, 1);
      EXPECT_EQ(result.err,
                "WARNING: # folds (3) > # data (1). Will use # folds = # data instead (i.e., "
                "leave-one-out cross validation)\n"
                "ERROR: svm-train: cross validation needs 2 rows or more\n"
                "ERROR: cross validation failed\n");
      EXPECT_EQ(result.out, "");
    }
  }
}

TEST_F(TrainCli, CrossValidationWritesNoModel) {
  const ProcessResult result = train({"-v", "2", "data", "model"});
  EXPECT_EQ(result.status, 0);
  EXPECT_FALSE(folder_.exists("model"));
  const ProcessResult regression = train({"-q", "-s", "3", "-v", "2", "data"});
  EXPECT_EQ(regression.status, 0);
  EXPECT_TRUE(contains(regression.out, "Cross Validation Mean squared error = "));
  EXPECT_TRUE(contains(regression.out, "\nCross Validation Squared correlation coefficient = "));
}

}  // namespace
}  // namespace svm::test
