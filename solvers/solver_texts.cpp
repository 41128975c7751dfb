#include "solvers/solver_texts.h"

#include <cstddef>

#include "solvers/run/messages.h"

namespace svm {
namespace {

const char* const kSvmTypeNames[] = {"C-SVC", "nu-SVC", "one-class", "epsilon-SVR", "nu-SVR"};
const char* const kKernelNames[] = {"linear", "polynomial", "rbf", "sigmoid", "precomputed"};

template <std::size_t N>
std::string list(NumberSet numbers, const char* const (&names)[N]) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t number = 0; number < N; ++number) {
    if (!numbers.contains(static_cast<int>(number))) continue;
    if (count++ > 0) text += ", ";
    text += names[number];
  }
  return count == N ? "all" : text;
}

std::string types_of(const SolverEntry& solver) { return list(solver.svm_types, kSvmTypeNames); }
std::string kernels_of(const SolverEntry& solver) {
  return list(solver.kernel_types, kKernelNames);
}

}  // namespace

std::string solver_names(bool SolverEntry::*having) {
  std::string names;
  for (const SolverEntry& entry : solvers()) {
    if (having != nullptr && !(entry.*having)) continue;
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  return names;
}

std::string supported_text(const SolverEntry& solver) {
  return format("solver %s supports SVM types: %s; kernels: %s", solver.name,
                types_of(solver).c_str(), kernels_of(solver).c_str());
}

std::string solver_table() {
  std::string table = format("%-10s %-18s %-10s %s\n", "name", "types", "kernels", "what, source");
  for (const SolverEntry& entry : solvers()) {
    const std::string name =
        entry.name +
        (*entry.number == '\0' ? std::string() : " (" + std::string(entry.number) + ")");
    table += format("%-10s %-18s %-10s %s\n%40s %s\n", name.c_str(), types_of(entry).c_str(),
                    kernels_of(entry).c_str(), entry.summary, "", entry.source);
  }
  return table;
}

}  // namespace svm
