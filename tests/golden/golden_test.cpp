// Whole runs of the programs on the project's own data, compared with output recorded when they
// agreed with LIBSVM 3.37.  See golden/cases.txt and golden/record.sh.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/process.h"
#include "tests/temp_dir.h"
#include "tests/text.h"

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

// The folder of the programs; others can be named, to compare with LIBSVM itself.
std::string program_folder() {
  const char* other = std::getenv("SVM_GOLDEN_PROGRAMS");
  return other == nullptr ? SVM_BIN_DIR : other;
}

// The output of commands, under "", and the files that they write, by name.
using Texts = std::map<std::string, std::string>;

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

Texts outcome(const GoldenCase& golden) {
  const TempDir folder;
  std::set<std::string> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(SVM_SOURCE_DIR "/data")) {
    const std::string name = entry.path().filename().string();
    std::filesystem::copy_file(entry.path(), folder.file(name));
    inputs.insert(name);
  }
  Texts texts;
  for (const std::string& command : golden.commands) texts[""] += run_command(command, folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (inputs.count(name) == 0) texts[name] = folder.read(name);
  }
  return texts;
}

// --- the record ---

// NAME.expected has the output, and a line for each file: "file NAME: PLACE".  The file itself is
// files/PLACE, once for all cases that write the same.
constexpr const char* kFile = "file ";

// FNV-1a, 64 bits.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::ostringstream out;
  out << std::hex << hash;
  return out.str();
}

std::string record_of(const std::string& name) { return kFolder + name + ".expected"; }

void record(const std::string& name, const Texts& texts) {
  std::filesystem::create_directory(kFolder + "files");
  std::ofstream out(record_of(name), std::ios::binary);
  out << texts.at("");
  for (const auto& [file, text] : texts) {
    if (file.empty()) continue;
    const std::string place = file + "." + hash_of(text);
    out << kFile << file << ": " << place << '\n';
    std::ofstream(kFolder + "files/" + place, std::ios::binary) << text;
  }
}

Texts recorded(const std::string& name) {
  Texts texts;
  for (const std::string& line : lines_of(read_file(record_of(name)))) {
    if (line.rfind(kFile, 0) != 0) {
      texts[""] += line + "\n";
      continue;
    }
    const std::size_t colon = line.find(": ");
    const std::size_t begin = std::string(kFile).size();
    texts[line.substr(begin, colon - begin)] =
        read_file(kFolder + "files/" + line.substr(colon + 2));
  }
  return texts;
}

// The lines that differ, as diff -u shows them; long lists are cut.
std::string difference(const std::string& expected, const std::string& found) {
  constexpr std::size_t kMostLines = 60, kContext = 2;
  const std::vector<std::string> lines =
      lines_of(testing::internal::edit_distance::CreateUnifiedDiff(lines_of(expected),
                                                                   lines_of(found), kContext));
  if (lines.empty()) return "the ends of lines differ\n";
  std::string text;
  for (std::size_t k = 0; k < std::min(lines.size(), kMostLines); ++k) text += lines[k] + "\n";
  if (lines.size() > kMostLines) {
    text += "and " + std::to_string(lines.size() - kMostLines) + " lines more\n";
  }
  return text;
}

class Golden : public testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, IsAsRecorded) {
#ifndef __GLIBC__
  GTEST_SKIP() << "recorded with the GNU C library, whose rand() and exp() the results depend on";
#endif
  ASSERT_FALSE(GetParam().commands.empty());
  const Texts found = outcome(GetParam());
  if (std::getenv("SVM_RECORD_GOLDEN") != nullptr) {
    record(GetParam().name, found);
    GTEST_SKIP() << "recorded, not compared";
  }
  Texts expected = recorded(GetParam().name);
  for (const auto& [name, text] : found) expected[name];  // none if none was recorded
  for (const auto& [name, text] : expected) {
    const auto at = found.find(name);
    const std::string now = at == found.end() ? "" : at->second;
    EXPECT_TRUE(now == text) << (name.empty() ? "what is printed" : "file " + name)
                             << ", recorded (-) and now (+):\n"
                             << difference(text, now);
  }
}

std::string case_name(const testing::TestParamInfo<GoldenCase>& golden) {
  std::string name = golden.param.name;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(read_cases()), case_name);

// Every case has a record, and every record a case.
TEST(GoldenCases, AreRecorded) {
  std::set<std::string> cases, records;
  for (const GoldenCase& golden : read_cases()) cases.insert(golden.name);
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".expected") records.insert(entry.path().stem().string());
  }
  EXPECT_FALSE(cases.empty());
  EXPECT_EQ(records, cases);
}

}  // namespace
}  // namespace svm::test
