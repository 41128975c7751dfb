// Checks of errors that carry LIBSVM's line beside their own.
#ifndef SVM_TESTS_IO_REFUSAL_H_
#define SVM_TESTS_IO_REFUSAL_H_

#include <string>

#include <gtest/gtest.h>

namespace svm::test {

// read(text) must throw an Error that says `what`, after LIBSVM's line `legacy`.
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

#endif  // SVM_TESTS_IO_REFUSAL_H_
