#include "solvers/registry.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/platform/index_range.h"
#include "base/platform/text.h"
#include "kernels/exact_sums.h"
#include "kernels/kernel_types.h"
#include "solvers/historical/historical.h"
#include "solvers/precise/refinement.h"
#include "solvers/rows/row_solvers.h"
#include "solvers/run/messages.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/csmo.h"
#include "solvers/smo/resolution.h"
#include "solvers/smo/solver.h"
#include "solvers/two_level/two_level.h"
#include "svm.h"

namespace svm {
namespace {

template <typename Kind>
Solution solve_by(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor) {
  return Kind(std::move(problem), epsilon, shrinking, monitor).solve();
}

// The entry with these properties set.
constexpr SolverEntry with(std::initializer_list<bool SolverEntry::*> properties,
                           SolverEntry entry) {
  for (bool SolverEntry::*const property : properties) entry.*property = true;
  return entry;
}

// Conjugate SMO, on two levels if the problem is large enough; as published always on one.
Solution solve_csmo(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor) {
  if (monitor.is_published()) {
    return solve_by<ConjugateSolver>(std::move(problem), epsilon, shrinking, monitor);
  }
  const std::size_t set_size = TwoLevelSolver::set_size(problem);
  if (set_size == 0) {
    problem.kernel.offer_rows_of_engine();
    return solve_by<ConjugateSolver>(std::move(problem), epsilon, shrinking, monitor);
  }
  return TwoLevelSolver(std::move(problem), epsilon, shrinking, monitor, set_size).solve();
}

const char* const kSvmTypeNames[] = {"C-SVC", "nu-SVC", "one-class", "epsilon-SVR", "nu-SVR"};
constexpr unsigned kTypeCount = std::size(kSvmTypeNames), kAllTypes = (1U << kTypeCount) - 1;
constexpr unsigned kCSvc = 1U << C_SVC, kCostTypes = kCSvc | 1U << EPSILON_SVR;

// A constant, so that it outlives every thread that trains.
using Entry = SolverEntry;
constexpr std::initializer_list<Entry> kSolvers = {
    with({&Entry::follows_libsvm, &Entry::start_point},
         {"smo", "0", "sequential minimal optimisation, as in LIBSVM", "Fan, Chen, Lin, JMLR 2005",
          kAllTypes, solve_by<Solver>}),
    with({&Entry::refined, &Entry::start_point, &Entry::free_set, &Entry::single},
         {"csmo", "1", "conjugate SMO: the same optimum, sooner",
          "Torres-Barran, Alaiz, Dorronsoro, Pattern Recognition 2021", kAllTypes, solve_csmo}),
    with({&Entry::bias, &Entry::linear_only},
         {"dcd", "", "linear, no threshold: coordinate descent",
          "Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008", kCostTypes, nullptr, solve_dcd}),
    with({&Entry::bias, &Entry::linear_only},
         {"avsf", "", "dcd with adaptive frequencies, for large C", "Glasmachers, Dogan, ACML 2013",
          kCostTypes, nullptr, solve_avsf}),
    with({&Entry::landmarks},
         {"pegasos", "", "approximate: subgradient steps on landmarks",
          "Shalev-Shwartz, Singer, Srebro, ICML 2007", kCSvc, nullptr, solve_pegasos}),
    with({&Entry::landmarks},
         {"snacks", "", "pegasos with restarts, for very many rows",
          "Tanji, Della Vecchia, Glineur, Villa, 2023", kCSvc, nullptr, solve_snacks}),
    with({&Entry::refined, &Entry::start_point},
         {"smo1", "", "SMO on maximal violating pairs",
          "Keerthi, Shevade, Bhattacharyya, Murthy, Neural Computation 2001", kAllTypes,
          solve_by<FusedSolver>}),
    with({&Entry::squared_slacks},
         {"mdm", "", "C-SVC with squared slacks: a minimum norm",
          "Mitchell, Demyanov, Malozemov, SIAM J. Control 1974", kCSvc, solve_mdm}),
    with({&Entry::squared_slacks}, {"amdm", "", "mdm with steps along cycles",
                                    "Barbero, Lopez, Dorronsoro, ESANN 2008", kCSvc, solve_amdm}),
    with({&Entry::refined, &Entry::fixed_threshold},
         {"platt", "", "SMO as first published", "Platt, Advances in Kernel Methods 1998", kCSvc,
          solve_platt}),
    with({&Entry::refined}, {"pcg", "", "chunking with projected conjugate gradients",
                             "Burges, Data Mining and Knowledge Discovery 1998", kCSvc, solve_pcg}),
};

bool trains(const SolverEntry& solver, unsigned svm_type) {
  return svm_type < kTypeCount && (solver.svm_types >> svm_type & 1U) != 0;
}

std::string types_of(const SolverEntry& solver) {
  if (solver.svm_types == kAllTypes) return "all";
  std::string text;
  for (unsigned type = 0; type < kTypeCount; ++type) {
    if (trains(solver, type)) add_item(text, kSvmTypeNames[type]);
  }
  return text;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

const char* kernels_of(const SolverEntry& solver) { return solver.linear_only ? "linear" : "all"; }

// The start as a solution, if no error of kernel values can hide that it is optimal.  Most starts
// of a path of growing C are, as long as all variables are at their bounds.
std::optional<Solution> optimal_start(const DualProblem& problem, double epsilon) {
  if (problem.f.empty() || !problem.source) return std::nullopt;
  const Ends ends = problem.ends();
  const TermSizes sizes(problem.kernel, problem.alpha);
  const double in_doubles =
      rounding_in_doubles(*problem.source, problem.size(), sizes.size_of_sums(), true) +
      rounding_of_linear(problem);
  const double most = sizes.largest_rounding() + kCertificate * in_doubles;
  if (!(ends.violation() + most < epsilon)) return std::nullopt;
  Solution solution(problem);
  solution.set_thresholds(ends);
  solution.violation = ends.violation();
  solution.objective = solution.compute_objective();
  solution.reached_upper = solution.reached_upper || solution.has_upper();
  solution.has_converged = true;
  return solution;
}

// True if the rounding of sums in doubles cannot hide that the tolerance is not met.  For solutions
// that are not refined.
bool is_certain(const ExactSums& sums, const KernelMatrix& kernel, const Solution& solution,
                double epsilon) {
  std::vector<double> in_order(solution.size() / kernel.copies());
  for (std::size_t t = 0; t < solution.size(); ++t) in_order[kernel.example(t)] += solution.b(t);
  return is_negligible(
      epsilon,
      rounding_in_doubles(sums, in_order.size(), TermSizes(kernel, in_order).size_of_sums(), true) +
          rounding_of_linear(solution));
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
  const std::vector<std::size_t> all = index_range(0, b.size());
  if (!add_kernel_sums(kernel, b, all, Precision::kDouble, sums)) return true;  // interrupted
  Ends ends;
  for (std::size_t t = 0; t < b.size(); ++t) {
    ends.of[solution.group(t)].add(t, solution.index_sets(t), solution.linear[t] + sums[t]);
  }
  return ends.violation() < std::max(epsilon, solution.violation);
}

}  // namespace

std::initializer_list<SolverEntry> solvers() { return kSolvers; }

const SolverEntry* find_solver(std::string_view name) {
  if (name == "hybrid" || name == "2") name = "csmo";  // the published mixture of smo and csmo
  for (const SolverEntry& entry : solvers()) {
    if (name == entry.name || (!name.empty() && name == entry.number)) return &entry;
  }
  return nullptr;
}

const SolverEntry& solver_of(const Options& options) {
  return options.entry != nullptr ? *options.entry : *kSolvers.begin();
}

bool works_on_examples(const Run& run) { return solver_of(run.options).solve_examples != nullptr; }

bool supports(const SolverEntry& solver, int svm_type, int kernel_type) {
  return trains(solver, static_cast<unsigned>(svm_type)) &&
         (solver.linear_only ? kernel_type == LINEAR : is_kernel_type(kernel_type));
}

std::string solver_names(bool SolverEntry::*having) {
  std::string names;
  for (const SolverEntry& entry : solvers()) {
    if (having == nullptr || entry.*having) add_item(names, entry.name);
  }
  return names;
}

std::string supported_text(const SolverEntry& solver) {
  return std::string("solver ") + solver.name + " supports SVM types: " + types_of(solver) +
         "; kernels: " + kernels_of(solver);
}

std::string solver_table() {
  constexpr std::size_t kNames = 10, kTypes = 18, kKernels = 10;
  const auto line = [](const std::string& name, const std::string& types,
                       const std::string& kernels, const char* what) {
    return padded(name, kNames) + ' ' + padded(types, kTypes) + ' ' + padded(kernels, kKernels) +
           ' ' + what + '\n';
  };
  std::string table = line("name", "types", "kernels", "what, source");
  for (const SolverEntry& entry : solvers()) {
    const std::string name =
        entry.name +
        (*entry.number == '\0' ? std::string() : " (" + std::string(entry.number) + ")");
    table += line(name, types_of(entry), kernels_of(entry), entry.summary) +
             line("", "", "", entry.source);
  }
  return table;
}

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

Solution solve_dual(const SolverEntry& solver, DualProblem&& problem, double epsilon,
                    bool shrinking, Run& run) {
  const std::size_t variables = problem.alpha.size();
  KernelMatrix& kernel = problem.kernel;
  suit_values(solver, kernel);
  const bool is_published = run.options.as_published != 0;
  const bool is_refined = solver.refined && !is_published;
  shrinking = shrinking && !is_published;
  Monitor monitor(run, variables,
                  {iteration_cap(variables), 64,
                   kSecondsPerNanosecond * kernel.value_cost() * static_cast<double>(variables)});
  std::optional<Refinement> refinement;
  if (is_refined && run.options.fixed_threshold == 0) {
    refinement.emplace(problem, epsilon, shrinking, monitor);
  }
  monitor.poll();
  const std::optional<ExactSums> source = problem.source;
  if (std::optional<Solution> start; refinement && (start = optimal_start(problem, epsilon))) {
    monitor.finish(start->objective, start->violation);
    return *std::move(start);
  }
  Solution solution = solver.solve(std::move(problem), epsilon, shrinking, monitor);
  using Finish = Refinement::Finish;
  if (refinement) {
    refinement->improve(solution, solver.single ? Finish::kBySample : Finish::kIfUnresolved);
  } else if (!solver.follows_libsvm && !monitor.stopped()) {
    monitor.observe(kernel);
    const bool is_met = !is_published || solver.squared_slacks ||
                        run.options.fixed_threshold != 0 || is_confirmed(kernel, solution, epsilon);
    const bool holds = is_met && (!source || is_certain(*source, kernel, solution, epsilon));
    if (!holds) monitor.stop(SVM_IMPRECISE);
  }
  solution.has_converged = !monitor.stopped();
  monitor.finish(solution.objective, solution.violation, source && source->has_large_features());
  if (!solution.remark.empty()) run.services.messages.print(solution.remark);
  return solution;
}

}  // namespace svm
