#include "model/kept_predictor.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/platform/environment.h"
#include "base/platform/processors.h"
#include "model/pairs.h"

namespace svm {
namespace {

constexpr const char* kMemoryVariable = "LIBSVM_PACKED_MODELS";

// The largest number of bytes for the packed forms of a model: 0 if LIBSVM_PACKED_MODELS is "off",
// its megabytes if it is a whole number, and as many as the support vectors have otherwise, with a
// warning if the variable is set.
std::size_t most_bytes(const ModelView& model, const Messages& messages) {
  const char* const text = variable_value(kMemoryVariable);
  if (text == nullptr) return support_vector_bytes(model);
  const std::string_view wish(text);
  if (wish == "off") return 0;
  std::uint32_t megabytes = 0;
  const auto [stop, error] = std::from_chars(wish.data(), wish.data() + wish.size(), megabytes);
  if (error != std::errc() || stop != wish.data() + wish.size()) {
    const char* const fault = "is neither off nor a whole number of megabytes; it is ignored\n";
    messages.warn("WARNING: " + variable_fault(kMemoryVariable, fault));
    return support_vector_bytes(model);
  }
  constexpr std::uint64_t kMegabyte = 1U << 20U, kMost = std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(std::min(megabytes * kMegabyte, kMost));
}

// What a prediction compares to find out whether the caller changed a model: the struct, the
// addresses of coefficients, the numbers of support vectors, and of some of these the address and
// the first node.
class Fingerprint {
 public:
  explicit Fingerprint(const svm_model& model) : bytes_(sizeof(svm_model)) {
    std::memcpy(bytes_.data(), &model, sizeof(model));
    for (std::size_t k = 0; k < arrays(model); ++k) coefficients_.push_back(model.sv_coef[k]);
    for (std::size_t c = 0; c < classes(model); ++c) numbers_.push_back(model.nSV[c]);
    for (std::size_t k = 0; k < kSamples; ++k) {
      const svm_node* const vector = sample(model, k);
      vectors_[k] = vector;
      if (vector != nullptr) nodes_[k] = *vector;
    }
  }

  bool is_of(const svm_model& model) const {
    if (std::memcmp(bytes_.data(), &model, sizeof(model)) != 0) return false;
    for (std::size_t k = 0; k < arrays(model); ++k) {
      if (coefficients_[k] != model.sv_coef[k]) return false;
    }
    for (std::size_t c = 0; c < classes(model); ++c) {
      if (numbers_[c] != model.nSV[c]) return false;
    }
    for (std::size_t k = 0; k < kSamples; ++k) {
      const svm_node* const vector = sample(model, k);
      if (vector != vectors_[k]) return false;
      if (vector == nullptr) continue;
      if (vector->index != nodes_[k].index || vector->value != nodes_[k].value) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kSamples = 3;  // the first, one in the middle, and the last

  static std::size_t arrays(const svm_model& model) {
    return model.sv_coef == nullptr ? 0 : coefficient_arrays(model.nr_class);
  }
  static std::size_t classes(const svm_model& model) {
    return model.nSV == nullptr || model.nr_class < 0 ? 0
                                                      : static_cast<std::size_t>(model.nr_class);
  }
  static const svm_node* sample(const svm_model& model, std::size_t k) {
    if (model.SV == nullptr || model.l <= 0) return nullptr;
    const auto last = static_cast<std::size_t>(model.l) - 1;
    return model.SV[k == 0 ? 0 : k == 1 ? last / 2 : last];
  }

  std::vector<unsigned char> bytes_;
  std::vector<const double*> coefficients_;
  std::vector<int> numbers_;
  const svm_node* vectors_[kSamples] = {};
  svm_node nodes_[kSamples] = {};
};

struct Kept {
  Fingerprint fingerprint;
  std::unique_ptr<RowPredictor> predictor;

  bool is_current(const svm_model& model) const {
    if (!fingerprint.is_of(model)) return false;
    const QuickLabels* const labels = predictor->packed().labels.get();
    return labels == nullptr || labels->has_current_coefficients();
  }
};

enum class SlotState : std::uint8_t {
  kUnused,    // no call yet
  kUsedOnce,  // the next call makes a predictor
  kBusy,      // a thread is making it
  kMade,
  kNone,  // rows are predicted from the model itself
};

// The slot for the predictor of one packing.
struct KeptSlot {
  std::atomic<SlotState> state{SlotState::kUnused};
  // Set before the state becomes kMade, and freed with the contents of the model only, as threads
  // may still be looking at a predictor that another one found to be out of date.
  std::unique_ptr<const Kept> kept;
};

struct KeptSlots {
  KeptSlot values, labels;
  std::atomic<bool> were_made{false};  // the first packing of a model warns of a bad variable

  KeptSlot& of(Packing packing) { return packing == Packing::kValues ? values : labels; }
};

// A model of this library, and what stands behind it.  Nothing behind it changes until its contents
// are freed.
struct OwnModel {
  svm_model model;
  std::uint64_t tag;
  KeptSlots* slots;  // owned; null if there is no padding for a mark
};

constexpr std::size_t kModelAlignment = 4096;
constexpr std::size_t kMarkAt = offsetof(svm_model, free_sv) + sizeof(svm_model::free_sv);
constexpr bool kHasPadding = sizeof(svm_model) - kMarkAt >= sizeof(std::uint32_t);

// Depends on the address of a variable as well, as a process may have several copies of the
// library.
std::uint64_t tag_of(const svm_model* model) {
  static const char of_this_copy = 0;
  const auto copy = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&of_this_copy));
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(model));
  return ~(address ^ (copy << 7U)) * 0x9e3779b97f4a7c15U;
}

std::uint32_t mark_of(const svm_model* model) {
  return static_cast<std::uint32_t>(tag_of(model) >> 32U) | 1U;
}

void set_mark(svm_model& model, std::uint32_t mark) {
  if constexpr (kHasPadding) {
    std::memcpy(reinterpret_cast<char*>(&model) + kMarkAt, &mark, sizeof(mark));
  }
}

// Null if the library did not allocate the model.
OwnModel* own_model(const svm_model& model) {
  if constexpr (!kHasPadding) return nullptr;
  const svm_model* const address = &model;
  if (platform::kAllocatesAligned &&
      reinterpret_cast<std::uintptr_t>(address) % kModelAlignment != 0) {
    return nullptr;
  }
  std::uint32_t mark = 0;
  std::memcpy(&mark, reinterpret_cast<const char*>(address) + kMarkAt, sizeof(mark));
  if (mark != mark_of(address)) return nullptr;
  // The caller's view of the model is const, but slots change.
  auto* const own = reinterpret_cast<OwnModel*>(const_cast<svm_model*>(address));
  return own->tag == tag_of(address) ? own : nullptr;
}

// The predictor of a slot, if it is there and the model has not changed.
const RowPredictor* current(KeptSlot& slot, const svm_model& model) {
  if (slot.state.load(std::memory_order_acquire) != SlotState::kMade) return nullptr;
  if (slot.kept->is_current(model)) return slot.kept->predictor.get();
  slot.state.store(SlotState::kNone, std::memory_order_relaxed);
  return nullptr;
}

// Counts a call.  True if this one makes the predictor, which no other does then.  Calls that find
// nothing to count only read the state, so that threads do not disturb each other.
bool is_to_make(KeptSlot& slot) {
  SlotState state = slot.state.load(std::memory_order_relaxed);
  if (state == SlotState::kUnused) {
    slot.state.compare_exchange_strong(state, SlotState::kUsedOnce);
    return false;
  }
  return state == SlotState::kUsedOnce &&
         slot.state.compare_exchange_strong(state, SlotState::kBusy);
}

// Makes the predictor of a slot; null if there is none that helps.
const RowPredictor* make(KeptSlot& slot, const svm_model& model, Packing packing,
                         std::size_t bytes_taken, bool is_first, Messages (*messages)()) {
  try {
    const ModelView view(model);
    const std::size_t most = most_bytes(view, is_first ? messages() : Messages(nullptr));
    PackedModel packed(view, packing, most - std::min(most, bytes_taken));
    if (!packed.is_empty()) {
      slot.kept = std::make_unique<Kept>(
          Kept{Fingerprint(model), std::make_unique<RowPredictor>(std::move(packed), messages())});
      slot.state.store(SlotState::kMade, std::memory_order_release);
      return slot.kept->predictor.get();
    }
  } catch (const std::exception&) {
    // Without memory, rows are predicted from the model itself.
  }
  slot.state.store(SlotState::kNone, std::memory_order_relaxed);
  return nullptr;
}

bool has_values(const RowPredictor* predictor) {
  return predictor != nullptr && predictor->packed().gives_values();
}

// Looks for a predictor with a packing.  The one for labels may have decision values as well.
const RowPredictor* find(OwnModel& own, const svm_model& model, Packing packing) {
  const RowPredictor* const labels = current(own.slots->labels, model);
  if (packing == Packing::kLabelsThenValues || has_values(labels)) return labels;
  return current(own.slots->values, model);
}

}  // namespace

svm_model* allocate_model() {
  auto slots = kHasPadding ? std::make_unique<KeptSlots>() : nullptr;
  void* const memory = platform::allocate_aligned(kModelAlignment, sizeof(OwnModel));
  if (memory == nullptr) throw std::bad_alloc();
  auto* const own = new (memory) OwnModel();
  own->slots = slots.release();
  own->tag = tag_of(&own->model);
  set_mark(own->model, mark_of(&own->model));
  return &own->model;
}

void free_kept_predictors(svm_model& model) noexcept {
  OwnModel* const own = own_model(model);
  if (own == nullptr) return;
  const std::unique_ptr<KeptSlots> slots(own->slots);
  own->slots = nullptr;
  own->tag = 0;
  set_mark(model, 0);
}

const RowPredictor* predictor_at_hand(const svm_model& model, Packing packing) {
  OwnModel* const own = own_model(model);
  return own == nullptr ? nullptr : find(*own, model, packing);
}

const RowPredictor* kept_predictor(const svm_model& model, Packing packing,
                                   Messages (*messages)()) {
  OwnModel* const own = own_model(model);
  if (own == nullptr) return nullptr;
  if (const RowPredictor* const predictor = find(*own, model, packing)) return predictor;
  KeptSlot& slot = own->slots->of(packing);
  if (!is_to_make(slot)) return nullptr;
  std::size_t bytes_taken = 0;
  if (packing == Packing::kValues) {
    const RowPredictor* const labels = current(own->slots->labels, model);
    if (labels != nullptr) bytes_taken = labels->packed().bytes();
  }
  const bool is_first = !own->slots->were_made.exchange(true);
  return make(slot, model, packing, bytes_taken, is_first, messages);
}

}  // namespace svm
