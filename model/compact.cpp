#include "model/compact.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/double_double.h"
#include "kernels/features.h"
#include "kernels/precomputed_row.h"
#include "model/model_view.h"
#include "model/pairs.h"

namespace svm {
namespace {

// Which nodes of a row belong to the vector.
enum class KeptNodes {
  kNonzero,  // nonzero values; for orderly rows
  kSerial,   // the first, the serial number of a precomputed row
  kAll       // all: prediction may fail or depend on every node
};

KeptNodes kept_nodes(const svm_node* row, bool precomputed) {
  if (precomputed) {
    return row->index == 0 && serial_number(row) ? KeptNodes::kSerial : KeptNodes::kAll;
  }
  return is_orderly(row) ? KeptNodes::kNonzero : KeptNodes::kAll;
}

struct SupportVector {
  const svm_node* row;
  std::size_t class_number;  // 0 for regression and one-class
  KeptNodes kept;
};

// Iterates over the nodes of a vector.
class VectorNodes {
 public:
  explicit VectorNodes(const SupportVector& vector) : next_(vector.row), kept_(vector.kept) {}

  // Null after the last.
  const svm_node* next() {
    while (next_->index != -1 && kept_ == KeptNodes::kNonzero && next_->value == 0) ++next_;
    if (next_->index == -1 || is_done_) return nullptr;
    is_done_ = kept_ == KeptNodes::kSerial;
    return next_++;
  }

 private:
  const svm_node* next_;
  const KeptNodes kept_;
  bool is_done_ = false;
};

// Support vectors by class, each with k-1 coefficients (see coefficient_array()).
struct VectorList {
  VectorList() = default;
  // The support vectors of a model, which must outlive the list.  Throws std::invalid_argument if
  // nSV does not sum to their number.
  explicit VectorList(const svm_model& model) : width(coefficient_arrays(model.nr_class)) {
    const ModelView view(model);
    std::vector<std::size_t> start = {0, view.count};  // where each class begins, and the end
    if (view.is_classifier()) {
      for (std::size_t c = 0; c < view.classes && model.nSV != nullptr; ++c) {
        if (model.nSV[c] < 0) throw std::invalid_argument("a number of support vectors is below 0");
      }
      start = view.start;
    }
    if (start.back() != view.count) {
      throw std::invalid_argument("the numbers of support vectors by class do not sum to theirs");
    }
    const bool precomputed = view.param.kernel_type == PRECOMPUTED;
    vectors.reserve(view.count);
    coefficients.reserve(view.count * width);
    for (std::size_t c = 0; c + 1 < start.size(); ++c) {
      for (std::size_t s = start[c]; s < start[c + 1]; ++s) {
        add({model.SV[s], c, kept_nodes(model.SV[s], precomputed)});
        for (std::size_t n = 0; n < width; ++n) {
          coefficients_of(s)[n] = view.coefficients[n][s];
          if (!std::isfinite(view.coefficients[n][s])) vectors[s].kept = KeptNodes::kAll;
        }
      }
    }
  }

  std::size_t size() const { return vectors.size(); }
  double* coefficients_of(std::size_t s) { return coefficients.data() + s * width; }
  const double* coefficients_of(std::size_t s) const { return coefficients.data() + s * width; }
  void add(const SupportVector& vector) {
    vectors.push_back(vector);
    coefficients.resize(coefficients.size() + width);
  }

  // A new model with these vectors, and everything else from `model`, which the list was made from.
  ModelPtr to_model(const svm_model& model) const {
    ModelView view(model);
    view.count = size();
    std::vector<std::vector<double>> arrays(width, std::vector<double>(size()));
    std::vector<const double*> begins;
    for (std::size_t n = 0; n < width; ++n) {
      for (std::size_t s = 0; s < size(); ++s) arrays[n][s] = coefficients_of(s)[n];
      begins.push_back(arrays[n].data());
    }
    view.coefficients = begins.data();
    if (view.is_classifier()) {
      view.start.assign(view.classes + 1, 0);
      for (const SupportVector& vector : vectors) ++view.start[vector.class_number + 1];
      std::partial_sum(view.start.begin(), view.start.end(), view.start.begin());
    }
    ModelPtr copy = make_model_without_vectors(view);
    drop_class_weights(*copy);
    copy->free_sv = 1;
    own_support_vectors(
        size(),
        [&](std::size_t s, const auto& visit) {
          VectorNodes from(vectors[s]);
          while (const svm_node* const node = from.next()) visit(node->index, node->value);
        },
        *copy);
    return copy;
  }

  std::size_t width = 0;  // k-1
  std::vector<SupportVector> vectors;
  std::vector<double> coefficients;
};

// Bytes that a model uses for a vector of so many nodes.
constexpr std::size_t vector_bytes(std::size_t nodes, std::size_t width) {
  return (nodes + 1) * sizeof(svm_node) + sizeof(svm_node*) + width * sizeof(double);
}

// Three-way comparison, by some total order of the vectors: below 0, 0 or above 0.
int compare_vectors(const SupportVector& u, const SupportVector& v) {
  VectorNodes of_u(u), of_v(v);
  for (;;) {
    const svm_node* const a = of_u.next();
    const svm_node* const b = of_v.next();
    if (a == nullptr || b == nullptr) return (a != nullptr) - (b != nullptr);
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
  }
}

// Merges groups of equal vectors, one group after the other.  A removed vector has a null row.
class Merger {
 public:
  explicit Merger(VectorList& list) : list_(list), sums_(list.width) {}

  // Merges the vectors of the numbers [begin, end), which rise.
  void merge(const std::size_t* begin, const std::size_t* end) {
    merged_.clear();
    while (begin != end) {
      const std::size_t* next = begin + 1;
      while (next != end && class_of(*next) == class_of(*begin)) ++next;
      if (merge_class(begin, next)) merged_.push_back(*begin);
      begin = next;
    }
    for (std::size_t m = merged_.size(); m-- > 0;) {
      if (!hand_over(merged_[m])) continue;
      list_.vectors[merged_[m]].row = nullptr;
      merged_.erase(merged_.begin() + static_cast<std::ptrdiff_t>(m));
    }
  }

  // Removes the merged vectors from the list.
  void finish() {
    std::size_t size = 0;
    for (std::size_t s = 0; s < list_.size(); ++s) {
      if (list_.vectors[s].row == nullptr) continue;
      list_.vectors[size] = list_.vectors[s];
      std::copy_n(list_.coefficients_of(s), list_.width, list_.coefficients_of(size));
      ++size;
    }
    list_.vectors.resize(size);
    list_.coefficients.resize(size * list_.width);
  }

 private:
  std::size_t class_of(std::size_t s) const { return list_.vectors[s].class_number; }

  // Adds the coefficients of vectors of one class to those of the first.  Returns false, and
  // changes nothing, if a sum overflows.
  bool merge_class(const std::size_t* begin, const std::size_t* end) {
    std::fill(sums_.begin(), sums_.end(), DoubleDouble());
    for (const std::size_t* v = begin; v != end; ++v) {
      for (std::size_t n = 0; n < list_.width; ++n) sums_[n].add(list_.coefficients_of(*v)[n]);
    }
    for (const DoubleDouble& sum : sums_) {
      if (!std::isfinite(sum.to_double())) return false;
    }
    for (std::size_t n = 0; n < list_.width; ++n) {
      list_.coefficients_of(*begin)[n] = sums_[n].to_double();
    }
    for (const std::size_t* v = begin + 1; v != end; ++v) list_.vectors[*v].row = nullptr;
    return true;
  }

  // Finds the coefficient for the pair of classes `own` and `other` in the merged vector of class
  // `other`.  Null if there is no such vector.
  double* coefficient_at_other(std::size_t own, std::size_t other) {
    const auto found =
        std::lower_bound(merged_.begin(), merged_.end(), other,
                         [&](std::size_t s, std::size_t number) { return class_of(s) < number; });
    if (found == merged_.end() || class_of(*found) != other) return nullptr;
    return list_.coefficients_of(*found) + coefficient_array(other, own);
  }

  // Adds the coefficients of a vector to those of the other classes' vectors.  Returns false, and
  // changes nothing, if a coefficient has no such vector or a sum overflows.
  bool hand_over(std::size_t s) {
    const std::size_t own = class_of(s);
    const double* const coefficients = list_.coefficients_of(s);
    for (std::size_t n = 0; n < list_.width; ++n) {
      if (coefficients[n] == 0) continue;
      const double* const at_other = coefficient_at_other(own, other_class(own, n));
      if (at_other == nullptr || !std::isfinite(*at_other + coefficients[n])) return false;
    }
    for (std::size_t n = 0; n < list_.width; ++n) {
      if (coefficients[n] != 0) *coefficient_at_other(own, other_class(own, n)) += coefficients[n];
    }
    return true;
  }

  VectorList& list_;
  std::vector<DoubleDouble> sums_;
  std::vector<std::size_t> merged_;  // the group's vectors, one per class, by class
};

// Merges equal vectors by adding up their coefficients, and drops vectors without a coefficient
// other than zero.  Equal vectors of different classes are merged if the model format permits: a
// vector can take over the coefficients of pairs that include its own class.  A vector stays as it
// is if it is KeptNodes::kAll or if a sum overflows.
void merge_equal_vectors(VectorList& list) {
  std::vector<std::size_t> order;
  for (std::size_t s = 0; s < list.size(); ++s) {
    if (list.vectors[s].kept != KeptNodes::kAll) order.push_back(s);
  }
  const auto is_before = [&list](std::size_t a, std::size_t b) {
    return compare_vectors(list.vectors[a], list.vectors[b]) < 0;
  };
  std::stable_sort(order.begin(), order.end(), is_before);
  Merger merger(list);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    do {
      ++end;
    } while (end < order.size() && !is_before(order[begin], order[end]));
    merger.merge(order.data() + begin, order.data() + end);
  }
  merger.finish();
}

// Smaller products would be rounded as subnormal numbers, or to 0.
constexpr double kLeastProduct = 1e-290;

Features features_of(const VectorList& list) {
  std::vector<DataRow> rows;
  for (const SupportVector& vector : list.vectors) rows.emplace_back(vector.row);
  return Features(indices_of(rows.data(), rows.size()));
}

// Sums up the weights of one decision function after the other.
class WeightSums {
 public:
  explicit WeightSums(const VectorList& list)
      : list_(list),
        features_(features_of(list)),
        weights_(features_.size()),
        is_used_(features_.size(), 0) {}

  // Adds the vectors [begin, end), each times its coefficient `number`.
  void add(std::size_t begin, std::size_t end, std::size_t number) {
    for (std::size_t s = begin; s < end; ++s) {
      const double coefficient = list_.coefficients_of(s)[number];
      if (coefficient == 0) continue;
      features_.place(list_.vectors[s].row, row_);
      for (const Features::Entry& entry : row_.entries) {
        if (entry.value != 0) add(entry.number, coefficient * entry.value);
      }
    }
  }

  // Returns the sum as a row, and begins the next sum.
  std::vector<svm_node> take() {
    std::sort(used_.begin(), used_.end());
    std::vector<svm_node> row;
    for (const std::uint32_t feature : used_) {
      const double weight = weights_[feature].to_double();
      is_precise_ = is_precise_ && std::isfinite(weight);
      if (weight != 0) row.push_back({features_.index(feature), weight});
      weights_[feature] = DoubleDouble();
      is_used_[feature] = 0;
    }
    used_.clear();
    row.push_back({-1, 0});
    return row;
  }

  bool is_precise() const { return is_precise_; }

 private:
  void add(std::uint32_t feature, double product) {
    is_precise_ = is_precise_ && std::fabs(product) >= kLeastProduct;
    weights_[feature].add(product);
    if (is_used_[feature] != 0) return;
    is_used_[feature] = 1;
    used_.push_back(feature);
  }

  const VectorList& list_;
  const Features features_;
  Features::Row row_;
  std::vector<DoubleDouble> weights_;  // one for each feature
  std::vector<char> is_used_;
  std::vector<std::uint32_t> used_;
  bool is_precise_ = true;
};

struct WeightVectors {
  std::vector<std::vector<svm_node>> rows;  // owns the rows of the list
  VectorList list;
};

// Replaces each decision function of a linear model by one weight vector with coefficient 1, which
// belongs to the first class of its pair; by none if all weights are 0.  Returns nothing if these
// would take `most_bytes` or more, if a vector of the list is KeptNodes::kAll, or if a weight or
// one of its terms leaves the range of full precision.
std::optional<WeightVectors> weight_vectors(const VectorList& list, std::size_t most_bytes) {
  const auto has_to_stay = [](const SupportVector& v) { return v.kept == KeptNodes::kAll; };
  if (std::any_of(list.vectors.begin(), list.vectors.end(), has_to_stay)) return std::nullopt;
  const std::size_t classes = list.width + 1;
  std::vector<std::size_t> begin(classes + 1, 0);  // where each class begins, and the end
  for (const SupportVector& vector : list.vectors) ++begin[vector.class_number + 1];
  for (std::size_t c = 0; c < classes; ++c) begin[c + 1] += begin[c];

  WeightSums sums(list);
  WeightVectors result;
  result.list.width = list.width;
  std::size_t bytes = 0;
  bool is_too_large = false;
  for_each_pair(classes, [&](std::size_t, std::size_t a, std::size_t b) {
    if (is_too_large) return;
    sums.add(begin[a], begin[a + 1], coefficient_array(a, b));
    sums.add(begin[b], begin[b + 1], coefficient_array(b, a));
    std::vector<svm_node> row = sums.take();
    if (row.size() == 1) return;
    bytes += vector_bytes(row.size() - 1, list.width);
    is_too_large = !sums.is_precise() || bytes >= most_bytes;
    result.list.add({row.data(), a, KeptNodes::kNonzero});
    result.list.coefficients_of(result.list.size() - 1)[coefficient_array(a, b)] = 1;
    result.rows.push_back(std::move(row));
  });
  if (!sums.is_precise() || bytes >= most_bytes) return std::nullopt;
  return result;
}

std::size_t bytes_of_list(const VectorList& list) {
  std::size_t bytes = 0;
  for (const SupportVector& vector : list.vectors) {
    std::size_t nodes = 0;
    for (VectorNodes from(vector); from.next() != nullptr;) ++nodes;
    bytes += vector_bytes(nodes, list.width);
  }
  return bytes;
}

}  // namespace

ModelPtr compact_model(const svm_model& model) {
  VectorList list(model);
  merge_equal_vectors(list);
  if (model.param.kernel_type == LINEAR) {
    if (const std::optional<WeightVectors> weights = weight_vectors(list, bytes_of_list(list))) {
      return weights->list.to_model(model);
    }
  }
  return list.to_model(model);
}

}  // namespace svm
