// svm-predict as a process: bad input, exit statuses, and what happens to files.
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/process.h"
#include "tests/temp_dir.h"
#include "tests/text.h"

namespace svm::test {
namespace {

const char kData[] = "1 1:1\n-1 1:-1\n";

// f(x) = x
const char kModel[] =
    "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\n"
    "SV\n0.5 1:1 \n-0.5 1:-1 \n";

// kModel with one piece replaced.
std::string changed(const std::string& from, const std::string& to) {
  return replaced(kModel, from, to);
}

class PredictCli : public testing::Test {
 protected:
  PredictCli() {
    folder_.write("data", kData);
    folder_.write("model", kModel);
  }
  ProcessResult predict(std::vector<std::string> arguments, const std::string& input = {}) const {
    arguments.insert(arguments.begin(), SVM_BIN_DIR "/svm-predict");
    return run(arguments, input, folder_.path());
  }
  // Expects that the run fails and leaves an existing output file as it was, and nothing else.
  ProcessResult expect_failure(const std::vector<std::string>& arguments) const {
    folder_.write("out", "precious");
    const std::size_t count = folder_.count();
    ProcessResult result = predict(arguments);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(folder_.read("out"), "precious");
    EXPECT_EQ(folder_.count(), count);
    return result;
  }
  TempDir folder_;
};

TEST_F(PredictCli, PredictsAndScores) {
  const ProcessResult result = predict({"data", "model", "out"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "Accuracy = 100% (2/2) (classification)\n");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(folder_.read("out"), "1\n-1\n");
  EXPECT_EQ(folder_.count(), 3U);
}

TEST_F(PredictCli, SparesItsInput) {
  std::filesystem::create_symlink("model", folder_.file("link"));
  std::filesystem::create_hard_link(folder_.file("data"), folder_.file("further"));
  for (const char* const out : {"data", "./model", "link", "further"}) {
    const ProcessResult result = predict({"data", "model", out});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err.rfind(std::string("can't write ") + out + ": it is the input file ", 0),
              0U)
        << result.err;
  }
  EXPECT_EQ(folder_.read("data"), kData);
  EXPECT_EQ(folder_.read("model"), kModel);
  const ProcessResult appended =
      test::run({"/bin/sh", "-c", "exec \"$0\" data model out >>data", SVM_BIN_DIR "/svm-predict"},
                {}, folder_.path());
  EXPECT_EQ(appended.err, "can't write /dev/stdout: it is the input file data\n");
  EXPECT_EQ(folder_.read("data"), kData);
  EXPECT_EQ(predict({"-q", "data", "model", "/dev/null"}).status, 0);
}

TEST_F(PredictCli, SaysThatPartsOfRowsAreIgnored) {
  folder_.write("data", "1 1:1 x\n");
  EXPECT_EQ(predict({"-q", "data", "model", "out"}).err,
            "WARNING: data: line 1, column 7: 'x': without a colon, the rest of the row is "
            "ignored\n");
}

TEST_F(PredictCli, QuietSaysNothing) {
  const ProcessResult result = predict({"-q", "data", "model", "out"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(PredictCli, HelpAndVersion) {
  const ProcessResult help = predict({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.out.rfind("Usage: svm-predict [options] test_file model_file output_file", 0), 0U);
  const ProcessResult version = predict({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.out.rfind("svm-predict ", 0), 0U);
}

struct BadLine {
  std::vector<std::string> arguments;
  std::string first;
};
void PrintTo(const BadLine& line, std::ostream* out) {
  for (const std::string& argument : line.arguments) *out << argument << ' ';
}

class PredictUsage : public PredictCli, public testing::WithParamInterface<BadLine> {};

TEST_P(PredictUsage, IsRefused) {
  const ProcessResult result = expect_failure(GetParam().arguments);
  EXPECT_EQ(first_line(result.err), GetParam().first);
  const bool is_bare = GetParam().arguments.empty();
  EXPECT_EQ(result.out.rfind("Usage: svm-predict", 0) == 0, is_bare) << result.out;
  EXPECT_EQ(contains(result.err, "svm-predict --help"), !is_bare) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, PredictUsage,
    testing::Values(BadLine{{}, ""},
                    BadLine{{"-b"}, "svm-predict: option -b needs a value: probability"},
                    BadLine{{"-b", "x", "data", "model", "out"},
                            "svm-predict: option -b: 'x' is not an integer"},
                    BadLine{{"-x", "data", "model", "out"}, "Unknown option: -x"},
                    BadLine{{"--bad", "data", "model", "out"}, "Unknown option: --"},
                    BadLine{{"-q"}, "svm-predict: file names given: 0, needed: 3"},
                    BadLine{{"data", "model"}, "svm-predict: file names given: 2, needed: 3"}));

TEST_F(PredictCli, RowsWithoutFeaturesAreWarnedOf) {
  folder_.write("rows", "1 0.5 2\n-1 3 4\n");
  const ProcessResult result = predict({"-q", "rows", "model", "out"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err,
            "WARNING: rows: no row has a feature; the first line looks like values without their "
            "indices; rows have the form: label index:value index:value ...; svm-convert "
            "(tools/convert.py) makes such "
            "a file of a table\n");
}

TEST_F(PredictCli, FilesThatCannotBeOpened) {
  EXPECT_EQ(first_line(expect_failure({"missing", "model", "out"}).err),
            "can't open input file missing");
  EXPECT_EQ(first_line(expect_failure({"data", "missing", "out"}).err),
            "can't open model file missing");
  EXPECT_EQ(first_line(expect_failure({"data", ".", "out"}).err), "can't open model file .");
  EXPECT_EQ(first_line(expect_failure({"data", "model", "missing/out"}).err),
            "can't open output file missing/out");
  EXPECT_EQ(first_line(expect_failure({"data", "model", "."}).err), "can't open output file .");
  EXPECT_TRUE(contains(expect_failure({".", "model", "out"}).err, "directory"));
}

// Opens input, then output, then model.
TEST_F(PredictCli, OrderOfWork) {
  EXPECT_EQ(first_line(expect_failure({"missing", "missing", "missing/out"}).err),
            "can't open input file missing");
  EXPECT_EQ(first_line(expect_failure({"data", "missing", "missing/out"}).err),
            "can't open output file missing/out");
}

struct BadText {
  std::string text;
  std::string first;
  std::string part;
};
void PrintTo(const BadText& bad, std::ostream* out) { *out << testing::PrintToString(bad.text); }

class PredictData : public PredictCli, public testing::WithParamInterface<BadText> {};

TEST_P(PredictData, IsRefusedAndTheOutputStays) {
  folder_.write("bad", GetParam().text);
  const ProcessResult result = expect_failure({"bad", "model", "out"});
  if (!GetParam().first.empty()) {
    EXPECT_EQ(first_line(result.err), GetParam().first);
  }
  EXPECT_TRUE(contains(result.err, GetParam().part)) << result.err;
  EXPECT_EQ(result.out, "");
}

std::string late(const std::string& line) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "1 1:0.25\n";
  return text + line;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, PredictData,
    testing::Values(BadText{"", "", "bad: the file is empty"},
                    BadText{"1 1:1\n1 1:x\n", "Wrong input format at line 2", "column 3: '1:x'"},
                    BadText{"1 1:nan\n", "Wrong input format at line 1", "NaN"},
                    BadText{"nan 1:1\n", "Wrong input format at line 1", "NaN"},
                    BadText{"1 2:1 1:1\n", "Wrong input format at line 1", "ascend"},
                    BadText{"1 4294967297:1\n", "Wrong input format at line 1", "does not fit"},
                    BadText{"\n", "Wrong input format at line 1", "the line is empty"},
                    BadText{late("1 1:"), "Wrong input format at line 20001", "missing"}));

// The messages begin with LIBSVM's lines; the last of them is svm-predict's.
class PredictModel : public PredictCli, public testing::WithParamInterface<BadText> {};

TEST_P(PredictModel, IsRefusedAndTheOutputStays) {
  folder_.write("bad", GetParam().text);
  const ProcessResult result = expect_failure({"data", "bad", "out"});
  EXPECT_EQ(first_line(result.err), GetParam().first);
  EXPECT_TRUE(contains(result.err, "ERROR: fscanf failed to read model\nbad: ")) << result.err;
  EXPECT_TRUE(contains(result.err, GetParam().part)) << result.err;
  EXPECT_TRUE(contains(result.err, "\ncan't open model file bad\n")) << result.err;
}

const char kRead[] = "ERROR: fscanf failed to read model";

std::string before(const std::string& piece) {
  const std::string text = kModel;
  return text.substr(0, text.find(piece));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, PredictModel,
    testing::Values(
        BadText{"", kRead, "the file is empty"}, BadText{"SV\n", kRead, "lacks svm_type"},
        BadText{changed("c_svc", "d_svc"), "unknown svm type.", "line 1, column 10: 'd_svc'"},
        BadText{changed("linear", "curved"), "unknown kernel function.", "'curved'"},
        BadText{changed("rho", "rhu"), "unknown text in model file: [rhu]", "line 5"},
        BadText{before("SV\n"), kRead, "the file ends before the line SV"},
        BadText{before("0.5 1:1"), kRead, "support vectors"},
        BadText{before("-0.5 1:-1"), kRead, "support vectors"},
        BadText{changed("total_sv 2", "total_sv 2000000000"), kRead, "2000000000"},
        BadText{changed("total_sv 2", "total_sv 99999999999"), kRead, "does not fit an int"},
        BadText{changed("total_sv 2", "total_sv -2"), kRead, "must not be negative"},
        BadText{changed("nr_class 2", "nr_class 2000000000"), kRead, "more than the file holds"},
        BadText{changed("nr_class 2\n", ""), kRead, "nr_class"},
        BadText{changed("nr_sv 1 1", "nr_sv 9 9"), kRead, "nr_sv sum to 18"},
        BadText{changed("nr_sv 1 1", "nr_sv 3 -1"), kRead, "must not be negative"},
        BadText{changed("rho 0\n", ""), kRead, "lacks rho"},
        BadText{changed("label 1 -1\n", ""), kRead, "lacks label"},
        BadText{changed("rho 0", "rho x"), kRead, "'x'"},
        BadText{changed("linear", "rbf"), kRead, "lacks gamma"},
        BadText{changed("0.5 1:1", "1e999 1:1"), kRead, "too large for a double"},
        BadText{changed("0.5 1:1", "0.5 1:x"), kRead, "line 9, column 5: '1:x'"},
        BadText{changed("0.5 1:1", "0.5 2:1 1:1"), kRead, "indices must ascend"},
        BadText{changed("0.5 1:1", "0.5 -5:1"), kRead, "the index is negative"},
        BadText{changed("0.5 1:1", "0.5 4294967297:1"), kRead, "does not fit an int"},
        BadText{changed("linear", "precomputed"), kRead, "0:serial_number"}));

TEST_F(PredictCli, AShortPrecomputedRow) {
  folder_.write("kernel.model",
                "svm_type c_svc\nkernel_type precomputed\nnr_class 2\ntotal_sv 2\nrho 0\n"
                "label 1 -1\nnr_sv 1 1\nSV\n1 0:1 \n-1 0:3 \n");
  folder_.write("rows", "1 0:1 1:1 2:0 3:0.5\n1 0:2 1:1 2:1\n");
  const ProcessResult result = expect_failure({"rows", "kernel.model", "out"});
  EXPECT_EQ(first_line(result.err), "Wrong input format at line 2");
  EXPECT_TRUE(contains(result.err, "serial number 3")) << result.err;
}

TEST_F(PredictCli, FilesInAnotherOrder) {
  const ProcessResult result = expect_failure({"model", "data", "out"});
  const std::string end =
      "can't open model file data\n"
      "data: this looks like a data file; the order is test_file model_file output_file\n";
  EXPECT_EQ(result.err.substr(result.err.size() - std::min(end.size(), result.err.size())), end);
}

TEST_F(PredictCli, ProbabilitiesThatTheModelLacks) {
  const ProcessResult result = expect_failure({"-b", "1", "data", "model", "out"});
  EXPECT_EQ(result.err,
            "Model does not support probabiliy estimates\n"
            "model: svm-train -b 1 makes a model that does, unless a limit or Ctrl-C ends it\n");
  // Links are written through, and keep what they have if nothing can be written.
  folder_.write("target", "kept");
  std::filesystem::create_symlink("target", folder_.file("link"));
  EXPECT_NE(predict({"-b", "1", "data", "model", "link"}).status, 0);
  EXPECT_EQ(folder_.read("target"), "kept");
}

TEST_F(PredictCli, ProbabilitiesThatAreNotAskedFor) {
  folder_.write("model", changed("nr_sv", "probA -2\nprobB 0\nnr_sv"));
  ProcessResult result = predict({"data", "model", "out"});
  EXPECT_EQ(first_line(result.out),
            "Model supports probability estimates, but disabled in prediction.");
  EXPECT_EQ(folder_.read("out"), "1\n-1\n");
  EXPECT_EQ(predict({"-q", "data", "model", "out"}).out, "");
  result = predict({"-b", "1", "data", "model", "out"});
  EXPECT_EQ(result.out, "Accuracy = 100% (2/2) (classification)\n");
  EXPECT_EQ(folder_.read("out"), "labels 1 -1\n1 0.880797 0.119203\n-1 0.119203 0.880797\n");
}

TEST_F(PredictCli, RegressionPrintsItsErrors) {
  folder_.write("line",
                "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho -1\n"
                "probA 0.25\nSV\n2 1:1 \n");
  folder_.write("rows", "3 1:1\n4 1:2\n");  // 3 and 5
  const ProcessResult result = predict({"-b", "1", "rows", "line", "out"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out,
            "Prob. model for test data: target value = predicted value + z,\nz: Laplace "
            "distribution e^(-|z|/sigma)/(2sigma),sigma=0.25\nMean squared error = 0.5 "
            "(regression)\nSquared correlation coefficient = 1 (regression)\n");
  EXPECT_EQ(folder_.read("out"), "3\n5\n");
}

TEST_F(PredictCli, OldAndOddModelsAreRead) {
  const std::string expected = "1\n-1\n";
  std::string crlf = kModel;
  for (std::size_t at = crlf.find('\n'); at != std::string::npos; at = crlf.find('\n', at + 2)) {
    crlf.insert(at, "\r");
  }
  for (const std::string& text :
       {crlf, std::string(kModel) + "7 1:1 \nmore lines are not read",
        std::string("nr_class 2\nlabel 1 -1\nrho 0\nnr_sv 1 1\ntotal_sv 2\nkernel_type linear\n"
                    "svm_type c_svc\nSV\n0.5 1:1\n-0.5 1:-1")}) {
    folder_.write("odd", text);
    const ProcessResult result = predict({"data", "odd", "out"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(folder_.read("out"), expected);
  }
}

// Several batches, the last of which fills no group of rows.
TEST_F(PredictCli, ManyRowsOnAnyNumberOfThreads) {
  std::string rows, expected;
  for (int i = 0; i < 9001; ++i) {
    rows += i % 3 == 0 ? "1 1:-0.5 7:2\n" : "1 1:0.25\n";
    expected += i % 3 == 0 ? "-1\n" : "1\n";
  }
  folder_.write("rows", rows);
  for (const std::string threads : {"1", "2", "5"}) {
    const ProcessResult result = predict({"--threads", threads, "rows", "model", "out"});
    EXPECT_EQ(result.out, "Accuracy = 66.6593% (6000/9001) (classification)\n");
    EXPECT_EQ(folder_.read("out"), expected) << threads;
  }
  for (const std::string number : {"0", "1025"}) {
    EXPECT_TRUE(contains(expect_failure({"--threads", number, "rows", "model", "out"}).err,
                         "'" + number + "' is out of range"));
  }
}

// Valid rows are predicted and written before the error stops the run.
TEST_F(PredictCli, RowsBeforeAnErrorArePredicted) {
  std::string rows, expected;
  for (int i = 0; i < 5000; ++i) {
    rows += "1 1:1\n";
    expected += "1\n";
  }
  folder_.write("rows", rows + "1 1:x\n");
  const ProcessResult result = predict({"rows", "model", "/dev/stdout"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, expected);
  EXPECT_EQ(first_line(result.err), "Wrong input format at line 5001");
}

TEST_F(PredictCli, PipesDevicesAndLinks) {
  EXPECT_EQ(predict({"/dev/stdin", "model", "out"}, kData).status, 0);
  EXPECT_EQ(folder_.read("out"), "1\n-1\n");
  EXPECT_EQ(predict({"-", "model", "-"}, kData).out,
            "1\n-1\nAccuracy = 100% (2/2) (classification)\n");
  EXPECT_EQ(predict({"data", "-", "out"}, kModel).status, 0);
  EXPECT_EQ(folder_.read("out"), "1\n-1\n");
  EXPECT_EQ(predict({"data", "model", "/dev/null"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(predict({"-q", "data", "model", "/dev/stdout"}).out, "1\n-1\n");
  folder_.write("target", "old");
  std::filesystem::create_symlink("target", folder_.file("link"));
  EXPECT_EQ(predict({"data", "model", "link"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.file("link")));
  EXPECT_EQ(folder_.read("target"), "1\n-1\n");
}

}  // namespace
}  // namespace svm::test
