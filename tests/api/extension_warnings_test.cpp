// Destinations of warnings.
#include <cmath>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/temp_dir.h"

namespace svm {
namespace {

constexpr std::size_t kThreadCounts[] = {1, 2, 4};

struct Warned {
  std::string text;
  int calls = 0, throw_at = 0;
  std::thread::id thread = std::this_thread::get_id();
  static void add(const char* part, void* user) {
    Warned& self = *static_cast<Warned*>(user);
    EXPECT_EQ(std::this_thread::get_id(), self.thread);
    self.text += part;
    if (++self.calls == self.throw_at) throw self.calls;
  }
};

// Six pairs of classes, each of which ends at its limit.
class ExtensionWarnings : public test::Extension {
 protected:
  ExtensionWarnings() {
    data_ = test::four_classes(120, 11);
    problem_ = data_.problem();
    options_.max_iter = 1;
    options_.seed = 0;
  }
  void listen(Warned& warned) {
    options_.warn = Warned::add;
    options_.warn_user = &warned;
  }
  static std::size_t count(const std::string& text) {
    std::size_t found = 0, at = 0;
    while ((at = text.find("WARNING: ", at)) != std::string::npos) ++found, ++at;
    return found;
  }
};

TEST_F(ExtensionWarnings, GoToTheFunctionOfTheCall) {
  for (const std::size_t threads : kThreadCounts) {
    options_.threads = threads;
    Warned warned;
    listen(warned);
    EXPECT_NE(train(), nullptr);
    EXPECT_EQ(count(warned.text), 6U) << warned.text;
    EXPECT_EQ(warned.text.back(), '\n');
    EXPECT_EQ(warnings_.take(), "");
  }
}

TEST_F(ExtensionWarnings, ElseGoToThatOfTheProcess) {
  EXPECT_NE(train(), nullptr);
  EXPECT_EQ(count(warnings_.take()), 6U);
}

TEST_F(ExtensionWarnings, AreDroppedWhereThereIsNone) {
  svm_set_warning_function(nullptr);
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  EXPECT_NE(train(), nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(ExtensionWarnings, AreNoMessages) {
  std::string printed;
  options_.print = [](const char* text, void* user) { *static_cast<std::string*>(user) += text; };
  options_.print_user = &printed;
  EXPECT_NE(train(), nullptr);
  EXPECT_NE(printed, "");
  EXPECT_EQ(count(printed), 0U);
}

TEST_F(ExtensionWarnings, ExceptionsReachTheCaller) {
  for (const std::size_t threads : kThreadCounts) {
    for (const int at : {1, 4, 6}) {
      for (const int folds : {0, 3}) {
        options_.threads = threads;
        Warned warned;
        warned.throw_at = at;
        listen(warned);
        int thrown = 0;
        std::vector<double> targets(data_.size(), 7);
        try {
          if (folds == 0) {
            train();
          } else {
            test::cross_validate(&problem_, &param_, folds, &options_, targets.data(), nullptr);
          }
        } catch (int number) {
          thrown = number;
        }
        EXPECT_EQ(thrown, at);
        EXPECT_EQ(warned.calls, at);  // no further warnings
        if (folds > 0) {
          EXPECT_TRUE(std::isnan(targets[0]));
        }
      }
    }
  }
}

TEST_F(ExtensionWarnings, ExceptionsOfTheProcessWideFunctionReachTheCaller) {
  options_.max_iter = 0;
  param_.svm_type = EPSILON_SVR;
  const test::OwnedModel model = train();
  svm_set_warning_function([](const char*) { throw 42; });
  EXPECT_THROW(svm_get_svr_probability(model.get()), int);
  options_.max_iter = 1;
  EXPECT_THROW(train(), int);
  const test::TempDir folder;
  const std::string broken = folder.write("broken", "x");
  EXPECT_THROW(svm_load_model(broken.c_str()), int);
  EXPECT_EQ(svm_parse_model("x", 1), nullptr);  // without a function
}

}  // namespace
}  // namespace svm
