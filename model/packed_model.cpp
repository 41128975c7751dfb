#include "model/packed_model.h"

#include <algorithm>
#include <optional>

namespace svm {
namespace {

constexpr std::size_t kFewVectors = 8;  // one by one they take less time than packed

}  // namespace

std::size_t support_vector_bytes(const ModelView& model) {
  std::size_t bytes = model.count * (sizeof(svm_node*) + sizeof(svm_node));
  for (std::size_t s = 0; s < model.count; ++s) {
    model.vectors[s].for_each([&](int, double) { bytes += sizeof(svm_node); });
  }
  return bytes;
}

// Doubles for all features need less than that if at least an eighth of the values are given; the
// weights of many linear functions may need much more.
std::size_t most_packed_bytes(const ModelView& model) {
  constexpr std::size_t kTimes = 4;
  return kTimes * support_vector_bytes(model);
}

PackedModel::PackedModel(const ModelView& model, Packing packing, std::size_t most_bytes)
    : view(model), are_few(model.count < kFewVectors && most_bytes > 0) {
  if (most_bytes == 0 || model.count == 0) return;
  if (model.is_classifier() && model.start[model.classes] != model.count) return;
  const std::optional<VectorShape> shape = shape_of(model);
  if (!shape) return;
  if (packing == Packing::kLabelsThenValues) {
    const std::size_t for_values = least_packed_bytes(view, *shape);
    if (for_values < most_bytes) {
      labels = QuickLabels::make(view, *shape, most_bytes - for_values);
    }
    if (labels == nullptr) labels = QuickLabels::make(view, *shape, most_bytes);
    if (labels != nullptr) most_bytes -= std::min(most_bytes, labels->bytes());
  }
  if (!are_few) vectors = pack_support_vectors(view, *shape, most_bytes);
}

}  // namespace svm
