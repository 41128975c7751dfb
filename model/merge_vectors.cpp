#include "model/merge_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/compensated_sum.h"

namespace svm {
namespace {

struct HashedVector {
  std::uint64_t hash;
  std::size_t number;
};

std::uint64_t hash_of(const SupportVector& vector) {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  };
  VectorNodes nodes(vector);
  while (const svm_node* const node = nodes.next()) {
    const double value = node->value + 0.0;  // no -0
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    mix(static_cast<std::uint64_t>(node->index));
    mix(bits);
  }
  return hash;
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

  // Merges the group [begin, end), whose numbers rise.
  void merge(const HashedVector* begin, const HashedVector* end) {
    merged_.clear();
    while (begin != end) {
      const HashedVector* next = begin + 1;
      while (next != end && class_of(next->number) == class_of(begin->number)) ++next;
      if (merge_class(begin, next)) merged_.push_back(begin->number);
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
  bool merge_class(const HashedVector* begin, const HashedVector* end) {
    std::fill(sums_.begin(), sums_.end(), CompensatedSum());
    for (const HashedVector* v = begin; v != end; ++v) {
      for (std::size_t n = 0; n < list_.width; ++n) {
        sums_[n].add(list_.coefficients_of(v->number)[n]);
      }
    }
    for (const CompensatedSum& sum : sums_) {
      if (!std::isfinite(sum.value())) return false;
    }
    for (std::size_t n = 0; n < list_.width; ++n) {
      list_.coefficients_of(begin->number)[n] = sums_[n].value();
    }
    for (const HashedVector* v = begin + 1; v != end; ++v) list_.vectors[v->number].row = nullptr;
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
  std::vector<CompensatedSum> sums_;
  std::vector<std::size_t> merged_;  // the group's vectors, one per class, by class
};

}  // namespace

void merge_equal_vectors(VectorList& list) {
  std::vector<HashedVector> order;
  for (std::size_t s = 0; s < list.size(); ++s) {
    if (list.vectors[s].kept != KeptNodes::kAll) order.push_back({hash_of(list.vectors[s]), s});
  }
  std::sort(order.begin(), order.end(), [](const HashedVector& a, const HashedVector& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.number < b.number;
  });
  Merger merger(list);
  const auto ordering = [&list](const HashedVector& a, const HashedVector& b) {
    return compare_vectors(list.vectors[a.number], list.vectors[b.number]);
  };
  // The end of the run of vectors equal to `begin`.
  const auto end_of_equal = [&](const HashedVector* begin, const HashedVector* end) {
    return std::find_if(begin, end,
                        [&](const HashedVector& v) { return ordering(*begin, v) != 0; });
  };
  HashedVector* const end = order.data() + order.size();
  for (HashedVector* begin = order.data(); begin != end;) {
    HashedVector* const next =
        std::find_if(begin, end, [&](const HashedVector& v) { return v.hash != begin->hash; });
    if (end_of_equal(begin, next) != next) {  // the hashes collide
      std::stable_sort(begin, next, [&](const HashedVector& a, const HashedVector& b) {
        return ordering(a, b) < 0;
      });
    }
    while (begin != next) {
      const HashedVector* const group_end = end_of_equal(begin, next);
      merger.merge(begin, group_end);
      begin += group_end - begin;
    }
  }
  merger.finish();
}

}  // namespace svm
