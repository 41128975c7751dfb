#include "tests/sweep/sweep_cases.h"

#include <cmath>
#include <cstdio>
#include <iterator>

#include "svm.h"

namespace svm::test {
namespace {

std::vector<SolverCase> solver_cases() {
  const std::vector<int> types = {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR};
  const std::vector<int> kernels = {LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED};
  const std::vector<int> c_svc = {C_SVC}, cost_types = {C_SVC, EPSILON_SVR}, linear = {LINEAR};
  return {
      {"smo", Objective::kLibsvm, types, kernels},
      {"csmo", Objective::kLibsvm, types, kernels},
      {"smo1", Objective::kLibsvm, types, kernels},
      {"platt", Objective::kLibsvm, c_svc, kernels},
      {"platt", Objective::kFixedThreshold, c_svc, kernels, 0, 1},
      {"pcg", Objective::kLibsvm, c_svc, kernels},
      {"mdm", Objective::kSquaredSlacks, c_svc, kernels},
      {"amdm", Objective::kSquaredSlacks, c_svc, kernels},
      {"dcd", Objective::kNoThreshold, cost_types, linear},
      {"dcd", Objective::kNoThreshold, cost_types, linear, 1},
      {"avsf", Objective::kNoThreshold, cost_types, linear},
      {"avsf", Objective::kNoThreshold, cost_types, linear, 1},
      {"pegasos", Objective::kEmbedded, c_svc, kernels},
      {"snacks", Objective::kEmbedded, c_svc, kernels},
  };
}

constexpr double kScales[] = {1e-3, 1e-2, 1e-1, 1, 10, 1e2, 1e3, 1e4, 1e5, 1e6};
constexpr double kCosts[] = {1e-3, 1e-2, 1e-1, 1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

const char* const kSets[] = {"noisy",     "separable",    "whole numbers", "one row of a class",
                             "all equal", "equal pairs",  "zero rows",     "two rows",
                             "one row",   "mixed scales", "on a line",     "many classes"};

}  // namespace

Data make_set(std::size_t which, double scale, bool classes) {
  const std::string name = kSets[which];
  Draws draws(which + 1);
  Data data;
  const std::size_t rows = name == "one row" ? 1 : name == "two rows" ? 2 : 24;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x(3);
    for (double& value : x) value = draws.between(-1, 1);
    if (name == "whole numbers") {
      for (double& value : x) value = std::floor(4 * value);
    }
    if (name == "all equal") x = {0.5, -0.25, 1};
    if (name == "equal pairs" && i % 2 == 1) {
      x = {data.row(i - 1)[0].value / scale, data.row(i - 1)[1].value / scale,
           data.row(i - 1)[2].value / scale};
    }
    if (name == "zero rows" && i % 3 != 0) x = {0, 0, 0};
    if (name == "mixed scales") x = {x[0], 1e-3 * x[1], 1e3 * x[2]};
    if (name == "on a line") x = {x[0], 2 * x[0], -x[0]};
    const double noise = name == "separable" ? 0 : draws.between(-0.5, 0.5);
    const double target = x[0] + 0.5 * x[1] + noise;
    double label = target;
    if (classes) {
      label = target > 0 ? 1 : -1;
      if (name == "one row of a class") label = i == 7 ? 1 : -1;
      if (name == "equal pairs" || name == "two rows") label = i % 2 == 0 ? 1 : -1;
      if (name == "many classes") label = static_cast<double>(draws.below(4));
    }
    for (double& value : x) value *= scale;
    data.add(label, x);
  }
  return data;
}

std::vector<double> make_row_weights(std::uint64_t seed, std::size_t rows) {
  constexpr double kSpecial[] = {0, 1, 2, 1e-3, 100};
  Draws draws(seed);
  std::vector<double> weights;
  for (std::size_t i = 0; i < rows; ++i) {
    const double any = draws.between(0.2, 4);
    weights.push_back(draws.below(2) == 0 ? any : kSpecial[draws.below(5)]);
  }
  return weights;
}

std::string Case::text() const {
  char line[400];
  std::snprintf(line, sizeof(line),
                "case %llu: -a %s -s %d -t %d -h %d, %zu threads, %s, scale %g, C %g, eps %g, "
                "nu %g, p %g, r %g%s%s%s%s%s",
                static_cast<unsigned long long>(number), solver.name, type, kernel, shrinking,
                threads, kSets[set], scale, cost, eps, nu, tube, coef0,
                gamma_fits ? ", gamma by scale" : "", weighted ? ", weights" : "",
                has_row_weights ? ", row weights" : "", solver.bias > 0 ? ", bias" : "",
                solver.fixed_threshold != 0 ? ", fixed threshold" : "");
  return line;
}

Cases::Cases() : solvers_(solver_cases()) {
  for (std::size_t s = 0; s < solvers_.size(); ++s) {
    for (const int type : solvers_[s].types) {
      for (const int kernel : solvers_[s].kernels) machines_.push_back({s, type, kernel});
    }
  }
}

std::uint64_t Cases::size() const {
  return machines_.size() * std::size(kScales) * std::size(kCosts) * std::size(kSets) * 4;
}

Case Cases::at(std::uint64_t number) const {
  std::uint64_t rest = number;
  const auto take = [&](std::size_t count) {
    const std::size_t digit = rest % count;
    rest /= count;
    return digit;
  };
  const Machine& machine = machines_[take(machines_.size())];
  Case c{};
  c.number = number;
  c.solver = solvers_[machine.solver];
  c.type = machine.type;
  c.kernel = machine.kernel;
  c.set = take(std::size(kSets));
  c.scale = kScales[take(std::size(kScales))];
  c.cost = kCosts[take(std::size(kCosts))];
  c.shrinking = static_cast<int>(take(2));
  c.threads = 1 + take(2);
  Draws draws(number + 1);
  draws.bits();
  c.gamma_fits = draws.below(2) == 0;
  c.weighted = draws.below(4) == 0;
  const double tolerances[] = {1e-3, 1e-3, 1e-3, 1e-1, 1e-5};
  c.eps = tolerances[draws.below(5)];
  const double fractions[] = {0.5, 0.1, 0.9, 1};
  c.nu = fractions[draws.below(4)];
  const double tubes[] = {0.1, 0, 1};
  c.tube = tubes[draws.below(3)];
  const double targets[] = {1, 1, 1000};
  c.targets = targets[draws.below(3)];
  const double offsets[] = {1, 1, 0, -1};
  c.coef0 = c.kernel == SIGMOID ? -0.5 : offsets[draws.below(4)];
  c.has_row_weights = draws.below(4) == 0;
  return c;
}

}  // namespace svm::test
