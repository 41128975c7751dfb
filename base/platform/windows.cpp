// Functions of the operating system that the library uses, except for files.
#include <bitset>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <windows.h>

#include "base/platform/process.h"
#include "base/platform/windows_text.h"

namespace svm::platform {

std::wstring wide(const std::string& text) {
  if (text.empty()) return {};
  const int size = static_cast<int>(text.size());
  UINT page = CP_UTF8;
  DWORD flags = MB_ERR_INVALID_CHARS;
  int length = ::MultiByteToWideChar(page, flags, text.data(), size, nullptr, 0);
  if (length == 0) {
    page = CP_ACP;
    flags = 0;
    length = ::MultiByteToWideChar(page, flags, text.data(), size, nullptr, 0);
  }
  std::wstring out(static_cast<std::size_t>(length), L'\0');
  ::MultiByteToWideChar(page, flags, text.data(), size, out.data(), length);
  return out;
}

std::string utf8(const std::wstring& text) {
  if (text.empty()) return {};
  const int size = static_cast<int>(text.size());
  const int length =
      ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<std::size_t>(length), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, out.data(), length, nullptr, nullptr);
  return out;
}

bool failed() {
  switch (::GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_BAD_PATHNAME:
      errno = ENOENT;
      break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      errno = EACCES;
      break;
    case ERROR_LOCK_VIOLATION:
      errno = EWOULDBLOCK;
      break;
    case ERROR_WRITE_PROTECT:
      errno = EROFS;
      break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_TOO_MANY_OPEN_FILES:
      errno = EMFILE;
      break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      errno = ENOMEM;
      break;
    default:
      errno = EIO;
  }
  return false;
}

void sleep_briefly() noexcept { ::Sleep(1); }

SignalsBlocked::SignalsBlocked() : before_{} {}
SignalsBlocked::~SignalsBlocked() = default;

// The affinity mask of a process that spans several processor groups is 0.
unsigned available_processors() {
  DWORD_PTR own = 0, all = 0;
  if (::GetProcessAffinityMask(::GetCurrentProcess(), &own, &all) && own != 0) {
    return static_cast<unsigned>(std::bitset<64>(own).count());
  }
  SYSTEM_INFO system;
  ::GetSystemInfo(&system);
  return static_cast<unsigned>(system.dwNumberOfProcessors);
}

void* allocate(std::size_t bytes) { return std::malloc(bytes); }

long long process_id() { return ::GetCurrentProcessId(); }

}  // namespace svm::platform
