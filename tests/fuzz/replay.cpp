// Runs a fuzz target on every file of the given folders, without a fuzzer.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace {

std::vector<std::uint8_t> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return {text.begin(), text.end()};
}

// Runs the input as it is, and with blanks behind it, because some targets depend on its length.
void run(const std::string& path) {
  constexpr int kMostBlanks = 4;
  std::fprintf(stderr, "%s\n", path.c_str());
  std::vector<std::uint8_t> input = read(path);
  for (int blanks = 0; blanks <= kMostBlanks; ++blanks) {
    input.shrink_to_fit();  // so that a sanitizer detects reads beyond the end
    LLVMFuzzerTestOneInput(input.data(), input.size());
    input.push_back(' ');
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  try {
    for (int i = 1; i < argc; ++i) {
      for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
        run(entry.path().string());
        ++count;
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::printf("%zu inputs\n", count);
  return count > 0 ? 0 : 1;
}
