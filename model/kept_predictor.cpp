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
    return model.nSV == nullptr ? 0 : count_or_zero(model.nr_class);
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

enum class KeptState : std::uint8_t {
  kUnused,    // no call yet
  kUsedOnce,  // the next call makes a predictor
  kBusy,      // a thread is making it
  kMade,
  kNone,  // rows are predicted from the model itself
};

// What is kept for a model.
struct KeptPredictor {
  KeptPredictor(const svm_model& model, const ModelView& view, const Messages& messages,
                std::size_t most)
      : fingerprint(model), predictor(view, messages, most) {}

  bool is_current(const svm_model& now) const {
    return fingerprint.is_of(now) && predictor.has_current_coefficients();
  }

  const Fingerprint fingerprint;
  const Predictor predictor;
};

struct KeptPlace {
  std::atomic<const svm_model*> model{nullptr};  // null if the place is free
  std::atomic<KeptState> state{KeptState::kUnused};
  // Owned.  Set before the state becomes kMade, and freed with the contents of the model only, as
  // threads may still be looking at a predictor that another one found to be out of date.
  std::atomic<const KeptPredictor*> kept{nullptr};

  void clear() {
    const std::unique_ptr<const KeptPredictor> old(kept.exchange(nullptr));
    state = KeptState::kUnused;
  }
};

// The places of models.  A model has one of kWindow places that depend on its address.
struct KeptTable {
  static constexpr unsigned kBits = 12;
  static constexpr std::size_t kWindow = 16;

  KeptPlace places[(std::size_t{1} << kBits) + kWindow];
  std::atomic<KeptTable*> next{nullptr};  // for models that find no free place; is never freed
};
// Places of thousands of models, in memory that the system gives when it is first used.
KeptTable first_table;

// A place for this model that is taken by a certain address; null if there is none.
KeptPlace* find(const svm_model& model, const svm_model* address) {
  const auto key = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&model));
  const std::size_t first = (key * 0x9e3779b97f4a7c15U) >> (64 - KeptTable::kBits);
  for (KeptTable* table = &first_table; table != nullptr;
       table = table->next.load(std::memory_order_acquire)) {
    for (std::size_t k = first; k < first + KeptTable::kWindow; ++k) {
      KeptPlace& place = table->places[k];
      if (place.model.load(std::memory_order_acquire) == address) return &place;
    }
  }
  return nullptr;
}

void add_table() {
  auto added = std::make_unique<KeptTable>();
  KeptTable* last = &first_table;
  for (KeptTable* next = nullptr; !last->next.compare_exchange_strong(next, added.get());
       next = nullptr) {
    last = next;
  }
  static_cast<void>(added.release());  // is behind the others now
}

// Counts a call.  True if this one makes the predictor, which no other does then.  Calls that find
// nothing to count only read the state, so that threads do not disturb each other.
bool is_to_make(KeptPlace& place) {
  KeptState state = place.state.load(std::memory_order_relaxed);
  if (state == KeptState::kUnused) {
    place.state.compare_exchange_strong(state, KeptState::kUsedOnce);
    return false;
  }
  return state == KeptState::kUsedOnce &&
         place.state.compare_exchange_strong(state, KeptState::kBusy);
}

// The predictor of a place if it is there already, and the model has not changed.
const Predictor* current(KeptPlace& place, const svm_model& model) {
  if (place.state.load(std::memory_order_acquire) != KeptState::kMade) return nullptr;
  const KeptPredictor* const kept = place.kept.load(std::memory_order_relaxed);
  if (kept->is_current(model)) return &kept->predictor;
  place.state.store(KeptState::kNone, std::memory_order_relaxed);
  return nullptr;
}

}  // namespace

void keep_predictor_for(const svm_model& model) {
  if (KeptPlace* const left_over = find(model, &model)) return left_over->clear();
  for (;; add_table()) {
    while (KeptPlace* const free = find(model, nullptr)) {
      const svm_model* none = nullptr;
      if (free->model.compare_exchange_strong(none, &model)) return;
    }
  }
}

void free_kept_predictor(const svm_model& model) noexcept {
  KeptPlace* const place = find(model, &model);
  if (place == nullptr) return;
  place->clear();
  place->model.store(nullptr, std::memory_order_release);
}

const Predictor* kept_predictor(const svm_model& model, Messages (*messages)()) {
  KeptPlace* const place = find(model, &model);
  if (place == nullptr) return nullptr;
  if (const Predictor* const predictor = current(*place, model)) return predictor;
  if (!is_to_make(*place)) return nullptr;
  const KeptPredictor* made = nullptr;
  try {
    const ModelView view(model);
    const std::size_t most = most_bytes(view, messages());
    if (most > 0)
      made = std::make_unique<const KeptPredictor>(model, view, messages(), most).release();
  } catch (const std::bad_alloc&) {
    // Without memory, rows are predicted from the model itself.
  }
  place->kept.store(made, std::memory_order_relaxed);
  place->state.store(made == nullptr ? KeptState::kNone : KeptState::kMade,
                     std::memory_order_release);
  return made == nullptr ? nullptr : &made->predictor;
}

}  // namespace svm
