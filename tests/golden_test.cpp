// Whole runs of the programs on the project's own data, compared with what was recorded when they
// agreed with LIBSVM 3.37.  See golden/cases.txt and golden/record.sh.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/process.h"
#include "tests/temp_dir.h"

namespace svm::test {
namespace {

const std::string kFolder = SVM_SOURCE_DIR "/tests/golden/";

struct GoldenCase {
  std::string name;
  std::vector<std::string> commands;
};
void PrintTo(const GoldenCase& golden, std::ostream* out) { *out << golden.name; }

std::vector<GoldenCase> read_cases() {
  std::ifstream in(kFolder + "cases.txt");
  std::vector<GoldenCase> cases;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind('#', 0) == 0) continue;
    if (line.empty()) {
      inside = false;
    } else if (inside) {
      cases.back().commands.push_back(line);
    } else {
      cases.push_back({line, {}});
      inside = true;
    }
  }
  return cases;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// FNV-1a, 64 bits.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::ostringstream out;
  out << std::hex << hash;
  return out.str();
}

// The programs; others can be named, to compare with LIBSVM itself.
std::string program_folder() {
  const char* other = std::getenv("SVM_GOLDEN_PROGRAMS");
  return other == nullptr ? SVM_BIN_DIR : other;
}

std::string run_command(const std::string& command, const TempDir& folder) {
  std::istringstream words(command);
  std::vector<std::string> argv;
  std::string output;
  for (std::string word; words >> word;) {
    if (word == ">") {
      words >> output;
    } else {
      argv.push_back(word);
    }
  }
  argv[0] = program_folder() + "/" + argv[0];
  const ProcessResult result = run(argv, {}, folder.path());
  std::string text = "$ " + command + "\n";
  if (output.empty()) {
    text += result.out;
  } else {
    folder.write(output, result.out);
  }
  if (!result.err.empty()) text += "on standard error:\n" + result.err;
  if (result.status != 0) text += "exit status " + std::to_string(result.status) + "\n";
  return text;
}

// A file's first lines, its size and a hash.
std::string summary(const std::string& name, const std::string& text) {
  constexpr int kShown = 14;
  std::string out = "file " + name + ", " + std::to_string(text.size()) + " bytes, FNV-1a " +
                    hash_of(text) + "\n";
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < kShown && std::getline(lines, line); ++i) out += "  " + line + "\n";
  return out;
}

std::string outcome(const GoldenCase& golden) {
  const TempDir folder;
  std::set<std::string> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(SVM_SOURCE_DIR "/data")) {
    const std::string name = entry.path().filename().string();
    std::filesystem::copy_file(entry.path(), folder.file(name));
    inputs.insert(name);
  }
  std::string text;
  for (const std::string& command : golden.commands) text += run_command(command, folder);
  std::set<std::string> outputs;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (inputs.count(name) == 0) outputs.insert(name);
  }
  for (const std::string& name : outputs) text += summary(name, folder.read(name));
  return text;
}

class Golden : public testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, IsAsRecorded) {
#ifndef __GLIBC__
  GTEST_SKIP() << "recorded with the GNU C library, whose rand() and exp() the results depend on";
#endif
  ASSERT_FALSE(GetParam().commands.empty());
  const std::string file = kFolder + GetParam().name + ".expected";
  const std::string text = outcome(GetParam());
  if (std::getenv("SVM_RECORD_GOLDEN") != nullptr) {
    std::ofstream(file, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text, read_file(file));
}

std::string case_name(const testing::TestParamInfo<GoldenCase>& golden) {
  std::string name = golden.param.name;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(read_cases()), case_name);

}  // namespace
}  // namespace svm::test
