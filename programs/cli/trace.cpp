#include "programs/cli/trace.h"

#include <algorithm>
#include <cstddef>

#include "base/io/number_text.h"
#include "programs/cli/main.h"

namespace svm::cli {
namespace {

constexpr std::size_t kRowInterval = 1000;  // iterations, at most
constexpr int kDigits = 10;

}  // namespace

Trace::Trace(const std::string& path) : file_(open_output(path)) {
  file_.write(
      "iteration,seconds,objective,violation,active,kernel_rows,problem,conjugate,clipped,phases,"
      "outer\n");
}

void Trace::add(const svm_progress& progress) {
  if (progress.variables == 0) return;  // no binary problem has begun
  const bool ends = progress.finished != 0;
  if (ends && progress.problem == over_) return;  // the call's work after the end of the problem
  const auto [place, first] = next_.try_emplace(progress.problem, 0);
  if (!first && !ends && progress.iterations < place->second) return;
  if (ends) {
    next_.erase(place);
    over_ = progress.problem;
  } else {
    const auto interval = static_cast<long long>(std::min(progress.variables, kRowInterval));
    place->second = progress.iterations + interval;
  }
  std::string row;
  append_int(row, progress.iterations);
  for (const double value : {progress.seconds, progress.objective, progress.violation}) {
    row += ',';
    append_real(row, value, kDigits);
  }
  for (const long long value :
       {static_cast<long long>(progress.active), progress.kernel_rows, progress.problem,
        progress.conjugate_steps, progress.clipped_steps, progress.phases, progress.outer_steps}) {
    row += ',';
    append_int(row, value);
  }
  file_.write(row + '\n');
}

}  // namespace svm::cli
