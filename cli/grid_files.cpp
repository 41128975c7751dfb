#include "cli/grid_files.h"

#include <filesystem>
#include <system_error>

#include "cli/input.h"
#include "cli/main.h"

namespace svm::cli {
namespace {

// Throws Failure where an option would have the data set overwritten.
void spare_data(const std::string& data, const char* option, const std::string& path) {
  std::error_code is_not_there;
  const auto target = std::filesystem::u8path(path);
  if (std::filesystem::is_regular_file(target, is_not_there) &&
      std::filesystem::equivalent(std::filesystem::u8path(data), target, is_not_there)) {
    throw Failure(std::string("svm-grid: option ") + option + ": " + path +
                  " is the training set itself");
  }
}

}  // namespace

std::string svg_name(const std::string& png) {
  const bool has_ending = png.size() > 4 && png.substr(png.size() - 4) == ".png";
  return (has_ending ? png.substr(0, png.size() - 4) : png) + ".svg";
}

void name_grid_files(GridSettings& settings, const std::string& data) {
  const std::string name = base_name(data);
  if (settings.out.empty()) settings.out = name + ".out";
  if (settings.png.empty()) settings.png = name + ".png";
  if (!settings.no_out) spare_data(data, "-out", settings.out);
  if (!settings.no_png) {
    spare_data(data, "-png", settings.png);
    spare_data(data, "-png", svg_name(settings.png));
  }
}

}  // namespace svm::cli
