// svm-predict: predicts the rows of a data file with a model.
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "cli/input.h"
#include "cli/main.h"
#include "cli/predict_options.h"
#include "cli/score.h"
#include "io/dataset.h"
#include "io/line_reader.h"
#include "io/number_text.h"
#include "io/output_file.h"
#include "model/model_memory.h"
#include "model/prediction.h"
#include "svm.h"

namespace {

using svm::cli::Failure;
using svm::cli::PredictSettings;

constexpr int kFullPrecision = 17;
constexpr int kShortPrecision = 6;

bool is_regression(const svm_model& model) {
  return model.param.svm_type == EPSILON_SVR || model.param.svm_type == NU_SVR;
}

std::unique_ptr<svm::OutputFile> open_output(const std::string& path) {
  try {
    return std::make_unique<svm::OutputFile>(path);
  } catch (const std::system_error& error) {
    throw Failure("can't open output file " + path + "\n" + error.what());
  }
}

svm::ModelPtr load_model(const std::string& path, const PredictSettings& settings) {
  svm::ModelPtr model(svm_load_model(path.c_str()));
  if (!model) {
    svm::cli::open_for_reading(path, "can't open model file");  // gives the reason, if that is it
    throw Failure("can't open model file " + path);
  }
  const bool supported = svm_check_probability_model(model.get()) != 0;
  if (settings.probability && !supported) {
    throw Failure("Model does not support probabiliy estimates");
  }
  if (!settings.probability && supported && !settings.quiet) {
    std::printf("Model supports probability estimates, but disabled in prediction.\n");
  }
  return model;
}

// The first line of a file of class probabilities.
std::string probability_header(const svm_model& model) {
  if (model.param.svm_type == ONE_CLASS) return "label normal outlier\n";
  std::string header = "labels";
  for (int c = 0; c < model.nr_class; ++c) {
    header += ' ';
    svm::append_int(header, model.label[c]);
  }
  return header + '\n';
}

// Reads rows one by one and writes a line for each.
class RowPredictor {
 public:
  RowPredictor(const svm_model& model, bool probabilities, svm::OutputFile& out)
      : predictor_(model, svm::Messages(nullptr)),
        probabilities_(probabilities ? static_cast<std::size_t>(model.nr_class) : 0),
        out_(out) {}

  double predict(std::vector<svm_node>& row) {
    row.push_back({-1, 0});
    line_.clear();
    double prediction;
    if (probabilities_.empty()) {
      prediction = predictor_.predict(row.data());
      svm::append_real(line_, prediction, kFullPrecision);
    } else {
      prediction = predictor_.predict_probability(row.data(), probabilities_.data());
      svm::append_real(line_, prediction, kShortPrecision);
      for (const double probability : probabilities_) {
        line_ += ' ';
        svm::append_real(line_, probability, kShortPrecision);
      }
    }
    line_ += '\n';
    out_.write(line_);
    return prediction;
  }

 private:
  svm::Predictor predictor_;
  std::vector<double> probabilities_;  // empty where none are asked for
  svm::OutputFile& out_;
  std::string line_;
};

svm::cli::Score predict_all(std::FILE* input, const svm_model& model, bool probabilities,
                            svm::OutputFile& out) {
  svm::RowRules rules;
  rules.precomputed = model.param.kernel_type == PRECOMPUTED;
  const svm::RowParser parser(rules);
  svm::LineReader reader(input);
  RowPredictor predictor(model, probabilities, out);
  svm::cli::Score score;
  std::vector<svm_node> row;
  for (std::string_view line; reader.next(line);) {
    const double label = parser.parse(line, reader.line_number(), row);
    try {
      score.add(predictor.predict(row), label);
    } catch (const svm::PrecomputedRowError& error) {  // the row is too short for the model
      throw svm::InputError(reader.line_number(), 0, "", error.what());
    }
  }
  if (score.count() == 0) throw svm::InputError(0, 0, "", "the file is empty");
  return score;
}

void print_score(const svm::cli::Score& score, const svm_model& model) {
  if (is_regression(model)) {
    std::printf("Mean squared error = %g (regression)\n", score.mean_squared_error());
    std::printf("Squared correlation coefficient = %g (regression)\n", score.squared_correlation());
  } else {
    std::printf("Accuracy = %g%% (%lld/%lld) (classification)\n", score.accuracy(), score.correct(),
                score.count());
  }
}

void run(const PredictSettings& settings, const std::vector<std::string>& files) {
  const svm::cli::FilePtr input = svm::cli::open_input(files[0]);
  const std::unique_ptr<svm::OutputFile> out = open_output(files[2]);
  const svm::ModelPtr model = load_model(files[1], settings);
  const bool class_probabilities = settings.probability && !is_regression(*model);
  if (class_probabilities) {
    out->write(probability_header(*model));
  } else if (settings.probability && !settings.quiet) {
    std::printf(
        "Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution "
        "e^(-|z|/sigma)/(2sigma),sigma=%g\n",
        svm_get_svr_probability(model.get()));
  }
  svm::cli::Score score;
  try {
    score = predict_all(input.get(), *model, class_probabilities, *out);
  } catch (const svm::InputError& error) {
    throw Failure(svm::cli::input_error_text(files[0], error));
  }
  out->commit();
  if (!settings.quiet) print_score(score, *model);
}

}  // namespace

int main(int argc, char** argv) {
  PredictSettings settings;
  return svm::cli::run_program(svm::cli::predict_program(settings), argc, argv,
                               [&](const std::vector<std::string>& files) {
                                 run(settings, files);
                                 return 0;
                               });
}
