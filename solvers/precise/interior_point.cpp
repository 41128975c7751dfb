#include "solvers/precise/interior_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/examples.h"
#include "solvers/math/cholesky.h"

namespace svm {
namespace {

constexpr std::size_t kMostFeatures = 256;
constexpr double kMostProducts = 2e9;  // multiplications of a step
constexpr int kMostSteps = 200;
constexpr double kShortOfBound = 0.995;  // steps go this part of the way to the bound
// Converged if the duality gap, the sum of all products of slacks and multipliers, is below this
// part of the objective.
constexpr double kGap = 1e-13;
// The method ends after a step shorter than this part of the full step.
constexpr double kLeastStep = 1e-4;
constexpr std::size_t kChunk = 2048;  // variables per piece of work of a thread
constexpr std::size_t kVariablesPerLook = 256;

// With slacks r = b - lower and v = upper - b, their multipliers z and y, multipliers nu of the
// sums, and w = X'b, a point is optimal if
//   X w + linear - E nu - z + y = 0,   E'b = sums,   z r = 0,   y v = 0,
// where E has a column of ones for each group.  A step solves these equations linearised, with
// z r = y v = mu.  The changes of w and nu follow from a matrix of their size,
//   (I 0; 0 0) + (X E)' D (X E),   D = 1 / (z/r + y/v).
class InteriorPoint {
 public:
  InteriorPoint(const LinearBoxProblem& problem, const Examples& examples, double epsilon,
                ThreadPool& pool, const GoOn& go_on)
      : problem_(problem),
        epsilon_(epsilon),
        pool_(pool),
        go_on_(go_on),
        examples_(examples),
        size_(problem.variables.size()),
        features_(examples_.dimension()),
        width_(features_ + problem.sums.size()),
        below_(size_),
        above_(size_),
        z_(size_),
        y_(size_),
        w_(width_, 0.0) {}

  // Throws Interrupted.
  InteriorPointSolution solve(const GoOn& next_step) {
    start();
    for (int step = 0; step < kMostSteps; ++step) {
      if (!next_step()) return {};
      find_residuals();
      if (!std::isfinite(gap_)) return {};
      if (is_close()) return rounded();
      if (!advance()) break;
    }
    find_residuals();
    return gap_ <= kUsableGap * scale() ? rounded() : InteriorPointSolution();
  }

 private:
  static constexpr double kUsableGap = 1e-6;

  using Variable = LinearBoxProblem::Variable;

  // Elements of w after the features are -nu.
  std::size_t column(const Variable& v) const {
    return features_ + static_cast<std::size_t>(v.group);
  }

  // x_t'w - nu
  double product(const Variable& v, const std::vector<double>& w) const {
    double sum = w[column(v)];
    for (std::size_t p = examples_.begin(v.row); p < examples_.end(v.row); ++p) {
      sum += examples_.values()[p] * w[examples_.features()[p]];
    }
    return sum;
  }

  // Computed from the nearer bound, so that a small slack is not rounded away.
  double b(std::size_t t) const {
    const Variable& v = problem_.variables[t];
    return below_[t] < above_[t] ? v.lower + below_[t] : v.upper - above_[t];
  }

  void start() {
    for (std::size_t t = 0; t < size_; ++t) {
      const Variable& v = problem_.variables[t];
      below_[t] = above_[t] = 0.5 * (v.upper - v.lower);
    }
    w_ = sums_over_variables([this](std::size_t t) { return b(t); });
    for (std::size_t g = features_; g < width_; ++g) w_[g] = 0;
    double mean = 0;
    for (std::size_t t = 0; t < size_; ++t) {
      const Variable& v = problem_.variables[t];
      z_[t] = product(v, w_) + v.linear;
      mean += std::fabs(z_[t]) / static_cast<double>(size_);
    }
    for (std::size_t t = 0; t < size_; ++t) {
      const double f = z_[t];
      z_[t] = std::max(f, 0.0) + mean;
      y_[t] = std::max(-f, 0.0) + mean;
    }
  }

  // (X E)' times a vector with the element value(t) for variable t.
  template <typename Value>
  std::vector<double> sums_over_variables(const Value& value) const {
    const std::size_t chunks = (size_ + kChunk - 1) / kChunk;
    std::vector<double> parts(chunks * width_, 0.0);
    const SharedGoOn goes_on(go_on_);
    pool_.for_chunks(size_, kChunk, [&](std::size_t begin, std::size_t end) {
      if (!goes_on()) return;
      double* sum = parts.data() + begin / kChunk * width_;
      for (std::size_t t = begin; t < end; ++t) {
        const Variable& v = problem_.variables[t];
        const double factor = value(t);
        for (std::size_t p = examples_.begin(v.row); p < examples_.end(v.row); ++p) {
          sum[examples_.features()[p]] += factor * examples_.values()[p];
        }
        sum[column(v)] += factor;
      }
    });
    if (goes_on.is_stopped()) throw Interrupted();
    return added_up(parts, width_);
  }

  static std::vector<double> added_up(const std::vector<double>& parts, std::size_t width) {
    std::vector<double> sum(width, 0.0);
    for (std::size_t k = 0; k < parts.size(); ++k) sum[k % width] += parts[k];
    return sum;
  }

  void find_residuals() {
    residual_.resize(size_);
    gap_ = 0;
    worst_ = 0;
    for (std::size_t t = 0; t < size_; ++t) {
      const Variable& v = problem_.variables[t];
      residual_[t] = -(product(v, w_) + v.linear - z_[t] + y_[t]);
      worst_ = std::max(worst_, std::fabs(residual_[t]));
      gap_ += z_[t] * below_[t] + y_[t] * above_[t];
    }
    of_sums_ = sums_over_variables([this](std::size_t t) { return b(t); });
    for (std::size_t k = 0; k < features_; ++k) of_sums_[k] -= w_[k];
    for (std::size_t k = features_; k < width_; ++k) of_sums_[k] -= problem_.sums[k - features_];
  }

  // The size that the gap is relative to.  Not the objective, which may be 0.
  double scale() const {
    double objective = 0;
    for (std::size_t k = 0; k < features_; ++k) objective += 0.5 * w_[k] * w_[k];
    for (std::size_t t = 0; t < size_; ++t) {
      objective += std::fabs(problem_.variables[t].linear * b(t));
    }
    return objective;
  }

  bool is_close() const { return gap_ <= kGap * scale() && worst_ < epsilon_ / 8; }

  // Takes Mehrotra's step: a predictor with mu = 0, then the step with the mu that it suggests.
  bool advance() {
    if (!factor()) return false;
    const double mean = gap_ / (2 * static_cast<double>(size_));
    std::vector<double> lower(size_), upper(size_);  // wanted changes of z r and y v
    for (std::size_t t = 0; t < size_; ++t) {
      lower[t] = -z_[t] * below_[t];
      upper[t] = -y_[t] * above_[t];
    }
    Step step = direction(lower, upper);
    Lengths length = lengths(step);
    double left = 0;
    for (std::size_t t = 0; t < size_; ++t) {
      left += (z_[t] + length.dual * step.z[t]) * (below_[t] + length.primal * step.b[t]) +
              (y_[t] + length.dual * step.y[t]) * (above_[t] - length.primal * step.b[t]);
    }
    const double share = left / gap_;
    const double mu = share * share * share * mean;
    for (std::size_t t = 0; t < size_; ++t) {
      lower[t] += mu - step.b[t] * step.z[t];
      upper[t] += mu + step.b[t] * step.y[t];
    }
    step = direction(lower, upper);
    length = lengths(step);
    const double primal = std::min(1.0, kShortOfBound * length.primal);
    const double dual = std::min(1.0, kShortOfBound * length.dual);
    for (std::size_t t = 0; t < size_; ++t) {
      below_[t] += primal * step.b[t];
      above_[t] -= primal * step.b[t];
      z_[t] += dual * step.z[t];
      y_[t] += dual * step.y[t];
    }
    // w is in the equation of the multipliers, and so takes their length.
    for (std::size_t k = 0; k < width_; ++k) w_[k] += dual * step.w[k];
    return std::max(primal, dual) > kLeastStep;
  }

  bool factor() {
    weights_.resize(size_);
    for (std::size_t t = 0; t < size_; ++t) {
      weights_[t] = 1 / (z_[t] / below_[t] + y_[t] / above_[t]);
    }
    const std::size_t elements = width_ * (width_ + 1) / 2;
    const std::size_t chunk = std::max(kChunk, 2 * elements);
    std::vector<double> parts((size_ + chunk - 1) / chunk * elements, 0.0);
    const SharedGoOn goes_on(go_on_);
    pool_.for_chunks(size_, chunk, [&](std::size_t begin, std::size_t end) {
      double* matrix = parts.data() + begin / chunk * elements;
      for (std::size_t t = begin; t < end; ++t) {
        if (t % kVariablesPerLook == 0 && !goes_on()) return;
        add_product(problem_.variables[t], weights_[t], matrix);
      }
    });
    if (goes_on.is_stopped()) throw Interrupted();
    std::vector<double> lower = added_up(parts, elements);
    for (std::size_t k = 0; k < features_; ++k) lower[k * (k + 3) / 2] += 1;
    // Scaled to a diagonal of ones, as features may differ in scale.
    column_scale_.resize(width_);
    for (std::size_t i = 0; i < width_; ++i) {
      column_scale_[i] = 1 / std::sqrt(lower[i * (i + 3) / 2]);
    }
    for (std::size_t i = 0; i < width_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        lower[i * (i + 1) / 2 + j] *= column_scale_[i] * column_scale_[j];
      }
      lower[i * (i + 3) / 2] += kRidge;
    }
    return factor_.factor(std::move(lower), width_);
  }

  // Adds weight (x 1)(x 1)' to the lower triangle; the features of a row are ascending.
  void add_product(const Variable& v, double weight, double* matrix) const {
    const std::size_t begin = examples_.begin(v.row), end = examples_.end(v.row);
    double* last = matrix + column(v) * (column(v) + 1) / 2;
    for (std::size_t p = begin; p < end; ++p) {
      const std::size_t i = examples_.features()[p];
      const double x = weight * examples_.values()[p];
      double* row = matrix + i * (i + 1) / 2;
      for (std::size_t q = begin; q <= p; ++q) {
        row[examples_.features()[q]] += x * examples_.values()[q];
      }
      last[i] += x;
    }
    last[column(v)] += weight;
  }

  struct Step {
    std::vector<double> b, z, y, w;
  };

  // Solves the linearised equations.
  Step direction(const std::vector<double>& lower, const std::vector<double>& upper) const {
    Step step;
    std::vector<double> h(size_);
    for (std::size_t t = 0; t < size_; ++t) {
      h[t] = residual_[t] + lower[t] / below_[t] - upper[t] / above_[t];
    }
    step.w = sums_over_variables([&](std::size_t t) { return weights_[t] * h[t]; });
    for (std::size_t k = 0; k < width_; ++k) {
      step.w[k] = (step.w[k] + of_sums_[k]) * column_scale_[k];
    }
    factor_.solve(step.w);
    for (std::size_t k = 0; k < width_; ++k) step.w[k] *= column_scale_[k];
    step.b.resize(size_);
    step.z.resize(size_);
    step.y.resize(size_);
    for (std::size_t t = 0; t < size_; ++t) {
      const double change = weights_[t] * (h[t] - product(problem_.variables[t], step.w));
      step.b[t] = change;
      step.z[t] = (lower[t] - z_[t] * change) / below_[t];
      step.y[t] = (upper[t] + y_[t] * change) / above_[t];
    }
    return step;
  }

  // The lengths up to which slacks and multipliers stay positive.
  struct Lengths {
    double primal = 1, dual = 1;
  };
  Lengths lengths(const Step& step) const {
    Lengths lengths;
    const auto limit = [](double& length, double value, double change) {
      if (change < 0) length = std::min(length, -value / change);
    };
    for (std::size_t t = 0; t < size_; ++t) {
      limit(lengths.primal, below_[t], step.b[t]);
      limit(lengths.primal, above_[t], -step.b[t]);
      limit(lengths.dual, z_[t], step.z[t]);
      limit(lengths.dual, y_[t], step.y[t]);
    }
    return lengths;
  }

  InteriorPointSolution rounded() const {
    InteriorPointSolution solution;
    for (std::size_t k = 0; k < features_; ++k) solution.objective += 0.5 * w_[k] * w_[k];
    for (std::size_t t = 0; t < size_; ++t) {
      const Variable& v = problem_.variables[t];
      solution.objective += v.linear * b(t);
      solution.b.push_back(std::max(z_[t], y_[t]) <= epsilon_ ? b(t)
                           : z_[t] > y_[t]                    ? v.lower
                                                              : v.upper);
    }
    return solution;
  }

  static constexpr double kRidge = 1e-15;

  const LinearBoxProblem& problem_;
  const double epsilon_;
  ThreadPool& pool_;
  const GoOn& go_on_;
  const Examples& examples_;
  const std::size_t size_, features_, width_;
  std::vector<double> below_, above_;  // slacks
  std::vector<double> z_, y_;          // their multipliers
  std::vector<double> w_;              // and -nu of each group
  std::vector<double> residual_;       // of each variable's equation
  std::vector<double> of_sums_;        // X'b - w, then E'b - sums
  double gap_ = 0, worst_ = 0;         // z'r + y'v; largest residual
  std::vector<double> weights_;        // D
  std::vector<double> column_scale_;
  CholeskyFactor<double> factor_ = CholeskyFactor<double>(0);
};

// True if the steps of this method are cheap.
bool is_cheap(const Examples& examples) {
  if (!examples.is_regular() || examples.dimension() > kMostFeatures) return false;
  double products = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto values = static_cast<double>(examples.end(i) - examples.begin(i));
    products += 0.5 * values * values;
  }
  return products <= kMostProducts;
}

}  // namespace

InteriorPointSolution solve_by_interior_point(const LinearBoxProblem& problem, double epsilon,
                                              ThreadPool& pool, const GoOn& next_step,
                                              const GoOn& go_on) {
  try {
    const Examples examples(problem.rows, problem.row_count, go_on);
    if (!is_cheap(examples)) return {};
    return InteriorPoint(problem, examples, epsilon, pool, go_on).solve(next_step);
  } catch (const Interrupted&) {
    return {};
  }
}

}  // namespace svm
