// What a svm_forest, which is never defined, points to.
#ifndef SVM_API_FORESTS_H_
#define SVM_API_FORESTS_H_

#include <memory>
#include <optional>
#include <utility>

#include "api/border.h"
#include "model/forest/forest.h"
#include "model/forest/forest_predictor.h"
#include "svm_ext.h"

namespace svm {

struct ForestHandle {
  explicit ForestHandle(Forest trained) : forest(std::move(trained)) {
    if (forest.is_complete()) predictor.emplace(forest, current_messages(), true);
  }
  Forest forest;
  std::optional<ForestPredictor> predictor;  // unless cells are not trained
};

inline ForestHandle& handle_of(const svm_forest* forest) {
  return *reinterpret_cast<ForestHandle*>(const_cast<svm_forest*>(forest));
}

inline svm_forest* new_handle(Forest forest) {
  return reinterpret_cast<svm_forest*>(std::make_unique<ForestHandle>(std::move(forest)).release());
}

}  // namespace svm

#endif  // SVM_API_FORESTS_H_
