#include "training/fold_seeds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "kernels/matrix/kernel_matrix.h"
#include "model/svm_type.h"
#include "platform/numbers.h"
#include "solvers/solve_dual.h"
#include "training/exact_sum.h"
#include "training/sharing.h"

namespace svm {
namespace {

// The places of rows in a seed, to be taken one by one: a row may be there twice, in memory, and
// with both labels.
class Places {
 public:
  Places(const FoldSeed& seed, int svm_type)
      : labels_matter_(is_classification(svm_type)), next_(seed.rows.size(), kNoIndex) {
    for (std::size_t s = seed.rows.size(); s-- > 0;) {
      std::size_t& first = of(seed.labels[s]).emplace(seed.rows[s].place(), kNoIndex).first->second;
      next_[s] = std::exchange(first, s);
    }
  }

  // kNoIndex where there is none left.
  std::size_t take(const DataRow& row, double label) {
    const auto found = of(label).find(row.place());
    if (found == of(label).end() || found->second == kNoIndex) return kNoIndex;
    return std::exchange(found->second, next_[found->second]);
  }

 private:
  using First = std::unordered_map<const void*, std::size_t>;
  First& of(double label) { return first_[labels_matter_ && label > 0 ? 1 : 0]; }

  const bool labels_matter_;
  First first_[2];                 // of each row, by label
  std::vector<std::size_t> next_;  // of the same row
};

// The rows of a seed and of the problem that it is moved to, each once: first the problem's, then
// those that it lacks.
struct Union {
  Union(const FoldSeed& seed, const Problem& problem, int svm_type)
      : rows(problem.x.copy(static_cast<std::size_t>(problem.l))) {
    Places places(seed, svm_type);
    std::vector<char> is_common(seed.rows.size(), 0);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      in_seed.push_back(places.take(rows[t], problem.y[t]));
      if (in_seed[t] != kNoIndex) is_common[in_seed[t]] = 1;
    }
    for (std::size_t s = 0; s < is_common.size(); ++s) {
      if (is_common[s] != 0) continue;
      rows.push_back(seed.rows[s]);
      in_seed.push_back(s);
    }
  }

  std::vector<DataRow> rows;
  std::vector<std::size_t> in_seed;  // of each of them, or kNoIndex
};

// Rows of one label, or sign of a regression's coefficients; these are told without their sign.
struct Side {
  double sign;
  double upper;
  std::vector<std::size_t> rows;
  ExactSum sum;

  // A label's rows can only take so much.
  double most() const { return rows.empty() ? 0 : upper * static_cast<double>(rows.size()); }
};

// Sets the sums right that what was put in or left out has changed: those of both sides are equal,
// and that of a one-class problem is the seed's.
//
// Where all coefficients belong at a bound, the threshold depends on none being beside it by a last
// bit.  So whole ones are put in or left out, as far as may be, and those between the bounds first.
class Restoration {
 public:
  // `sums` are kernel sums of the coefficients, more or less.
  Restoration(StartPoint& start, const Problem& problem, int svm_type,
              const std::vector<double>& sums)
      : coefficients_(start.coefficients),
        problem_(problem),
        svm_type_(svm_type),
        sums_(sums),
        positive_(side(+1, start.bound_positive)),
        negative_(side(-1, start.bound_negative)) {}

  // `target` is the sum of the seed's positive side.
  void restore(double target) {
    if (is_regression(svm_type_)) {
      target = std::min(positive_.sum.value(), negative_.sum.value());
    } else {
      target = std::min(target, positive_.most());
    }
    // Where one class has fewer rows now, both have less.
    if (is_classification(svm_type_)) target = std::min(target, negative_.most());
    set_sum(positive_, target);
    if (svm_type_ != ONE_CLASS) set_sum(negative_, target);
  }

 private:
  Side side(double sign, double upper) const {
    Side result{sign, upper, {}, {}};
    for (std::size_t t = 0; t < coefficients_.size(); ++t) {
      if (is_regression(svm_type_) ? !(sign * coefficients_[t] > 0) : sign != sign_of(t)) continue;
      result.rows.push_back(t);
      result.sum.add(sign * coefficients_[t]);
    }
    return result;
  }
  double sign_of(std::size_t t) const {
    return is_classification(svm_type_) && !(problem_.y[t] > 0) ? -1 : 1;
  }

  void set_sum(const Side& side, double target) {
    constexpr double kRounding = 1e-13;
    const double rounding = kRounding * target;
    double change = -side.sum.minus(target);
    if (std::fabs(change) <= rounding) return;
    const double direction = change > 0 ? 1 : -1;
    std::vector<std::tuple<bool, double, std::size_t>> order;
    for (const std::size_t t : side.rows) {
      const double size = side.sign * coefficients_[t];
      const double wanted = is_regression(svm_type_) ? problem_.y[t] : 0;
      const double need = side.sign * (wanted - sums_[t]);
      order.emplace_back(!(size > 0 && size < side.upper), -direction * need, t);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [is_at_bound, unfit, t] : order) {
      if (std::fabs(change) <= rounding) return;
      const double before = side.sign * coefficients_[t];
      double now = std::min(std::max(before + change, 0.0), side.upper);
      if (now <= rounding) now = 0;
      if (now >= side.upper - rounding) now = side.upper;
      coefficients_[t] = side.sign * now;
      change -= now - before;
    }
  }

  std::vector<double>& coefficients_;
  const Problem& problem_;
  const int svm_type_;
  const std::vector<double>& sums_;
  const Side positive_, negative_;
};

double sum_of_positive(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(std::max(value, 0.0));
  return sum.value();
}

bool are_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

}  // namespace

void FoldSeeds::give(const Key& problem, FoldSeed seed) {
  const std::lock_guard<Mutex> lock(mutex_);
  if (!closed_) seeds_.emplace(problem, std::move(seed));
  changed_.notify_all();
}

void FoldSeeds::close() {
  const std::lock_guard<Mutex> lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

const FoldSeed* FoldSeeds::wait(const Key& problem, Run& run) {
  std::unique_lock<Mutex> lock(mutex_);
  const auto is_settled = [&] { return closed_ || seeds_.count(problem) > 0; };
  while (!changed_.wait_for(lock, Run::kPollInterval, is_settled)) {
    lock.unlock();
    if (!run.poll()) return nullptr;
    if (run.services.throw_if_abandoned) run.services.throw_if_abandoned();
    lock.lock();
  }
  const auto found = seeds_.find(problem);  // which stays where it is
  return found == seeds_.end() ? nullptr : &found->second;
}

std::optional<StartPoint> move_to_fold(const FoldSeed& seed, const Problem& problem, int svm_type,
                                       SharedRows& shared, Run& run) {
  const std::size_t size = static_cast<std::size_t>(problem.l);
  const Union all(seed, problem, svm_type);
  const std::unique_ptr<KernelMatrix> matrix = matrix_over(all.rows, shared, run);
  if (matrix == nullptr) return std::nullopt;
  KernelMatrix& kernel = *matrix;
  // Sums are as precise as those of the solver that gets them.
  if (run.options.solver != nullptr) suit_values(*run.options.solver, kernel);
  std::vector<double> coefficients(all.rows.size(), 0.0), sums(all.rows.size(), 0.0);
  std::vector<std::size_t> arrived, left;
  for (std::size_t k = 0; k < all.rows.size(); ++k) {
    if (all.in_seed[k] == kNoIndex) {
      arrived.push_back(k);
      continue;
    }
    coefficients[k] = seed.start.coefficients[all.in_seed[k]];
    sums[k] = seed.start.kernel_sums[all.in_seed[k]];
    if (k >= size) left.push_back(k);
  }
  std::vector<double> of_arrived(arrived.size(), 0.0);
  const auto precision = kernel.precision();
  if (!kernel.add_sums(coefficients, arrived, precision, of_arrived.data())) return std::nullopt;
  for (std::size_t k = 0; k < arrived.size(); ++k) sums[arrived[k]] = of_arrived[k];
  if (!are_finite(coefficients) || !are_finite(sums)) return std::nullopt;  // not to be sorted

  // Within each label for the classifications.
  std::vector<double> moved_to(all.rows.size(), 0.0);
  const auto move = [&](const auto& belongs) {
    std::vector<double> moved;
    for (const std::size_t k : left) {
      if (belongs(seed.labels[all.in_seed[k]])) moved.push_back(coefficients[k]);
    }
    std::vector<std::pair<double, std::size_t>> to;  // by what they are short of
    for (const std::size_t k : arrived) {
      if (!belongs(problem.y[k])) continue;
      to.emplace_back((is_regression(svm_type) ? problem.y[k] : 0.0) - sums[k], k);
    }
    // Where the numbers differ, what is nearest to 0 is put in, or left out.
    std::sort(moved.begin(), moved.end(),
              [](double a, double b) { return std::fabs(a) > std::fabs(b); });
    moved.resize(to.size(), 0.0);
    std::sort(moved.begin(), moved.end());
    std::sort(to.begin(), to.end());
    for (std::size_t n = 0; n < to.size(); ++n) moved_to[to[n].second] = moved[n];
  };
  if (is_classification(svm_type)) {
    move([](double y) { return y > 0; });
    move([](double y) { return !(y > 0); });
  } else {
    move([](double) { return true; });
  }
  StartPoint start = {{}, seed.start.bound_positive, seed.start.bound_negative, {}};
  for (std::size_t t = 0; t < size; ++t)
    start.coefficients.push_back(coefficients[t] + moved_to[t]);
  Restoration(start, problem, svm_type, sums).restore(sum_of_positive(seed.start.coefficients));
  std::vector<double> change(all.rows.size());
  for (std::size_t k = 0; k < change.size(); ++k) {
    change[k] = (k < size ? start.coefficients[k] : 0.0) - coefficients[k];
  }
  std::vector<std::size_t> columns(size);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (!kernel.add_sums(change, columns, precision, sums.data())) return std::nullopt;

  sums.resize(size);
  if (!are_finite(sums)) return std::nullopt;
  start.kernel_sums = std::move(sums);
  start.sums_bound = seed.start.sums_bound;
  return start;
}

}  // namespace svm
