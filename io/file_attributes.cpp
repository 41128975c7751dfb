#include "io/file_attributes.h"

#include <cerrno>
#include <map>
#include <optional>
#include <string>
#include <unistd.h>

#include <sys/stat.h>

#if defined(__linux__) && __has_include(<sys/xattr.h>)
#include <sys/xattr.h>
#endif

namespace svm {
namespace {

#if defined(__linux__) && __has_include(<sys/xattr.h>)

using Attributes = std::map<std::string, std::string>;

// Calls `get` with a buffer of the size that it asks for.  Nothing where it fails.
template <typename Get>
std::optional<std::string> content(const Get& get) {
  const ssize_t size = get(nullptr, 0);
  if (size < 0) return std::nullopt;
  std::string out(static_cast<std::size_t>(size), '\0');
  if (size > 0 && get(out.data(), out.size()) != size) return std::nullopt;  // changed meanwhile
  return out;
}

// Access lists are among them: system.posix_acl_access.  Nothing where they cannot be read.
std::optional<Attributes> extended_attributes(int file) {
  const std::optional<std::string> names =
      content([&](char* to, std::size_t size) { return ::flistxattr(file, to, size); });
  if (!names) {
    const bool has_none = errno == ENOTSUP || errno == ENOSYS;
    return has_none ? std::optional<Attributes>(std::in_place) : std::nullopt;
  }
  Attributes out;
  for (std::size_t at = 0; at < names->size();) {
    const std::string name = names->c_str() + at;  // each ends with a zero
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
  for (const auto& [name, value] : *present) {  // from the folder, which may have a default list
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

bool copy_attributes(const FileDescriptor& from, const FileDescriptor& to) {
  struct stat wanted, present;
  if (::fstat(from.get(), &wanted) != 0 || ::fstat(to.get(), &present) != 0) return false;
  const bool same_owner = wanted.st_uid == present.st_uid && wanted.st_gid == present.st_gid;
  if (!same_owner && ::fchown(to.get(), wanted.st_uid, wanted.st_gid) != 0) return false;
  // Permissions come last, as an access list changes them.
  return copy_extended_attributes(from.get(), to.get()) &&
         ::fchmod(to.get(), wanted.st_mode & 0777U) == 0;
}

}  // namespace svm
