#include "cli/grid_files.h"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cli/input.h"
#include "cli/main.h"
#include "grid/picture.h"
#include "io/output_file.h"
#include "platform/files.h"

namespace svm::cli {
namespace {

// Throws Failure if an option names the data set as an output.
void spare_data(const std::string& data, const char* option, const std::string& path) {
  std::error_code is_not_there;
  const auto target = std::filesystem::u8path(path);
  if (std::filesystem::is_regular_file(target, is_not_there) &&
      std::filesystem::equivalent(std::filesystem::u8path(data), target, is_not_there)) {
    throw Failure(std::string("svm-grid: option ") + option + ": " + path +
                  " is the training set itself");
  }
}

std::optional<std::string> draw_png(const grid::Surface& surface, const std::string& gnuplot) {
  if (gnuplot.empty()) return std::nullopt;
  if (!platform::is_executable(gnuplot)) {
    std::fputs("gnuplot executable not found\n", stderr);
    return std::nullopt;
  }
  std::optional<std::string> png = grid::run_gnuplot(gnuplot, grid::gnuplot_commands(surface));
  if (!png) std::fputs("svm-grid: gnuplot failed; the picture is written as SVG\n", stderr);
  return png;
}

}  // namespace

bool is_svg_name(const std::string& name) {
  return name.size() > 4 && name.substr(name.size() - 4) == ".svg";
}

std::string svg_name(const std::string& name) {
  if (is_svg_name(name)) return name;
  const bool has_ending = name.size() > 4 && name.substr(name.size() - 4) == ".png";
  return (has_ending ? name.substr(0, name.size() - 4) : name) + ".svg";
}

void name_grid_files(GridSettings& settings, const std::string& data) {
  const std::string name = base_name(data);
  if (settings.out.empty()) settings.out = name + ".out";
  const bool is_picture_named = !settings.png.empty();
  if (!is_picture_named) settings.png = name + ".png";
  if (!settings.no_out) spare_data(data, "-out", settings.out);
  if (!settings.no_png) {
    spare_data(data, "-png", settings.png);
    spare_data(data, "-png", svg_name(settings.png));
  }
  if (!settings.no_out) check_output(settings.out);
  if (settings.no_png || !settings.c || !settings.g) return;
  try {
    check_output(settings.gnuplot.empty() ? svg_name(settings.png) : settings.png);
  } catch (const std::system_error& error) {
    const std::string fault = std::string("the picture cannot be written: ") + error.what();
    if (is_picture_named) throw Failure("svm-grid: option -png: " + fault);
    std::fprintf(stderr, "WARNING: %s\n", fault.c_str());
    settings.no_png = true;
  }
}

void write_picture(const grid::Surface& surface, const std::string& png,
                   const std::string& gnuplot) {
  const std::optional<std::string> image =
      is_svg_name(png) ? std::nullopt : draw_png(surface, gnuplot);
  try {
    OutputFile file = open_output(image ? png : svg_name(png));
    file.write(image ? *image : grid::svg_picture(surface));
    file.commit();
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "svm-grid: the picture cannot be written: %s\n", error.what());
  }
}

}  // namespace svm::cli
