#include "solvers/solver_texts.h"

#include <iterator>

#include "kernels/kernel_types.h"
#include "solvers/run/messages.h"

namespace svm {
namespace {

const char* const kSvmTypeNames[] = {"C-SVC", "nu-SVC", "one-class", "epsilon-SVR", "nu-SVR"};

template <class NameOf>
std::string list(NumberSet numbers, int count, const NameOf& name_of) {
  std::string text;
  int listed = 0;
  for (int number = 0; number < count; ++number) {
    if (!numbers.contains(number)) continue;
    if (listed++ > 0) text += ", ";
    text += name_of(number);
  }
  return listed == count ? "all" : text;
}

std::string types_of(const SolverEntry& solver) {
  return list(solver.svm_types, static_cast<int>(std::size(kSvmTypeNames)),
              [](int type) { return kSvmTypeNames[type]; });
}
std::string kernels_of(const SolverEntry& solver) {
  return list(solver.kernel_types, kKernelCount, [](int type) { return kKernelTypes[type].word; });
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
