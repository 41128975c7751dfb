#include "solvers/registry.h"

#include <array>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "base/platform/text.h"
#include "kernels/kernel_types.h"
#include "solvers/historical/mdm.h"
#include "solvers/historical/pcg.h"
#include "solvers/historical/platt.h"
#include "solvers/rows/linear_dcd.h"
#include "solvers/rows/subgradient.h"
#include "solvers/run/messages.h"
#include "solvers/smo/csmo.h"
#include "solvers/smo/fused_solver.h"
#include "solvers/smo/solver.h"
#include "solvers/two_level/two_level.h"
#include "svm.h"

namespace svm {
namespace {

template <typename Kind, auto... Arguments>
Solution solve_by(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor) {
  return Kind(std::move(problem), epsilon, shrinking, monitor, Arguments...).solve();
}

// The entry with these properties set.
constexpr SolverEntry with(std::initializer_list<bool SolverEntry::*> properties,
                           SolverEntry entry) {
  for (bool SolverEntry::*const property : properties) entry.*property = true;
  return entry;
}

// Conjugate SMO, on two levels if the problem is large enough; as published always on one.
Solution solve_csmo(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor) {
  if (monitor.is_published()) {
    return solve_by<ConjugateSolver>(std::move(problem), epsilon, shrinking, monitor);
  }
  const std::size_t set_size = TwoLevelSolver::set_size(problem);
  if (set_size == 0) {
    problem.kernel.compute_rows_if_cheaper();
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
    with({&Entry::squared_slacks}, {"mdm", "", "C-SVC with squared slacks: a minimum norm",
                                    "Mitchell, Demyanov, Malozemov, SIAM J. Control 1974", kCSvc,
                                    solve_by<MinimumNormSolver, Cycles::kIgnore>}),
    with({&Entry::squared_slacks},
         {"amdm", "", "mdm with steps along cycles", "Barbero, Lopez, Dorronsoro, ESANN 2008",
          kCSvc, solve_by<MinimumNormSolver, Cycles::kUse>}),
    with({&Entry::refined, &Entry::fixed_threshold},
         {"platt", "", "SMO as first published", "Platt, Advances in Kernel Methods 1998", kCSvc,
          solve_by<PlattSolver>}),
    with({&Entry::refined},
         {"pcg", "", "chunking with projected conjugate gradients",
          "Burges, Data Mining and Knowledge Discovery 1998", kCSvc, solve_by<ChunkingSolver>}),
};

using Entries = std::array<Entry, kSolvers.size()>;

constexpr Entries published_variants() {
  Entries entries{};
  Entry* variant = entries.data();
  for (const Entry& entry : kSolvers) {
    *variant = entry;
    variant->is_published = true;
    for (bool Entry::*const added :
         {&Entry::refined, &Entry::start_point, &Entry::free_set, &Entry::single}) {
      variant->*added = false;
    }
    ++variant;
  }
  return entries;
}

constexpr Entries kPublished = published_variants();

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

}  // namespace

std::initializer_list<SolverEntry> solvers() { return kSolvers; }

const SolverEntry* find_solver(std::string_view name) {
  if (name == "hybrid" || name == "2") name = "csmo";  // the published mixture of smo and csmo
  for (const SolverEntry& entry : solvers()) {
    if (name == entry.name || (!name.empty() && name == entry.number)) return &entry;
  }
  return nullptr;
}

const SolverEntry* published(const SolverEntry& solver) {
  if (solver.follows_libsvm) return nullptr;
  return &kPublished[static_cast<std::size_t>(&solver - kSolvers.begin())];
}

const SolverEntry& solver_of(const Options& options) {
  return options.solver != nullptr ? *options.solver : *kSolvers.begin();
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

}  // namespace svm
