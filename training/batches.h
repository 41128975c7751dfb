// Predictions during a training, which goes on only while its run does.
#ifndef SVM_TRAINING_BATCHES_H_
#define SVM_TRAINING_BATCHES_H_

#include <algorithm>
#include <cstddef>

#include "model/batch_prediction.h"
#include "solvers/run/run.h"

namespace svm {

// Calls predict(begin, end) for rows [0, count), some at a time.  False where the run was stopped
// before the last of them.
template <typename Predict>
bool for_batches(Run& run, std::size_t count, const Predict& predict) {
  for (std::size_t begin = 0; begin < count; begin += BatchPredictor::kRows) {
    if (begin > 0 && !run.poll()) return false;
    predict(begin, std::min(count, begin + BatchPredictor::kRows));
  }
  return true;
}

}  // namespace svm

#endif  // SVM_TRAINING_BATCHES_H_
