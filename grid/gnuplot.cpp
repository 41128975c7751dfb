#include "grid/gnuplot.h"

#include "platform/processes.h"

namespace svm::grid {

std::optional<std::string> run_gnuplot(const std::string& path, const std::string& commands) {
  std::optional<std::string> image = platform::output_of(path, commands);
  return image && image->empty() ? std::nullopt : image;
}

}  // namespace svm::grid
