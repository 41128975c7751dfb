// Kernels of one's own: rows that are known by a function alone give the results of the same values
// in a matrix.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/training_data.h"

namespace svm::test {
namespace {

using Value = std::function<double(int row, int other)>;

// A function for kernel values that notes its calls.
struct Function {
  Value value;
  int rows = 0, others = 0;  // numbers are below these
  long long throw_at = 0;    // number of a call; 0: never

  std::mutex mutex;  // guards what follows
  long long calls = 0, values = 0;
  std::set<std::thread::id> threads;
  std::vector<int> asked, asked_by;  // how often for each number

  static void kernel(void* user, int row, const int* others, int count, double* values) {
    Function& self = *static_cast<Function*>(user);
    for (int k = 0; k < count; ++k) values[k] = self.value(row, others[k]);
    const std::lock_guard<std::mutex> lock(self.mutex);
    EXPECT_GE(count, 1);
    self.values += count;
    self.threads.insert(std::this_thread::get_id());
    ++self.asked_by.at(static_cast<std::size_t>(row));
    for (int k = 0; k < count; ++k) ++self.asked.at(static_cast<std::size_t>(others[k]));
    if (++self.calls == self.throw_at) throw 42;
  }
  void forget() {
    calls = values = 0;
    threads.clear();
    asked.assign(static_cast<std::size_t>(others), 0);
    asked_by.assign(static_cast<std::size_t>(rows), 0);
  }
  svm_rows as_rows(int kernel_threads = 0) {
    svm_rows given{};
    given.size = sizeof(given);
    given.rows = static_cast<std::size_t>(rows);
    given.layout = SVM_FUNCTION;
    given.kernel = kernel;
    given.kernel_user = this;
    given.kernel_threads = kernel_threads;
    return given;
  }
};

// All values of a function.
struct Matrix {
  explicit Matrix(const Function& function)
      : rows(static_cast<std::size_t>(function.rows)),
        columns(static_cast<std::size_t>(function.others)) {
    for (int s = 0; s < function.rows; ++s) {
      for (int t = 0; t < function.others; ++t) values.push_back(function.value(s, t));
    }
  }
  svm_rows as_rows() const {
    svm_rows given{};
    given.size = sizeof(given);
    given.rows = rows;
    given.columns = given.stride = columns;
    given.layout = SVM_DENSE;
    given.values = values.data();
    return given;
  }
  std::size_t rows, columns;
  std::vector<double> values;
};

double gaussian(const svm_node* a, const svm_node* b) {
  double sum = 0;
  for (; a->index != -1; ++a, ++b) sum += (a->value - b->value) * (a->value - b->value);
  return std::exp(-sum);
}

class KernelFunctions : public Extension {
 protected:
  KernelFunctions() : others_(random_data(23, 3, false, 91)) {
    options_.seed = 3;
    to_predict_.value = [this](int row, int other) {
      return gaussian(others_.row(static_cast<std::size_t>(row)), row_of(other));
    };
    to_predict_.rows = static_cast<int>(others_.size());
    use(C_SVC);
  }
  // Rows for the type, and a Gaussian kernel of them.
  void use(int svm_type, std::size_t rows = 90) {
    data_ = is_classification(svm_type) ? four_classes(rows, 11) : random_data(rows, 3, false, 11);
    param_ = parameters(svm_type, PRECOMPUTED);
    param_.C = 10;
    param_.nu = 0.1;
    function_.value = [this](int row, int other) { return gaussian(row_of(row), row_of(other)); };
    function_.rows = function_.others = to_predict_.others = static_cast<int>(rows);
    labels_.clear();
    for (std::size_t i = 0; i < rows; ++i) labels_.push_back(data_.label(i));
    function_.forget();
    to_predict_.forget();
  }
  const svm_node* row_of(int number) const { return data_.row(static_cast<std::size_t>(number)); }

  OwnedModel train(const svm_rows& rows) {
    return OwnedModel(svm_train_rows(&rows, labels_.data(), &param_, &options_, &result_));
  }
  OwnedModel train() { return train(function_.as_rows()); }
  std::vector<double> cross_validate(const svm_rows& rows, int folds) {
    std::vector<double> targets(labels_.size(), 77);
    EXPECT_EQ(svm_cross_validate_rows(&rows, labels_.data(), &param_, folds, &options_,
                                      targets.data(), &result_),
              0)
        << svm_last_error();
    return targets;
  }
  // Predictions, decision values, and probabilities if the model has them.
  static std::vector<double> predict(const svm_model& model, const svm_rows& rows,
                                     std::size_t threads) {
    const OwnedPredictor predictor = make_predictor(model);
    const bool is_likely =
        svm_check_probability_model(&model) != 0 && !is_regression(model.param.svm_type);
    std::vector<double> all(rows.rows), values(rows.rows * value_count(model)),
        estimates(rows.rows * static_cast<std::size_t>(model.nr_class));
    EXPECT_EQ(svm_predict_rows(predictor.get(), &rows, threads, all.data(), values.data(),
                               is_likely ? estimates.data() : nullptr),
              0)
        << svm_last_error();
    all.insert(all.end(), values.begin(), values.end());
    all.insert(all.end(), estimates.begin(), estimates.end());
    return all;
  }

  Data others_;
  std::vector<double> labels_;
  Function function_, to_predict_;  // of the rows, and of others with them
};

constexpr int kTypes[] = {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR};

TEST_F(KernelFunctions, GiveTheModelsOfTheMatrix) {
  std::string messages;
  options_.print = [](const char* text, void* user) { *static_cast<std::string*>(user) += text; };
  options_.print_user = &messages;
  for (const int type : kTypes) {
    use(type);
    const Matrix matrix(function_);
    for (const int probability : {0, 1}) {
      for (const double megabytes : {100.0, 1e-3}) {
        SCOPED_TRACE(testing::Message() << type << ' ' << probability << ' ' << megabytes);
        param_.probability = probability;
        param_.cache_size = megabytes;
        const OwnedModel wanted = train(matrix.as_rows());
        ASSERT_NE(wanted, nullptr) << svm_last_error();
        const long long iterations = result_.iterations;
        const std::string wanted_messages = std::exchange(messages, {});
        const OwnedModel model = train();
        ASSERT_NE(model, nullptr) << svm_last_error();
        EXPECT_EQ(result_.status, SVM_CONVERGED);
        EXPECT_EQ(result_.iterations, iterations);
        EXPECT_EQ(saved_text(*model), saved_text(*wanted));
        EXPECT_EQ(std::exchange(messages, {}), wanted_messages);
        EXPECT_EQ(model->free_sv, 1);
        for (int s = 0; s < model->l; ++s) {
          EXPECT_EQ(model->sv_indices[s], wanted->sv_indices[s]);
          EXPECT_EQ(model->SV[s]->value, model->sv_indices[s]);
        }
      }
    }
  }
}

TEST_F(KernelFunctions, GiveTheFoldsOfTheMatrix) {
  for (const int type : kTypes) {
    use(type, 60);
    const Matrix matrix(function_);
    for (const int folds : {4, 60}) {  // the latter is leave-one-out
      EXPECT_EQ(cross_validate(function_.as_rows(), folds), cross_validate(matrix.as_rows(), folds))
          << type << ' ' << folds;
    }
  }
}

TEST_F(KernelFunctions, AreForEverySolver) {
  for (const std::string& solver : solver_names()) {
    for (const int type : {C_SVC, EPSILON_SVR, ONE_CLASS}) {
      if (!supports(solver, type, PRECOMPUTED)) continue;
      SCOPED_TRACE(testing::Message() << solver << ' ' << type);
      use(type);
      options_.solver = solver.c_str();
      const Matrix matrix(function_);
      ASSERT_NE(train(matrix.as_rows()), nullptr) << svm_last_error();
      const double objective = result_.objective;
      EXPECT_NE(train(), nullptr) << svm_last_error();
      EXPECT_EQ(result_.status, SVM_CONVERGED);
      EXPECT_NEAR(result_.objective, objective, 1e-3 * std::fabs(objective));
    }
  }
}

TEST_F(KernelFunctions, ReachTheOptimumByCsmo) {
  for (const int type : kTypes) {
    use(type);
    param_.eps = 1e-6;
    double objective[2] = {};
    for (const int which : {0, 1}) {
      options_.solver = which == 0 ? "smo" : "csmo";
      EXPECT_NE(train(), nullptr) << svm_last_error();
      EXPECT_EQ(result_.status, SVM_CONVERGED);
      objective[which] = result_.objective;
    }
    EXPECT_NEAR(objective[1], objective[0], 1e-5 * std::fabs(objective[0])) << type;
  }
}

TEST_F(KernelFunctions, TakeWeightsOfRows) {
  for (const int type : kTypes) {
    use(type);
    std::vector<double> weights;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      weights.push_back(static_cast<double>(i % 4) / 2);
    }
    options_.row_weights = weights.data();
    const Matrix matrix(function_);
    const OwnedModel wanted = train(matrix.as_rows());
    function_.forget();
    const OwnedModel model = train();
    ASSERT_NE(model, nullptr) << svm_last_error();
    EXPECT_EQ(saved_text(*model), saved_text(*wanted)) << type;
    for (std::size_t i = 0; i < labels_.size(); i += 4) EXPECT_EQ(function_.asked[i], 0);
    EXPECT_EQ(cross_validate(function_.as_rows(), 3), cross_validate(matrix.as_rows(), 3)) << type;
  }
}

TEST_F(KernelFunctions, AreAskedForSupportVectorsInPrediction) {
  for (const int type : kTypes) {
    use(type);
    param_.probability = 1;
    const OwnedModel model = train();
    ASSERT_NE(model, nullptr) << svm_last_error();
    const Matrix matrix(to_predict_);
    const std::vector<double> wanted = predict(*model, matrix.as_rows(), 1);
    std::vector<int> support_vectors(labels_.size(), 0);  // each is asked for by each row
    for (int s = 0; s < model->l; ++s) {
      support_vectors[static_cast<std::size_t>(model->sv_indices[s]) - 1] = to_predict_.rows;
    }
    to_predict_.forget();
    EXPECT_EQ(predict(*model, to_predict_.as_rows(), 3), wanted) << type;
    EXPECT_EQ(to_predict_.threads, std::set<std::thread::id>{std::this_thread::get_id()});
    EXPECT_EQ(to_predict_.asked, support_vectors);
    EXPECT_EQ(std::count(to_predict_.asked_by.begin(), to_predict_.asked_by.end(), 0), 0);
    EXPECT_EQ(predict(*model, to_predict_.as_rows(1), 3), wanted) << type;
    // A single row is number 0.
    svm_rows one = to_predict_.as_rows();
    one.rows = 1;
    EXPECT_EQ(predict(*model, one, 1).front(), wanted.front());
    // The model of a precomputed kernel that is read knows its support vectors as well.
    const std::string text = saved_text(*model);
    const OwnedModel loaded(svm_parse_model(text.data(), text.size()));
    ASSERT_NE(loaded, nullptr) << svm_last_error();
    EXPECT_EQ(predict(*loaded, to_predict_.as_rows(), 1), wanted);
  }
}

TEST_F(KernelFunctions, AreCalledByTheCallingThreadUnlessTheyAllowOthers) {
  param_.probability = 1;
  const auto results = [&](std::size_t threads, int kernel_threads) {
    options_.threads = threads;
    const svm_rows rows = function_.as_rows(kernel_threads);
    const OwnedModel model = train(rows);
    EXPECT_NE(model, nullptr) << svm_last_error();
    const std::vector<double> targets = cross_validate(rows, 3);
    return saved_text(*model) + testing::PrintToString(targets);
  };
  const std::string one = results(1, 0);
  EXPECT_EQ(results(4, 0), one);
  EXPECT_EQ(function_.threads, std::set<std::thread::id>{std::this_thread::get_id()});
  for (const std::size_t threads : {2U, 5U}) EXPECT_EQ(results(threads, 1), one);
}

TEST_F(KernelFunctions, MayThrow) {
  for (const int kernel_threads : {0, 1}) {
    for (const char* solver : {"smo", "csmo"}) {
      for (const long long at : {1, 2, 100}) {
        SCOPED_TRACE(testing::Message() << solver << ", call " << at);
        options_.threads = 2;
        options_.solver = solver;
        function_.forget();
        to_predict_.forget();
        function_.throw_at = 0;
        const OwnedModel model = train();
        function_.throw_at = to_predict_.throw_at = at;
        function_.forget();
        const svm_rows rows = function_.as_rows(kernel_threads);
        EXPECT_THROW(train(rows), int);
        function_.forget();
        std::vector<double> targets(labels_.size(), 77);
        EXPECT_THROW(svm_cross_validate_rows(&rows, labels_.data(), &param_, 3, &options_,
                                             targets.data(), nullptr),
                     int);
        for (const double target : targets) EXPECT_TRUE(std::isnan(target));
        if (at > to_predict_.rows) continue;
        EXPECT_THROW(predict(*model, to_predict_.as_rows(kernel_threads), 2), int);
      }
    }
  }
}

// The last calls of a cross validation are those of a prediction.
TEST_F(KernelFunctions, MayThrowInEachTrainingAndPredictionOfFolds) {
  for (const int kernel_threads : {0, 1}) {
    for (const std::size_t threads : {1U, 5U}) {
      options_.threads = threads;
      const svm_rows rows = function_.as_rows(kernel_threads);
      std::vector<double> targets(labels_.size());
      const auto is_thrown = [&](long long at) {
        function_.throw_at = at;
        function_.forget();
        try {
          svm_cross_validate_rows(&rows, labels_.data(), &param_, 3, &options_, targets.data(),
                                  nullptr);
        } catch (int) {
          return true;
        }
        return false;
      };
      EXPECT_FALSE(is_thrown(0));
      const long long calls = function_.calls;
      for (const long long at : {calls / 4, calls / 2, 3 * calls / 4, calls - 5, calls}) {
        const bool thrown = is_thrown(at);
        EXPECT_EQ(thrown, function_.calls >= at) << kernel_threads << " " << threads;
      }
    }
  }
}

TEST_F(KernelFunctions, AreRefusedWhereTheyMakeNoSense) {
  svm_rows rows = function_.as_rows();
  rows.kernel = nullptr;
  EXPECT_EQ(train(rows), nullptr);
  EXPECT_STREQ(svm_last_error(), "svm_train_rows: svm_rows: kernel is null");
  const std::string fault =
      "svm_rows: a function for kernel values needs the kernel type PRECOMPUTED";
  param_.kernel_type = RBF;
  EXPECT_EQ(train(), nullptr);
  EXPECT_EQ(svm_last_error(), "svm_train_rows: " + fault);
  std::vector<double> targets(labels_.size(), 77);
  rows = function_.as_rows();
  EXPECT_EQ(svm_cross_validate_rows(&rows, labels_.data(), &param_, 3, &options_, targets.data(),
                                    nullptr),
            -1);
  EXPECT_TRUE(std::isnan(targets[0]));
  problem_ = data_.problem();
  const OwnedModel model(test::train(&problem_, &param_, &options_, nullptr));
  rows = to_predict_.as_rows();
  double predictions[100];
  EXPECT_EQ(predict_rows(model.get(), &rows, 1, predictions, nullptr, nullptr), -1);
  EXPECT_EQ(svm_last_error(), "svm_predict_rows: " + fault);
  EXPECT_EQ(function_.calls + to_predict_.calls, 0);
}

TEST_F(KernelFunctions, WithValuesThatAreNotFiniteDoNotConverge) {
  for (const double odd : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const char* solver : {"smo", "csmo", "smo1"}) {
      for (const int type : {C_SVC, EPSILON_SVR}) {
        SCOPED_TRACE(testing::Message() << solver << ' ' << type << ' ' << odd);
        use(type);
        options_.solver = solver;
        function_.value = [this, odd](int row, int other) {
          return row == 7 || other == 7 ? odd : gaussian(row_of(row), row_of(other));
        };
        const OwnedModel model = train();
        EXPECT_TRUE(model == nullptr || result_.status != SVM_CONVERGED);
      }
    }
  }
}

// Two far clusters, of which few rows become support vectors.
TEST_F(KernelFunctions, AreAskedForFewValues) {
  constexpr std::size_t kRows = 600;
  data_ = Data();
  labels_.clear();
  Draws draws(5);
  for (std::size_t i = 0; i < kRows; ++i) {
    labels_.push_back(i % 2 == 0 ? 1 : -1);
    data_.add(labels_.back(), {3 * labels_.back() + draws.between(-1, 1), draws.between(-1, 1)});
  }
  function_.value = [this](int row, int other) {
    return row_of(row)[0].value * row_of(other)[0].value +
           row_of(row)[1].value * row_of(other)[1].value;
  };
  function_.rows = function_.others = static_cast<int>(kRows);
  for (const char* solver : {"smo", "csmo"}) {
    options_.solver = solver;
    function_.forget();
    const OwnedModel model = train();
    ASSERT_NE(model, nullptr) << svm_last_error();
    EXPECT_LT(model->l, 20);
    EXPECT_LT(function_.values, static_cast<long long>(kRows * kRows / 5)) << solver;
  }
}

TEST_F(KernelFunctions, StartFromAModel) {
  for (const char* solver : {"smo", "csmo"}) {
    options_.solver = solver;
    options_.init = nullptr;
    const OwnedModel model = train();
    const long long iterations = result_.iterations;
    options_.init = model.get();
    ASSERT_NE(train(), nullptr) << svm_last_error();
    EXPECT_LT(result_.iterations, iterations / 4) << solver;
  }
}

TEST_F(KernelFunctions, CanBeCancelled) {
  options_.progress = [](const svm_progress* progress, void*) {
    return progress->iterations > 0 ? 1 : 0;
  };
  const OwnedModel model = train();
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(result_.status, SVM_CANCELLED);
}

// Pairs of letters that two texts have in common.
double common_pairs(const std::string& a, const std::string& b) {
  double count = 0;
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    for (std::size_t k = 0; k + 1 < b.size(); ++k) count += a.compare(i, 2, b, k, 2) == 0 ? 1 : 0;
  }
  return count;
}

TEST_F(KernelFunctions, MayBeOfTexts) {
  const std::vector<std::string> texts = {"the one that", "then there", "other than this",
                                          "und nicht",    "nicht mein", "eine und noch"};
  const std::vector<std::string> others = {"they bathe", "mein hund"};
  function_.value = [&](int row, int other) {
    const auto text = [&](int number) { return texts[static_cast<std::size_t>(number)]; };
    return common_pairs(text(row), text(other));
  };
  to_predict_.value = [&](int row, int other) {
    return common_pairs(others[static_cast<std::size_t>(row)],
                        texts[static_cast<std::size_t>(other)]);
  };
  function_.rows = function_.others = to_predict_.others = 6;
  to_predict_.rows = 2;
  labels_ = {1, 1, 1, 2, 2, 2};
  function_.forget();
  to_predict_.forget();
  const OwnedModel model = train();
  ASSERT_NE(model, nullptr) << svm_last_error();
  const std::vector<double> found = predict(*model, to_predict_.as_rows(), 1);
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[1], 2);
}

}  // namespace
}  // namespace svm::test
