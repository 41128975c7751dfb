// svm-grid: rates, files, resuming, bad options.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/wait.h>

#include "tests/child.h"
#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

constexpr unsigned kLongestSearch = 120;  // seconds; ends a search that is left running

class GridCli : public TrainSolverCli {
 protected:
  ProcessResult grid(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {SVM_BIN_DIR "/svm-grid", "-gnuplot", "null"});
    return run(arguments, {}, folder_.path());
  }

  // A program that keeps what gnuplot is told in the file "script", and then runs these commands.
  std::string gnuplot(const std::string& commands) const {
    std::string path = folder_.write("gnuplot", "#!/bin/sh\ncat >script\n" + commands);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  // The figure that svm-train -v prints, as grid.py reads it.
  std::string figure(std::vector<std::string> options) const {
    options.insert(options.begin(), "-q");
    options.emplace_back("data");
    const std::string first = lines_of(train(options).out).at(0);
    std::string word = first.substr(first.rfind(' ') + 1);
    if (word.back() == '%') word.pop_back();
    return word.find('.') == std::string::npos ? word + ".0" : word;
  }

  // Starts a search and leaves it running, for minutes at most.
  pid_t start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"svm-grid", "-gnuplot", "null"});
    std::vector<char*> words;
    words.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::alarm(kLongestSearch);
    const int none = ::open("/dev/null", O_RDWR);
    ::dup2(none, STDOUT_FILENO);
    ::dup2(none, STDERR_FILENO);
    if (::chdir(folder_.path().c_str()) == 0) ::execv(SVM_BIN_DIR "/svm-grid", words.data());
    ::_exit(127);
  }
  void wait_for_points(pid_t child, const std::string& out) const {
    while (!folder_.exists(out) || folder_.read(out).empty()) {
      ASSERT_EQ(::waitpid(child, nullptr, WNOHANG), 0) << "it ended without a point";
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  // As Child::wait() tells it.
  static constexpr int kKilledByInterrupt = 128 + SIGINT;
  static int end(pid_t child, int signal_number) {
    ::kill(child, signal_number);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? 1000 * WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::set<std::string> out_lines(const std::string& name) const {
    const std::vector<std::string> lines = lines_of(folder_.read(name));
    std::set<std::string> set(lines.begin(), lines.end());
    EXPECT_EQ(set.size(), lines.size()) << "a point was done twice";
    return set;
  }
};

const std::vector<std::string> kSmall = {"-log2c", "-1,7,4", "-log2g", "1,-3,-2"};
// Takes much longer than any test.
const std::vector<std::string> kLong = {"-log2c", "1,3,2", "-log2g", "2,-8,-0.002", "-v", "3"};

std::vector<std::string> with(std::vector<std::string> options, const std::vector<std::string>& b) {
  options.insert(options.end(), b.begin(), b.end());
  return options;
}

// There are so many features that dot products are stored for all gammas if memory permits.
TEST_F(GridCli, RatesOfWideDataAreThoseOfSvmTrain) {
  folder_.write("data", text_of(random_data(150, 400, true, 6)));
  for (const char* kernel : {"1", "2", "3"}) {
    std::set<std::string> lines;
    for (const char* megabytes : {"100", "0.1"}) {
      for (const char* threads : {"1", "3"}) {
        const ProcessResult result =
            grid({"-log2c", "-1,3,4", "-log2g", "-9,-5,2", "-v", "3", "-t", kernel, "-m", megabytes,
                  "--threads", threads, "-a", "smo", "data"});
        ASSERT_EQ(result.status, 0) << result.err;
        if (lines.empty()) lines = out_lines("data.out");
        EXPECT_EQ(out_lines("data.out"), lines);
      }
    }
    ASSERT_EQ(lines.size(), 6U);
    const std::string rate =
        figure({"-v", "3", "-t", kernel, "-c", "8", "-g", "0.0078125"});  // 2^3, 2^-7
    EXPECT_EQ(lines.count("log2c=3.0 log2g=-7.0 rate=" + rate), 1U) << rate;
  }
}

TEST_F(GridCli, RatesAreThoseOfSvmTrain) {
  const std::vector<std::vector<std::string>> cases = {{"-v", "3"},
                                                       {"-v", "3", "-w1", "5"},
                                                       {"-v", "4", "-b", "1"},
                                                       {"-v", "3", "-m", "0.01"},
                                                       {"-v", "3", "-t", "3"},
                                                       {"-v", "3", "-a", "csmo", "-h", "0"},
                                                       {"-v", "3", "-a", "mdm"},
                                                       {"-v", "3", "-a", "platt"},
                                                       {"-v", "3", "-a", "pcg"},
                                                       {"-v", "3", "-t", "0", "-a", "dcd"},
                                                       {"-v", "3", "-t", "0", "-a", "avsf"},
                                                       {"-v", "3", "--seed", "5", "-a", "pegasos"},
                                                       {"-v", "3", "-a", "snacks"}};
  const std::map<std::string, std::string> values = {
      {"-1.0", "0.5"}, {"3.0", "8"}, {"7.0", "128"}, {"1.0", "2"}, {"-3.0", "0.125"}};
  for (const std::vector<std::string>& options : cases) {
    for (const char* threads : {"1", "3"}) {
      const ProcessResult result =
          grid(with(with(kSmall, options), {"--threads", threads, "data"}));
      ASSERT_EQ(result.status, 0) << result.err;
      EXPECT_EQ(out_lines("data.out").size(), 9U);
      for (const std::string& line : out_lines("data.out")) {
        const std::vector<std::string> words = {
            line.substr(6, line.find(' ') - 6),
            line.substr(line.find("log2g=") + 6, line.rfind(' ') - line.find("log2g=") - 6),
            line.substr(line.rfind('=') + 1)};
        if (words[1] == "-1.0") continue;
        EXPECT_EQ(words[2],
                  figure(with(options, {"-c", values.at(words[0]), "-g", values.at(words[1])})))
            << line << " " << options.back();
      }
    }
  }
}

TEST_F(GridCli, APrecomputedKernel) {
  const Data data = random_data(80, 3, true, 4);
  folder_.write("data", text_of(precomputed(data, parameters(C_SVC, RBF))));
  for (const char* type : {"0", "2", "3"}) {
    const std::vector<std::string> options = {"-s", type, "-t", "4", "-v", "3"};
    const ProcessResult result =
        grid(with(options, {"-log2c", "-1,3,2", "-log2g", "null", "data"}));
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(out_lines("data.out"),
              (std::set<std::string>{"log2c=-1.0 rate=" + figure(with(options, {"-c", "0.5"})),
                                     "log2c=1.0 rate=" + figure(with(options, {"-c", "2"})),
                                     "log2c=3.0 rate=" + figure(with(options, {"-c", "8"}))}));
  }
}

TEST_F(GridCli, RegressionMinimisesTheSquaredError) {
  const std::vector<std::string> options = {"-s", "3", "-v", "3"};
  const ProcessResult result =
      grid(with(options, {"-log2c", "-1,1,2", "-log2g", "-1,1,2", "-log2p", "-4,-2,2", "data"}));
  ASSERT_EQ(result.status, 0) << result.err;
  double least = 1e300;
  std::string best;
  for (const std::string& line : out_lines("data.out")) {
    const std::string rate = line.substr(line.rfind('=') + 1);
    if (std::strtod(rate.c_str(), nullptr) < least) {
      least = std::strtod(rate.c_str(), nullptr);
      best = rate;
    }
  }
  const std::string last = lines_of(result.out).back();
  EXPECT_EQ(last.substr(last.rfind(' ') + 1), best);
  EXPECT_TRUE(contains(folder_.read("data.out"),
                       "log2c=1.0 log2g=1.0 log2p=-2.0 rate=" +
                           figure(with(options, {"-c", "2", "-g", "2", "-p", "0.25"}))));
}

TEST_F(GridCli, AWarmStartGivesNearlyTheSame) {
  for (const char* type : {"0", "3"}) {
    const std::vector<std::string> options = with(kSmall, {"-s", type, "-e", "0.00001", "-v", "3"});
    ASSERT_EQ(grid(with(options, {"-out", "cold", "data"})).status, 0);
    ASSERT_EQ(grid(with(options, {"-out", "warm", "--warm-start", "data"})).status, 0);
    const auto cold = out_lines("cold"), warm = out_lines("warm");
    ASSERT_EQ(cold.size(), warm.size());
    for (auto a = cold.begin(), b = warm.begin(); a != cold.end(); ++a, ++b) {
      EXPECT_EQ(a->substr(0, a->rfind('=')), b->substr(0, b->rfind('=')));
      EXPECT_NEAR(std::strtod(a->c_str() + a->rfind('=') + 1, nullptr),
                  std::strtod(b->c_str() + b->rfind('=') + 1, nullptr), 0.7);
    }
  }
}

TEST_F(GridCli, AWarmStartNeedsAStartPoint) {
  for (const char* solver : {"dcd", "mdm", "platt", "pcg", "snacks"}) {
    const ProcessResult result =
        grid(with(kSmall, {"-t", "0", "-a", solver, "--warm-start", "data"}));
    EXPECT_EQ(result.status, 1) << solver;
    EXPECT_EQ(result.err, "ERROR: --warm-start is an option of the solvers: smo, csmo, smo1\n");
    EXPECT_FALSE(folder_.exists("data.out"));
  }
}

TEST_F(GridCli, OutputIsThatOfGridPy) {
  const ProcessResult result =
      grid({"-log2c", "0,0,1", "-log2g", "-1,-1,1", "-gnuplot", gnuplot("echo picture\n"), "data"});
  const std::string rate = figure({"-v", "5", "-c", "1", "-g", "0.5"});
  EXPECT_EQ(result.out, "[local] 0.0 -1.0 " + rate + " (best c=1.0, g=0.5, rate=" + rate +
                            ")\n1.0 0.5 " + rate + "\n");
  EXPECT_EQ(folder_.read("data.out"), "log2c=0.0 log2g=-1.0 rate=" + rate + "\n");
  EXPECT_FALSE(folder_.exists("data.png"));  // one point is no surface
  const ProcessResult no_gamma = grid({"-log2c", "0,0,1", "-log2g", "null", "-q", "data"});
  EXPECT_EQ(lines_of(no_gamma.out).size(), 1U);
  EXPECT_EQ(no_gamma.out.substr(0, 4), "1.0 ");
}

TEST_F(GridCli, GammasArePartsOfTheRange) {
  ASSERT_EQ(grid(with(kSmall, {"--gammas", "1:3", "-v", "2", "data"})).status, 0);
  const std::string out = folder_.read("data.out");
  EXPECT_EQ(out_lines("data.out").size(), 6U);
  EXPECT_TRUE(contains(out, "log2g=-1.0") && contains(out, "log2g=-3.0")) << out;
  EXPECT_EQ(grid(with(kSmall, {"--gammas", "3:4", "data"})).status, 1);
}

TEST_F(GridCli, AKilledSearchGoesOn) {
  folder_.write("data", rows_text(1500));
  const std::vector<std::string> options = {"-log2c", "1,11,2", "-log2g", "2,-8,-1", "-v", "3"};
  const ProcessResult whole = grid(with(options, {"-out", "whole", "data"}));
  ASSERT_EQ(whole.status, 0) << whole.err;
  const pid_t child = start(with(options, {"-out", "part", "data"}));
  ASSERT_NO_FATAL_FAILURE(wait_for_points(child, "part"));
  EXPECT_EQ(end(child, SIGKILL), 128 + SIGKILL);
  const std::string kept = folder_.read("part");
  folder_.write("part", kept + "log2c=11.0 log2g=2.0 rat");  // as if cut off within a line
  const ProcessResult rest = grid(with(options, {"-out", "part", "-resume", "data"}));
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(folder_.read("part").substr(0, kept.size()), kept);
  EXPECT_EQ(out_lines("part"), out_lines("whole"));
  EXPECT_EQ(lines_of(rest.out).back(), lines_of(whole.out).back());
  EXPECT_TRUE(contains(rest.out, "[resumed] "));
}

TEST_F(GridCli, ASecondSearchLeavesTheFirstAlone) {
  folder_.write("data", rows_text(1500));
  const pid_t first = start(with(kLong, {"data"}));
  ASSERT_NO_FATAL_FAILURE(wait_for_points(first, "data.out"));
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"-resume"}, {"-out", "./data.out"}}) {
    const ProcessResult second = grid(with(kSmall, with(options, {"data"})));
    EXPECT_EQ(second.status, 1);
    EXPECT_EQ(second.out, "");
    EXPECT_TRUE(contains(second.err, "data.out: in use by another search\n")) << second.err;
  }
  // Searches with other files, or without one, are independent of the first search.
  EXPECT_EQ(grid(with(kSmall, {"-out", "other.out", "data"})).status, 0);
  EXPECT_EQ(grid(with(kSmall, {"-out", "null", "data"})).status, 0);
  EXPECT_EQ(grid(with(kSmall, {"-out", "/dev/stdout", "data"})).err, "");
  EXPECT_EQ(::waitpid(first, nullptr, WNOHANG), 0);
  EXPECT_EQ(folder_.read("data.out").rfind("log2c=", 0), 0U);
  EXPECT_EQ(end(first, SIGINT), kKilledByInterrupt);
}

TEST_F(GridCli, AKilledSearchLocksNobodyOut) {
  folder_.write("data", rows_text(1500));
  const pid_t first = start(with(kLong, {"data"}));
  ASSERT_NO_FATAL_FAILURE(wait_for_points(first, "data.out"));
  EXPECT_EQ(end(first, SIGKILL), 128 + SIGKILL);
  folder_.write("data.out.lock", "host a\n");  // of an earlier version
  const ProcessResult second = grid({"-log2c", "1,1,1", "-log2g", "2,2,1", "data"});
  EXPECT_EQ(second.status, 0);
  EXPECT_EQ(second.err, "");
}

TEST_F(GridCli, RefineLooksAroundTheBest) {
  const std::string program = gnuplot("echo picture\n");
  ASSERT_EQ(grid(with(kSmall, {"--refine", "-v", "2", "-gnuplot", program, "data"})).status, 0);
  EXPECT_GT(out_lines("data.out").size(), 80U);
  EXPECT_EQ(folder_.read("data.png"), "picture\n");
}

// Errors with the picture must not cost the answer, nor an older picture.
TEST_F(GridCli, ThePictureIsWholeOrNotThere) {
  const auto draw = [this](const std::string& commands, const std::string& png) {
    ProcessResult result =
        grid(with(kSmall, {"-v", "2", "-gnuplot", gnuplot(commands), "-png", png, "data"}));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(lines_of(result.out).size(), 10U);
    return result.err;
  };
  EXPECT_EQ(draw("echo picture\n", "a.png"), "");
  EXPECT_EQ(folder_.read("a.png"), "picture\n");
  EXPECT_TRUE(contains(folder_.read("script"), "splot "));
  for (const char* commands : {"echo half; exit 1\n", "exit 0\n"}) {
    EXPECT_EQ(draw(commands, "a.png"), "svm-grid: gnuplot failed; there is no picture\n");
    EXPECT_EQ(folder_.read("a.png"), "picture\n");
  }
  const ProcessResult none =
      grid(with(kSmall, {"-v", "2", "-gnuplot", "no-gnuplot", "-png", "b.png", "data"}));
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.err, "gnuplot executable not found\n");
  EXPECT_FALSE(folder_.exists("b.png"));
}

// A named picture that cannot be written is an error before the search; a picture that nobody named
// is not.
TEST_F(GridCli, ThePictureIsCheckedFirst) {
  const std::string program = gnuplot("echo picture\n");
  const ProcessResult named = grid(with(kSmall, {"-gnuplot", program, "-png", "no/a.png", "data"}));
  EXPECT_EQ(named.status, 1);
  EXPECT_EQ(named.out, "");
  EXPECT_EQ(named.err,
            "svm-grid: option -png: the picture cannot be written: no/a.png: No such file or "
            "directory\n");
  EXPECT_FALSE(folder_.exists("data.out"));
  std::filesystem::create_directory(folder_.file("data.png"));
  const ProcessResult result = grid(with(kSmall, {"-v", "2", "-gnuplot", program, "data"}));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "WARNING: the picture cannot be written: data.png: Is a directory\n");
}

TEST_F(GridCli, AnInterruptedSearchIsDrawn) {
  folder_.write("data", rows_text(1500));
  const pid_t child = start({"-log2c", "1,3,2", "-log2g", "2,-8,-0.02", "-v", "3", "-gnuplot",
                             gnuplot("echo picture\n"), "data"});
  ASSERT_NO_FATAL_FAILURE(wait_for_points(child, "data.out"));
  EXPECT_EQ(end(child, SIGINT), kKilledByInterrupt);
  EXPECT_EQ(folder_.read("data.png"), "picture\n");
  EXPECT_FALSE(contains(folder_.read("script"), "failed"));
}

// The linear and the precomputed kernel have no gamma: each C is trained once.
TEST_F(GridCli, GammasOfALinearKernelShareARate) {
  const std::vector<std::string> options = {"-log2c", "-1,1,2", "-log2g", "1,-3,-2",
                                            "-t",     "0",      "-v",     "3"};
  ASSERT_EQ(grid(with(options, {"data"})).status, 0);
  const std::string small = figure({"-v", "3", "-t", "0", "-c", "0.5"}),
                    large = figure({"-v", "3", "-t", "0", "-c", "2"});
  std::set<std::string> expected;
  for (const std::string gamma : {"1.0", "-1.0", "-3.0"}) {
    expected.insert("log2c=-1.0 log2g=" + gamma + " rate=" + small);
    expected.insert("log2c=1.0 log2g=" + gamma + " rate=" + large);
  }
  EXPECT_EQ(out_lines("data.out"), expected);
  const ProcessResult adaptive =
      grid(with(options, {"--search", "adaptive", "-out", "adaptive", "data"}));
  EXPECT_EQ(adaptive.status, 0) << adaptive.err;
  // A rate that is known at one gamma is not computed for another.
  folder_.write("part", "log2c=1.0 log2g=-1.0 rate=12.5\n");
  ASSERT_EQ(grid(with(options, {"-out", "part", "-resume", "data"})).status, 0);
  const std::string part = folder_.read("part");
  EXPECT_TRUE(contains(part, "log2c=1.0 log2g=1.0 rate=12.5\n")) << part;
  EXPECT_TRUE(contains(part, "log2c=1.0 log2g=-3.0 rate=12.5\n")) << part;
  EXPECT_EQ(out_lines("part").size(), 6U);
}

TEST_F(GridCli, ALinearKernelHasAsManyPointsAsCosts) {
  if (!have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  folder_.write("data", rows_text(1500));
  const std::string program = SVM_BIN_DIR "/svm-grid";
  Child child({program, "-gnuplot", "null", "-t", "0", "-log2c", "12,14,2", "-log2g", "2,-8,-2",
               "-v", "3", "data"},
              folder_.path(), Child::Reads::kTerminal);
  EXPECT_TRUE(child.read_until("0 of 2 points"));
  child.send(SIGINT);
  child.read_all();
}

TEST_F(GridCli, AFullDiskEndsTheSearch) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  const ProcessResult result = grid(with(kSmall, {"-out", "/dev/full", "data"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "svm-grid: /dev/full: No space left on device\n");
}

TEST_F(GridCli, BadOptions) {
  const std::string data = folder_.read("data");
  const std::vector<std::vector<std::string>> cases = {{"-c", "1"},
                                                       {"-g", "1"},
                                                       {"-log2c", "1,2"},
                                                       {"-log2c", "1,2,-1"},
                                                       {"-log2g", "a,b,c"},
                                                       {"-v", "1"},
                                                       {"--gammas", "2:1"},
                                                       {"-log2c", "1,2,0"},
                                                       {"-log2p", "1,2,1"},
                                                       {"-log2x", "1"},
                                                       {"-resume", "missing"},
                                                       {"-svmtrain", "./wrapper"},
                                                       {"-out", "data"},
                                                       {"-out", "no/out"},
                                                       {"-png", "./data"},
                                                       {"-log2c", "0,5000,1"},
                                                       {"-log2c", "null", "-log2g", "null"}};
  for (const std::vector<std::string>& options : cases) {
    const ProcessResult result = grid(with(options, {"data"}));
    EXPECT_EQ(result.status, 1) << options[0];
    EXPECT_FALSE(result.err.empty());
    EXPECT_FALSE(folder_.exists("data.out")) << options[0];
    EXPECT_EQ(folder_.read("data"), data) << options[0];
  }
  EXPECT_TRUE(contains(grid({"-c", "1", "data"}).err, "Use -log2c and -log2g."));
}

// The path of an installed svm-train, as in command lines for grid.py.
TEST_F(GridCli, TheSvmTrainOfGridPyIsTaken) {
  const ProcessResult plain = grid(with(kSmall, {"--threads", "1", "data"}));
  ASSERT_EQ(plain.status, 0);
  const ProcessResult named =
      grid(with(kSmall, {"--threads", "1", "-svmtrain", "/usr/bin/svm-train", "data"}));
  EXPECT_EQ(named.status, 0);
  EXPECT_EQ(named.err, "");
  EXPECT_EQ(named.out, plain.out);
}

TEST_F(GridCli, OneRowIsRefusedAndTheResultsStay) {
  folder_.write("one", "1 1:1\n");
  folder_.write("one.out", "precious");
  const ProcessResult result = grid(with(kSmall, {"-v", "3", "one"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "svm-grid: cross validation needs 2 rows or more"))
      << result.err;
  EXPECT_EQ(folder_.read("one.out"), "precious");
}

TEST_F(GridCli, CellsAreSearchedOneByOne) {
  folder_.write("data", rows_text(300));
  const std::vector<std::string> options =
      with(kSmall, {"-a", "csmo", "--warm-start", "-v", "3", "--cells", "80", "data"});
  const ProcessResult one = grid(with({"--threads", "1"}, options));
  ASSERT_EQ(one.status, 0) << one.err;
  const std::string out = folder_.read("data.out");
  EXPECT_TRUE(contains(out, "# approximate: cells of at most 80 rows\n"));
  EXPECT_EQ(grid(with({"--threads", "2"}, options)).out, one.out);
  const ProcessResult adaptive = grid(with({"--search", "adaptive"}, options));
  EXPECT_EQ(adaptive.status, 0) << adaptive.err;
  EXPECT_EQ(lines_of(adaptive.out).back(), lines_of(one.out).back());
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--cells", "9"}, {"--cells", "x"}, {"--cells", "80", "-b", "1"}}) {
    const ProcessResult refused = grid(with(with(kSmall, wrong), {"data"}));
    EXPECT_EQ(refused.status, 1);
    EXPECT_TRUE(contains(refused.err, "--cells")) << refused.err;
  }
}

// Searches one gamma, whose kernel rows are still there for the last training, and several.
TEST_F(GridCli, TheModelIsThatOfSvmTrain) {
  folder_.write("data", text_of(random_data(300, 60, true, 6)));
  const std::vector<std::vector<std::string>> cases = {
      {"-a", "smo"},
      {"-a", "smo", "-b", "1", "-w1", "3"},
      {"-a", "csmo", "--warm-start", "--search", "adaptive"},
      {"-a", "csmo", "--cells", "100"},
      {"-a", "smo", "-t", "0"},
      {"-a", "snacks", "--seed", "3"}};
  for (const char* gammas : {"-6,-6,1", "-4,-8,-2"}) {
    for (const std::vector<std::string>& options : cases) {
      std::filesystem::remove(folder_.file("best"));
      const ProcessResult searched = grid(
          with(with({"-log2c", "-3,1,2", "-log2g", gammas, "-v", "3", "--model", "best"}, options),
               {"data"}));
      ASSERT_EQ(searched.status, 0) << searched.err;
      std::istringstream last(lines_of(searched.out).back());
      std::string c, g;
      last >> c >> g;
      const std::set<std::string> of_search = {"--warm-start", "--search", "adaptive"};
      std::vector<std::string> training = {"-q", "-c", c, "-g", g};
      for (const std::string& option : options) {
        if (of_search.count(option) == 0) training.push_back(option);
      }
      ASSERT_EQ(train(with(training, {"data", "again"})).status, 0);
      EXPECT_EQ(folder_.read("best"), folder_.read("again")) << options[1] << gammas;
    }
  }
}

TEST_F(GridCli, TheModelComesFromAFinishedSearchToo) {
  ASSERT_EQ(grid(with(kSmall, {"-v", "2", "data"})).status, 0);
  const ProcessResult resumed =
      grid(with(kSmall, {"-v", "2", "-resume", "data.out", "--model", "m", "data"}));
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(contains(folder_.read("m"), "\nSV\n"));
}

TEST_F(GridCli, SparesItsInput) {
  ASSERT_EQ(grid(with(kSmall, {"-v", "2", "data"})).status, 0);
  const std::string found = folder_.read("data.out");
  std::filesystem::create_hard_link(folder_.file("data.out"), folder_.file("further"));
  const std::vector<std::string> resumed = {"-resume", "data.out", "-out", "other"};
  for (const char* const option : {"-png", "--model"}) {
    const ProcessResult refused = grid(with(with(kSmall, resumed), {option, "further", "data"}));
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.err, "can't write further: it is the input file data.out\n");
  }
  EXPECT_EQ(folder_.read("data.out"), found);
}

TEST_F(GridCli, TwoOutputsOfOneNameAreRefusedBeforeTheSearch) {
  const ProcessResult refused =
      grid(with(kSmall, {"-v", "2", "-out", "new", "--model", "./new", "data"}));
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err, "can't write ./new: two outputs have this name\n");
  EXPECT_FALSE(folder_.exists("new"));
}

TEST_F(GridCli, AModelThatCannotBeWrittenIsRefusedBeforeTheSearch) {
  for (const char* path : {"data", "no/m", "."}) {
    const ProcessResult refused = grid(with(kSmall, {"-v", "2", "--model", path, "data"}));
    EXPECT_EQ(refused.status, 1);
    EXPECT_TRUE(contains(refused.err, path)) << refused.err;
    EXPECT_FALSE(folder_.exists("data.out"));
  }
}

TEST_F(GridCli, AnInterruptedSearchWritesNoModel) {
  const pid_t child = start(with(kLong, {"--model", "m", "data"}));
  wait_for_points(child, "data.out");
  EXPECT_EQ(end(child, SIGINT), kKilledByInterrupt);
  EXPECT_FALSE(folder_.exists("m"));
}

// With more than 20000 rows, threads begin a point before the one before it is finished.
TEST_F(GridCli, PointsOfLargeDataFinishInTheirOrder) {
  folder_.write("data", rows_text(20001));
  std::string alone;
  for (const char* threads : {"1", "2", "5"}) {
    const ProcessResult result =
        grid({"-log2c", "-9,-3,2", "-log2g", "-3,-3,1", "-v", "3", "-a", "csmo", "--warm-start",
              "-e", "0.1", "--threads", threads, "data"});
    ASSERT_EQ(result.status, 0) << result.err;
    if (alone.empty()) alone = folder_.read("data.out");
    EXPECT_EQ(folder_.read("data.out"), alone) << threads;
  }
  EXPECT_EQ(lines_of(alone).size(), 4U);
  EXPECT_EQ(alone.rfind("log2c=-9.0 ", 0), 0U) << alone;
}

// The first gamma takes longer than the second one.
TEST_F(GridCli, LinesComeInTheOrderOfOneThread) {
  const std::vector<std::string> options = {"-log2c", "13,13,2", "-log2g", "-29,1,30", "-v", "3"};
  const ProcessResult one = grid(with(options, {"--threads", "1", "-out", "one", "data"}));
  const ProcessResult two = grid(with(options, {"--threads", "2", "-out", "two", "data"}));
  EXPECT_EQ(lines_of(one.out).size(), 3U) << one.err;
  EXPECT_EQ(two.out, one.out);
  EXPECT_EQ(folder_.read("two"), folder_.read("one"));
}

// The first gamma takes two of three threads for long; meanwhile the third one finishes the second
// gamma.
TEST_F(GridCli, CtrlCKeepsAPointThatWaits) {
  if (!have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::string program = SVM_BIN_DIR "/svm-grid";
  Child child({program, "-gnuplot", "null", "-t", "1", "-e", "1e-15", "-log2c", "20,20,1", "-log2g",
               "-29,9,38", "-v", "2", "--threads", "3", "data"},
              folder_.path(), Child::Reads::kTerminal);
  EXPECT_TRUE(child.read_until("1 of 2 points"));
  EXPECT_EQ(folder_.read("data.out"), "");
  child.send(SIGINT);
  EXPECT_TRUE(contains(child.read_all(), "interrupted; the best point so far: "));
  EXPECT_EQ(folder_.read("data.out").rfind("log2c=20.0 log2g=-29.0 rate=", 0), 0U)
      << folder_.read("data.out");
}

TEST_F(GridCli, SaysIfNoPointIsFinished) {
  const ProcessResult result = grid(with(kLong, {"--time-limit", "1e-9", "data"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err,
            "ERROR: the search was not completed within the time limit; no point is finished\n");
  EXPECT_EQ(folder_.read("data.out"), "");
}

TEST_F(GridCli, KeepsToItsMemory) {
  if (!kMemoryIsTold) GTEST_SKIP() << kMemoryIsUnknown;
  folder_.write("data", rows_text(3000));
  const ProcessResult result =
      grid({"-m", "5", "-log2c", "1,3,2", "-log2g", "1,-1,-1", "-v", "3", "data"});
  ASSERT_EQ(result.status, 0);
  EXPECT_LT(result.peak_memory, (5 + 100) * 1024);
}

}  // namespace
}  // namespace svm::test
