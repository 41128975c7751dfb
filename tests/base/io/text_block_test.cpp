// Marks of characters other than digits, compared with plain code.
#include "base/simd/text_block.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace svm {
namespace {

TEST(TextBlock, MarksEveryCharacterThatIsNoDigitInEveryPlace) {
  for (int c = 0; c < 256; ++c) {
    for (const char others : {'7', ':'}) {
      for (std::size_t place = 0; place < kBlockCharacters; ++place) {
        std::string text(kBlockCharacters, others);
        text[place] = static_cast<char>(c);
        std::uint64_t expected = 0;
        for (std::size_t k = 0; k < text.size(); ++k) {
          if (text[k] < '0' || text[k] > '9') expected |= std::uint64_t{1} << k;
        }
        ASSERT_EQ(mark_not_digits(text.data()), expected) << c << " at " << place;
      }
    }
  }
}

}  // namespace
}  // namespace svm
