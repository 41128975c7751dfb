#include "grid/gnuplot.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <memory>

namespace svm::grid {
namespace {

// As a word of the shell.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string read_rest(std::FILE* file) {
  std::string text;
  std::array<char, 1 << 14> block;
  for (std::size_t count = 0; (count = std::fread(block.data(), 1, block.size(), file)) > 0;) {
    text.append(block.data(), count);
  }
  return text;
}

}  // namespace

std::optional<std::string> run_gnuplot(const std::string& path, const std::string& commands) {
  // A file without a name, which the child inherits.
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> input(std::tmpfile(), close);
  if (input == nullptr || std::fputs(commands.c_str(), input.get()) < 0) return std::nullopt;
  if (std::fflush(input.get()) != 0) return std::nullopt;
  std::rewind(input.get());  // some systems give the child this file's place
  const std::string source = "/dev/fd/" + std::to_string(::fileno(input.get()));
  const auto end = [](std::FILE* pipe) { ::pclose(pipe); };
  std::unique_ptr<std::FILE, decltype(end)> output(
      ::popen((quoted(path) + " <" + source + " 2>/dev/null").c_str(), "r"), end);
  if (output == nullptr) return std::nullopt;
  std::string image = read_rest(output.get());
  if (::pclose(output.release()) != 0 || image.empty()) return std::nullopt;
  return image;
}

}  // namespace svm::grid
