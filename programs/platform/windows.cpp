#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
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

HANDLE handle_of(std::FILE* file) {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(::_fileno(file)));
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

std::optional<std::string> output_of(const std::string& path, const std::string& input) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  using FileOwner = std::unique_ptr<std::FILE, decltype(close)>;
  // The child inherits these nameless files as its standard streams.
  const std::string folder = std::filesystem::temp_directory_path().u8string();
  const FileOwner source(open_temporary_stream(folder), close),
      output(open_temporary_stream(folder), close), discarded(open_temporary_stream(folder), close);
  if (!source || !output || !discarded) return std::nullopt;
  if (std::fputs(input.c_str(), source.get()) < 0) return std::nullopt;
  if (std::fflush(source.get()) != 0) return std::nullopt;
  std::rewind(source.get());
  STARTUPINFOW streams = {};
  streams.cb = sizeof(streams);
  streams.dwFlags = STARTF_USESTDHANDLES;
  streams.hStdInput = handle_of(source.get());
  streams.hStdOutput = handle_of(output.get());
  streams.hStdError = handle_of(discarded.get());
  std::wstring line = L"\"" + wide(path) + L"\"";
  PROCESS_INFORMATION process = {};
  if (!::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW, nullptr,
                        nullptr, &streams, &process)) {
    return std::nullopt;
  }
  DWORD status = 1;
  ::WaitForSingleObject(process.hProcess, INFINITE);
  ::GetExitCodeProcess(process.hProcess, &status);
  ::CloseHandle(process.hThread);
  ::CloseHandle(process.hProcess);
  if (status != 0) return std::nullopt;
  std::rewind(output.get());
  std::string text;
  for (int c = 0; (c = std::fgetc(output.get())) != EOF;) text += static_cast<char>(c);
  return text;
}

}  // namespace svm::platform
