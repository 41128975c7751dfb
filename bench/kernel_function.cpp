// Counts the kernel values that a function of one's own is asked for (SVM_FUNCTION of svm_ext.h).
//
//   kernel_function DATA SOLVER GAMMA C
//
// Trains C-SVC with a Gaussian kernel that the library knows by a function alone, and predicts the
// rows of the training.  Prints the values that were computed, as parts of the whole matrix.
#include "kernels/kernel_function.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

#include "model/model_memory.h"
#include "programs/cli/files.h"
#include "programs/data/dataset.h"
#include "svm_ext.h"
#include "tests/rows.h"

namespace {

struct Gaussian {
  svm_problem problem;
  svm::KernelFunction function;
  long long values = 0;

  static void kernel(void* user, int row, const int* others, int count, double* values) {
    auto& self = *static_cast<Gaussian*>(user);
    self.values += count;
    for (int j = 0; j < count; ++j) {
      values[j] = self.function.of_rows(self.problem.x[row], self.problem.x[others[j]]);
    }
  }
};

void run(const char* data, const char* solver, double gamma, double cost) {
  const svm::FilePtr file = svm::cli::open_input(data);
  svm::Dataset dataset(file.get(), svm::RowRules());
  svm_parameter param{};
  param.kernel_type = RBF;
  param.gamma = gamma;
  Gaussian gaussian{dataset.problem(), svm::KernelFunction(param)};
  svm_rows rows{};
  rows.size = sizeof(rows);
  rows.rows = static_cast<std::size_t>(gaussian.problem.l);
  rows.layout = SVM_FUNCTION;
  rows.kernel = Gaussian::kernel;
  rows.kernel_user = &gaussian;
  param.kernel_type = PRECOMPUTED;
  param.cache_size = 100;
  param.eps = 1e-3;
  param.C = cost;
  param.shrinking = 1;
  svm_options options;
  svm_init_options(&options, sizeof(options));
  options.solver = solver;
  options.print = [](const char*, void*) {};
  const svm::ModelPtr model(svm_train_rows(&rows, gaussian.problem.y, &param, &options, nullptr));
  if (!model) throw std::runtime_error(svm_last_error());
  const auto count = static_cast<double>(rows.rows);
  std::printf("%s: %d rows, %d support vectors; training computed %.3f of the matrix", solver,
              gaussian.problem.l, model->l, static_cast<double>(gaussian.values) / count / count);
  gaussian.values = 0;
  std::vector<double> predictions(rows.rows);
  if (svm::test::predict_rows(model.get(), &rows, 0, predictions.data(), nullptr, nullptr) != 0) {
    throw std::runtime_error(svm_last_error());
  }
  std::printf(", prediction %.3f\n", static_cast<double>(gaussian.values) / count / count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: kernel_function DATA SOLVER GAMMA C\n");
    return 1;
  }
  try {
    run(argv[1], argv[2], std::atof(argv[3]), std::atof(argv[4]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_function: %s\n", error.what());
    return 1;
  }
}
