#include "model/predictor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "base/simd/instruction_set.h"

namespace svm {
namespace {

constexpr std::size_t kFewVectors = 8;  // one by one they take less time than packed

}  // namespace

// Working memory of a call, for up to kRows rows at a time.
struct Predictor::Work {
  // Orderly rows that are not predicted yet, and their places in the call: rows whose labels are in
  // doubt wait for others, as it takes less time to compute the values of many.
  std::vector<DataRow> rows;
  std::vector<std::size_t> places;
  VectorSums::Group groups[kRows / kPackRows];
  std::vector<double> inner_sums;     // (row of a group, column)
  std::vector<double> kernel_values;  // (column, row)
  std::vector<double> sums;           // (function of a model, row)
  std::vector<double> row_values;
  DecisionWork decision;
  Labels::Work labels;
  std::size_t tried = 0, in_doubt = 0;  // rows whose label was looked for by signs

  void forget_from(std::size_t first) {
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end());
    places.resize(first);
  }
  // True if looking for signs is worth its time: if less than half of the rows were in doubt.
  bool are_signs_of_use() const {
    constexpr std::size_t kTrial = 64;
    return tried < kTrial || in_doubt < tried / 2;
  }
};

// Working memory that calls borrow, so that they allocate nothing once each thread has made one.
class Predictor::WorkPool {
 public:
  WorkPool() = default;
  ~WorkPool() {
    for (Place& place : places_) delete place.work.load(std::memory_order_acquire);
  }
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  // Makes one if none is free.
  std::unique_ptr<Work> take() {
    for (std::size_t k = 0; k < kPlaces; ++k) {
      std::unique_ptr<Work> work(place(k).exchange(nullptr, std::memory_order_acquire));
      if (work != nullptr) return work;
    }
    return std::make_unique<Work>();
  }
  void give_back(std::unique_ptr<Work> work) {
    for (std::size_t k = 0; k < kPlaces; ++k) {
      Work* expected = nullptr;
      if (place(k).compare_exchange_strong(expected, work.get(), std::memory_order_release,
                                           std::memory_order_relaxed)) {
        static_cast<void>(work.release());  // is in the place now
        return;
      }
    }
  }

 private:
  // A place for each of most threads, with a cache line of its own.
  std::atomic<Work*>& place(std::size_t k) {
    static thread_local const char of_thread = 0;
    const auto address = reinterpret_cast<std::uintptr_t>(&of_thread);
    const auto first = static_cast<std::size_t>((address >> 12U) ^ (address >> 20U));
    return places_[(first + k) % kPlaces].work;
  }

  static constexpr std::size_t kCacheLine = 64, kPlaces = 16;
  struct alignas(kCacheLine) Place {
    std::atomic<Work*> work{nullptr};
  };
  std::array<Place, kPlaces> places_;
};

std::size_t support_vector_bytes(const ModelView& model) {
  std::size_t bytes = model.count * (sizeof(svm_node*) + sizeof(svm_node));
  for (std::size_t s = 0; s < model.count; ++s) {
    model.vectors[s].for_each([&](int, double) { bytes += sizeof(svm_node); });
  }
  return bytes;
}

std::size_t Predictor::rows_at_a_time(std::size_t count, std::size_t threads) {
  return std::clamp<std::size_t>(count / (4 * threads) / kRows, 1, 8) * kRows;
}

Predictor::Predictor(const ModelView& model, const Messages& messages, std::size_t most_bytes,
                     std::size_t rows)
    : Predictor(std::vector<ModelView>{model}, messages, most_bytes, rows) {}

Predictor::Predictor(const std::vector<ModelView>& models, const Messages& messages,
                     std::size_t most_bytes, std::size_t rows)
    : kernel_(models[0].param),
      tail_(kernel_),
      most_bytes_(most_bytes),
      rows_(rows),
      work_(most_bytes == 0 ? nullptr : std::make_unique<WorkPool>()) {
  decisions_.reserve(models.size());
  for (const ModelView& model : models) decisions_.emplace_back(model, messages);
}

Predictor::~Predictor() = default;

template <class Form, class Make>
const Form* Predictor::made(std::atomic<bool>& is_made, const std::unique_ptr<const Form>& form,
                            bool waits, const Make& make) const {
  if (is_made.load(std::memory_order_acquire)) return form.get();
  std::unique_lock<Mutex> lock(making_, std::defer_lock);
  if (waits) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return nullptr;
  }
  if (!is_made.load(std::memory_order_relaxed)) {
    try {
      const bool has_classes = !model().is_classifier() || model().start.back() == model().count;
      const std::optional<VectorShape> shape =
          model().count > 0 && has_classes ? shape_of(model()) : std::nullopt;
      if (shape) make(*shape);
    } catch (const std::bad_alloc&) {
      // Without memory, rows are predicted from the model itself.
    }
    is_made.store(true, std::memory_order_release);
  }
  return form.get();
}

const Labels* Predictor::labels(bool waits) const {
  return made(labels_are_made_, labels_, waits, [this](const VectorShape& shape) {
    const std::size_t taken = vectors_ == nullptr ? 0 : vectors_->bytes();
    labels_ = Labels::make(model(), shape, most_bytes_ - std::min(most_bytes_, taken), rows_);
  });
}

const PackedVectors* Predictor::vectors(bool waits) const {
  return made(vectors_are_made_, vectors_, waits, [this](const VectorShape& shape) {
    if (model().count < kFewVectors) return;
    const std::size_t taken = labels_ == nullptr ? 0 : labels_->bytes();
    PackedVectors packed =
        pack_support_vectors(model(), shape, most_bytes_ - std::min(most_bytes_, taken));
    if (packed.any != nullptr) vectors_ = std::make_unique<PackedVectors>(std::move(packed));
  });
}

void Predictor::pack() const {
  labels(true);
  vectors(true);
}

std::size_t Predictor::bytes() const {
  const std::lock_guard<Mutex> lock(making_);
  return (labels_ == nullptr ? 0 : labels_->bytes()) +
         (vectors_ == nullptr ? 0 : vectors_->bytes());
}

bool Predictor::has_current_coefficients() const {
  return !labels_are_made_.load(std::memory_order_acquire) || labels_ == nullptr ||
         labels_->has_current_coefficients();
}

void Predictor::predict(DataRows rows, std::size_t count, bool by_probability,
                        const PredictionArrays& to) const {
  predict(rows, count, {by_probability && decisions_[0].has_probabilities(), to, nullptr});
}

void Predictor::predict_by_each(DataRows rows, std::size_t count, bool by_value,
                                double* const* results) const {
  predict(rows, count, {false, {nullptr}, results, by_value});
}

void Predictor::predict(DataRows rows, std::size_t count, bool by_probability, ThreadPool& pool,
                        const PredictionArrays& to) const {
  const auto from = [](double* array, std::size_t place) {
    return array == nullptr ? nullptr : array + place;
  };
  pool.for_chunks(count, rows_at_a_time(count, pool.threads()),
                  [&](std::size_t begin, std::size_t end) {
                    predict(rows + begin, end - begin,
                            {by_probability && decisions_[0].has_probabilities(),
                             {from(to.predictions, begin), from(to.values, begin * functions()),
                              from(to.probabilities, begin * model().classes)},
                             nullptr});
                  });
}

double Predictor::predict(const DataRow& x, double* values) const {
  double prediction = 0;
  predict(&x, 1, {false, {&prediction, values}, nullptr});
  return prediction;
}

double Predictor::predict_probability(const DataRow& x, double* values,
                                      double* probabilities) const {
  double prediction = 0;
  predict(&x, 1, {true, {&prediction, values, probabilities}, nullptr});
  return prediction;
}

void Predictor::predict(DataRows rows, std::size_t count, const Request& request) const {
  if (request.is_label() && request.to.predictions == nullptr) return;
  const bool waits = count > 1;
  if (count == 1 && request.is_label() && most_bytes_ > 0) {
    const Labels* const quick = labels(waits);
    if (quick != nullptr && quick->predict_at_once(rows[0], *request.to.predictions)) return;
  }
  if (most_bytes_ == 0 || (count == 1 && model().count < kFewVectors)) {
    std::vector<double> kernel_values, values(functions());
    DecisionWork work;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t m = 0; m < decisions_.size(); ++m) {
        values_by_model(rows[i], decisions_[m], values.data(), kernel_values, work);
        write(i, m, values.data(), request, work);
      }
    }
    return;
  }
  std::unique_ptr<Work> work = work_->take();
  work->rows.clear();
  work->places.clear();
  for (std::size_t begin = 0; begin < count; begin += kRows) {
    const std::size_t end = std::min(count, begin + kRows), known = work->rows.size();
    for (std::size_t i = begin; i < end; ++i) {
      const DataRow row = rows[i];
      if (is_orderly(row)) {
        work->rows.push_back(row);
        work->places.push_back(i);
      } else {
        predict_by_model(row, i, request, *work);
      }
    }
    if (request.is_label()) find_labels(known, request, waits, *work);
    while (work->rows.size() >= kRows || (end == count && !work->rows.empty())) {
      predict_last_rows(request, waits, *work);
    }
  }
  work_->give_back(std::move(work));
}

void Predictor::predict_by_model(const DataRow& row, std::size_t i, const Request& request,
                                 Work& work) const {
  work.row_values.resize(functions());
  for (std::size_t m = 0; m < decisions_.size(); ++m) {
    values_by_model(row, decisions_[m], work.row_values.data(), work.kernel_values, work.decision);
    write(i, m, work.row_values.data(), request, work.decision);
  }
}

void Predictor::find_labels(std::size_t first, const Request& request, bool waits,
                            Work& work) const {
  const std::size_t count = work.rows.size() - first;
  if (count == 0 || !work.are_signs_of_use()) return;
  const Labels* const quick = labels(waits);
  if (quick == nullptr) return;
  double predictions[kRows];
  char is_certain[kRows];
  quick->predict(work.rows.data() + first, count, work.labels, predictions, is_certain);
  std::size_t left = first;
  for (std::size_t r = 0; r < count; ++r) {
    if (is_certain[r] != 0) {
      request.to.predictions[work.places[first + r]] = predictions[r];
    } else {
      work.rows[left] = work.rows[first + r];
      work.places[left++] = work.places[first + r];
    }
  }
  work.tried += count;
  work.in_doubt += left - first;
  work.forget_from(left);
}

void Predictor::predict_last_rows(const Request& request, bool waits, Work& work) const {
  const std::size_t count = std::min(kRows, work.rows.size()), first = work.rows.size() - count;
  const PackedVectors* const packed = vectors(waits);
  if (packed == nullptr) {
    for (std::size_t r = first; r < first + count; ++r) {
      predict_by_model(work.rows[r], work.places[r], request, work);
    }
    return work.forget_from(first);
  }
  add_values(*packed, work.rows.data() + first, count, work);
  work.row_values.resize(functions());
  for (std::size_t r = 0; r < count; ++r) {
    const double* sum = work.sums.data() + r;
    for (std::size_t m = 0; m < decisions_.size(); ++m) {
      for (std::size_t f = 0; f < functions(); ++f, sum += kSumRows) {
        work.row_values[f] = *sum - decisions_[m].model().rho[f];
      }
      write(work.places[first + r], m, work.row_values.data(), request, work.decision);
    }
  }
  work.forget_from(first);
}

void Predictor::values_by_model(const DataRow& x, const Decisions& decisions, double* values,
                                std::vector<double>& kernel_values, DecisionWork& work) const {
  const ModelView& model = decisions.model();
  if (functions() == 0) return;
  kernel_values.resize(model.count);
  double* const kernel = kernel_values.data();
  kernel_.inner_of_row(x, model.vectors, model.count, kernel);
  tail_.values(kernel, model.count, kernel);
  std::fill_n(values, functions(), 0.0);
  decisions.add_terms(0, model.count, kernel, work.terms, values);
  for (std::size_t f = 0; f < functions(); ++f) values[f] -= model.rho[f];
}

void Predictor::add_values(const PackedVectors& vectors, const DataRow* rows, std::size_t count,
                           Work& work) const {
  const bool ones = vectors.ones != nullptr && std::all_of(rows, rows + count, is_all_ones);
  const VectorSums& packed = ones ? *vectors.ones : *vectors.any;
  const std::size_t width = packed.block_columns();
  const std::size_t groups = (count + kPackRows - 1) / kPackRows;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t some = std::min(kPackRows, count - g * kPackRows);
    packed.prepare(rows + g * kPackRows, some, work.groups[g]);
  }
  work.inner_sums.resize(groups * kPackRows * width);
  work.sums.assign(functions() * decisions_.size() * kSumRows, 0.0);
  for (std::size_t first = 0; first < packed.columns(); first += width) {
    const std::size_t last = std::min(first + width, packed.columns());
    for (std::size_t g = 0; g < groups; ++g) {
      double* const sums = work.inner_sums.data() + g * kPackRows * width;
      packed.of_block(first, work.groups[g], sums);
      const std::size_t some = std::min(kPackRows, count - g * kPackRows);
      for (std::size_t r = 0; r < some && !packed.are_values(); ++r) {
        tail_.values(sums + r * width, last - first, sums + r * width);
      }
    }
    add_block(work.inner_sums.data(), width, count, first, last, work);
  }
}

// Adds the terms of the support vectors [first, last).  values[r * width + s - first] is the kernel
// value of row r and support vector s.
void Predictor::add_block(const double* values, std::size_t width, std::size_t rows,
                          std::size_t first, std::size_t last, Work& work) const {
  if (rows < kFewRows) {
    double* sums = work.sums.data();
    for (const Decisions& decisions : decisions_) {
      for (std::size_t r = 0; r < rows; ++r) {
        decisions.add_terms(first, last, values + r * width, work.decision.terms, sums + r,
                            kSumRows);
      }
      sums += functions() * kSumRows;
    }
    return;
  }
  const Loops& passes = loops(instruction_set());
  work.kernel_values.resize(width * kSumRows);
  for (std::size_t g = 0; g < rows; g += kPackRows) {
    const double* const from = values + g * width;
    for (std::size_t s = 0; s < last - first; ++s) {
      double* const to = work.kernel_values.data() + s * kSumRows + g;
      for (std::size_t r = 0; r < kPackRows; ++r) to[r] = from[r * width + s];
    }
  }
  double* sums = work.sums.data();
  for (const Decisions& decisions : decisions_) {
    decisions.model().for_each_stretch(
        first, last,
        [&](const double* coefficients, std::size_t function, std::size_t begin, std::size_t end) {
          passes.add_weighted(work.kernel_values.data() + (begin - first) * kSumRows,
                              coefficients + begin, end - begin, sums + function * kSumRows);
        });
    sums += functions() * kSumRows;
  }
}

void Predictor::write(std::size_t i, std::size_t m, const double* values, const Request& request,
                      DecisionWork& work) const {
  if (request.values_by_each) {
    std::copy_n(values, functions(), request.by_each[m] + i * functions());
    return;
  }
  if (request.by_each != nullptr) {
    request.by_each[m][i] = decisions_[m].prediction_of(values);
    return;
  }
  const PredictionArrays& to = request.to;
  if (to.values != nullptr) std::copy_n(values, functions(), to.values + i * functions());
  double* const estimates =
      to.probabilities == nullptr ? nullptr : to.probabilities + i * model().classes;
  const double prediction = request.by_probability
                                ? decisions_[m].probability_of(values, estimates, work)
                                : decisions_[m].prediction_of(values);
  if (to.predictions != nullptr) to.predictions[i] = prediction;
}

}  // namespace svm
