// Measures nanoseconds per kernel value on one processor, for every engine that can hold the data
// and every instruction set.
//
//   rows DATA [KERNEL [GAMMA [SECONDS [single]]]]
//
// KERNEL is 0 to 3 as in svm-train (2), GAMMA 0 means 1 / features.  Prints a line for each:
// engine, instruction set, nanoseconds per value, milliseconds to pack all rows, and the number of
// values that differ from those of the plain engine.  The line of an engine that cannot hold the
// data shows the engine chosen instead.  Then, or with a fifth argument only, come engines of
// single precision: nanoseconds per value of rows, and of fused sums of kFusedRows rows in single
// precision and in doubles; and the largest difference from the plain engine's values, relative to
// the root of the diagonal values, in units of 2^-24.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <numeric>
#include <vector>

#include "base/simd/instruction_set.h"
#include "kernels/engines/row_engine.h"
#include "programs/cli/files.h"
#include "programs/data/dataset.h"
#include "svm.h"

namespace {

// Processor time, which other programs on a busy machine affect less.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Task {
  svm::KernelFunction kernel;
  const svm_problem& problem;
  double seconds;
};

// Rows that are computed between two questions for the time, which takes as long as many values.
constexpr std::size_t kRowsPerTime = 16;

// The rows that are compared and measured, spread over the data.
std::size_t row_number(std::size_t turn, std::size_t rows) { return turn * 7919 % rows; }

void measure(const Task& task, const char* name, svm::InstructionSet set,
             const std::vector<float>& expected) {
  setenv("SVM_ENGINE", name, 1);
  setenv("SVM_INSTRUCTION_SET", svm::name(set), 1);
  const auto rows = static_cast<std::size_t>(task.problem.l);
  const auto engine = svm::make_row_engine(task.kernel, task.problem.x, rows);
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  const double pack_start = seconds();
  const auto columns = engine->pack(order.data(), rows, nullptr);
  const double pack_seconds = seconds() - pack_start;
  std::vector<float> row(rows);
  std::size_t differing = 0;
  for (std::size_t turn = 0; turn < expected.size() / rows; ++turn) {
    engine->compute(row_number(turn, rows), *columns, 0, rows, row.data());
    for (std::size_t k = 0; k < rows; ++k) {
      differing += std::memcmp(&row[k], &expected[turn * rows + k], sizeof(float)) != 0;
    }
  }
  std::size_t turns = 0;
  const double start = seconds();
  do {
    for (std::size_t n = 0; n < kRowsPerTime; ++n) {
      engine->compute(row_number(turns++, rows), *columns, 0, rows, row.data());
    }
  } while (seconds() - start < task.seconds);
  const double values = static_cast<double>(turns) * static_cast<double>(rows);
  std::printf("%-8s %-6s %9.3f ns  pack %8.2f ms  differing %zu  (estimate %.2f)\n", name,
              svm::name(set), (seconds() - start) / values * 1e9, pack_seconds * 1e3, differing,
              engine->value_cost());
  std::fflush(stdout);
}

constexpr std::size_t kFusedRows = 512;

void measure_single(const Task& task, const char* name, svm::InstructionSet set,
                    const std::vector<float>& expected) {
  setenv("SVM_ENGINE", name, 1);
  setenv("SVM_INSTRUCTION_SET", svm::name(set), 1);
  const auto rows = static_cast<std::size_t>(task.problem.l);
  const double make_start = seconds();
  const auto engine =
      svm::make_row_engine(task.kernel, task.problem.x, rows, svm::Precision::kSingle);
  const double make_seconds = seconds() - make_start;
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  const double pack_start = seconds();
  const auto columns = engine->pack(order.data(), rows, nullptr);
  const double pack_seconds = seconds() - pack_start;
  std::vector<float> row(rows);
  double worst = 0;
  for (std::size_t turn = 0; turn < expected.size() / rows; ++turn) {
    const std::size_t example = row_number(turn, rows);
    engine->compute(example, *columns, 0, rows, row.data());
    for (std::size_t k = 0; k < rows; ++k) {
      const double root = std::sqrt(engine->diagonal(example) * engine->diagonal(k));
      const double error =
          std::fabs(static_cast<double>(row[k]) - static_cast<double>(expected[turn * rows + k]));
      if (root > 0) worst = std::max(worst, error / root);
    }
  }
  std::size_t turns = 0;
  double start = seconds();
  do {
    for (std::size_t n = 0; n < kRowsPerTime; ++n) {
      engine->compute(row_number(turns++, rows), *columns, 0, rows, row.data());
    }
  } while (seconds() - start < task.seconds);
  const double row_seconds =
      (seconds() - start) / (static_cast<double>(turns) * static_cast<double>(rows));
  std::vector<std::uint32_t> fused;
  for (std::size_t turn = 0; turn < kFusedRows; ++turn) {
    fused.push_back(static_cast<std::uint32_t>(row_number(turn, rows)));
  }
  const std::vector<double> factors(kFusedRows, 0.5);
  std::vector<double> sums(rows, 0.0);
  turns = 0;
  start = seconds();
  do {
    engine->add_sums(fused.data(), factors.data(), kFusedRows, *columns, 0, rows, sums.data());
    ++turns;
  } while (seconds() - start < task.seconds);
  const double sum_seconds =
      (seconds() - start) / (static_cast<double>(turns * kFusedRows) * static_cast<double>(rows));
  std::vector<double> precise_sums(svm::RowEngine::kMostPreciseColumns, 0.0);
  const std::size_t width = std::min(rows, precise_sums.size());
  turns = 0;
  start = seconds();
  do {
    engine->add_precise_sums(fused.data(), factors.data(), kFusedRows, order.data(), width,
                             precise_sums.data());
    ++turns;
  } while (seconds() - start < task.seconds);
  const double precise_seconds =
      (seconds() - start) / (static_cast<double>(turns * kFusedRows) * static_cast<double>(width));
  std::printf(
      "single %-11s %-6s rows %8.3f ns  sums %8.3f ns  precise %8.3f ns  make %8.2f ms  pack %8.2f "
      "ms  "
      "worst %.2f  (estimates %.2f ns, %.2f)\n",
      name, svm::name(set), row_seconds * 1e9, sum_seconds * 1e9, precise_seconds * 1e9,
      make_seconds * 1e3, pack_seconds * 1e3, worst * 0x1p24, engine->value_cost(),
      engine->rounding() * 0x1p24);
  std::fflush(stdout);
}

std::vector<float> plain_rows(const Task& task) {
  setenv("SVM_ENGINE", "plain", 1);
  const auto rows = static_cast<std::size_t>(task.problem.l);
  const auto engine = svm::make_row_engine(task.kernel, task.problem.x, rows);
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  const auto columns = engine->pack(order.data(), rows, nullptr);
  const std::size_t turns = std::min<std::size_t>(rows, 10);
  std::vector<float> out(turns * rows);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    engine->compute(row_number(turn, rows), *columns, 0, rows, out.data() + turn * rows);
  }
  return out;
}

int run(int argc, char** argv) {
  const svm::FilePtr file = svm::cli::open_input(argv[1]);
  svm::Dataset data(file.get(), svm::RowRules());
  const svm_problem problem = data.problem();
  if (problem.l == 0) return 1;
  svm_parameter param = {};
  param.kernel_type = argc > 2 ? std::atoi(argv[2]) : RBF;
  param.gamma = argc > 3 ? std::atof(argv[3]) : 0;
  param.degree = 3;
  if (param.gamma == 0) {
    int features = 1;
    for (int i = 0; i < problem.l; ++i) {
      for (const svm_node* node = problem.x[i]; node->index != -1; ++node) {
        features = std::max(features, node->index);
      }
    }
    param.gamma = 1.0 / features;
  }
  const Task task = {svm::KernelFunction(param), problem, argc > 4 ? std::atof(argv[4]) : 0.3};
  const std::vector<float> expected = plain_rows(task);
  const bool only_single = argc > 5;
  if (!only_single) measure(task, "plain", svm::InstructionSet::kPlain, expected);
  for (const char* name : {"", "bits", "integers", "dense", "columns"}) {
    for (const auto set : svm::kInstructionSets) {
      if (!only_single && svm::is_supported(set)) measure(task, name, set, expected);
    }
  }
  for (const char* name : {"", "bytes", "floats", "differences"}) {
    for (const auto set : svm::kInstructionSets) {
      if (svm::is_supported(set)) measure_single(task, name, set, expected);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s data [kernel [gamma [seconds]]]\n", argv[0]);
    return 1;
  }
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
