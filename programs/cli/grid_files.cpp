#include "programs/cli/grid_files.h"

#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/io/output_file.h"
#include "base/platform/files.h"
#include "programs/cli/input.h"
#include "programs/cli/main.h"
#include "programs/cli/model_output.h"
#include "programs/grid/picture.h"
#include "programs/platform/processes.h"

namespace svm::cli {
void name_grid_files(GridSettings& settings, const std::string& data) {
  const std::string name = base_name(data);
  if (settings.out.empty()) settings.out = name + ".out";
  const bool is_picture_named = !settings.png.empty();
  if (!is_picture_named) settings.png = name + ".png";
  std::vector<std::string> inputs = {data};
  spare_inputs(platform::kStandardOutput, inputs);
  if (!settings.no_out) spare_inputs(settings.out, inputs);
  inputs.push_back(settings.resume_file);  // which may be the -out file
  if (!settings.no_png) spare_inputs(settings.png, inputs);
  if (settings.gnuplot.empty()) settings.no_png = true;
  if (!settings.no_out) check_output(settings.out);
  if (!settings.model.empty()) check_model_output(settings.model, inputs);
  separate_outputs(
      {settings.no_out ? "" : settings.out, settings.no_png ? "" : settings.png, settings.model});
  if (settings.no_png || !settings.c || !settings.g) return;
  try {
    check_output(settings.png);
  } catch (const std::system_error& error) {
    const std::string fault = std::string("the picture cannot be written: ") + error.what();
    if (is_picture_named) throw Failure("svm-grid: option -png: " + fault);
    std::fprintf(stderr, "WARNING: %s\n", fault.c_str());
    settings.no_png = true;
  }
}

void write_picture(const grid::Surface& surface, const std::string& png,
                   const std::string& gnuplot) {
  if (!platform::is_executable(gnuplot)) {
    std::fputs("gnuplot executable not found\n", stderr);
    return;
  }
  const std::optional<std::string> image =
      platform::output_of(gnuplot, grid::gnuplot_commands(surface));
  if (!image || image->empty()) {
    std::fputs("svm-grid: gnuplot failed; there is no picture\n", stderr);
    return;
  }
  try {
    OutputFile file = open_output(png);
    file.write(*image);
    file.commit();
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "svm-grid: the picture cannot be written: %s\n", error.what());
  }
}

}  // namespace svm::cli
