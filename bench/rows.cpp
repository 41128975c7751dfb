// Nanoseconds of one processor per kernel value, for every engine that can hold the data and every
// instruction set.
//
//   rows DATA [KERNEL [GAMMA [SECONDS]]]
//
// KERNEL is 0 to 3 as in svm-train (2), GAMMA 0 means 1 / features.  A line each: engine,
// instruction set, nanoseconds per value, milliseconds to pack all rows, values that differ from
// those of the plain engine.  Rows of an engine that cannot hold the data show the chosen one.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <numeric>
#include <vector>

#include "cli/input.h"
#include "io/dataset.h"
#include "kernels/engines/row_engine.h"
#include "simd/instruction_set.h"
#include "svm.h"

namespace {

// Processor time, so that a busy machine does less harm.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Task {
  svm::KernelFunction kernel;
  const svm_problem& problem;
  double seconds;
};

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
    engine->compute(row_number(turns++, rows), *columns, 0, rows, row.data());
  } while (seconds() - start < task.seconds);
  const double values = static_cast<double>(turns) * static_cast<double>(rows);
  std::printf("%-8s %-6s %9.3f ns  pack %8.2f ms  differing %zu  (estimate %.2f)\n", name,
              svm::name(set), (seconds() - start) / values * 1e9, pack_seconds * 1e3, differing,
              engine->value_cost());
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
  measure(task, "plain", svm::InstructionSet::kPlain, expected);
  for (const char* name : {"", "bits", "integers", "dense", "columns"}) {
    for (const auto set : svm::kInstructionSets) {
      if (svm::is_supported(set)) measure(task, name, set, expected);
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
