#include "model/kept_predictor.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/platform/process.h"
#include "base/threads/primitives.h"
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
  explicit Fingerprint(const svm_model& model) {
    visit(model, [this](const void* part, std::size_t size) {
      const auto* const bytes = static_cast<const unsigned char*>(part);
      bytes_.insert(bytes_.end(), bytes, bytes + size);
      return true;
    });
  }

  bool is_of(const svm_model& model) const {
    const unsigned char* next = bytes_.data();
    return visit(model, [&](const void* part, std::size_t size) {
      const bool is_same = std::memcmp(next, part, size) == 0;
      next += size;
      return is_same;
    });
  }

 private:
  // Calls use(part, size), until it returns false, for the struct, which tells what else there is,
  // and then for the other parts.
  template <typename Use>
  static bool visit(const svm_model& model, const Use& use) {
    const std::size_t arrays = coefficient_arrays(model.nr_class);
    const std::size_t classes = model.nSV == nullptr ? 0 : count_or_zero(model.nr_class);
    if (!use(&model, sizeof(model)) || !use(model.sv_coef, arrays * sizeof(*model.sv_coef)) ||
        (classes > 0 && !use(model.nSV, classes * sizeof(*model.nSV)))) {
      return false;
    }
    if (model.SV == nullptr || model.l <= 0) return true;
    const std::ptrdiff_t last = model.l - 1;
    for (const std::ptrdiff_t s : {std::ptrdiff_t{0}, last / 2, last}) {
      const svm_node* const vector = model.SV[s];
      if (!use(&model.SV[s], sizeof(vector)) || !use(&vector->index, sizeof(vector->index)) ||
          !use(&vector->value, sizeof(vector->value))) {
        return false;
      }
    }
    return true;
  }

  std::vector<unsigned char> bytes_;
};

enum class KeptState : std::uint8_t {
  kUnused,    // no call yet
  kUsedOnce,  // the next call makes a predictor
  kBusy,      // a thread is making it
  kMade,
  kNone,  // rows are predicted from the model itself
};

// What is kept for a model: a predictor that knows what it was made of.
struct KeptPredictor : Predictor {
  KeptPredictor(const svm_model& model, const Messages& messages, std::size_t most)
      : Predictor(model, messages, most), fingerprint(model) {}

  const Fingerprint fingerprint;
};

struct KeptPlace {
  std::atomic<const double* const*> coefficients{nullptr};  // of the model; null: the place is free
  std::atomic<const svm_model*> model{nullptr};             // a copy of the struct is another one
  std::atomic<const svm_node* const*> vectors{nullptr};
  std::atomic<KeptState> state{KeptState::kUnused};
  // Owned.  Set before the state becomes kMade, and freed with the contents of the model only, as
  // threads may still be looking at a predictor that another one found to be out of date.
  std::atomic<const KeptPredictor*> kept{nullptr};

  void clear() {
    const std::unique_ptr<const KeptPredictor> old(kept.exchange(nullptr));
    state = KeptState::kUnused;
    model = nullptr;
  }
};

// The places of models.  A model has one of kWindow places that depend on the address of its array.
struct KeptTable {
  static constexpr unsigned kBits = 12;
  static constexpr std::size_t kWindow = 16;

  KeptPlace places[(std::size_t{1} << kBits) + kWindow];
  std::atomic<KeptTable*> next{nullptr};  // for models that find no free place; is never freed
};
// Places of thousands of models, in memory that the system gives when it is first used.
KeptTable first_table;

// A place for this model that is taken by a certain address; null if there is none.
KeptPlace* find(const svm_model& model, const double* const* address) {
  if (model.sv_coef == nullptr) return nullptr;
  const auto key = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(model.sv_coef));
  const std::size_t first = (key * 0x9e3779b97f4a7c15U) >> (64 - KeptTable::kBits);
  for (KeptTable* table = &first_table; table != nullptr;
       table = table->next.load(std::memory_order_acquire)) {
    for (std::size_t k = first; k < first + KeptTable::kWindow; ++k) {
      KeptPlace& place = table->places[k];
      if (place.coefficients.load(std::memory_order_acquire) == address) return &place;
    }
  }
  return nullptr;
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
  if (kept->fingerprint.is_of(model) && kept->has_current_coefficients()) return kept;
  place.state.store(KeptState::kNone, std::memory_order_relaxed);
  return nullptr;
}

}  // namespace

void keep_predictor_for(const svm_model& model) {
  if (model.sv_coef == nullptr) return;
  static Mutex mutex;
  const std::lock_guard<Mutex> lock(mutex);
  KeptPlace* place = find(model, model.sv_coef);  // left over, as free() has freed the array
  if (place == nullptr) place = find(model, nullptr);
  if (place == nullptr) {
    KeptTable* last = &first_table;
    while (last->next != nullptr) last = last->next;
    last->next = std::make_unique<KeptTable>().release();
    place = find(model, nullptr);
  }
  place->clear();
  place->vectors = model.SV;
  place->model = &model;
  place->coefficients.store(model.sv_coef, std::memory_order_release);
}

void free_kept_predictor(const svm_model& model) noexcept {
  KeptPlace* const place = find(model, model.sv_coef);
  if (place == nullptr) return;
  place->clear();
  place->coefficients.store(nullptr, std::memory_order_release);
}

const Predictor* kept_predictor(const svm_model& model, Messages (*messages)()) {
  KeptPlace* const place = find(model, model.sv_coef);
  if (place == nullptr || place->model != &model || place->vectors != model.SV) return nullptr;
  if (const Predictor* const predictor = current(*place, model)) return predictor;
  if (!is_to_make(*place)) return nullptr;
  const KeptPredictor* made = nullptr;
  try {
    const std::size_t most = most_bytes(model, messages());
    if (most > 0) made = std::make_unique<const KeptPredictor>(model, messages(), most).release();
  } catch (const std::bad_alloc&) {
    // Without memory, rows are predicted from the model itself.
  }
  place->kept.store(made, std::memory_order_relaxed);
  place->state.store(made == nullptr ? KeptState::kNone : KeptState::kMade,
                     std::memory_order_release);
  return made;
}

}  // namespace svm
