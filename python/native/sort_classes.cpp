// A model whose classes stand in ascending order of their labels, as scikit-learn has them; LIBSVM
// has them in the order in which they come first.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "api/errors.h"
#include "python/native/csmo.h"

namespace {

using Places = std::vector<std::size_t>;  // by new place: the old one

std::size_t pair_number(std::size_t a, std::size_t b, std::size_t classes) {
  return a * (2 * classes - a - 1) / 2 + (b - a - 1);
}

template <typename Value>
void reorder(Value* values, const Places& old) {
  std::vector<Value> result;
  result.reserve(old.size());
  for (const std::size_t place : old) result.push_back(values[place]);
  std::copy(result.begin(), result.end(), values);
}

// The support vectors' new order: class by class.
Places order_of_vectors(const svm_model& model, const Places& classes) {
  Places begin(classes.size() + 1, 0);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    begin[c + 1] = begin[c] + static_cast<std::size_t>(model.nSV[c]);
  }
  Places vectors;
  for (const std::size_t c : classes) {
    for (std::size_t s = begin[c]; s < begin[c + 1]; ++s) vectors.push_back(s);
  }
  return vectors;
}

// The rows lie in one block, which begins with the first of them.
void reorder_rows(svm_model& model, const Places& vectors) {
  std::vector<std::size_t> sizes;
  std::size_t total = 0;
  for (const std::size_t s : vectors) {
    const svm_node* end = model.SV[s];
    while (end->index != -1) ++end;
    sizes.push_back(static_cast<std::size_t>(end - model.SV[s]) + 1);
    total += sizes.back();
  }
  auto* const block = static_cast<svm_node*>(std::malloc(total * sizeof(svm_node)));
  if (block == nullptr) throw std::bad_alloc();
  svm_node* const old_block = model.SV[0];
  std::vector<svm_node*> rows;
  svm_node* next = block;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    rows.push_back(next);
    next = std::copy_n(model.SV[vectors[k]], sizes[k], next);
  }
  std::copy(rows.begin(), rows.end(), model.SV);
  std::free(old_block);
}

// Of a pair (a, b) sv_coef has the coefficients of a's vectors in array b - 1, and those of b's in
// array a.  A pair that changes sides changes the sign of its values.
void reorder_coefficients(svm_model& model, const Places& classes, const Places& vectors,
                          const std::vector<int>& counts) {
  const std::size_t k = classes.size(), l = vectors.size();
  std::vector<std::vector<double>> result(k - 1, std::vector<double>(l));
  std::size_t begin = 0;
  for (std::size_t c = 0; c < k; ++c) {
    const std::size_t end = begin + static_cast<std::size_t>(counts[classes[c]]);
    for (std::size_t other = 0; other < k; ++other) {
      if (other == c) continue;
      const double* const old = model.sv_coef[classes[other] - (classes[other] > classes[c])];
      std::vector<double>& coefficients = result[other - (other > c)];
      const double sign = (other > c) == (classes[other] > classes[c]) ? 1 : -1;
      for (std::size_t s = begin; s < end; ++s) coefficients[s] = sign * old[vectors[s]];
    }
    begin = end;
  }
  for (std::size_t a = 0; a + 1 < k; ++a) {
    std::copy(result[a].begin(), result[a].end(), model.sv_coef[a]);
  }
}

// What each pair has one of; `sign` is what becomes of it where the pair changes sides.
void reorder_pairs(double* values, const Places& classes, double sign) {
  if (values == nullptr) return;
  const std::size_t k = classes.size();
  std::vector<double> result;
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = a + 1; b < k; ++b) {
      const auto [first, second] = std::minmax(classes[a], classes[b]);
      const double value = values[pair_number(first, second, k)];
      result.push_back(classes[a] < classes[b] ? value : sign * value);
    }
  }
  std::copy(result.begin(), result.end(), values);
}

}  // namespace

int csmo_sort_classes(svm_model* model) {
  return svm::guarded("csmo_sort_classes", -1, [&] {
    if (model->label == nullptr) return 0;
    if (model->free_sv == 0 && model->l > 0)
      throw std::invalid_argument("the model does not own its rows");
    Places classes(static_cast<std::size_t>(model->nr_class));
    std::iota(classes.begin(), classes.end(), std::size_t{0});
    std::sort(classes.begin(), classes.end(),
              [&](std::size_t a, std::size_t b) { return model->label[a] < model->label[b]; });
    if (std::is_sorted(classes.begin(), classes.end())) return 0;
    const Places vectors = order_of_vectors(*model, classes);
    const std::vector<int> counts(model->nSV, model->nSV + classes.size());
    if (!vectors.empty()) reorder_rows(*model, vectors);
    reorder_coefficients(*model, classes, vectors, counts);
    if (model->sv_indices != nullptr) reorder(model->sv_indices, vectors);
    reorder_pairs(model->rho, classes, -1);
    reorder_pairs(model->probA, classes, 1);
    reorder_pairs(model->probB, classes, -1);
    reorder(model->label, classes);
    reorder(model->nSV, classes);
    return 0;
  });
}
