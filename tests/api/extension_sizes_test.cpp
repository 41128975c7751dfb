// Sizes of structures in the caller and in the library, and the library's version.
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"

namespace svm {
namespace {

constexpr unsigned char kGarbage = 0x5A;

// Memory of a program for a structure, with other bytes behind it.
struct Bytes {
  alignas(svm_options) unsigned char all[2 * sizeof(svm_options)];
  Bytes() { std::memset(all, kGarbage, sizeof(all)); }
  svm_options* options() { return reinterpret_cast<svm_options*>(all); }
  bool untouched_from(std::size_t begin) const {
    for (std::size_t i = begin; i < sizeof(all); ++i) {
      if (all[i] != kGarbage) return false;
    }
    return true;
  }
};

TEST(InitOptions, WritesWhatTheCallerHas) {
  svm_options defaults;
  svm_init_options(&defaults, sizeof(defaults));
  EXPECT_EQ(defaults.size, sizeof(svm_options));
  EXPECT_EQ(defaults.row_weights, nullptr);
  EXPECT_EQ(defaults.random, nullptr);
  EXPECT_EQ(defaults.warn, nullptr);
  EXPECT_EQ(defaults.free_set, 1);
  for (std::size_t size = sizeof(std::size_t); size <= sizeof(svm_options); ++size) {
    Bytes bytes;
    svm_init_options(bytes.options(), size);
    EXPECT_EQ(bytes.options()->size, size);
    EXPECT_TRUE(bytes.untouched_from(size)) << size;
    defaults.size = size;
    EXPECT_EQ(std::memcmp(bytes.all, &defaults, size), 0) << size;
    EXPECT_EQ(svm_check_options(nullptr, bytes.options()), nullptr) << size;
  }
}

TEST(InitOptions, WritesNothingIntoLessThanTheSize) {
  for (std::size_t size = 0; size < sizeof(std::size_t); ++size) {
    Bytes bytes;
    svm_init_options(bytes.options(), size);
    EXPECT_TRUE(bytes.untouched_from(0));
  }
}

// A program with a later header must not find garbage in the additional members.
TEST(InitOptions, ClearsWhatTheLibraryDoesNotKnow) {
  Bytes bytes;
  constexpr std::size_t kLater = sizeof(svm_options) + 24;
  svm_init_options(bytes.options(), kLater);
  EXPECT_EQ(bytes.options()->size, kLater);
  for (std::size_t i = sizeof(svm_options); i < kLater; ++i) EXPECT_EQ(bytes.all[i], 0);
  EXPECT_TRUE(bytes.untouched_from(kLater));
  EXPECT_STREQ(svm_check_options(nullptr, bytes.options()),
               "svm_options: size is larger than this version of the library knows");
}

TEST(Versions, OfTheLibrary) {
  const std::string version = svm_version();
  EXPECT_EQ(version.find_first_not_of("0123456789."), std::string::npos);
  EXPECT_EQ(version, SVM_PACKAGE_VERSION);
}

}  // namespace
}  // namespace svm
