// svm-predict: predicts the rows of a data file with a model.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/border.h"
#include "base/io/input_error.h"
#include "base/io/input_file.h"
#include "base/io/number_text.h"
#include "base/io/output_file.h"
#include "base/platform/files.h"
#include "base/simd/instruction_set.h"
#include "base/threads/pool.h"
#include "model/forest/forest.h"
#include "model/forest/forest_predictor.h"
#include "model/model_memory.h"
#include "model/predictor.h"
#include "model/svm_type.h"
#include "programs/cli/files.h"
#include "programs/cli/main.h"
#include "programs/cli/metric_file.h"
#include "programs/cli/notes.h"
#include "programs/cli/option_builders.h"
#include "programs/cli/predict_options.h"
#include "programs/cli/score.h"
#include "programs/cli/status_line.h"
#include "programs/data/row_reader.h"
#include "svm_ext.h"

namespace svm::cli {
namespace {

constexpr int kFullPrecision = 17;
constexpr int kShortPrecision = 6;
constexpr const char* kOrder =
    ": this looks like a data file; the order is test_file model_file output_file";

// A forest, or one with a model in place of what its leaves have in common, and no trees.
// `metric` was read for it.
Forest load_model(const std::string& path, const PredictSettings& settings,
                  const MetricFile& metric) {
  Forest loaded;
  std::string text;
  bool is_forest = false, is_data = false;
  const bool done = guarded(path.c_str(), false, [&] {
    text = read_whole_file(path);
    is_forest = is_forest_text(text);
    is_data = text.find_first_of("+-0123456789") == 0;
    if (is_forest) {
      loaded = parse_forest(text);
    } else {
      loaded.common = parse_file(text, path.c_str());
    }
    return true;
  });
  if (!done) {
    // If the text of a model was malformed, warnings have said so.
    const bool told = !is_forest && std::string(svm_last_error()) != path + ": out of memory";
    if (!told) print_last_error();
    open_for_reading(path, "can't open model file");  // throws the reason if that is why
    throw Failure("can't open model file " + path + (is_data ? "\n" + path + kOrder : ""));
  }
  if (is_forest && !metric.path.empty()) {
    throw Failure("ERROR: --metric: " + path + " is a forest, which has its own weights");
  }
  if (!is_forest) check_metric(path, text, metric);
  if (settings.probability && svm_check_probability_model(loaded.common.get()) == 0) {
    throw Failure("Model does not support probabiliy estimates\n" + path +
                  ": svm-train -b 1 makes a model that does, unless a limit or Ctrl-C ends it");
  }
  return loaded;
}

// The header line of a file of class probabilities.
std::string probability_header(const svm_model& model) {
  if (model.param.svm_type == ONE_CLASS) return "label normal outlier\n";
  std::string header = "labels";
  for (int c = 0; c < model.nr_class; ++c) {
    header += ' ';
    append_int(header, model.label[c]);
  }
  return header + '\n';
}

// Predicts rows in batches and writes one line for each, in order.
class BatchWriter {
 public:
  BatchWriter(const Forest& loaded, const FeatureWeights& weights, bool probabilities,
              unsigned threads, OutputFile& out)
      : model_(*loaded.common),
        weights_(weights),
        classes_(probabilities ? static_cast<std::size_t>(model_.nr_class) : 0),
        pool_(threads),
        out_(out) {
    if (loaded.trees.empty()) {
      one_by_one_.emplace(model_, Messages(nullptr), 0);
    } else {
      forest_.emplace(loaded, Messages(nullptr), false);
    }
  }

  // Adds the current row of `rows`.
  void add(const FileRows& rows) {
    const bool long_row = rows.size() >= kMostNodes && one_by_one_;
    if (long_row) flush(false);
    labels_.push_back(rows.label());
    lines_.push_back(rows.line_number());
    if (long_row) {
      // Predicts the row in place: a packed form would double the memory.
      const svm_node* const nodes = rows.nodes();
      const WeightedRows row(&nodes, 1, weights_);
      rows_.assign(1, row.rows()[0].nodes());
      write_batch(*one_by_one_);
      return;
    }
    starts_.push_back(nodes_.size());
    if (weights_.empty()) {
      nodes_.insert(nodes_.end(), rows.nodes(), rows.nodes() + rows.size() + 1);
    } else {
      weights_.for_each(rows.nodes(), [&](int index, double value) {
        nodes_.push_back({index, value});
      });
      nodes_.push_back({-1, 0});
    }
    const std::size_t times = forest_ ? kTimesForForest : 1;
    if (labels_.size() >= times * kMostRows || nodes_.size() >= times * kMostNodes) flush(false);
  }

  // Predicts and writes the rows added so far. `last` means that no more rows follow.
  void flush(bool last) {
    if (starts_.empty()) return;
    rows_.clear();
    for (const std::size_t start : starts_) rows_.push_back(nodes_.data() + start);
    if (!forest_ && packed_ == nullptr) {
      const std::size_t rows = last ? rows_.size() : Predictor::kNoLimit;
      packed_ = std::make_unique<Predictor>(model_, Messages(nullptr),
                                            Predictor::most_bytes_for(rows), rows);
    }
    forest_ ? write_batch(*forest_) : write_batch(*packed_);
    starts_.clear();
    nodes_.clear();
  }

  const Score& score() const { return score_; }

 private:
  // Rows per batch, which bounds the memory.
  static constexpr std::size_t kMostRows = 4096;
  static constexpr std::size_t kMostNodes = 262144;
  static constexpr std::size_t kTimesForForest = 16;  // so that leaves get many rows

  // Predicts and writes the batch in rows_ and clears its labels and line numbers.
  template <typename AnyPredictor>
  void write_batch(const AnyPredictor& predictor) {
    const std::size_t count = rows_.size();
    predictions_.resize(count);
    probabilities_.resize(count * classes_);
    if (model_.param.kernel_type == PRECOMPUTED) {
      for (std::size_t i = 0; i < count; ++i) predict_precomputed(*one_by_one_, i);
    } else {
      predictor.predict(rows_.data(), count, classes_ != 0, pool_, arrays_from(0));
      for (std::size_t i = 0; i < count; ++i) write(i);
    }
    labels_.clear();
    lines_.clear();
  }

  PredictionArrays arrays_from(std::size_t i) {
    return {predictions_.data() + i, nullptr,
            classes_ == 0 ? nullptr : probabilities_.data() + i * classes_};
  }

  // If a row is too short for the model, the rows before it are written.
  void predict_precomputed(const Predictor& predictor, std::size_t i) {
    try {
      predictor.predict(rows_.data() + i, 1, classes_ != 0, arrays_from(i));
    } catch (const PrecomputedRowError& error) {
      throw InputError(lines_[i], 0, "", error.what());
    }
    write(i);
  }

  void write(std::size_t i) {
    text_.clear();
    append_real(text_, predictions_[i], classes_ == 0 ? kFullPrecision : kShortPrecision);
    for (std::size_t c = 0; c < classes_; ++c) {
      text_ += ' ';
      append_real(text_, probabilities_[i * classes_ + c], kShortPrecision);
    }
    text_ += '\n';
    out_.write(text_);
    score_.add(predictions_[i], labels_[i]);
  }

  const svm_model& model_;
  const FeatureWeights& weights_;
  std::size_t classes_;  // 0 if no probabilities are requested
  ThreadPool pool_;
  OutputFile& out_;
  std::optional<Predictor> one_by_one_;  // of a model
  std::optional<ForestPredictor> forest_;
  std::unique_ptr<Predictor> packed_;
  Score score_;
  std::vector<svm_node> nodes_;  // rows one after the other
  std::vector<std::size_t> starts_, lines_;
  std::vector<double> labels_, predictions_, probabilities_;
  std::vector<const svm_node*> rows_;
  std::string text_;
};

// Facts about the predicted rows for notes.
struct Seen {
  Score score;
  std::string first_line, ignored;
  int largest_index = -1;  // largest feature index; negative if there is none
  std::size_t line = 0;    // line with that index
};

Seen predict_all(std::FILE* input, const Forest& loaded, const FeatureWeights& weights,
                 bool probabilities, unsigned threads, OutputFile& out, ReadingLine& line) {
  RowRules rules;
  rules.precomputed = loaded.common->param.kernel_type == PRECOMPUTED;
  FileRows rows(input, rules);
  BatchWriter writer(loaded, weights, probabilities, threads, out);
  Seen seen;
  line.begin_pass();
  for (;;) {
    try {
      if (!rows.next()) break;
    } catch (...) {
      writer.flush(true);  // so that an error in an earlier row is reported first
      throw;
    }
    if (rows.size() > 0 && rows.nodes()[rows.size() - 1].index > seen.largest_index) {
      seen.largest_index = rows.nodes()[rows.size() - 1].index;
      seen.line = rows.line_number();
    }
    writer.add(rows);
    line.count_row();
  }
  writer.flush(true);
  if (writer.score().count() == 0) throw InputError(0, 0, "", "the file is empty");
  seen.score = writer.score();
  seen.first_line = rows.first_line();
  seen.ignored = rows.ignored();
  return seen;
}

void print_score(const Score& score, const svm_model& model) {
  if (is_regression(model.param.svm_type)) {
    std::printf("Mean squared error = %g (regression)\n", score.mean_squared_error());
    std::printf("Squared correlation coefficient = %g (regression)\n", score.squared_correlation());
  } else {
    std::printf("Accuracy = %g%% (%lld/%lld) (classification)\n", score.accuracy(), score.correct(),
                score.count());
  }
}

int run(const PredictSettings& settings, const std::vector<std::string>& files) {
  const unsigned threads = thread_count(settings.threads);
  check_instruction_set();
  const FilePtr input = open_input(files[0]);
  for (const std::string& output : {files[2], std::string(platform::kStandardOutput)}) {
    spare_inputs(output, {files[0], files[1], settings.metric});
  }
  const std::string refusal = "can't open output file " + files[2];
  opened(refusal, [&] { check_output(files[2]); });
  const MetricFile metric = settings.metric.empty() ? MetricFile{} : read_metric(settings.metric);
  const Forest loaded = load_model(files[1], settings, metric);
  const svm_model* const model = loaded.common.get();
  OutputFile out = opened(refusal, [&] { return open_output(files[2]); });
  if (!settings.probability && !settings.quiet && svm_check_probability_model(model) != 0) {
    std::printf("Model supports probability estimates, but disabled in prediction.\n");
  }
  const bool class_probabilities = settings.probability && !is_regression(model->param.svm_type);
  if (class_probabilities) {
    out.write(probability_header(*model));
  } else if (settings.probability && !settings.quiet) {
    std::printf(
        "Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution "
        "e^(-|z|/sigma)/(2sigma),sigma=%g\n",
        svm_get_svr_probability(model));
  }
  Seen seen;
  try {
    const bool prints_rows = files[2] == platform::kStandardOutput;
    ReadingLine line(input.get(), 1, !settings.quiet && !prints_rows);
    seen =
        predict_all(input.get(), loaded, metric.weights, class_probabilities, threads, out, line);
  } catch (const InputError& error) {
    throw Failure(input_error_text(files[0], error));
  }
  out.commit();
  warn_of_rows(files[0], seen.largest_index >= 0, seen.first_line, seen.ignored);
  if (settings.quiet) return 0;
  print_score(seen.score, *model);
  if (!are_notes_read()) return 0;
  print_note(beyond_note(seen.largest_index, seen.line, *model));
  return 0;
}

}  // namespace
}  // namespace svm::cli

int main(int argc, char** argv) {
  return svm::cli::main_of("svm-predict", svm::cli::predict_program, argc, argv, svm::cli::run);
}
