#include "cli/grid_picture.h"

#include <cstdio>
#include <optional>
#include <system_error>

#include "cli/grid_files.h"
#include "cli/interrupt.h"
#include "grid/gnuplot.h"
#include "io/output_file.h"
#include "platform/files.h"

namespace svm::cli {
namespace {

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
