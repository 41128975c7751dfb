// Stochastic subgradient steps on the Nystrom embedding.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "base/platform/numbers.h"
#include "solvers/rows/nystrom.h"
#include "solvers/rows/row_solvers.h"

namespace svm {
namespace {

constexpr std::size_t kDefaultLandmarks = 1000;
constexpr std::size_t kEmbeddedRows = 512;  // rows of a block
constexpr std::size_t kChunkRows = 32;      // rows per piece of work of a thread
constexpr double kLeastSteps = 20000;       // least steps of a stage
constexpr double kLeastScale = 1e-6;

// The embedded rows in random order, by blocks.  They are kept if memory suffices, and otherwise
// embedded anew for each use, which gives the same values.
class EmbeddedRows {
 public:
  EmbeddedRows(const ExampleProblem& problem, const NystromEmbedding& embedding, Draws& draws,
               Run& run)
      : embedding_(embedding),
        pool_(*run.services.pool),
        stride_(embedding.stride()),
        order_(draws.order(problem.size)) {
    const std::size_t room = blocks() * kEmbeddedRows;
    kept_ = room <= problem.memory / sizeof(float) / stride_;
    values_.resize((kept_ ? room : kEmbeddedRows) * stride_);
    known_.resize(kept_ ? blocks() : 0, 0);
  }

  std::size_t blocks() const { return (order_.size() + kEmbeddedRows - 1) / kEmbeddedRows; }
  bool are_kept() const { return kept_; }
  std::size_t size(std::size_t block) const {
    return std::min(kEmbeddedRows, order_.size() - block * kEmbeddedRows);
  }
  const std::uint32_t* rows(std::size_t block) const {
    return order_.data() + block * kEmbeddedRows;
  }

  // The embedded rows of a block, valid until the next call.  Null if the run was interrupted.
  const float* values(std::size_t block, Monitor& monitor) {
    float* const to = values_.data() + (kept_ ? block * kEmbeddedRows * stride_ : 0);
    if (kept_ && known_[block] != 0) return to;
    const auto start = Clock::now();
    const GoOn poll = [&monitor] { return monitor.poll(); };
    const SharedGoOn go_on(poll);
    pool_.for_chunks(size(block), kChunkRows, [&](std::size_t begin, std::size_t end) {
      if (go_on()) embedding_.embed(rows(block) + begin, end - begin, to + begin * stride_);
    });
    Record& report = monitor.record();
    report.kernel_rows += static_cast<long long>(size(block));
    report.kernel_seconds += seconds_since(start);
    if (go_on.is_stopped()) return nullptr;
    if (kept_) known_[block] = 1;
    return to;
  }

 private:
  const NystromEmbedding& embedding_;
  ThreadPool& pool_;
  const std::size_t stride_;
  std::vector<std::uint32_t> order_;
  bool kept_;
  std::vector<float> values_;
  std::vector<char> known_;  // for kept blocks: whether they are embedded
};

// The C of the objective: a row of this cost has weight 1.
double typical_cost(const UpperBounds& cost) {
  if (cost.each.empty()) return std::max(cost.positive, cost.negative);
  const double sum = std::accumulate(cost.each.begin(), cost.each.end(), 0.0);
  return sum / static_cast<double>(cost.each.size());
}

struct Stage {
  std::size_t epochs;    // passes over the rows
  std::size_t left_out;  // the first of these, which are not averaged
  double step;           // step length; 0 for 1/(mu (k + 1)) at step k = 1, 2 ...
  double radius;         // of the ball around the start that iterates are projected to
  // If not 0: steps with rows that are drawn independently, instead of epochs, as published.  Those
  // to leave out are counted, too.
  std::size_t steps = 0;
};

class SubgradientDescent {
 public:
  SubgradientDescent(const ExampleProblem& problem, Run& run)
      : problem_(problem),
        run_(run),
        loops_(loops(instruction_set())),
        monitor_(run, problem.size, {iteration_cap(problem.size), 256}),
        draws_(static_cast<std::uint64_t>(run.options.seed)),
        cost_(typical_cost(problem.cost)),
        mu_(1 / (static_cast<double>(problem.size) * cost_)) {
    if (!(mu_ > 0 && std::isfinite(mu_))) throw std::invalid_argument("C is out of range");
    const std::size_t landmarks =
        run.options.landmarks > 0 ? run.options.landmarks : kDefaultLandmarks;
    const auto start = Clock::now();
    embedding_.emplace(problem, uniform_landmarks(problem.size, landmarks, draws_), run,
                       [&run] { return run.poll(); });
    rows_.emplace(problem, *embedding_, draws_, run);
    monitor_.record().kernel_seconds += seconds_since(start);
    w_.assign(embedding_->stride(), 0.0);
    v_.resize(w_.size());
    b_.resize(w_.size());
    center_.resize(w_.size());
    objective_ = 1;
  }

  // True as published: rows are drawn independently, which takes all of them embedded in memory.
  bool draws_rows() const {
    if (!monitor_.is_published()) return false;
    if (rows_->are_kept()) return true;
    throw std::invalid_argument("as_published: the memory (-m) does not hold all embedded rows");
  }
  double mu() const { return mu_; }
  double least_epochs() const {
    return std::ceil(kLeastSteps / static_cast<double>(problem_.size));
  }
  double squared_length() const { return embedding_->mean_diagonal(); }
  double objective() const { return objective_; }
  void set_violation(double violation) { violation_ = violation; }
  void stop(svm_status status) { monitor_.stop(status); }

  // Runs a stage from w and sets w to its average.  False if the solver has to end.
  bool run_stage(const Stage& stage);

  ExampleSolution result();

 private:
  bool run_block(const Stage& stage, std::size_t block);
  bool run_draws(const Stage& stage);
  bool visit(const Stage& stage, std::size_t row, const float* z);
  void step(const Stage& stage, double label, double weight, const float* z);
  void fold_scale();
  void begin_average();
  double shown() const { return -objective_ * cost_ * static_cast<double>(problem_.size); }
  double label(std::size_t row) const { return problem_.targets[row] > 0 ? +1 : -1; }
  double weight(std::size_t row) const {
    return problem_.cost.of(row, label(row) > 0 ? +1 : -1) / cost_;
  }
  void evaluate();

  const ExampleProblem& problem_;
  Run& run_;
  const Loops& loops_;
  Monitor monitor_;
  Draws draws_;
  const double cost_, mu_;
  std::optional<NystromEmbedding> embedding_;
  std::optional<EmbeddedRows> rows_;
  std::vector<double> w_;
  double objective_;  // as last computed or estimated
  double violation_ = 1;

  // The iterate of a stage is c + p v + q c, where c is its start.  The average over n steps is
  // c + (P v - b + Q c) / n, where P and Q are the sums of p and q.
  std::vector<float> center_, v_, b_;
  double p_ = 1, q_ = 0, sum_p_ = 0, sum_q_ = 0;
  double v_norm_ = 0, vc_ = 0, c_norm_ = 0;  // v'v, v'c, c'c
  double averaged_ = 0;                      // number of steps averaged
  double steps_ = 0;
  double loss_ = 0;  // sum over the steps averaged
};

// w <- (1 - step mu) w, plus a step towards the row if its margin is below 1, then projected.
void SubgradientDescent::step(const Stage& stage, double label, double weight, const float* z) {
  double dots[2];
  loops_.two_dots(z, v_.data(), center_.data(), v_.size(), dots);
  const double margin = label * (p_ * dots[0] + (1 + q_) * dots[1]);
  ++steps_;
  const double length = stage.step > 0 ? stage.step : 1 / (mu_ * (steps_ + 1));
  p_ *= 1 - length * mu_;
  q_ = q_ * (1 - length * mu_) - length * mu_;
  if (margin < 1) {
    loss_ += weight * (1 - margin);
    double norm[2];
    loops_.two_dots(z, z, z, v_.size(), norm);
    const double change = length * weight * label / p_;
    loops_.add_to_two(z, static_cast<float>(change), static_cast<float>(change * sum_p_), v_.size(),
                      v_.data(), b_.data());
    v_norm_ += change * (2 * dots[0] + change * norm[0]);
    vc_ += change * dots[1];
  }
  const double distance =
      std::sqrt(std::max(p_ * p_ * v_norm_ + 2 * p_ * q_ * vc_ + q_ * q_ * c_norm_, 0.0));
  if (distance > stage.radius) {
    p_ *= stage.radius / distance;
    q_ *= stage.radius / distance;
  }
  sum_p_ += p_;
  sum_q_ += q_;
  ++averaged_;
  if (p_ < kLeastScale) fold_scale();
}

// Sets p to 1 without changing the iterate or the average.
void SubgradientDescent::fold_scale() {
  for (std::size_t k = 0; k < v_.size(); ++k) {
    b_[k] -= static_cast<float>(sum_p_ * v_[k]);
    v_[k] *= static_cast<float>(p_);
  }
  v_norm_ *= p_ * p_;
  vc_ *= p_;
  p_ = 1;
  sum_p_ = 0;
}

void SubgradientDescent::begin_average() {
  std::fill(b_.begin(), b_.end(), 0.0F);
  sum_p_ = sum_q_ = averaged_ = loss_ = 0;
}

bool SubgradientDescent::run_block(const Stage& stage, std::size_t block) {
  const float* const values = rows_->values(block, monitor_);
  if (values == nullptr) return false;
  for (const std::uint32_t k : draws_.order(rows_->size(block))) {
    if (!visit(stage, rows_->rows(block)[k], values + k * v_.size())) return false;
  }
  return true;
}

// Takes a step with this row.
bool SubgradientDescent::visit(const Stage& stage, std::size_t row, const float* z) {
  if (!monitor_.go_on(shown(), violation_, problem_.size)) return false;
  monitor_.count_iteration();
  step(stage, label(row), weight(row), z);
  return true;
}

bool SubgradientDescent::run_draws(const Stage& stage) {
  for (std::size_t step = 0; step < stage.steps; ++step) {
    if (step == stage.left_out) begin_average();
    const std::size_t drawn = draws_.below(problem_.size), k = drawn % kEmbeddedRows;
    const float* const values = rows_->values(drawn / kEmbeddedRows, monitor_);
    if (values == nullptr) return false;
    const std::size_t row = rows_->rows(drawn / kEmbeddedRows)[k];
    if (!visit(stage, row, values + k * v_.size())) return false;
  }
  return true;
}

bool SubgradientDescent::run_stage(const Stage& stage) {
  c_norm_ = 0;
  for (std::size_t k = 0; k < w_.size(); ++k) {
    center_[k] = static_cast<float>(w_[k]);
    c_norm_ += static_cast<double>(center_[k]) * center_[k];
  }
  std::fill(v_.begin(), v_.end(), 0.0F);
  p_ = 1;
  q_ = v_norm_ = vc_ = steps_ = 0;
  begin_average();
  std::vector<std::uint32_t> blocks = index_range<std::uint32_t>(0, rows_->blocks());
  bool goes_on = run_draws(stage);
  for (std::size_t epoch = 0; epoch < stage.epochs && goes_on; ++epoch) {
    if (epoch == stage.left_out) begin_average();
    draws_.shuffle(blocks);
    for (std::size_t k = 0; k < blocks.size() && goes_on; ++k) {
      goes_on = run_block(stage, blocks[k]);
    }
  }
  if (stage.steps > 0 && steps_ <= static_cast<double>(stage.left_out)) {
    begin_average();  // stopped early: the last iterate
    sum_p_ = p_;
    sum_q_ = q_;
    averaged_ = 1;
  }
  if (!(averaged_ > 0)) return goes_on;
  double norm = 0;
  for (std::size_t k = 0; k < w_.size(); ++k) {
    w_[k] = (1 + sum_q_ / averaged_) * center_[k] + (sum_p_ * v_[k] - b_[k]) / averaged_;
    norm += w_[k] * w_[k];
  }
  objective_ = mu_ / 2 * norm + loss_ / averaged_;
  return goes_on;
}

// Computes the objective at w, unless the run is interrupted.
void SubgradientDescent::evaluate() {
  std::vector<float> w(w_.begin(), w_.end());
  double norm = 0, loss = 0;
  for (const double each : w_) norm += each * each;
  std::vector<double> margins(kEmbeddedRows);
  for (std::size_t block = 0; block < rows_->blocks(); ++block) {
    const float* const values = rows_->values(block, monitor_);
    if (values == nullptr) return;
    const std::size_t count = rows_->size(block);
    run_.services.pool->for_chunks(count, kChunkRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        double dots[2];
        loops_.two_dots(values + k * w.size(), w.data(), w.data(), w.size(), dots);
        margins[k] = dots[0];
      }
    });
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t row = rows_->rows(block)[k];
      loss += weight(row) * std::max(0.0, 1 - label(row) * margins[k]);
    }
  }
  objective_ = mu_ / 2 * norm + loss / static_cast<double>(problem_.size);
}

ExampleSolution SubgradientDescent::result() {
  if (problem_.size > 0 && !monitor_.interrupted()) evaluate();
  ExampleSolution solution;
  solution.coefficients = embedding_->coefficients(w_);
  for (const double coefficient : solution.coefficients) {
    if (std::fabs(coefficient) > 0) ++solution.support_vectors;
  }
  solution.objective = shown();
  if (!std::isfinite(objective_)) monitor_.stop(SVM_IMPRECISE);
  monitor_.finish(solution.objective, violation_);
  return solution;
}

constexpr double kPegasosEpochs = 40;
// The schedule of the published program: the number of stages, the steps of each, the first step
// and radius, and what these are divided by after a stage.
constexpr int kPublishedStages = 10;
constexpr std::size_t kPublishedSteps = 120000;
constexpr double kPublishedStep = 0.5, kPublishedRadius = 1100, kOmega = 2;
constexpr int kMostStages = 60;
constexpr double kFirstStep = 4;      // times the inverse mean squared length of embedded rows
constexpr double kEnoughGain = 0.05;  // a stage that gains this part is repeated unchanged

}  // namespace

ExampleSolution solve_pegasos(const ExampleProblem& problem, Run& run) {
  SubgradientDescent descent(problem, run);
  const auto epochs = static_cast<std::size_t>(kPegasosEpochs * descent.least_epochs());
  Stage stage = {epochs, epochs / 2, 0, 1 / std::sqrt(descent.mu())};
  if (descent.draws_rows()) {
    const std::size_t steps = epochs * problem.size;
    stage = {0, steps - 1, 0, stage.radius, steps};
  }
  descent.run_stage(stage);
  return descent.result();
}

ExampleSolution solve_snacks(const ExampleProblem& problem, Run& run) {
  SubgradientDescent descent(problem, run);
  const double mu = descent.mu();
  Stage stage = {static_cast<std::size_t>(descent.least_epochs()), 0,
                 std::min(kFirstStep / descent.squared_length(), 0.5 / mu), std::sqrt(2 / mu)};
  if (descent.draws_rows()) {
    stage = {0, 0, kPublishedStep, kPublishedRadius, kPublishedSteps};
    for (int k = 0; k < kPublishedStages && descent.run_stage(stage); ++k) {
      stage.step /= kOmega;
      stage.radius /= kOmega;
    }
    return descent.result();
  }
  double before = kInfinity;
  bool halved = false;  // step and radius, before the last stage
  for (int k = 0; descent.run_stage(stage); ++k) {
    if (k + 1 == kMostStages) {
      descent.stop(SVM_ITERATION_LIMIT);
      break;
    }
    run.services.messages.print(".");
    const double now = descent.objective();
    const double change = now > 0 ? std::fabs(before - now) / now : 0;
    before = now;
    if (k > 0) descent.set_violation(change);
    if (halved && change < problem.epsilon) break;
    halved = !(change > kEnoughGain);
    if (!halved) continue;
    stage.step /= 2;
    stage.radius /= 2;
  }
  return descent.result();
}

}  // namespace svm
