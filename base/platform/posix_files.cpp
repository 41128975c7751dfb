#include <cerrno>
#include <fcntl.h>
#include <map>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#include "base/platform/files.h"

#if defined(__linux__) && __has_include(<sys/xattr.h>)
#include <sys/xattr.h>
#endif

namespace svm::platform {
namespace {

constexpr mode_t kUsual = 0666;  // the usual permissions; the system subtracts the umask

std::optional<FileFacts> facts(int failed, const struct stat& status) {
  if (failed != 0) return std::nullopt;
  using Kind = FileFacts::Kind;
  const Kind kind = S_ISREG(status.st_mode)   ? Kind::kRegular
                    : S_ISDIR(status.st_mode) ? Kind::kFolder
                                              : Kind::kOther;
  return FileFacts{kind, status.st_nlink > 1, static_cast<std::uintmax_t>(status.st_size)};
}

std::optional<FileFacts> facts_of(int number) {
  struct stat status;
  const int failed = ::fstat(number, &status);
  return facts(failed, status);
}

#if defined(__linux__) && __has_include(<sys/xattr.h>)

using Attributes = std::map<std::string, std::string>;

// Calls `get` with a buffer of the size that it asks for. Returns nothing if `get` fails.
template <typename Get>
std::optional<std::string> content(const Get& get) {
  const ssize_t size = get(nullptr, 0);
  if (size < 0) return std::nullopt;
  std::string out(static_cast<std::size_t>(size), '\0');
  if (size > 0 && get(out.data(), out.size()) != size)
    return std::nullopt;  // it changed in between
  return out;
}

// Extended attributes, which include access lists (system.posix_acl_access); nothing if they cannot
// be read.
std::optional<Attributes> extended_attributes(int file) {
  const std::optional<std::string> names =
      content([&](char* to, std::size_t size) { return ::flistxattr(file, to, size); });
  if (!names) {
    const bool has_none = errno == ENOTSUP || errno == ENOSYS;
    return has_none ? std::optional<Attributes>(std::in_place) : std::nullopt;
  }
  Attributes out;
  for (std::size_t at = 0; at < names->size();) {
    const std::string name = names->c_str() + at;  // names are null-terminated
    at += name.size() + 1;
    const std::optional<std::string> value = content(
        [&](char* to, std::size_t size) { return ::fgetxattr(file, name.c_str(), to, size); });
    if (!value) return std::nullopt;
    out[name] = *value;
  }
  return out;
}

bool copy_extended_attributes(int from, int to) {
  const std::optional<Attributes> wanted = extended_attributes(from);
  const std::optional<Attributes> present = extended_attributes(to);
  if (!wanted || !present) return false;
  for (const auto& [name, value] :
       *present) {  // inherited from the folder, which may have a default list
    if (wanted->count(name) == 0 && ::fremovexattr(to, name.c_str()) != 0) return false;
  }
  for (const auto& [name, value] : *wanted) {
    const auto found = present->find(name);
    if (found != present->end() && found->second == value) continue;
    if (::fsetxattr(to, name.c_str(), value.data(), value.size(), 0) != 0) return false;
  }
  return true;
}

#else

bool copy_extended_attributes(int, int) { return true; }

#endif

}  // namespace

bool File::write_all(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(number_, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) return false;
  }
  return true;
}

bool File::sync() const {
  while (::fsync(number_) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EROFS;
  }
  return true;
}

bool File::close() noexcept {
  const int number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0 || errno == EINTR;
}

std::ptrdiff_t File::read_at(char* to, std::size_t size, std::uintmax_t position) const {
  return ::pread(number_, to, size, static_cast<off_t>(position));
}

bool File::truncate(std::uintmax_t size) const {
  return ::ftruncate(number_, static_cast<off_t>(size)) == 0;
}

bool File::seek(std::uintmax_t position) const {
  return ::lseek(number_, static_cast<off_t>(position), SEEK_SET) >= 0;
}

File open_new(const std::string& path, unsigned permissions) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  return File(::open(path.c_str(), kFlags, static_cast<mode_t>(permissions)));
}

File open_existing(const std::string& path) {
  return File(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
}

File open_truncated(const std::string& path) {
  if (path == kStandardOutput) {
    const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) {
      return File(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    }
    if (flags >= 0) errno = EBADF;
    return File();
  }
  return File(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kUsual));
}

File open_for_update(const std::string& path) {
  return File(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kUsual));
}

std::FILE* open_stream(const std::string& path) {
  if (path != kStandardInput) return std::fopen(path.c_str(), "rb");
  const std::optional<FileFacts> facts = facts_of(STDIN_FILENO);
  if (facts && facts->kind == FileFacts::Kind::kFolder) errno = EBADF;  // it was closed
  if (!facts || facts->kind == FileFacts::Kind::kFolder) return nullptr;
  // Another name of the stream works for sockets as well.
  const int number = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  return number < 0 ? nullptr : ::fdopen(number, "rb");
}

std::uintmax_t position_of(std::FILE* file) {
  const off_t position = ::ftello(file);
  return position < 0 ? 0 : static_cast<std::uintmax_t>(position);
}

std::FILE* open_temporary_stream(const std::string& folder) {
  std::string name = folder + "/.svm-XXXXXX";
  File file(::mkstemp(name.data()));
  if (!file.is_open() || !remove(name.c_str())) return nullptr;
  std::FILE* const stream = ::fdopen(file.number(), "w+b");
  if (stream != nullptr) file.release();
  return stream;
}

std::optional<FileFacts> facts_of(const File& file) { return facts_of(file.number()); }

std::optional<FileFacts> facts_of(std::FILE* file) { return facts_of(::fileno(file)); }

std::optional<FileFacts> facts_of(const std::string& path, bool follow) {
  struct stat status;
  const int failed = follow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status);
  return facts(failed, status);
}

bool is_writable(const std::string& path) { return ::access(path.c_str(), W_OK) == 0; }

bool is_executable(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

std::size_t name_begin(const std::string& path) {
  return path.rfind('/') + 1;  // 0 if there is no slash
}

bool copy_attributes(const File& from, const File& to) {
  struct stat wanted, present;
  if (::fstat(from.number(), &wanted) != 0 || ::fstat(to.number(), &present) != 0) return false;
  const bool same_owner = wanted.st_uid == present.st_uid && wanted.st_gid == present.st_gid;
  if (!same_owner && ::fchown(to.number(), wanted.st_uid, wanted.st_gid) != 0) return false;
  // Permissions come last because setting an access list changes them.
  return copy_extended_attributes(from.number(), to.number()) &&
         ::fchmod(to.number(), wanted.st_mode & 0777U) == 0;
}

bool replace(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool remove(const char* path) noexcept { return ::unlink(path) == 0; }

bool sync_folder(const std::string& folder) {
  const File file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return !file.is_open() || file.sync();
}

bool lock(const File& file) { return ::flock(file.number(), LOCK_EX | LOCK_NB) == 0; }

}  // namespace svm::platform
