// Checks errors that carry LIBSVM's line besides their own text.
#ifndef SVM_TESTS_REFUSAL_H_
#define SVM_TESTS_REFUSAL_H_

#include <string>

#include <gtest/gtest.h>

namespace svm::test {

// Expects that read(text) throws an Error with the text `what` and LIBSVM's line `legacy`.
template <typename Error, typename Text, typename Read>
void expect_refusal(const Text& text, Read read, const std::string& what,
                    const std::string& legacy = {}) {
  SCOPED_TRACE(text);
  try {
    read(text);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), what);
    EXPECT_EQ(error.legacy(), legacy);
  }
}

}  // namespace svm::test

#endif  // SVM_TESTS_REFUSAL_H_
