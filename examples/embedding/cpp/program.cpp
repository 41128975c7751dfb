// LIBSVM in a C++ program: trains on a matrix of floats where it is, with random draws of its own,
// keeps the model as text, predicts many rows at once, and meets an error.  Exits with 1 where
// something is not as it should be.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iostream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "svm_ext.h"

namespace {

struct ModelDeleter {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using Model = std::unique_ptr<svm_model, ModelDeleter>;

struct TextDeleter {
  void operator()(char* text) const { svm_free_text(text); }
};
using Text = std::unique_ptr<char, TextDeleter>;

struct PredictorDeleter {
  void operator()(svm_predictor* predictor) const { svm_free_predictor(predictor); }
};
using Predictor = std::unique_ptr<svm_predictor, PredictorDeleter>;

[[noreturn]] void fail() { throw std::runtime_error(svm_last_error()); }

Model owned(svm_model* model) { return Model(model != nullptr ? model : (fail(), nullptr)); }

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("wrong: ") + what);
}

// Rows of floats, one after the other.
struct Matrix {
  std::size_t columns;
  std::vector<float> values;

  // Valid while the matrix is.
  svm_rows rows() const {
    svm_rows rows{};
    rows.size = sizeof rows;
    rows.rows = values.size() / columns;
    rows.columns = columns;
    rows.layout = SVM_DENSE;
    rows.value_type = SVM_FLOAT;
    rows.values = values.data();
    rows.stride = columns;
    return rows;
  }
};

struct Data {
  Matrix matrix;
  std::vector<double> labels;
};

// Four groups of points, of three classes.
Data make_data(std::size_t count, std::mt19937& generator) {
  const float centres[4][2] = {{0, 0}, {2, 0}, {0, 2}, {2, 2}};
  const double classes[4] = {1, 2, 3, 1};
  std::normal_distribution<float> noise(0, 0.4F);
  Data data{{2, {}}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    for (const float centre : centres[i % 4])
      data.matrix.values.push_back(centre + noise(generator));
    data.labels.push_back(classes[i % 4]);
  }
  return data;
}

svm_parameter parameters(int kernel_type) {
  svm_parameter param{};
  param.svm_type = C_SVC;
  param.kernel_type = kernel_type;
  param.gamma = 1;
  param.C = 1;
  param.eps = 0.001;
  param.cache_size = 100;
  param.shrinking = 1;
  return param;
}

// Options of this program: no messages, and draws from its generator.
svm_options options(std::mt19937& generator) {
  svm_options options;
  svm_init_options(&options, sizeof options);
  options.print = [](const char*, void*) {};
  options.warn = [](const char* text, void*) { std::cout << text; };
  options.random = [](int n, void* user) {
    return static_cast<int>((*static_cast<std::mt19937*>(user))() % static_cast<unsigned>(n));
  };
  options.random_user = &generator;
  return options;
}

double share_of_equal(const std::vector<double>& a, const std::vector<double>& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

double cross_validation_rate(const Data& data, const svm_parameter& param, unsigned seed) {
  std::mt19937 generator(seed);
  const svm_options call = options(generator);
  const svm_rows rows = data.matrix.rows();
  std::vector<double> targets(rows.rows);
  if (svm_cross_validate_rows(&rows, data.labels.data(), &param, 5, &call, targets.data(),
                              nullptr) != 0)
    fail();
  return share_of_equal(targets, data.labels);
}

Model train(const Data& data, const svm_parameter& param) {
  std::mt19937 generator;
  const svm_options call = options(generator);
  const svm_rows rows = data.matrix.rows();
  return owned(svm_train_rows(&rows, data.labels.data(), &param, &call, nullptr));
}

std::string save(const svm_model& model) {
  std::size_t size = 0;
  const Text text(svm_model_text(&model, 0, &size));
  if (!text) fail();
  return std::string(text.get(), size);
}

Model load(std::string_view text) { return owned(svm_parse_model(text.data(), text.size())); }

struct Predictions {
  std::vector<double> labels, values;
};

Predictions predict(const svm_model& model, const Matrix& matrix) {
  const Predictor predictor(svm_make_predictor(&model, 0));
  if (!predictor) fail();
  const svm_rows rows = matrix.rows();
  const auto k = static_cast<std::size_t>(svm_get_nr_class(&model));
  Predictions result{std::vector<double>(rows.rows),
                     std::vector<double>(rows.rows * k * (k - 1) / 2)};
  if (svm_predict_rows(predictor.get(), &rows, 0, result.labels.data(), result.values.data(),
                       nullptr) != 0)
    fail();
  return result;
}

// One vector takes the place of the support vectors of each pair of classes.
void compact(const Data& data) {
  const Model model = train(data, parameters(LINEAR));
  const Model small = owned(svm_compact_model(model.get()));
  std::cout << svm_get_nr_sv(model.get()) << " support vectors made " << svm_get_nr_sv(small.get())
            << '\n';
  require(svm_get_nr_sv(small.get()) < svm_get_nr_sv(model.get()), "size of the compact model");
  const Predictions before = predict(*model, data.matrix), after = predict(*small, data.matrix);
  for (std::size_t i = 0; i < before.values.size(); ++i)
    require(std::abs(before.values[i] - after.values[i]) < 1e-9, "values of the compact model");
}

void run() {
  std::mt19937 generator(1);
  const Data data = make_data(400, generator), test = make_data(400, generator);
  const svm_parameter param = parameters(RBF);

  const double rate = cross_validation_rate(data, param, 1);
  require(rate == cross_validation_rate(data, param, 1), "the same draws, the same folds");
  require(rate > 0.9, "cross validation");

  const std::string text = save(*train(data, param));
  const Model model = load(text);
  require(save(*model) == text, "text of the model read back");
  const double accuracy = share_of_equal(predict(*model, test.matrix).labels, test.labels);
  std::cout << "cross validation " << rate << ", test " << accuracy << '\n';
  require(accuracy > 0.9, "predictions");
  compact(data);

  try {
    load(std::string_view(text).substr(0, text.size() / 2));
    require(false, "half a model is refused");
  } catch (const std::runtime_error& error) {
    std::cout << "half a model: " << error.what() << '\n';
  }
}

}  // namespace

int main() {
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
