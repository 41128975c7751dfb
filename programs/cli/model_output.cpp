#include "programs/cli/model_output.h"

#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string_view>

#include "base/io/input_file.h"
#include "base/io/output_file.h"
#include "base/platform/files.h"
#include "programs/cli/input.h"
#include "programs/cli/main.h"

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
  constexpr std::string_view kBegin = "svm_type";
  if (is_stream(path)) return;
  const FilePtr file(platform::open_stream(path));
  std::array<char, kBegin.size()> begin{};
  const std::size_t size = file ? std::fread(begin.data(), 1, begin.size(), file.get()) : 0;
  if (size == 0 || std::string_view(begin.data(), size) == kBegin) return;
  throw cannot_save(path, "the file holds something other than a model, which would be lost");
}

}  // namespace

void check_model_output(const std::string& path, const std::vector<std::string>& inputs) {
  opened("can't save model to file " + path, [&] { check_output(path); });
  spare_inputs(path, inputs);
  spare_other_data(path);
}

std::string partial_name(const std::string& path) {
  return is_stream(path) ? path : path + ".partial";
}

void write_model_output(const std::string& path, const svm_model& model,
                        const ModelDigits& digits) {
  spare_other_data(path);
  try {
    save_model(open_output(path), model, digits);
  } catch (const std::bad_alloc&) {
    throw cannot_save(path, "out of memory");
  } catch (const std::exception& error) {
    throw cannot_save(path, error.what());
  }
}

}  // namespace svm::cli
