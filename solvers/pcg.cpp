#include "solvers/pcg.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kNewMembers = 500;  // of a chunk, beside the support vectors; the paper's
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-12;  // relative to the box

}  // namespace

ChunkingSolver::ChunkingSolver(DualProblem problem, double epsilon, bool /*shrinking*/, Run& run)
    : kernel_(problem.kernel),
      size_(problem.labels.size()),
      labels_(std::move(problem.labels)),
      linear_(std::move(problem.linear)),
      upper_positive_(problem.upper_positive),
      upper_negative_(problem.upper_negative),
      epsilon_(epsilon),
      b_(size_),
      watch_(run, problem.kernel, size_, [this](Progress& progress) {
        progress.objective = objective();
        progress.violation = violation_;
      }) {
  for (std::size_t t = 0; t < size_; ++t) linear_[t] *= labels_[t];
  f_ = linear_;
}

Solution ChunkingSolver::solve() {
  Ends ends = find_ends();
  while (watch_.go_on() && !(violation_ < epsilon_)) {
    Chunk chunk = choose_chunk(ends);
    fill_matrix(chunk);
    solve_chunk(chunk);
    if (!take_over(chunk)) watch_.stall();
    ends = find_ends();
  }
  Solution solution;
  solution.rho = size_ == 0 ? 0 : threshold(ends);
  solution.margin = 0;
  solution.objective = objective();
  watch_.finish(solution.objective, violation_);
  solution.alpha = std::move(b_);
  for (std::size_t t = 0; t < size_; ++t) solution.alpha[t] = std::fabs(solution.alpha[t]);
  return solution;
}

ChunkingSolver::Ends ChunkingSolver::find_ends() {
  Ends ends = {kInfinity, -kInfinity};
  for (std::size_t t = 0; t < size_; ++t) {
    if (may_rise(t)) ends.lowest = std::min(ends.lowest, f_[t]);
    if (may_fall(t)) ends.highest = std::max(ends.highest, f_[t]);
  }
  violation_ = std::max(0.0, ends.highest - ends.lowest);
  return ends;
}

// Mean of f over the free variables, else the middle of what the bounds allow.
double ChunkingSolver::threshold(const Ends& ends) const {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t t = 0; t < size_; ++t) {
    if (!may_rise(t) || !may_fall(t)) continue;
    sum += f_[t];
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : (ends.lowest + ends.highest) / 2;
}

// All support vectors, and the variables at 0 that violate optimality most: half of them such that
// are to rise, half to fall, so that there is a way for the sum to stay.
ChunkingSolver::Chunk ChunkingSolver::choose_chunk(const Ends& ends) {
  const double middle = threshold(ends);
  std::vector<std::size_t> sides[2];
  Chunk chunk;
  for (std::size_t t = 0; t < size_; ++t) {
    if (b_[t] != 0) {
      chunk.variables.push_back(t);
    } else if (may_rise(t) ? f_[t] < middle : f_[t] > middle) {
      sides[may_rise(t) ? 0 : 1].push_back(t);
    }
  }
  for (int side = 0; side < 2; ++side) {
    const std::size_t other = sides[1 - side].size();
    const std::size_t share = kNewMembers - std::min(kNewMembers / 2, other);
    const std::size_t count = std::min(sides[side].size(), share);
    const auto worse = [&](std::size_t s, std::size_t t) {
      const double a = std::fabs(f_[s] - middle), b = std::fabs(f_[t] - middle);
      return a > b || (a == b && s < t);
    };
    std::sort(sides[side].begin(), sides[side].end(), worse);
    chunk.variables.insert(chunk.variables.end(), sides[side].begin(),
                           sides[side].begin() + static_cast<std::ptrdiff_t>(count));
  }
  std::sort(chunk.variables.begin(), chunk.variables.end());
  for (const std::size_t t : chunk.variables) {
    chunk.b.push_back(b_[t]);
    chunk.f.push_back(f_[t]);
    chunk.low.push_back(low(t));
    chunk.high.push_back(high(t));
  }
  return chunk;
}

void ChunkingSolver::fill_matrix(Chunk& chunk) {
  const std::size_t size = chunk.variables.size();
  const std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(float);
  if (size > most / size || !kernel_.set_aside(size * size * sizeof(float))) {
    kernel_.set_aside(0);
    return;
  }
  chunk.matrix.resize(size * size);
  kernel_.visit_blocks({chunk.variables}, chunk.variables, [&](const KernelMatrix::Block& block) {
    const std::size_t begin = block.begin, end = block.end, stride = block.stride;
    const float* values = block.values;
    for (std::size_t r = 0; r < size; ++r) {
      const float* row = values + r * stride;
      std::copy(row, row + (end - begin), chunk.matrix.data() + r * size + begin);
    }
  });
}

// Variables at a bound stay there, until those that may move cannot gain any more; then those are
// released that would move away from their bound.
void ChunkingSolver::solve_chunk(Chunk& chunk) {
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < chunk.b.size(); ++k) {
    if (chunk.b[k] > chunk.low[k] && chunk.b[k] < chunk.high[k]) free.push_back(k);
  }
  do {
    minimise(chunk, free);
  } while (watch_.go_on() && release(chunk, free));
}

// Conjugate gradients over `free`, projected on sum = 0.  A variable that meets its bound leaves
// `free`, and the directions begin anew.
void ChunkingSolver::minimise(Chunk& chunk, std::vector<std::size_t>& free) {
  const std::size_t size = chunk.b.size();
  std::vector<double> residual(size), direction(size), product(size);
  double squared = 0;  // of the residual; 0 where the directions begin
  std::size_t directions = 0;
  while (watch_.go_on()) {
    double mean = 0;
    for (std::size_t count = free.size() + 1; free.size() < count;) {
      count = free.size();
      mean = 0;
      for (const std::size_t k : free) mean += chunk.f[k];
      mean /= static_cast<double>(count);
      // Those at a bound that would be pushed out of the box have no part in this.
      const auto out = [&](std::size_t k) {
        return (chunk.b[k] <= chunk.low[k] && chunk.f[k] >= mean) ||
               (chunk.b[k] >= chunk.high[k] && chunk.f[k] <= mean);
      };
      free.erase(std::remove_if(free.begin(), free.end(), out), free.end());
      if (free.size() < count) squared = 0;
    }
    double lowest = kInfinity, highest = -kInfinity, now = 0;
    for (const std::size_t k : free) {
      residual[k] = mean - chunk.f[k];
      lowest = std::min(lowest, residual[k]);
      highest = std::max(highest, residual[k]);
      now += residual[k] * residual[k];
    }
    if (free.size() < 2 || highest - lowest < epsilon_ / 2) return;

    if (directions++ > free.size()) squared = 0;  // they are not conjugate any more by now
    const double turn = squared > 0 ? now / squared : 0;
    double slope = 0;
    for (const std::size_t k : free) {
      direction[k] = turn > 0 ? residual[k] + turn * direction[k] : residual[k];
      slope += residual[k] * direction[k];
    }
    if (squared == 0) directions = 0;
    squared = now;
    multiply(chunk, free, direction, product);
    double curvature = 0, limit = kInfinity;
    for (const std::size_t k : free) {
      const double d = direction[k];
      curvature += d * product[k];
      if (d > 0) limit = std::min(limit, (chunk.high[k] - chunk.b[k]) / d);
      if (d < 0) limit = std::min(limit, (chunk.low[k] - chunk.b[k]) / d);
    }
    const bool meets_bound = !(curvature > 0) || slope / curvature >= limit;
    const double length = meets_bound ? limit : slope / curvature;
    watch_.count_iteration();
    for (const std::size_t k : free) {
      const double rounding = kRounding * (chunk.high[k] - chunk.low[k]);
      double b = chunk.b[k] + length * direction[k];
      if (b < chunk.low[k] + rounding) b = chunk.low[k];
      if (b > chunk.high[k] - rounding) b = chunk.high[k];
      chunk.b[k] = b;
    }
    for (std::size_t k = 0; k < size; ++k) chunk.f[k] += length * product[k];
    if (!meets_bound) continue;
    squared = 0;
    const auto at_bound = [&](std::size_t k) {
      return chunk.b[k] <= chunk.low[k] || chunk.b[k] >= chunk.high[k];
    };
    free.erase(std::remove_if(free.begin(), free.end(), at_bound), free.end());
  }
}

// Adds variables to `free` that would gain by leaving their bound.  False where there are none.
bool ChunkingSolver::release(const Chunk& chunk, std::vector<std::size_t>& free) const {
  double mean = 0, lowest = kInfinity, highest = -kInfinity;
  for (const std::size_t k : free) mean += chunk.f[k];
  for (std::size_t k = 0; k < chunk.b.size(); ++k) {
    if (chunk.b[k] < chunk.high[k]) lowest = std::min(lowest, chunk.f[k]);
    if (chunk.b[k] > chunk.low[k]) highest = std::max(highest, chunk.f[k]);
  }
  if (highest - lowest < epsilon_) return false;
  const double middle =
      free.empty() ? (lowest + highest) / 2 : mean / static_cast<double>(free.size());
  const std::size_t before = free.size();
  for (std::size_t k = 0; k < chunk.b.size(); ++k) {
    const bool leaves_low = chunk.b[k] <= chunk.low[k] && chunk.f[k] < middle - epsilon_ / 4;
    const bool leaves_high = chunk.b[k] >= chunk.high[k] && chunk.f[k] > middle + epsilon_ / 4;
    if (leaves_low || leaves_high) free.push_back(k);
  }
  std::sort(free.begin(), free.end());
  return free.size() > before;
}

// product = (matrix of the chunk) direction, where the direction is 0 but for the members.
void ChunkingSolver::multiply(const Chunk& chunk, const std::vector<std::size_t>& members,
                              const std::vector<double>& direction, std::vector<double>& product) {
  const std::size_t size = chunk.b.size();
  std::fill(product.begin(), product.end(), 0.0);
  if (!chunk.matrix.empty()) {
    for (const std::size_t k : members) {
      const float* row = chunk.matrix.data() + k * size;
      const double d = direction[k];
      double* out = product.data();
      for (std::size_t s = 0; s < size; ++s) out[s] += d * row[s];
    }
    return;
  }
  std::vector<std::size_t> rows;
  rows.reserve(members.size());
  for (const std::size_t k : members) rows.push_back(chunk.variables[k]);
  kernel_.visit_blocks({rows}, chunk.variables, [&](const KernelMatrix::Block& block) {
    const std::size_t begin = block.begin, end = block.end, stride = block.stride;
    const float* values = block.values;
    for (std::size_t r = 0; r < members.size(); ++r) {
      const double d = direction[members[r]];
      for (std::size_t s = begin; s < end; ++s) {
        product[s] += d * values[r * stride + s - begin];
      }
    }
  });
}

// Brings the whole problem up to date with what the chunk changed.  False where that is nothing.
bool ChunkingSolver::take_over(const Chunk& chunk) {
  std::vector<std::size_t> rows, all(size_);
  std::vector<double> changes;
  for (std::size_t k = 0; k < chunk.b.size(); ++k) {
    const std::size_t t = chunk.variables[k];
    if (chunk.b[k] == b_[t]) continue;
    rows.push_back(t);
    changes.push_back(chunk.b[k] - b_[t]);
    b_[t] = chunk.b[k];
  }
  if (rows.empty()) return false;
  for (std::size_t t = 0; t < size_; ++t) all[t] = t;
  kernel_.visit_blocks({rows}, all, [&](const KernelMatrix::Block& block) {
    const std::size_t begin = block.begin, end = block.end, stride = block.stride;
    const float* values = block.values;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t t = begin; t < end; ++t) {
        f_[t] += changes[r] * values[r * stride + t - begin];
      }
    }
  });
  return true;
}

double ChunkingSolver::objective() const {
  double twice = 0;
  for (std::size_t t = 0; t < size_; ++t) twice += b_[t] * (f_[t] + linear_[t]);
  return twice / 2;
}

}  // namespace svm
