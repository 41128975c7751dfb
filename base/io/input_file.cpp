#include "base/io/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <new>
#include <optional>
#include <system_error>

#include "base/platform/files.h"

namespace svm {
namespace {

constexpr std::size_t kReadPiece = std::size_t{1} << 16;
constexpr std::size_t kLargestPiece = std::size_t{1} << 20;

}  // namespace

std::string read_whole_file(const std::string& path) {
  errno = 0;
  const FilePtr file(platform::open_stream(path));
  if (file == nullptr && errno == ENOMEM) throw std::bad_alloc();
  if (file == nullptr) throw std::system_error(errno, std::generic_category(), path);
  std::string out;
  const std::optional<platform::FileFacts> facts = platform::facts_of(file.get());
  if (facts && facts->kind == platform::FileFacts::Kind::kRegular) {
    out.reserve(static_cast<std::size_t>(facts->size) + kReadPiece);
  }
  for (;;) {
    const std::size_t before = out.size();
    out.resize(std::max(before + kReadPiece, std::min(out.capacity(), before + kLargestPiece)));
    const std::size_t got = std::fread(out.data() + before, 1, out.size() - before, file.get());
    out.resize(before + got);
    if (got == 0) break;
  }
  if (std::ferror(file.get()) != 0) {
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
  }
  return out;
}

}  // namespace svm
