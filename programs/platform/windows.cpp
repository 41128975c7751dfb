#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <io.h>
#include <memory>
#include <string>
#include <vector>
#include <windows.h>

#include "base/platform/files.h"
#include "base/platform/windows_text.h"
#include "programs/platform/processes.h"

namespace svm::platform {
namespace {

// Both are set once, before the handler that reads them is installed.
bool (*on_interrupt)() = nullptr;
void (*on_end)() = nullptr;

// Called on a thread of its own. If it returns FALSE, the system ends the process.
BOOL WINAPI on_console_event(DWORD event) {
  if (event == CTRL_C_EVENT && on_interrupt()) return TRUE;
  on_end();
  return FALSE;
}

HANDLE handle_of(Stream stream) {
  constexpr DWORD kHandles[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  return ::GetStdHandle(kHandles[static_cast<int>(stream)]);
}

UINT code_page_before = 0;  // the console's code page; 0 if it was not changed

struct HandleCloser {
  using pointer = HANDLE;
  void operator()(HANDLE handle) const { ::CloseHandle(handle); }
};
using Handle = std::unique_ptr<HANDLE, HandleCloser>;

bool inherit(HANDLE handle) {
  return ::SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) != FALSE;
}

std::string read_all(HANDLE pipe) {
  std::string text;
  std::array<char, 1 << 14> block;
  DWORD count = 0;
  while (::ReadFile(pipe, block.data(), static_cast<DWORD>(block.size()), &count, nullptr) &&
         count > 0) {
    text.append(block.data(), count);
  }
  return text;
}

// Starts a program that inherits these handles as its standard streams.
Handle start(const std::string& path, HANDLE input, HANDLE output, HANDLE error) {
  STARTUPINFOW streams = {};
  streams.cb = sizeof(streams);
  streams.dwFlags = STARTF_USESTDHANDLES;
  streams.hStdInput = input;
  streams.hStdOutput = output;
  streams.hStdError = error;
  std::wstring line = L"\"" + wide(path) + L"\"";
  PROCESS_INFORMATION process = {};
  if (!::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW, nullptr,
                        nullptr, &streams, &process)) {
    return nullptr;
  }
  ::CloseHandle(process.hThread);
  return Handle(process.hProcess);
}

}  // namespace

void handle_termination(bool (*interrupt)(), void (*clean_up)()) {
  on_interrupt = interrupt;
  on_end = clean_up;
  ::SetConsoleCtrlHandler(on_console_event, TRUE);
}

void end_by_interrupt() {}

bool is_terminal(Stream stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle_of(stream), &mode) != FALSE;
}

unsigned terminal_columns(Stream stream) {
  CONSOLE_SCREEN_BUFFER_INFO screen = {};
  if (!::GetConsoleScreenBufferInfo(handle_of(stream), &screen)) return 0;
  return static_cast<unsigned>(screen.srWindow.Right - screen.srWindow.Left + 1);
}

StandardStreams::StandardStreams() {
  for (std::FILE* const stream : {stdin, stdout, stderr}) {
    const int number = ::_fileno(stream);
    if (number >= 0) ::_setmode(number, _O_BINARY);  // a closed stream has no number
  }
  if (!is_terminal(Stream::kOutput) && !is_terminal(Stream::kError)) return;
  code_page_before = ::GetConsoleOutputCP();
  ::SetConsoleOutputCP(CP_UTF8);
}

StandardStreams::~StandardStreams() {
  if (code_page_before != 0) ::SetConsoleOutputCP(code_page_before);
}

void use_utf8_arguments(int& argc, char**& argv) {
  int count = 0;
  wchar_t** const given = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (given == nullptr) return;
  auto texts = std::make_unique<std::vector<std::string>>();
  auto places = std::make_unique<std::vector<char*>>();
  for (int i = 0; i < count; ++i) texts->push_back(utf8(given[i]));
  for (std::string& text : *texts) places->push_back(text.data());
  places->push_back(nullptr);
  ::LocalFree(given);
  argc = count;
  argv = places.release()->data();  // kept for the lifetime of the process
  static_cast<void>(texts.release());
}

bool is_process_gone(long long process) {
  const Handle handle(
      ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(process)));
  if (!handle) return ::GetLastError() == ERROR_INVALID_PARAMETER;
  DWORD status = 0;
  return ::GetExitCodeProcess(handle.get(), &status) && status != STILL_ACTIVE;
}

std::string host_name() {
  std::array<wchar_t, 256> name{};
  auto length = static_cast<DWORD>(name.size());
  if (!::GetComputerNameExW(ComputerNamePhysicalDnsHostname, name.data(), &length)) {
    return "localhost";
  }
  return utf8(std::wstring(name.data(), length));
}

std::optional<std::string> output_of(const std::string& path, const std::string& input) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> source(open_temporary_stream(), close);
  if (source == nullptr || std::fputs(input.c_str(), source.get()) < 0) return std::nullopt;
  if (std::fflush(source.get()) != 0) return std::nullopt;
  std::rewind(source.get());
  const auto from = reinterpret_cast<HANDLE>(::_get_osfhandle(::_fileno(source.get())));
  HANDLE ends[2] = {};
  if (!::CreatePipe(&ends[0], &ends[1], nullptr, 0)) return std::nullopt;
  const Handle out(ends[0]);
  Handle in(ends[1]);
  const Handle nothing(::CreateFileW(L"NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                     nullptr, OPEN_EXISTING, 0, nullptr));
  if (!inherit(from) || !inherit(in.get()) || !inherit(nothing.get())) return std::nullopt;
  const Handle process = start(path, from, in.get(), nothing.get());
  in.reset();  // the read end sees the end of the text once the child has ended
  if (!process) return std::nullopt;
  std::string text = read_all(out.get());
  DWORD status = 1;
  ::WaitForSingleObject(process.get(), INFINITE);
  if (!::GetExitCodeProcess(process.get(), &status) || status != 0) return std::nullopt;
  return text;
}

}  // namespace svm::platform
