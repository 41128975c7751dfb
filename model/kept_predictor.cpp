#include "model/kept_predictor.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/platform/process.h"
#include "model/pairs.h"

namespace svm {
namespace {

constexpr const char* kMemoryVariable = "LIBSVM_PACKED_MODELS";

// The largest number of bytes for the packed forms of a model: 0 if LIBSVM_PACKED_MODELS is "off",
// its megabytes if it is a whole number, and twice those of the support vectors otherwise, with a
// warning if the variable is set.
std::size_t most_bytes(const ModelView& model, const Messages& messages) {
  const char* const text = variable_value(kMemoryVariable);
  const std::size_t most = 2 * support_vector_bytes(model);
  if (text == nullptr) return most;
  const std::string_view wish(text);
  if (wish == "off") return 0;
  std::uint32_t megabytes = 0;
  const auto [stop, error] = std::from_chars(wish.data(), wish.data() + wish.size(), megabytes);
  if (error != std::errc() || stop != wish.data() + wish.size()) {
    const char* const fault = "is neither off nor a whole number of megabytes; it is ignored\n";
    messages.warn("WARNING: " + variable_fault(kMemoryVariable, fault));
    return most;
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

enum class State : std::uint8_t {
  kUnused,    // no call yet
  kUsedOnce,  // the next call makes a predictor
  kBusy,      // a thread is making it
  kMade,
  kNone,  // rows are predicted from the model itself
};

// What is kept for a model.  Entries are never freed, so that a thread can go through a list while
// others change it.  That of a model whose contents were freed is for a later model.
struct KeptEntry {
  std::atomic<const svm_model*> model{nullptr};
  KeptEntry* next = nullptr;
  std::atomic<State> state{State::kUnused};
  // Set before the state becomes kMade, and freed with the contents of the model only, as threads
  // may still be looking at a predictor that another one found to be out of date.
  std::unique_ptr<const Fingerprint> fingerprint;
  std::unique_ptr<const Predictor> predictor;

  void clear() {
    state = State::kUnused;
    fingerprint.reset();
    predictor.reset();
  }
  bool is_current(const svm_model& now) const {
    return fingerprint->is_of(now) && predictor->has_current_coefficients();
  }
};

// The entries of models, by their address.
constexpr unsigned kListBits = 10;
std::atomic<KeptEntry*> entry_lists[1U << kListBits];

std::atomic<KeptEntry*>& list_of(const svm_model& model) {
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&model));
  return entry_lists[(address * 0x9e3779b97f4a7c15U) >> (64 - kListBits)];
}

// The first entry of the list for this model that has a certain address; null if there is none.
KeptEntry* find(const svm_model& model, const svm_model* address) {
  KeptEntry* entry = list_of(model).load(std::memory_order_acquire);
  while (entry != nullptr && entry->model.load(std::memory_order_acquire) != address) {
    entry = entry->next;
  }
  return entry;
}

// Counts a call.  True if this one makes the predictor, which no other does then.  Calls that find
// nothing to count only read the state, so that threads do not disturb each other.
bool is_to_make(KeptEntry& entry) {
  State state = entry.state.load(std::memory_order_relaxed);
  if (state == State::kUnused) {
    entry.state.compare_exchange_strong(state, State::kUsedOnce);
    return false;
  }
  return state == State::kUsedOnce && entry.state.compare_exchange_strong(state, State::kBusy);
}

// The predictor of an entry if it is there already, and the model has not changed.
const Predictor* current(KeptEntry& entry, const svm_model& model) {
  if (entry.state.load(std::memory_order_acquire) != State::kMade) return nullptr;
  if (entry.is_current(model)) return entry.predictor.get();
  entry.state.store(State::kNone, std::memory_order_relaxed);
  return nullptr;
}

}  // namespace

void keep_predictor_for(const svm_model& model) {
  if (KeptEntry* const left_over = find(model, &model)) return left_over->clear();
  while (KeptEntry* const free = find(model, nullptr)) {
    const svm_model* none = nullptr;
    if (free->model.compare_exchange_strong(none, &model)) return;
  }
  auto added = std::make_unique<KeptEntry>();
  added->model = &model;
  std::atomic<KeptEntry*>& list = list_of(model);
  added->next = list.load(std::memory_order_acquire);
  while (!list.compare_exchange_weak(added->next, added.get())) {
  }
  static_cast<void>(added.release());  // is in the list now
}

void free_kept_predictor(const svm_model& model) noexcept {
  KeptEntry* const entry = find(model, &model);
  if (entry == nullptr) return;
  entry->clear();
  entry->model.store(nullptr, std::memory_order_release);
}

const Predictor* predictor_at_hand(const svm_model& model) {
  KeptEntry* const entry = find(model, &model);
  return entry == nullptr ? nullptr : current(*entry, model);
}

const Predictor* kept_predictor(const svm_model& model, Messages (*messages)()) {
  KeptEntry* const entry = find(model, &model);
  if (entry == nullptr) return nullptr;
  if (const Predictor* const predictor = current(*entry, model)) return predictor;
  if (!is_to_make(*entry)) return nullptr;
  State made = State::kNone;
  try {
    const ModelView view(model);
    const std::size_t most = most_bytes(view, messages());
    if (most > 0) {
      entry->fingerprint = std::make_unique<Fingerprint>(model);
      entry->predictor = std::make_unique<Predictor>(view, messages(), most);
      made = State::kMade;
    }
  } catch (const std::bad_alloc&) {
    // Without memory, rows are predicted from the model itself.
  }
  entry->state.store(made, std::memory_order_release);
  return made == State::kMade ? entry->predictor.get() : nullptr;
}

}  // namespace svm
