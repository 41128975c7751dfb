#include "solvers/solve_dual.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernels/exact_sums.h"
#include "solvers/precise/refinement.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/resolution.h"

namespace svm {
namespace {

// The start point, if no error of kernel values can hide that it is optimal.  Most starts along a
// path of growing C are, as long as all variables are at their bounds.
std::optional<Solution> optimal_start(const DualProblem& problem, double epsilon) {
  if (problem.f.empty()) return std::nullopt;
  const Ends ends = problem.ends();
  const double violation = ends.violation();
  if (!(violation < epsilon)) return std::nullopt;
  const double most = TermSizes(problem.kernel, problem.alpha).largest_rounding() +
                      kCertificate * rounding_of_linear(problem);
  if (!(violation + most < epsilon)) return std::nullopt;
  Solution solution(problem);
  solution.set_thresholds(ends);
  solution.violation = violation;
  solution.objective = solution.compute_objective();
  solution.met_upper = solution.met_upper || solution.has_upper();
  solution.has_converged = true;
  return solution;
}

// True if the rounding of sums in doubles cannot hide that the tolerance is not met.  For solutions
// that are not refined.
bool is_certain(const KernelRows& source, const KernelMatrix& kernel, const Solution& solution,
                double epsilon) {
  std::vector<double> in_order(solution.size() / kernel.copies());
  for (std::size_t t = 0; t < solution.size(); ++t) in_order[kernel.example(t)] += solution.b(t);
  const ExactSums sums(source, in_order.size());
  return is_negligible(epsilon,
                       rounding_in_doubles(sums, kernel, in_order) + rounding_of_linear(solution));
}

// True if the violation is what the solver found, or below the tolerance, by kernel values in
// doubles, or if those of the solver resolve the tolerance.  Requires that the solver left the
// kernel's order as it was.
bool is_confirmed(KernelMatrix& kernel, const Solution& solution, double epsilon) {
  const TermSizes sizes(kernel, solution.alpha);
  const double error = sizes.resolution(kernel.precision()) + drift(sizes, solution.history);
  if (!is_too_coarse(epsilon, error)) return true;
  std::vector<double> b(solution.size()), sums(solution.size());
  for (std::size_t t = 0; t < b.size(); ++t) b[t] = solution.b(t);
  const std::vector<std::size_t> all = variable_range(0, b.size());
  if (!add_kernel_sums(kernel, b, all, Precision::kDouble, sums)) return true;  // interrupted
  Ends ends;
  for (std::size_t t = 0; t < b.size(); ++t) {
    ends.of[solution.group(t)].add(t, solution.index_sets(t), solution.linear[t] + sums[t]);
  }
  return ends.violation() < std::max(epsilon, solution.violation);
}

}  // namespace

void suit_values(const SolverEntry& solver, KernelMatrix& kernel) {
  if (solver.follows_libsvm) return;
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

Solution solve_dual(const SolverEntry& solver, DualProblem problem, double epsilon, bool shrinking,
                    Run& run) {
  const std::size_t variables = problem.alpha.size();
  KernelMatrix& kernel = problem.kernel;
  suit_values(solver, kernel);
  shrinking = shrinking && !solver.is_published;
  Monitor monitor(run, variables,
                  {iteration_cap(variables), 64,
                   kSecondsPerNanosecond * kernel.value_cost() * static_cast<double>(variables)});
  if (solver.refined) {
    if (std::optional<Solution> start = optimal_start(problem, epsilon)) {
      monitor.finish(start->objective, start->violation);
      return std::move(*start);
    }
  }
  std::optional<Refinement> refinement;
  if (solver.refined && !run.options.fixed_threshold) {
    refinement.emplace(problem, epsilon, shrinking, monitor);
  }
  monitor.poll();
  const std::optional<KernelRows> source = problem.source;
  Solution solution = solver.solve(std::move(problem), epsilon, shrinking, monitor);
  using Finish = Refinement::Finish;
  if (refinement) {
    refinement->improve(solution, solver.single ? Finish::kBySample : Finish::kIfUnresolved);
  } else if (!solver.follows_libsvm && !monitor.stopped()) {
    monitor.observe(kernel);
    const bool is_met = !solver.is_published || solver.squared_slacks ||
                        run.options.fixed_threshold || is_confirmed(kernel, solution, epsilon);
    const bool holds = is_met && (!source || is_certain(*source, kernel, solution, epsilon));
    if (!holds) monitor.stop(Status::kImprecise);
  }
  solution.has_converged = !monitor.stopped();
  monitor.finish(solution.objective, solution.violation);
  if (!solution.remark.empty()) run.services.messages.print(solution.remark);
  return solution;
}

}  // namespace svm
