// Exceptions that leave the caller's print and progress functions.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::OwnedModel;

constexpr std::size_t kThreads[] = {1, 2, 4};

struct Odd {  // not a std::exception
  int number;
};

// The types that a function of the caller throws.  The library's own errors use some of them.
struct Thrown {
  const char* name;
  void (*raise)();
};
const Thrown kThrown[] = {
    {"int 42", [] { throw 42; }},
    {"odd 7", [] { throw Odd{7}; }},
    {"runtime_error mine", [] { throw std::runtime_error("mine"); }},
    {"invalid_argument mine", [] { throw std::invalid_argument("mine"); }},
    {"bad_alloc", [] { throw std::bad_alloc(); }},
};

// The name of what `call` throws.
std::string caught(const std::function<void()>& call) {
  try {
    call();
  } catch (int number) {
    return "int " + std::to_string(number);
  } catch (const Odd& odd) {
    return "odd " + std::to_string(odd.number);
  } catch (const std::invalid_argument& error) {
    return std::string("invalid_argument ") + error.what();
  } catch (const std::runtime_error& error) {
    return std::string("runtime_error ") + error.what();
  } catch (const std::bad_alloc&) {
    return "bad_alloc";
  }
  return "nothing";
}

// Throws at one of the messages, which arrive on the calling thread, and counts the messages after
// it.
struct Printer {
  int throw_at = 0;  // number of the message; 0 for never
  const Thrown* what = nullptr;
  int messages = 0;
  std::string text;
  std::thread::id thread = std::this_thread::get_id();

  static void print(const char* part, void* user) {
    Printer& self = *static_cast<Printer*>(user);
    EXPECT_EQ(std::this_thread::get_id(), self.thread);
    self.text += part;
    if (++self.messages == self.throw_at) self.what->raise();
  }
};

// A kind of call: a training (folds 0), or a cross validation.
struct Job {
  int svm_type, probability, folds;
};
constexpr Job kJobs[] = {{C_SVC, 0, 0},       {C_SVC, 1, 0},  {C_SVC, 0, 5},     {C_SVC, 1, 3},
                         {EPSILON_SVR, 1, 0}, {NU_SVR, 0, 4}, {ONE_CLASS, 1, 0}, {NU_SVC, 0, 0}};

class ExtensionExceptions : public test::Extension {
 protected:
  void set(const Job& job, std::size_t threads) {
    job_ = job;
    data_ = test::is_classification(job.svm_type) ? test::four_classes(120, 11)
                                                  : test::random_data(120, 3, false, 11);
    problem_ = data_.problem();
    param_ = test::parameters(job.svm_type, RBF);
    param_.C = 10;
    param_.nu = 0.2;
    param_.probability = job.probability;
    options_ = test::default_options();
    options_.threads = threads;
    options_.seed = 0;
    targets_.assign(data_.size(), 77);
  }

  // The messages, followed by the targets of a cross validation.
  std::string run(Printer& printer) {
    options_.print = Printer::print;
    options_.print_user = &printer;
    if (job_.folds == 0) {
      EXPECT_NE(train(), nullptr);
      return printer.text;
    }
    EXPECT_EQ(
        test::cross_validate(&problem_, &param_, job_.folds, &options_, targets_.data(), &result_),
        0);
    std::string text = printer.text;
    for (const double target : targets_) text += ' ' + std::to_string(target);
    return text;
  }

  Job job_{};
  std::vector<double> targets_;
};

// The messages up to the throwing one are those of a call without exceptions, and later calls are
// not affected.
TEST_F(ExtensionExceptions, OfAPrintFunctionReachTheCaller) {
  for (const Job& job : kJobs) {
    for (const std::size_t threads : kThreads) {
      SCOPED_TRACE(testing::Message()
                   << "type " << job.svm_type << ", probability " << job.probability << ", folds "
                   << job.folds << ", threads " << threads);
      set(job, threads);
      Printer quiet;
      const std::string expected = run(quiet);
      const int last = quiet.messages;
      std::size_t kind = 0;
      for (const int at : {1, 2, last / 3, last / 2, last - 1, last}) {
        Printer printer;
        printer.throw_at = at;
        printer.what = &kThrown[kind++ % std::size(kThrown)];
        targets_.assign(data_.size(), 77);
        EXPECT_EQ(caught([&] { run(printer); }), printer.what->name) << "message " << at;
        EXPECT_EQ(printer.messages, at);
        EXPECT_EQ(quiet.text.compare(0, printer.text.size(), printer.text), 0);
        if (job.folds > 0) {
          for (const double target : targets_) EXPECT_TRUE(std::isnan(target));
        }
      }
      Printer again;
      EXPECT_EQ(run(again), expected);
    }
  }
}

TEST_F(ExtensionExceptions, OfEveryTypeAreThoseThatWereThrown) {
  for (const std::size_t threads : kThreads) {
    set(kJobs[0], threads);
    for (const Thrown& thrown : kThrown) {
      Printer printer;
      printer.throw_at = 3;
      printer.what = &thrown;
      EXPECT_EQ(caught([&] { run(printer); }), thrown.name);
    }
  }
}

TEST_F(ExtensionExceptions, OfTheProcessWidePrintFunctionReachTheCaller) {
  for (const char* threads : {"1", "2", "4"}) {
    const test::Setting number("SVM_NUM_THREADS", threads);
    set({C_SVC, 1, 0}, 0);
    svm_set_print_string_function([](const char*) { throw 42; });
    EXPECT_EQ(caught([&] { svm_train(&problem_, &param_); }), "int 42");
    EXPECT_EQ(caught([&] { svm_cross_validation(&problem_, &param_, 4, targets_.data()); }),
              "int 42");
    EXPECT_TRUE(std::isnan(targets_.front()));
    svm_set_print_string_function([](const char*) {});
    const OwnedModel model(svm_train(&problem_, &param_));
    EXPECT_NE(model, nullptr);
    svm_set_print_string_function(nullptr);
  }
}

// The second prediction of a model packs it, and warns of a variable that it does not understand.
TEST_F(ExtensionExceptions, OfAWarningFunctionLeavePrediction) {
  set(kJobs[0], 1);
  options_.print = test::drop_text;
  const OwnedModel model = train();
  ASSERT_NE(model, nullptr);
  const double expected = svm_predict(model.get(), problem_.x[0]);
  const test::Setting variable("LIBSVM_PACKED_MODELS", "no number");
  svm_set_warning_function([](const char*) { throw 42; });
  EXPECT_EQ(caught([&] { svm_predict(model.get(), problem_.x[0]); }), "int 42");
  svm_set_warning_function(nullptr);
  EXPECT_EQ(svm_predict(model.get(), problem_.x[0]), expected);
}

// Throws, or returns 1, at one of its calls.
struct Watch {
  int at = 0;
  const Thrown* what = nullptr;  // null: returns
  test::SteadyLooks steady;      // not atomic: one thread at a time
  int looks = 0;
  bool cancelled = false;

  static int look(const svm_progress* progress, void* user) {
    Watch& self = *static_cast<Watch*>(user);
    if (!self.steady.has(*progress) || ++self.looks != self.at) return 0;
    self.cancelled = progress->finished == 0;  // the last call is too late
    if (self.what != nullptr) self.what->raise();
    return 1;
  }
};

class ExtensionProgressExceptions : public ExtensionExceptions {
 protected:
  void watch(Watch& watch) {
    options_.print = test::drop_text;
    options_.progress = Watch::look;
    options_.progress_user = &watch;
  }
};

TEST_F(ExtensionProgressExceptions, CancelAsAValueDoes) {
  for (const Thrown& thrown : kThrown) {
    std::vector<double> by_value;
    for (const Thrown* what : {static_cast<const Thrown*>(nullptr), &thrown}) {
      set({C_SVC, 0, 0}, 1);
      data_ = test::random_data(200, 3, true, 7);
      problem_ = data_.problem();
      Watch cancelling;
      cancelling.at = 2;
      cancelling.what = what;
      watch(cancelling);
      const OwnedModel model = train();
      EXPECT_NE(warnings_.take().find("cancelled"), std::string::npos);
      ASSERT_NE(model, nullptr);
      EXPECT_EQ(result_.status, SVM_CANCELLED);
      if (what == nullptr) {
        by_value = test::coefficients(*model);
      } else {
        EXPECT_EQ(test::coefficients(*model), by_value);
      }
    }
  }
}

TEST_F(ExtensionProgressExceptions, CancelWhateverTheThread) {
  for (const Job& job : kJobs) {
    for (const std::size_t threads : kThreads) {
      for (const int at : {1, 2, 9}) {
        SCOPED_TRACE(testing::Message() << "type " << job.svm_type << ", folds " << job.folds
                                        << ", threads " << threads << ", look " << at);
        set(job, threads);
        Watch cancelling;
        cancelling.at = at;
        cancelling.what = &kThrown[static_cast<std::size_t>(at) % std::size(kThrown)];
        watch(cancelling);
        if (job.folds == 0) {
          EXPECT_NE(train(), nullptr);
        } else {
          EXPECT_EQ(test::cross_validate(&problem_, &param_, job.folds, &options_, targets_.data(),
                                         &result_),
                    0);
        }
        EXPECT_TRUE(cancelling.cancelled || at > 1);  // the first call is that of a beginning
        if (cancelling.cancelled) {
          EXPECT_EQ(result_.status, SVM_CANCELLED);
        }
      }
    }
  }
}

// --- what the caller's functions may do ---

// A print function that trains and predicts, as in a program that shows results during training.
struct Reentrant {
  const svm_problem* problem;
  const svm_parameter* param;
  const svm_model* model;
  double prediction = 0;
  int trained = 0;

  static void print(const char*, void* user) {
    Reentrant& self = *static_cast<Reentrant*>(user);
    self.prediction = svm_predict(self.model, self.problem->x[0]);
    if (++self.trained > 3) return;
    svm_options options = test::default_options();
    options.print = test::drop_text;
    options.threads = 2;
    EXPECT_NE(OwnedModel(test::train(self.problem, self.param, &options, nullptr)), nullptr);
  }
};

TEST_F(ExtensionExceptions, ThePrintFunctionMayCallTheLibrary) {
  set({C_SVC, 1, 0}, 1);
  options_.print = test::drop_text;
  const OwnedModel model = train();
  for (const std::size_t threads : kThreads) {
    Reentrant printer{&problem_, &param_, model.get()};
    options_.threads = threads;
    options_.print = Reentrant::print;
    options_.print_user = &printer;
    EXPECT_NE(train(), nullptr);
    EXPECT_GT(printer.trained, 3);
    EXPECT_EQ(printer.prediction, svm_predict(model.get(), problem_.x[0]));
  }
}

// Other threads continue while a message is printed: the first message waits until five problems
// have begun.
struct Patient {
  std::atomic<long long> begun{0};  // the highest number so far; calls are not concurrent
  bool waited = false, saw_others = false;

  static void print(const char*, void* user) {
    constexpr long long kOthers = 5;
    Patient& self = *static_cast<Patient*>(user);
    if (self.waited) return;
    self.waited = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (self.begun < kOthers && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    self.saw_others = self.begun >= kOthers;
  }
  static int look(const svm_progress* progress, void* user) {
    std::atomic<long long>& begun = static_cast<Patient*>(user)->begun;
    begun = std::max<long long>(begun, progress->problem);  // an earlier problem may report after
                                                            // it
    return 0;
  }
};

TEST_F(ExtensionExceptions, ThePrintFunctionHoldsNobodyUp) {
  set({C_SVC, 0, 0}, 2);
  Patient patient;
  options_.print = Patient::print;
  options_.print_user = &patient;
  options_.progress = Patient::look;
  options_.progress_user = &patient;
  EXPECT_NE(train(), nullptr);
  EXPECT_TRUE(patient.saw_others);
}

}  // namespace
}  // namespace svm
