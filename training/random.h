// Random draws.  All come from the C library's rand() on the calling thread, in LIBSVM's order, so
// that folds are those of LIBSVM and srand() changes them.
#ifndef SVM_TRAINING_RANDOM_H_
#define SVM_TRAINING_RANDOM_H_

#include <cstddef>
#include <vector>

namespace svm {

// Shuffles items[0, count) with `count` draws.
void shuffle(std::size_t* items, std::size_t count);

// 0 ... count-1, shuffled.
std::vector<std::size_t> random_order(std::size_t count);

}  // namespace svm

#endif  // SVM_TRAINING_RANDOM_H_
