#include "programs/cli/files.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "base/io/input_error.h"
#include "base/io/output_file.h"
#include "base/platform/files.h"

namespace svm::cli {
namespace {

Failure cannot_save(const std::string& path, const char* reason) {
  return Failure("can't save model to file " + path + "\n" + reason);
}

bool is_stream(const std::string& path) {
  if (path == platform::kStandardOutput || path.rfind("/dev/fd/", 0) == 0) return true;
  const std::optional<platform::FileFacts> facts = platform::facts_of(path, true);
  return facts && facts->kind != platform::FileFacts::Kind::kRegular;
}

// Throws Failure if there is such a file, with something other than a model in it.
void spare_other_data(const std::string& path) {
  constexpr std::string_view kBegin = "svm_type", kBeginOfForest = "svm_fore";
  if (is_stream(path)) return;
  const FilePtr file(platform::open_stream(path));
  std::array<char, kBegin.size()> begin{};
  const std::size_t size = file ? std::fread(begin.data(), 1, begin.size(), file.get()) : 0;
  const std::string_view found(begin.data(), size);
  if (size == 0 || found == kBegin || found == kBeginOfForest) return;
  throw cannot_save(path, "the file holds something other than a model, which would be lost");
}

}  // namespace

FilePtr open_for_reading(const std::string& path, const std::string& message) {
  FilePtr file(platform::open_stream(path));
  if (file) {  // opening a folder succeeds, but reading it does not
    const std::optional<platform::FileFacts> facts = platform::facts_of(file.get());
    if (facts && facts->kind == platform::FileFacts::Kind::kFolder) {
      file.reset();
      errno = EISDIR;
    }
  }
  if (!file) {
    const std::string reason = std::strerror(errno);
    throw Failure(message + " " + path + "\n" + path + ": " + reason);
  }
  return file;
}

FilePtr open_input(const std::string& path) {
  return open_for_reading(path, "can't open input file");
}

void spare_inputs(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code is_not_there;
  const auto written = std::filesystem::u8path(output);
  if (!std::filesystem::is_regular_file(written, is_not_there)) return;
  for (const std::string& input : inputs) {
    if (std::filesystem::equivalent(written, std::filesystem::u8path(input), is_not_there)) {
      throw Failure("can't write " + output + ": it is the input file " + input);
    }
  }
}

void separate_outputs(const std::vector<std::string>& outputs) {
  std::set<std::filesystem::path> files;
  std::error_code error;
  for (const std::string& output : outputs) {
    const auto path = std::filesystem::absolute(std::filesystem::u8path(output), error);
    if (output.empty() || std::filesystem::is_other(path, error)) continue;
    if (!files.insert(std::filesystem::weakly_canonical(path, error)).second) {
      throw Failure("can't write " + output + ": two outputs have this name");
    }
  }
}

void warn_of_rows(const std::string& path, bool has_features, const std::string& first_line,
                  const std::string& ignored) {
  std::string text = ignored;
  if (!has_features) {
    const std::string format = other_format(first_line);
    const std::string like = format.empty() ? "" : "the first line looks like " + format + "; ";
    text = "no row has a feature; " + like + kRowForm;
  }
  if (!text.empty()) std::fprintf(stderr, "WARNING: %s: %s\n", path.c_str(), text.c_str());
}

std::string base_name(const std::string& path) { return path.substr(platform::name_begin(path)); }

std::string input_error_text(const std::string& path, const InputError& error) {
  if (error.line() == 0 && error.legacy().empty()) return path + ": " + error.what();
  std::string first = error.legacy();
  if (first.empty()) first = "Wrong input format at line " + std::to_string(error.line());
  return first + "\n" + path + ": " + error.what();
}

void check_model_output(const std::string& path, const std::vector<std::string>& inputs) {
  opened("can't save model to file " + path, [&] { check_output(path); });
  spare_inputs(path, inputs);
  spare_other_data(path);
}

std::string partial_name(const std::string& path) {
  return is_stream(path) ? path : path + ".partial";
}

void write_model_output(const std::string& path,
                        const std::function<void(const TextSink&)>& write) {
  spare_other_data(path);
  try {
    save_text(open_output(path), write);
  } catch (const std::bad_alloc&) {
    throw cannot_save(path, "out of memory");
  } catch (const std::exception& error) {
    throw cannot_save(path, error.what());
  }
}

}  // namespace svm::cli
