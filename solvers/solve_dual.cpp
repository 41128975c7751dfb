#include "solvers/solve_dual.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "solvers/precise/refinement.h"
#include "solvers/run/monitor.h"

namespace svm {
namespace {

// Doubles where values may be beyond a float's range.
void suit_values(KernelMatrix& kernel) {
  constexpr double kMost = std::numeric_limits<float>::max() / 16;
  double largest = 0;
  for (std::size_t t = 0; t < kernel.size(); ++t) {
    const double size = std::fabs(kernel.diagonal(t));
    if (!(size <= std::numeric_limits<double>::max())) {
      throw std::invalid_argument(
          "kernel values are beyond the range of numbers; scale the features (svm-scale)");
    }
    largest = std::max(largest, size);
  }
  if (largest > kMost) kernel.use_doubles();
}

}  // namespace

std::shared_ptr<const RowEngine> make_engine(const Options& options, const KernelFunction& kernel,
                                             const svm_node* const* rows, std::size_t count,
                                             const GoOn& go_on) {
  const bool single = options.solver != nullptr && options.solver->single;
  if (single) return make_single_engine(kernel, rows, count, go_on);
  return make_row_engine(kernel, rows, count, go_on);
}

Solution solve_dual(const SolverEntry& solver, DualProblem problem, double epsilon, bool shrinking,
                    Run& run) {
  constexpr double kSecondsPerNanosecond = 1e-9;
  const std::size_t variables = problem.alpha.size();
  KernelMatrix& kernel = problem.kernel;
  // LIBSVM's solver takes its kernel values as floats, whatever becomes of them.
  if (!solver.follows_libsvm) suit_values(kernel);
  Monitor monitor(run, variables,
                  {iteration_cap(variables), 64,
                   kSecondsPerNanosecond * kernel.value_cost() * static_cast<double>(variables)});
  std::optional<Refinement> refinement;
  if (solver.refined && !run.options.fixed_threshold) {
    refinement.emplace(problem, epsilon, shrinking, monitor);
  }
  monitor.poll();
  Solution solution = solver.make(std::move(problem), epsilon, shrinking, monitor)->solve();
  if (refinement) refinement->improve(solution, solver.single);
  monitor.finish(solution.objective, solution.violation);
  if (!solution.remark.empty()) run.services.messages.print(solution.remark);
  return solution;
}

}  // namespace svm
