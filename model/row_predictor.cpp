#include "model/row_predictor.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/simd/instruction_set.h"

namespace svm {

struct RowPredictor::Work {
  InnerSums::Group group;
  std::vector<double> inner_sums, kernel_values;  // of a block of support vectors
  std::vector<double> decision_values;
  PredictionWork prediction;
  QuickLabels::Work labels;
  std::size_t tried = 0, in_doubt = 0;  // rows whose label was looked for by signs
};

// Takes working memory for the time of a call, and makes it if none is free.
class RowPredictor::BorrowedWork {
 public:
  explicit BorrowedWork(const RowPredictor& owner) : owner_(owner), first_(first_place()) {
    for (std::size_t k = 0; k < kPlaces && work_ == nullptr; ++k) {
      work_.reset(place(k).exchange(nullptr, std::memory_order_acquire));
    }
    if (work_ == nullptr) work_ = std::make_unique<Work>();
  }
  ~BorrowedWork() {
    for (std::size_t k = 0; k < kPlaces; ++k) {
      Work* expected = nullptr;
      if (place(k).compare_exchange_strong(expected, work_.get(), std::memory_order_release,
                                           std::memory_order_relaxed)) {
        static_cast<void>(work_.release());  // is in the place now
        return;
      }
    }
  }
  BorrowedWork(const BorrowedWork&) = delete;
  BorrowedWork& operator=(const BorrowedWork&) = delete;

  Work& operator*() const { return *work_; }

 private:
  // A number that differs between most threads.
  static std::size_t first_place() {
    static thread_local const char of_thread = 0;
    const auto address = reinterpret_cast<std::uintptr_t>(&of_thread);
    return static_cast<std::size_t>((address >> 12U) ^ (address >> 20U));
  }
  std::atomic<Work*>& place(std::size_t k) const {
    return owner_.places_[(first_ + k) % kPlaces].work;
  }

  const RowPredictor& owner_;
  const std::size_t first_;
  std::unique_ptr<Work> work_;
};

RowPredictor::RowPredictor(PackedModel packed, Messages messages)
    : packed_(std::move(packed)),
      predictor_(packed_.view, std::move(messages)),
      tail_(KernelFunction(packed_.view.param)) {}

RowPredictor::~RowPredictor() {
  for (Place& place : places_) delete place.work.load(std::memory_order_acquire);
}

double RowPredictor::values_of(const DataRow& x, double* values, Work& work) const {
  const PackedVectors& vectors = packed_.vectors;
  const InnerSums* form = vectors.any.get();
  if (vectors.ones != nullptr && is_all_ones(x)) form = vectors.ones.get();
  if (form == nullptr || !is_orderly(x)) {
    return predictor_.predict_values(x, values, work.prediction);
  }
  const std::size_t width = form->block_columns();
  work.inner_sums.resize(kPackRows * width);
  work.kernel_values.resize(width);
  form->prepare(&x, 1, work.group);
  const std::size_t functions = predictor_.value_count();
  std::fill_n(values, functions, 0.0);
  for (std::size_t first = 0; first < form->columns(); first += width) {
    const std::size_t last = std::min(first + width, form->columns());
    form->of_block(first, work.group, work.inner_sums.data());
    tail_.values(work.inner_sums.data(), last - first, work.kernel_values.data());
    add_row_terms(packed_.view, first, last, work.kernel_values.data(), work.prediction.terms,
                  values);
  }
  for (std::size_t f = 0; f < functions; ++f) values[f] -= packed_.view.rho[f];
  return predictor_.prediction_of(values);
}

double RowPredictor::predict(const DataRow& x) const {
  constexpr std::size_t kTrial = 64;
  double prediction = 0;
  if (packed_.labels != nullptr && packed_.labels->predict_at_once(x, prediction)) {
    return prediction;
  }
  const BorrowedWork borrowed(*this);
  Work& work = *borrowed;
  if (packed_.labels != nullptr && are_signs_of_use(work.tried, work.in_doubt, kTrial) &&
      is_orderly(x)) {
    char is_certain = 0;
    packed_.labels->predict(&x, 1, work.labels, &prediction, &is_certain);
    ++work.tried;
    if (is_certain != 0) return prediction;
    ++work.in_doubt;
  }
  work.decision_values.resize(predictor_.value_count());
  return values_of(x, work.decision_values.data(), work);
}

double RowPredictor::predict_values(const DataRow& x, double* values) const {
  const BorrowedWork borrowed(*this);
  return values_of(x, values, *borrowed);
}

double RowPredictor::predict_probability(const DataRow& x, double* values,
                                         double* probabilities) const {
  const BorrowedWork borrowed(*this);
  Work& work = *borrowed;
  if (values == nullptr) {
    work.decision_values.resize(predictor_.value_count());
    values = work.decision_values.data();
  }
  values_of(x, values, work);
  return predictor_.probability_of(values, probabilities, work.prediction);
}

}  // namespace svm
