#include "solvers/registry.h"

#include <initializer_list>
#include <iterator>
#include <utility>

#include "solvers/smo/csmo.h"
#include "solvers/smo/first_order.h"
#include "solvers/smo/solver.h"
#include "solvers/two_level/two_level.h"
#include "svm.h"

#if !defined(SVM_FEWER_SOLVERS)  // tools/amalgamate leaves these parts out unless told otherwise
#include "solvers/historical/mdm.h"
#include "solvers/historical/pcg.h"
#include "solvers/historical/platt.h"
#include "solvers/rows/linear_dcd.h"
#include "solvers/rows/subgradient.h"
#endif

namespace svm {
namespace {

template <typename Kind, auto... Arguments>
std::unique_ptr<DualSolver> make(DualProblem problem, double epsilon, bool shrinking,
                                 Monitor& monitor) {
  return std::make_unique<Kind>(std::move(problem), epsilon, shrinking, monitor, Arguments...);
}

// The entry with these properties set.
constexpr SolverEntry with(std::initializer_list<bool SolverEntry::*> properties,
                           SolverEntry entry) {
  for (bool SolverEntry::*const property : properties) entry.*property = true;
  return entry;
}

// Conjugate SMO, on as many levels as the problem asks for.
template <ConjugateUse Use>
std::unique_ptr<DualSolver> make_conjugate(DualProblem problem, double epsilon, bool shrinking,
                                           Monitor& monitor) {
  const std::size_t set_size = TwoLevelSolver::set_size(problem);
  if (set_size > 0) {
    return std::make_unique<TwoLevelSolver>(std::move(problem), epsilon, shrinking, monitor, Use,
                                            set_size);
  }
  return make<ConjugateSolver, Use>(std::move(problem), epsilon, shrinking, monitor);
}

constexpr NumberSet kAllTypes = {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR};
constexpr NumberSet kAllKernels = {LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED};
#if !defined(SVM_FEWER_SOLVERS)
constexpr NumberSet kCSvc = {C_SVC};
constexpr NumberSet kCostTypes = {C_SVC, EPSILON_SVR};
constexpr NumberSet kLinear = {LINEAR};
#endif

// Constants, so that they outlive every thread that trains.
using Entry = SolverEntry;
constexpr Entry kSolvers[] = {
    with({&Entry::follows_libsvm, &Entry::start_point},
         {"smo", "0", "SMO, pairs by second order gain: LIBSVM's iterates",
          "Fan, Chen, Lin, JMLR 2005", kAllTypes, kAllKernels, make<Solver>}),
    with({&Entry::refined, &Entry::start_point, &Entry::free_set, &Entry::single},
         {"csmo", "1", "conjugate SMO with phases over the free variables",
          "Torres-Barran, Alaiz, Dorronsoro, Pattern Recognition 2021", kAllTypes, kAllKernels,
          make_conjugate<ConjugateUse::kAlways>}),
    with({&Entry::refined, &Entry::start_point, &Entry::free_set, &Entry::single},
         {"hybrid", "2", "SMO while conjugate steps clip, conjugate SMO after",
          "Torres-Barran, Alaiz, Dorronsoro, Pattern Recognition 2021", kAllTypes, kAllKernels,
          make_conjugate<ConjugateUse::kWhenItPays>}),
    with({&Entry::refined, &Entry::start_point},
         {"smo1", "", "SMO, maximal violating pairs (first order)",
          "Keerthi, Shevade, Bhattacharyya, Murthy, Neural Computation 2001", kAllTypes,
          kAllKernels, make<FirstOrderSolver>}),
#if !defined(SVM_FEWER_SOLVERS)
    with({&Entry::bias}, {"dcd", "", "linear, without threshold: dual coordinate descent",
                          "Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008", kCostTypes,
                          kLinear, nullptr, solve_dcd}),
    with({&Entry::bias},
         {"avsf", "", "linear, without threshold: coordinates by adaptive frequencies",
          "Glasmachers, Dogan, ACML 2013", kCostTypes, kLinear, nullptr, solve_avsf}),
    with({&Entry::squared_slacks},
         {"mdm", "", "minimum norm problem; squared slacks, so another optimum than smo's",
          "Mitchell, Demyanov, Malozemov, SIAM J. Control 1974", kCSvc, kAllKernels,
          make<MinimumNormSolver, Cycles::kIgnore>}),
    with({&Entry::squared_slacks}, {"amdm", "", "as mdm, with steps along cycles of steps",
                                    "Barbero, Lopez, Dorronsoro, ESANN 2008", kCSvc, kAllKernels,
                                    make<MinimumNormSolver, Cycles::kUse>}),
    with({&Entry::refined, &Entry::fixed_threshold},
         {"platt", "", "SMO as first published", "Platt, Advances in Kernel Methods 1998", kCSvc,
          kAllKernels, make<PlattSolver>}),
    with({&Entry::refined}, {"pcg", "", "chunking with projected conjugate gradients",
                             "Burges, Data Mining and Knowledge Discovery 1998", kCSvc, kAllKernels,
                             make<ChunkingSolver>}),
    with({&Entry::landmarks},
         {"pegasos", "", "Nystrom embedding, stochastic subgradient; no threshold",
          "Shalev-Shwartz, Singer, Srebro, ICML 2007", kCSvc, kAllKernels, nullptr, solve_pegasos}),
    with({&Entry::landmarks},
         {"snacks", "", "Nystrom embedding, subgradient with restarts; no threshold",
          "Tanji, Della Vecchia, Glineur, Villa, 2023", kCSvc, kAllKernels, nullptr, solve_snacks}),
#endif
};

}  // namespace

SolverList solvers() { return {std::begin(kSolvers), std::end(kSolvers)}; }

const SolverEntry* find_solver(std::string_view name) {
  for (const SolverEntry& entry : solvers()) {
    if (name == entry.name || (!name.empty() && name == entry.number)) return &entry;
  }
  return nullptr;
}

bool works_on_examples(const Run& run) {
  return run.options.solver != nullptr && run.options.solver->solve_examples != nullptr;
}

bool supports(const SolverEntry& solver, int svm_type, int kernel_type) {
  return solver.svm_types.contains(svm_type) && solver.kernel_types.contains(kernel_type);
}

}  // namespace svm
