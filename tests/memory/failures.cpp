#include "tests/memory/failures.h"

#include <iostream>
#include <memory>

namespace svm::test {
namespace {

// Sets svm_last_error() to another text, so that an old one is noticed.
void make_another_error() { ASSERT_EQ(svm_parse_model("", 0), nullptr); }

constexpr std::size_t kOftenEnough = 16;  // trying each time would take twice as long

// Counts the attempts that ended in an error, and those that had the usual result in spite of it.
struct Count {
  std::size_t errors = 0, results = 0;
};

class Repetition {
 public:
  Repetition(const char* function, const Attempt& attempt)
      : reason_(std::string(function) + ": out of memory"), attempt_(attempt) {
    allocations::restart(0, Failing::kOne);
    usual_ = attempt_();  // makes what the library keeps for the process, too
    EXPECT_TRUE(usual_) << svm_last_error();
  }

  // True if an allocation failed, and all was well.
  bool attempt(std::size_t failing, Failing mode, Count& count) {
    make_another_error();
    const std::string other = svm_last_error();
    allocations::restart(failing, mode);
    std::optional<std::string> result;
    EXPECT_NO_THROW(result = attempt_());
    if (allocations::failed() == 0) return false;
    EXPECT_EQ(allocations::live(), 0U) << "blocks are left";
    if (result) {
      ++count.results;
      EXPECT_EQ(*result, *usual_);
    } else {
      ++count.errors;
      EXPECT_EQ(svm_last_error(), reason_);
    }
    if (failing % kOftenEnough == 0) {
      allocations::restart(0, mode);
      EXPECT_EQ(attempt_(), usual_) << "the attempt after the failure";
    }
    return !testing::Test::HasFailure();
  }

 private:
  const std::string reason_;
  const Attempt& attempt_;
  std::optional<std::string> usual_;
};

}  // namespace

void survives_failures(const char* function, const Attempt& attempt) {
  Repetition repetition(function, attempt);
  ASSERT_FALSE(testing::Test::HasFailure());
  for (const Failing mode : {Failing::kOne, Failing::kAllAfter}) {
    const char* const name = mode == Failing::kOne ? "one fails" : "all from one on fail";
    Count count;
    std::size_t failing = 1;
    while (repetition.attempt(failing, mode, count)) ++failing;
    ASSERT_FALSE(testing::Test::HasFailure()) << name << ", allocation " << failing;
    EXPECT_GT(count.errors + count.results, 0U) << "nothing was allocated";
    std::cout << function << ": " << name << ": " << count.errors << " errors, " << count.results
              << " results\n";
  }
}

std::string text_of(const svm_model& model) {
  const std::unique_ptr<char, void (*)(char*)> text(svm_model_text(&model, 0, nullptr),
                                                    svm_free_text);
  return text.get();
}

}  // namespace svm::test
