#include "training/metric/gradients.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "model/pairs.h"
#include "training/sharing.h"

namespace svm {
namespace {

// Rows whose gradients a thread computes at a time.
constexpr std::size_t kRowsOfPiece = 8;
// Support vectors with a smaller kernel value do not count.
constexpr float kLeastValue = 1e-8F;

// The support vectors, to be added with factors: as floats for every feature, relative to the first
// one so that large offsets cost no digits, or if they are sparse or many, as their values.
class VectorSum {
 public:
  VectorSum(const ModelView& model, const Features& features, const Loops& loops)
      : model_(model), features_(features), loops_(loops), origin_(features.size(), 0.0) {
    constexpr std::size_t kMostPlaces = std::size_t{1} << 24U;
    constexpr std::size_t kMostPerValue = 8;
    std::size_t values = 0;
    for (std::size_t s = 0; s < model.count; ++s) {
      model.vectors[s].for_each([&](int, double) { ++values; });
    }
    const std::size_t places = model.count * width();
    if (places > kMostPlaces || places > kMostPerValue * values) return;
    add_row(0, 1, origin_.data());
    std::vector<double> row(width());
    dense_.resize(places);
    for (std::size_t s = 0; s < model.count; ++s) {
      std::transform(origin_.begin(), origin_.end(), row.begin(), [](double x) { return -x; });
      add_row(s, 1, row.data());
      loops.to_float(row.data(), width(), dense_.data() + s * width());
    }
  }

  std::size_t width() const { return origin_.size(); }
  // Relative to this point.
  const std::vector<double>& origin() const { return origin_; }

  // Adds factors[k] times vector chosen[k] to `sum`, in this order.
  void add(const std::vector<std::size_t>& chosen, const std::vector<double>& factors,
           double* sum) const {
    if (dense_.empty()) {
      for (std::size_t k = 0; k < chosen.size(); ++k) add_row(chosen[k], factors[k], sum);
      return;
    }
    std::vector<const float*> rows;
    rows.reserve(chosen.size());
    for (const std::size_t s : chosen) rows.push_back(dense_.data() + s * width());
    loops_.add_float_rows(sum, rows.data(), 0, factors.data(), rows.size(), width());
  }

 private:
  void add_row(std::size_t s, double factor, double* sum) const {
    features_.for_each(
        model_.vectors[s], [&](std::uint32_t d, double value) { sum[d] += factor * value; },
        [](std::uint32_t, double) {});
  }

  const ModelView& model_;
  const Features& features_;
  const Loops& loops_;
  std::vector<double> origin_;
  std::vector<float> dense_;
};

}  // namespace

void add_squared_gradients(const Problem& problem, const SupportVectors& vectors,
                           const std::vector<std::uint32_t>& rows, const Features& features,
                           Run& run, std::vector<double>& squares) {
  const ModelView& model = vectors.view();
  if (model.count == 0 || run.interrupted()) return;
  const std::shared_ptr<const RowEngine> engine = problem_engine(problem, model.param, run);
  std::vector<std::unique_ptr<PackedColumns>> packed;
  const std::size_t pack = engine->pack_width();
  for (std::size_t first = 0; first < model.count; first += pack) {
    packed.push_back(engine->pack(vectors.numbers().data() + first,
                                  std::min(pack, model.count - first), nullptr));
  }
  const VectorSum sum(model, features, *run.services.loops);
  const std::size_t width = sum.width(), classes = model.is_classifier() ? model.classes : 0;
  const auto piece = [&](std::size_t begin, std::size_t end, double* of_piece) {
    std::vector<float> values(model.count);
    std::vector<double> gradient(width), x(width), factors;
    std::vector<std::size_t> chosen;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t t = rows[i];
      for (std::size_t p = 0; p < packed.size(); ++p) {
        const std::size_t first = p * pack;
        engine->compute(t, *packed[p], 0, std::min(pack, model.count - first),
                        values.data() + first);
      }
      std::transform(sum.origin().begin(), sum.origin().end(), x.begin(),
                     [](double origin) { return -origin; });
      features.for_each(
          problem.x[t], [&](std::uint32_t d, double value) { x[d] += value; },
          [](std::uint32_t, double) {});
      const auto add_function = [&](std::size_t a, std::size_t b) {
        double total = 0;
        chosen.clear();
        factors.clear();
        model.for_stretches_of(
            a, b, [&](const double* coefficients, std::size_t from, std::size_t to) {
              for (std::size_t s = from; s < to; ++s) {
                const double factor = coefficients[s] * static_cast<double>(values[s]);
                if (!(values[s] > kLeastValue) || factor == 0) continue;
                total += factor;
                chosen.push_back(s);
                factors.push_back(factor);
              }
            });
        // df / dx = 2 gamma (sum of factors times vectors - total x)
        std::transform(x.begin(), x.end(), gradient.begin(),
                       [total](double value) { return -total * value; });
        sum.add(chosen, factors, gradient.data());
        for (std::size_t d = 0; d < width; ++d) {
          const double slope = 2 * model.param.gamma * gradient[d];
          of_piece[d] += slope * slope;
        }
      };
      if (classes == 0) {
        add_function(0, 1);
        continue;
      }
      const int* const labels = model.labels;
      const auto own = static_cast<std::size_t>(
          std::find(labels, labels + classes, class_label(problem.y[t])) - labels);
      for (std::size_t other = 0; other < classes; ++other) {
        if (other != own) add_function(std::min(own, other), std::max(own, other));
      }
    }
  };
  const std::size_t pieces = (rows.size() + kRowsOfPiece - 1) / kRowsOfPiece;
  std::vector<double> sums(pieces * width, 0.0);
  run.services.pool->for_chunks(pieces, 1, [&](std::size_t p, std::size_t) {
    const std::size_t begin = p * kRowsOfPiece;
    piece(begin, std::min(begin + kRowsOfPiece, rows.size()), sums.data() + p * width);
  });
  for (std::size_t p = 0; p < pieces; ++p) {
    for (std::size_t d = 0; d < width; ++d) squares[d] += sums[p * width + d];
  }
}

}  // namespace svm
