// svm-grid --warm-start on the data that come with the programs.
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

using Rates = std::map<std::string, double>;  // by point

class GridWarmStartCli : public TrainSolverCli {
 protected:
  // Scales the features of a file of the data folder to [-1, 1].
  void scale(const std::string& name) const {
    const ProcessResult result =
        run({SVM_BIN_DIR "/svm-scale", SVM_SOURCE_DIR "/data/" + name}, {}, folder_.path());
    ASSERT_EQ(result.status, 0) << result.err;
    folder_.write("data", result.out);
  }

  Rates search(std::vector<std::string> options) const {
    options.insert(options.begin(), {SVM_BIN_DIR "/svm-grid", "-gnuplot", "null", "-q"});
    options.insert(options.end(), {"-out", "out", "data"});
    const ProcessResult result = run(options, {}, folder_.path());
    EXPECT_EQ(result.status, 0) << result.err;
    Rates rates;
    for (const std::string& line : lines_of(folder_.read("out"))) {
      const std::size_t at = line.rfind('=') + 1;
      EXPECT_TRUE(
          rates.emplace(line.substr(0, at), std::strtod(line.c_str() + at, nullptr)).second);
    }
    return rates;
  }

  // Compares rates of a search with and without warm starts.  They may differ by `most(rate,
  // tolerance)`.
  template <typename Most>
  void compare(const std::vector<std::string>& options, std::size_t points, Most most) const {
    for (const char* solver : {"smo", "csmo"}) {
      for (const char* tolerance : {"1e-3", "1e-6"}) {
        std::vector<std::string> line = options;
        line.insert(line.end(), {"-a", solver, "-e", tolerance, "--threads", "1"});
        const Rates cold = search(line);
        line.emplace_back("--warm-start");
        const Rates warm = search(line);
        line[line.size() - 2] = "2";
        EXPECT_EQ(search(line), warm) << solver << ", by two threads";
        ASSERT_EQ(cold.size(), points);
        ASSERT_EQ(warm.size(), points);
        for (const auto& [point, rate] : cold) {
          EXPECT_NEAR(warm.at(point), rate, most(rate, std::strtod(tolerance, nullptr)))
              << solver << " " << tolerance << " " << point;
        }
      }
    }
  }
  void compare_classes(const std::vector<std::string>& options, std::size_t points,
                       int rows = 1) const {
    const double one_row = 100.0 / static_cast<double>(lines_of(folder_.read("data")).size());
    compare(options, points,
            [&](double, double tolerance) { return tolerance > 1e-4 ? rows * one_row + 1e-3 : 0; });
  }
  // If values differ by the tolerance, squared errors r^2 differ by 2 r times that.  Rates have six
  // digits.
  void compare_values(const std::vector<std::string>& options, std::size_t points) const {
    compare(options, points, [](double rate, double tolerance) {
      return 2 * std::sqrt(rate) * tolerance + 1.1e-5 * rate;
    });
  }
};

TEST_F(GridWarmStartCli, ThreeClasses) {
  scale("demo3.train");
  compare_classes({"-log2c", "-5,7,4", "-log2g", "-3,1,2"}, 12);
}

// Most rows are bounded; all rows of a class are, if it has more rows in one fold than in another.
TEST_F(GridWarmStartCli, SmallCosts) {
  scale("demo3.train");
  for (const char* folds : {"3", "7"}) {
    compare_classes({"-v", folds, "-log2c", "-13,-3,2", "-log2g", "-3,1,2"}, 18);
  }
}

TEST_F(GridWarmStartCli, Weights) {
  scale("demo.train");
  compare_classes({"-w1", "2.5224", "-w-1", "0.7", "-log2c", "-9,3,4", "-log2g", "-3,-1,2"}, 8);
}

TEST_F(GridWarmStartCli, ThreeDimensions) {
  scale("demo-svr.train");
  compare_values(
      {"-s", "3", "-log2c", "-3,5,4", "-log2g", "-3,-1,2", "-log2p", "-5,-1,2", "-v", "4"}, 18);
}

TEST_F(GridWarmStartCli, OneClass) {
  scale("demo.train");
  compare_classes({"-s", "2", "-n", "0.2", "-log2c", "null", "-log2g", "-3,1,1"}, 5);
}

// The tolerance applies before the solution is divided by the margin.
TEST_F(GridWarmStartCli, NuSvc) {
  scale("demo.train");
  compare_classes({"-s", "1", "-n", "0.2", "-log2c", "-1,1,1", "-log2g", "-1,1,2"}, 6, 2);
}

TEST_F(GridWarmStartCli, NuSvr) {
  scale("demo-svr.train");
  compare_values({"-s", "4", "-n", "0.4", "-log2c", "-3,1,2", "-log2g", "-3,-1,2", "-v", "4"}, 6);
}

TEST_F(GridWarmStartCli, APrecomputedKernel) {
  folder_.write("data", text_of(precomputed(four_classes(120, 4), parameters(C_SVC, RBF))));
  compare_classes({"-t", "4", "-log2c", "-7,7,2", "-log2g", "null"}, 8);
}

}  // namespace
}  // namespace svm::test
