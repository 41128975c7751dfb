#include "training/metric/gradients.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "training/sharing.h"

namespace svm {
namespace {

constexpr std::size_t kRowsAtOnce = 8;  // whose gradients a thread computes at a time
constexpr float kLeastValue = 1e-8F;    // smaller kernel values do not count

// The gradients of the functions of a machine, by features that are numbered.
class Gradients {
 public:
  Gradients(const Problem& problem, const SupportVectors& vectors, const Features& features,
            Run& run)
      : problem_(problem),
        model_(vectors.view()),
        features_(features),
        loops_(*run.services.loops),
        engine_(problem_engine(problem, model_.param, run)),
        origin_(features.size(), 0.0) {
    constexpr std::size_t kMostPlaces = std::size_t{1} << 24U, kMostPerValue = 32;
    for (std::size_t first = 0; first < model_.count; first += engine_->pack_width()) {
      columns_.push_back(
          engine_->pack(vectors.numbers().data() + first, packed_from(first), nullptr));
    }
    std::size_t values = 0, width = origin_.size();
    for (std::size_t s = 0; s < model_.count; ++s) {
      model_.vectors[s].for_each([&](int, double) { ++values; });
    }
    if (model_.count * width > std::min(kMostPlaces, kMostPerValue * values)) return;
    // Relative to the first one, so that a large offset costs the floats no digits.
    add_row(model_.vectors[0], 1, origin_);
    dense_.resize(model_.count * width);
    for (std::size_t s = 0; s < model_.count; ++s) {
      loops_.to_float(from_origin(model_.vectors[s]).data(), width, dense_.data() + s * width);
    }
  }

  // Adds the squares of those at row t to `squares`.
  void add_at(std::size_t t, double* squares) const {
    std::vector<float> values(model_.count);
    for (std::size_t p = 0; p < columns_.size(); ++p) {
      const std::size_t first = p * engine_->pack_width();
      engine_->compute(t, *columns_[p], 0, packed_from(first), values.data() + first);
    }
    const std::vector<double> x = from_origin(problem_.x[t]);
    if (!model_.is_classifier()) return add_function(x, values, 0, 1, squares);
    const int* const labels = model_.labels;
    const auto own = static_cast<std::size_t>(
        std::find(labels, labels + model_.classes, class_label(problem_.y[t])) - labels);
    for (std::size_t other = 0; other < model_.classes; ++other) {
      if (other == own) continue;
      add_function(x, values, std::min(own, other), std::max(own, other), squares);
    }
  }

 private:
  std::size_t packed_from(std::size_t first) const {
    return std::min(engine_->pack_width(), model_.count - first);
  }
  void add_row(const DataRow& row, double factor, std::vector<double>& sum) const {
    features_.for_each(
        row, [&](std::uint32_t d, double value) { sum[d] += factor * value; },
        [](std::uint32_t, double) {});
  }
  std::vector<double> from_origin(const DataRow& row) const {
    std::vector<double> x(origin_.size(), 0.0);
    add_row(row, 1, x);
    for (std::size_t d = 0; d < x.size(); ++d) x[d] -= origin_[d];
    return x;
  }

  // That of a pair of classes is 2 gamma (sum of factors times vectors - sum of factors times x).
  void add_function(const std::vector<double>& x, const std::vector<float>& values, std::size_t a,
                    std::size_t b, double* squares) const {
    std::vector<double> factors, gradient(x.size(), 0.0);
    std::vector<const float*> rows;
    double sum = 0;
    model_.for_stretches_of(
        a, b, [&](const double* coefficients, std::size_t from, std::size_t to) {
          for (std::size_t s = from; s < to; ++s) {
            const double factor = coefficients[s] * static_cast<double>(values[s]);
            if (!(values[s] > kLeastValue) || factor == 0) continue;
            sum += factor;
            factors.push_back(factor);
            if (dense_.empty()) add_row(model_.vectors[s], factor, gradient);
            if (!dense_.empty()) rows.push_back(dense_.data() + s * x.size());
          }
        });
    loops_.add_float_rows(gradient.data(), rows.data(), 0, factors.data(), rows.size(), x.size());
    for (std::size_t d = 0; d < x.size(); ++d) {
      const double slope = 2 * model_.param.gamma * (gradient[d] - sum * x[d]);
      squares[d] += slope * slope;
    }
  }

  const Problem& problem_;
  const ModelView& model_;
  const Features& features_;
  const Loops& loops_;
  const std::shared_ptr<const RowEngine> engine_;
  std::vector<std::unique_ptr<PackedColumns>> columns_;  // the support vectors
  std::vector<double> origin_;
  std::vector<float> dense_;  // support vectors, from the origin; empty if they are sparse or many
};

}  // namespace

void add_squared_gradients(const Problem& problem, const SupportVectors& vectors,
                           const RowNumbers& rows, const Features& features, Run& run,
                           std::vector<double>& squares) {
  if (vectors.size() == 0 || run.interrupted()) return;
  const Gradients gradients(problem, vectors, features, run);
  const std::size_t width = features.size();
  std::vector<double> sums((rows.size() / kRowsAtOnce + 1) * width, 0.0);
  run.services.pool->for_chunks(rows.size(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      gradients.add_at(rows[i], sums.data() + begin / kRowsAtOnce * width);
    }
  });
  for (std::size_t k = 0; k < sums.size(); ++k) squares[k % width] += sums[k];
}

}  // namespace svm
