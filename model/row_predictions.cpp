#include "model/row_predictions.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "base/threads/thread_count.h"
#include "model/kept_predictor.h"
#include "model/prediction.h"
#include "model/quick_labels.h"
#include "model/svm_type.h"

namespace svm {

bool has_probabilities(const svm_model& model) {
  if (model.param.svm_type == ONE_CLASS) return density_marks(model) != nullptr;
  return is_classification(model.param.svm_type) && model.probA != nullptr &&
         model.probB != nullptr;
}

void require_probabilities(const svm_model& model, bool are_wanted) {
  if (are_wanted && !has_probabilities(model)) {
    throw std::invalid_argument("the model has no probability estimates");
  }
}

namespace {

// Predicts labels quickly if they are certain, else from LIBSVM's decision values.
class LabelPredictor {
 public:
  LabelPredictor(const QuickLabels& quick, const BatchPredictor& exact)
      : quick_(quick), exact_(exact) {}

  void predict(DataRows rows, std::size_t count, double* predictions) {
    constexpr std::size_t kTogether = 64;
    std::vector<std::size_t> left;
    QuickLabels::Work work;
    for (std::size_t begin = 0; begin < count; begin += kTogether) {
      const std::size_t end = std::min(count, begin + kTogether);
      if (are_of_use()) {
        predict_quickly(rows, begin, end, predictions, left, work);
      } else {
        for (std::size_t i = begin; i < end; ++i) left.push_back(i);
      }
    }
    std::vector<DataRow> left_rows;
    left_rows.reserve(left.size());
    for (const std::size_t i : left) left_rows.push_back(rows[i]);
    std::vector<double> exact(left.size());
    exact_.predict(left_rows.data(), left.size(), false, {exact.data()});
    for (std::size_t k = 0; k < left.size(); ++k) predictions[left[k]] = exact[k];
  }

 private:
  bool are_of_use() const {
    constexpr std::size_t kTrial = 256;
    return are_signs_of_use(tried_.load(std::memory_order_relaxed),
                            unknown_.load(std::memory_order_relaxed), kTrial);
  }

  // Predicts the rows whose labels are certain, and appends the numbers of the others to `left`.
  void predict_quickly(DataRows rows, std::size_t begin, std::size_t end, double* predictions,
                       std::vector<std::size_t>& left, QuickLabels::Work& work) {
    std::vector<DataRow> orderly;
    std::vector<std::size_t> places;
    const std::size_t known_left = left.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (is_orderly(rows[i])) {
        orderly.push_back(rows[i]);
        places.push_back(i);
      } else {
        left.push_back(i);
      }
    }
    for (std::size_t first = 0; first < orderly.size(); first += QuickLabels::kRows) {
      const std::size_t some = std::min(QuickLabels::kRows, orderly.size() - first);
      double labels[QuickLabels::kRows];
      char is_certain[QuickLabels::kRows];
      quick_.predict(orderly.data() + first, some, work, labels, is_certain);
      for (std::size_t k = 0; k < some; ++k) {
        if (is_certain[k] != 0) {
          predictions[places[first + k]] = labels[k];
        } else {
          left.push_back(places[first + k]);
        }
      }
    }
    tried_.fetch_add(end - begin, std::memory_order_relaxed);
    unknown_.fetch_add(left.size() - known_left, std::memory_order_relaxed);
  }

  const QuickLabels& quick_;
  const BatchPredictor& exact_;
  std::atomic<std::size_t> tried_{0}, unknown_{0};
};

bool wants_labels_alone(const PredictionArrays& to) {
  return to.values == nullptr && to.probabilities == nullptr;
}

}  // namespace

unsigned threads_for_rows(std::size_t threads, std::size_t rows) {
  const std::size_t most = (rows + BatchPredictor::kRows - 1) / BatchPredictor::kRows;
  const std::size_t wanted = thread_count_of_call(threads);
  return static_cast<unsigned>(std::min(wanted, std::max<std::size_t>(most, 1)));
}

void predict_rows(const PackedModel& model, DataRows rows, std::size_t count, ThreadPool& pool,
                  const PredictionArrays& to) {
  if (to.predictions == nullptr && wants_labels_alone(to)) return;
  const auto say_nothing = [](const char*) {};
  const BatchPredictor predictor(model, Messages(say_nothing, say_nothing));
  const std::size_t width = predictor.value_count(), classes = model.view.classes;
  const std::size_t chunk = BatchPredictor::rows_at_a_time(count, pool.threads());
  if (wants_labels_alone(to) && model.labels != nullptr) {
    LabelPredictor labels(*model.labels, predictor);
    pool.for_chunks(count, chunk, [&](std::size_t begin, std::size_t end) {
      labels.predict(rows + begin, end - begin, to.predictions + begin);
    });
    return;
  }
  pool.for_chunks(count, chunk, [&](std::size_t begin, std::size_t end) {
    const auto from = [begin](double* array, std::size_t row_width) {
      return array == nullptr ? nullptr : array + begin * row_width;
    };
    predictor.predict(
        rows + begin, end - begin, to.probabilities != nullptr,
        {from(to.predictions, 1), from(to.values, width), from(to.probabilities, classes)});
  });
}

}  // namespace svm
