// svm-train as a process: solvers, limits, trace.
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/process.h"
#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

std::vector<double> cells_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<double> cells;
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(std::stod(cell));
  return cells;
}

// --- solvers ---

TEST_F(TrainSolverCli, NamesAndNumbers) {
  const std::string smo = model_of({});
  EXPECT_EQ(model_of({"-a", "smo"}), smo);
  EXPECT_EQ(model_of({"-a", "0"}), smo);
  const std::string csmo = model_of({"-a", "csmo"});
  EXPECT_NE(csmo, smo);
  EXPECT_EQ(model_of({"-a", "1"}), csmo);
  EXPECT_EQ(model_of({"-a", "2"}), model_of({"-a", "csmo"}));
  EXPECT_NE(model_of({"-a", "smo1"}), smo);
}

TEST_F(TrainSolverCli, AnUnknownNameListsTheKnownOnes) {
  for (const char* name : {"newton", "", "3", "CSMO"}) {
    const ProcessResult result = train({"-a", name, "data", "model"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(lines_of(result.err).at(0),
              "svm-train: option -a: '" + std::string(name) +
                  "': there is no such solver; known are: smo, csmo, dcd, avsf, pegasos, "
                  "snacks, smo1, mdm, amdm, platt, pcg");
    EXPECT_FALSE(folder_.exists("model"));
  }
}

TEST_F(TrainSolverCli, ListOfSolvers) {
  const ProcessResult result = train({"--list-solvers"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  for (const char* name : {"smo (0)", "csmo (1)", "smo1"}) {
    EXPECT_TRUE(contains(result.out, std::string("\n") + name)) << result.out;
  }
  EXPECT_EQ(train({"--list-solvers=yes"}).status, 1);
}

TEST_F(TrainSolverCli, TheEnvironmentVariable) {
  const std::string smo = model_of({});
  const std::string csmo = model_of({"-a", "csmo"});
  const Setting good("LIBSVM_SOLVER", "csmo");
  EXPECT_EQ(model_of({}), csmo);
  EXPECT_EQ(model_of({"-a", "smo"}), smo);
  const Setting bad("LIBSVM_SOLVER", "newton");
  const ProcessResult result = train({"data", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "environment variable LIBSVM_SOLVER")) << result.err;
  EXPECT_TRUE(contains(result.err, "smo, csmo, dcd"));
  EXPECT_FALSE(folder_.exists("model"));
}

TEST_F(TrainSolverCli, FreeSet) {
  EXPECT_EQ(model_of({"-a", "csmo", "--free-set", "on"}), model_of({"-a", "csmo"}));
  model_of({"-a", "hybrid", "--free-set=off"});
  for (const char* value : {"on", "off"}) {
    const ProcessResult result = train({"--free-set", value, "data", "model"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "ERROR: free_set is an option of the solver csmo\n");
  }
  const ProcessResult result = train({"-a", "csmo", "--free-set", "maybe", "data", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "option --free-set: 'maybe' is neither on nor off"));
  EXPECT_FALSE(folder_.exists("model"));
}

// --- algorithms as published, counts ---

TEST_F(TrainSolverCli, AsPublished) {
  const std::string published = model_of({"-a", "csmo", "--as-published", "--free-set", "off"});
  EXPECT_EQ(model_of({"-a", "csmo", "--as-published"}), published);
  EXPECT_NE(model_of({"-a", "csmo", "--as-published", "--first-order"}), published);
  const char* const of_first_order =
      "ERROR: first_order is an option of the solver csmo with as_published\n";
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--as-published"},
            "ERROR: as_published is no option of the solver smo, whose algorithm is LIBSVM's\n"},
           {{"-a", "csmo", "--first-order"}, of_first_order},
           {{"-a", "mdm", "--as-published", "--first-order"}, of_first_order},
           {{"-a", "csmo", "--as-published", "--init", "m"},
            "ERROR: init is no option of solvers as_published\n"}}) {
    std::vector<std::string> line = words;
    line.insert(line.end(), {"data", "model"});
    const ProcessResult result = train(line);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, message);
  }
  EXPECT_FALSE(folder_.exists("model"));
}

TEST_F(TrainSolverCli, Counts) {
  const auto count = [](const std::string& out, const std::string& name) {
    const std::size_t at = out.find(name + " = ");
    EXPECT_NE(at, std::string::npos) << out;
    return at == std::string::npos ? -1 : std::stoll(out.substr(at + name.size() + 3));
  };
  const std::string silent = train({"-a", "csmo", "data", "model"}).out;
  EXPECT_FALSE(contains(silent, "#conjugate"));
  for (const char* option : {"--counts", "--as-published"}) {
    const std::string out = train({"-a", "csmo", "-c", "100", option, "data", "model"}).out;
    const long long conjugate = count(out, "#conjugate"), clipped = count(out, "#clipped");
    EXPECT_GT(conjugate, 0) << option;
    EXPECT_LE(clipped, conjugate) << option;
    EXPECT_EQ(count(out, "#iter"), conjugate + count(out, "#plain") + count(out, "#outer"));
  }
  EXPECT_EQ(train({"-a", "csmo", "-q", "--counts", "data", "model"}).out, "");
  EXPECT_TRUE(contains(train({"-v", "2", "--counts", "data"}).out, "#conjugate = 0, "));
}

// --- limits ---

TEST_F(TrainSolverCli, IterationLimit) {
  const ProcessResult result = train({"--max-iter", "20", "data", "model"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.out, "#iter = 20\n")) << result.out;
  EXPECT_EQ(result.err, "\nWARNING: reaching max number of iterations\n");
  EXPECT_TRUE(folder_.exists("model"));
  const ProcessResult folds = train({"--max-iter", "20", "-v", "3", "data"});
  EXPECT_EQ(folds.status, 0);
  EXPECT_TRUE(contains(folds.out, "Cross Validation Accuracy = "));
  EXPECT_EQ(lines_of(folds.err).size(), 6U) << folds.err;  // an empty line and a warning per fold
}

TEST_F(TrainSolverCli, TimeLimit) {
  const ProcessResult result = train({"--time-limit", "1e-9", "data", "model"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "\nWARNING: reaching the time limit\n");
  EXPECT_TRUE(folder_.exists("model"));
  const ProcessResult folds = train({"--time-limit", "1e-9", "-v", "3", "data"});
  EXPECT_EQ(folds.status, 1);
  EXPECT_FALSE(contains(folds.out, "Accuracy"));
  EXPECT_TRUE(contains(folds.err, "not completed within the time limit"));
  const ProcessResult ample = train({"--time-limit", "1e9", "data", "model"});
  EXPECT_EQ(ample.status, 0);
  EXPECT_EQ(ample.err, "");
}

TEST_F(TrainSolverCli, LimitsOutOfRange) {
  for (const char* value : {"0", "-5", "x"}) {
    EXPECT_EQ(train({"--max-iter", value, "data", "model"}).status, 1) << value;
    EXPECT_EQ(train({"--time-limit", value, "data", "model"}).status, 1) << value;
  }
  EXPECT_FALSE(folder_.exists("model"));
}

// --- trace and progress line ---

TEST_F(TrainSolverCli, Trace) {
  const std::string plain = model_of({"-e", "1e-7"});
  EXPECT_EQ(model_of({"-e", "1e-7", "--trace", "trace.csv"}), plain);
  const std::vector<std::string> lines = lines_of(folder_.read("trace.csv"));
  ASSERT_GE(lines.size(), 4U);
  EXPECT_EQ(
      lines[0],
      "iteration,seconds,objective,violation,active,kernel_rows,problem,conjugate,clipped,phases,"
      "outer");
  std::vector<double> before = cells_of(lines[1]);
  EXPECT_EQ(before[0], 0);
  EXPECT_EQ(before[2], 0);
  EXPECT_EQ(before[4], 300);
  for (std::size_t i = 2; i < lines.size(); ++i) {
    const std::vector<double> row = cells_of(lines[i]);
    ASSERT_EQ(row.size(), 11U);
    EXPECT_GT(row[0], before[0]);
    if (i + 1 < lines.size()) {
      EXPECT_GE(row[0], before[0] + 300);
      EXPECT_LE(row[0], before[0] + 300 + 64);
    }
    EXPECT_GE(row[1], before[1]);
    EXPECT_LE(row[2], before[2] + 1e-9);
    EXPECT_GE(row[5], before[5]);
    EXPECT_EQ(row[6], 1);
    before = row;
  }
  EXPECT_LT(before[3], 1e-7);
}

TEST_F(TrainSolverCli, TraceOfFolds) {
  EXPECT_EQ(train({"--threads", "1", "--trace=trace.csv", "-q", "-v", "3", "data"}).status, 0);
  const std::vector<std::string> lines = lines_of(folder_.read("trace.csv"));
  EXPECT_EQ(cells_of(lines[1])[6], 1);
  EXPECT_EQ(cells_of(lines.back())[6], 3);
}

TEST_F(TrainSolverCli, ATraceThatCannotBeWritten) {
  const ProcessResult result = train({"--trace", "no/such/folder", "data", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "no/such/folder: No such file or directory")) << result.err;
  EXPECT_FALSE(folder_.exists("model"));
  EXPECT_EQ(train({"--trace", "", "data", "model"}).status, 1);
}

}  // namespace
}  // namespace svm::test
