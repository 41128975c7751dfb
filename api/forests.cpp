// Forests of cells.
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "api/border.h"
#include "base/io/input_file.h"
#include "base/io/output_file.h"
#include "base/simd/instruction_set.h"
#include "base/threads/pool.h"
#include "kernels/caller_rows.h"
#include "model/forest/forest.h"
#include "model/forest/forest_predictor.h"
#include "svm_ext.h"

namespace svm {
namespace {

// What a svm_forest, which is never defined, points to.
struct Handle {
  explicit Handle(Forest trained) : forest(std::move(trained)) {
    if (forest.is_complete()) predictor.emplace(forest, current_messages(), true);
  }
  Forest forest;
  std::optional<ForestPredictor> predictor;  // unless cells are not trained
};

Handle& handle_of(const svm_forest* forest) {
  return *reinterpret_cast<Handle*>(const_cast<svm_forest*>(forest));
}

}  // namespace

svm_forest* new_forest(Forest forest) {
  return reinterpret_cast<svm_forest*>(std::make_unique<Handle>(std::move(forest)).release());
}

Forest& take_forest(svm_forest* forest) {
  handle_of(forest).predictor.reset();
  return handle_of(forest).forest;
}

}  // namespace svm

char* svm_forest_text(const svm_forest* forest, int digits, size_t* size) {
  return svm::guarded<char*>("svm_forest_text", nullptr, [&] {
    return svm::text_of(
        [&](const svm::TextSink& out) {
          svm::write_forest(out, svm::handle_of(forest).forest, svm::digits_of(digits));
        },
        size);
  });
}

svm_forest* svm_parse_forest(const char* text, size_t size) {
  return svm::guarded<svm_forest*>("svm_parse_forest", nullptr, [&] {
    svm::require_exact_arithmetic();
    return svm::new_forest(svm::parse_forest(std::string_view(text, size)));
  });
}

int svm_write_forest(const char* forest_file_name, const svm_forest* forest, int digits) {
  return svm::guarded("svm_write_forest", -1, [&] {
    const svm::ModelDigits all = svm::digits_of(digits);  // before the file is opened
    svm::save_text(svm::OutputFile(forest_file_name), [&](const svm::TextSink& out) {
      svm::write_forest(out, svm::handle_of(forest).forest, all);
    });
    return 0;
  });
}

svm_forest* svm_load_forest(const char* forest_file_name) {
  return svm::guarded<svm_forest*>("svm_load_forest", nullptr, [&] {
    svm::require_exact_arithmetic();
    try {
      return svm::new_forest(svm::parse_forest(svm::read_whole_file(forest_file_name)));
    } catch (const svm::ModelError& error) {
      throw std::runtime_error(std::string(forest_file_name) + ": " + error.what());
    }
  });
}

int svm_predict_forest(const svm_forest* forest, const svm_rows* rows, size_t threads,
                       double* predictions, double* values, double* probabilities) {
  return svm::guarded("svm_predict_forest", -1, [&] {
    const svm::Handle& handle = svm::handle_of(forest);
    const svm_model& common = *handle.forest.common;
    if (!handle.predictor) throw std::invalid_argument("the forest has cells that are not trained");
    if (probabilities != nullptr && !svm::has_probabilities(common)) {
      throw std::invalid_argument("the forest has no probability estimates");
    }
    const svm::CallerRows given(*rows, common.param.kernel_type);
    svm::ThreadPool pool(svm::threads_for_rows(threads, given.size()));
    handle.predictor->predict(given.rows(), given.size(), probabilities != nullptr, pool,
                              {predictions, values, probabilities});
    return 0;
  });
}

int svm_facts_of_forest(const svm_forest* forest, svm_forest_facts* facts) {
  return svm::guarded("svm_facts_of_forest", -1, [&] {
    const svm::Forest& of_handle = svm::handle_of(forest).forest;
    const svm_model& common = *of_handle.common;
    if (facts->size != sizeof(*facts)) throw std::invalid_argument("facts: the size is wrong");
    facts->trees = of_handle.trees.size();
    facts->cells = of_handle.leaves();
    facts->support_vectors = static_cast<std::size_t>(common.l);
    facts->bytes = svm::forest_bytes(of_handle);
    facts->label = common.label;
    facts->nr_class = common.nr_class;
    facts->probability = svm_check_probability_model(&common);
    facts->width = common.label == nullptr && facts->probability != 0 ? common.probA[0] : 0;
    const svm::FeatureWeights& weights = of_handle.weights;
    facts->weighted = weights.empty() ? nullptr : weights.indices().data();
    facts->weights = weights.empty() ? nullptr : weights.weights().data();
    facts->features = weights.indices().size();
    facts->other_weight = weights.others();
    return 0;
  });
}

void svm_free_forest(svm_forest* forest) { delete reinterpret_cast<svm::Handle*>(forest); }
