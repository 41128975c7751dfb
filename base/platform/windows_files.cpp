#include <array>
#include <cerrno>
#include <fcntl.h>
#include <io.h>
#include <memory>
#include <windows.h>

#include "base/platform/files.h"
#include "base/platform/windows_text.h"

namespace svm::platform {
namespace {

// Other processes may rename and remove an open file, as on POSIX.
constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE handle_of(int number) { return reinterpret_cast<HANDLE>(::_get_osfhandle(number)); }

// The number of the standard stream of that name; -1 if it is another file.
int standard_stream(const std::string& path) {
  if (path == kStandardInput) return 0;
  return path == kStandardOutput ? 1 : -1;
}

File open(const std::string& path, DWORD access, DWORD creation, DWORD more = 0) {
  const int standard = standard_stream(path);
  if (standard >= 0) return File(::_dup(standard));
  const HANDLE handle = ::CreateFileW(wide(path).c_str(), access, kShared, nullptr, creation,
                                      FILE_ATTRIBUTE_NORMAL | more, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    failed();
    return File();
  }
  const int number =
      ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), _O_BINARY | _O_NOINHERIT);
  if (number < 0) ::CloseHandle(handle);
  return File(number);
}

// Opens a file, or without `follow` a link itself, for queries only.
File open_for_facts(const std::string& path, bool follow) {
  const DWORD itself = follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT;
  return open(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | itself);
}

bool is_link(HANDLE handle) {
  FILE_ATTRIBUTE_TAG_INFO info = {};
  if (!::GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info, sizeof(info))) {
    return false;
  }
  return (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         (info.ReparseTag == IO_REPARSE_TAG_SYMLINK ||
          info.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

std::optional<FileFacts> facts_of(int number) {
  using Kind = FileFacts::Kind;
  const HANDLE handle = handle_of(number);
  if (handle == INVALID_HANDLE_VALUE) return std::nullopt;
  if (::GetFileType(handle) != FILE_TYPE_DISK || is_link(handle)) {
    return FileFacts{Kind::kOther, false, 0};
  }
  BY_HANDLE_FILE_INFORMATION info = {};
  if (!::GetFileInformationByHandle(handle, &info)) {
    failed();
    return std::nullopt;
  }
  const bool is_folder = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return FileFacts{is_folder ? Kind::kFolder : Kind::kRegular, info.nNumberOfLinks > 1,
                   (std::uintmax_t{info.nFileSizeHigh} << 32U) | info.nFileSizeLow};
}

}  // namespace

bool File::write_all(std::string_view text) const {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  while (!text.empty()) {
    const auto size = static_cast<unsigned>(text.size() < kAtOnce ? text.size() : kAtOnce);
    const int written = ::_write(number_, text.data(), size);
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool File::sync() const {
  if (::FlushFileBuffers(handle_of(number_))) return true;
  const DWORD error = ::GetLastError();
  const bool knows_none = error == ERROR_INVALID_FUNCTION || error == ERROR_NOT_SUPPORTED;
  return knows_none || failed();
}

bool File::close() noexcept {
  const int number = std::exchange(number_, -1);
  return number < 0 || ::_close(number) == 0;
}

std::ptrdiff_t File::read_at(char* to, std::size_t size, std::uintmax_t position) const {
  if (!seek(position)) return -1;
  return ::_read(number_, to, static_cast<unsigned>(size));
}

bool File::truncate(std::uintmax_t size) const {
  const int error = ::_chsize_s(number_, static_cast<long long>(size));
  if (error != 0) errno = error;
  return error == 0;
}

bool File::seek(std::uintmax_t position) const {
  return ::_lseeki64(number_, static_cast<long long>(position), SEEK_SET) >= 0;
}

File open_new(const std::string& path, unsigned) { return open(path, GENERIC_WRITE, CREATE_NEW); }

File open_existing(const std::string& path) { return open(path, GENERIC_WRITE, OPEN_EXISTING); }

File open_truncated(const std::string& path) { return open(path, GENERIC_WRITE, CREATE_ALWAYS); }

File open_for_update(const std::string& path) {
  return open(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS);
}

std::FILE* open_stream(const std::string& path) {
  if (path != kStandardInput) return ::_wfopen(wide(path).c_str(), L"rb");
  const int number = ::_dup(0);
  return number < 0 ? nullptr : ::_fdopen(number, "rb");
}

std::uintmax_t position_of(std::FILE* file) {
  const long long position = ::_ftelli64(file);
  return position < 0 ? 0 : static_cast<std::uintmax_t>(position);
}

std::FILE* open_temporary_stream(const std::string& folder) {
  std::array<wchar_t, MAX_PATH + 1> name{};
  if (::GetTempFileNameW(wide(folder).c_str(), L"svm", 0, name.data()) == 0) {
    failed();
    return nullptr;
  }
  return ::_wfopen(name.data(), L"w+bTD");  // temporary, deleted on closing
}

std::optional<FileFacts> facts_of(const File& file) { return facts_of(file.number()); }

std::optional<FileFacts> facts_of(std::FILE* file) { return facts_of(::_fileno(file)); }

std::optional<FileFacts> facts_of(const std::string& path, bool follow) {
  const File file = open_for_facts(path, follow);
  return file.is_open() ? facts_of(file) : std::nullopt;
}

// Looks at attributes only, not at access lists.
bool is_writable(const std::string& path) {
  if (standard_stream(path) >= 0) return true;
  const DWORD attributes = ::GetFileAttributesW(wide(path).c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return failed();
  constexpr DWORD kRefuses = FILE_ATTRIBUTE_READONLY;  // means something else for a folder
  if ((attributes & (kRefuses | FILE_ATTRIBUTE_DIRECTORY)) != kRefuses) return true;
  errno = EACCES;
  return false;
}

bool is_executable(const std::string& path) {
  const DWORD attributes = ::GetFileAttributesW(wide(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

std::size_t name_begin(const std::string& path) {
  return path.find_last_of("/\\:") + 1;  // 0 if there is none of them
}

bool copy_attributes(const File&, const File&) { return true; }

// ReplaceFileW() keeps the attributes and the access list of the replaced file.
bool replace(const std::string& from, const std::string& to) {
  const std::wstring old_name = wide(from), new_name = wide(to);
  if (::ReplaceFileW(new_name.c_str(), old_name.c_str(), nullptr, REPLACEFILE_IGNORE_MERGE_ERRORS,
                     nullptr, nullptr)) {
    return true;
  }
  constexpr DWORD kFlags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  return ::MoveFileExW(old_name.c_str(), new_name.c_str(), kFlags) || failed();
}

bool remove(const char* path) noexcept { return ::DeleteFileW(wide(path).c_str()) || failed(); }

bool sync_folder(const std::string&) { return true; }

// Locks a byte far beyond the text, since other processes cannot read locked bytes.
bool lock(const File& file) {
  OVERLAPPED place = {};
  place.OffsetHigh = 1U << 30;
  constexpr DWORD kFlags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  return ::LockFileEx(handle_of(file.number()), kFlags, 0, 1, 0, &place) || failed();
}

}  // namespace svm::platform
