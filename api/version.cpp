// What a program can ask about the loaded library.
#include <cstddef>
#include <string_view>

#include "svm.h"

namespace {

// Version of this package. CMakeLists.txt reads it from here.
constexpr char kPackageVersion[] = "1.0.0";

struct StructSize {
  std::string_view name;
  std::size_t size;
};

constexpr StructSize kStructSizes[] = {
    {"svm_node", sizeof(svm_node)},
    {"svm_problem", sizeof(svm_problem)},
    {"svm_parameter", sizeof(svm_parameter)},
    {"svm_model", sizeof(svm_model)},
    {"svm_progress", sizeof(svm_progress)},
    {"svm_options", sizeof(svm_options)},
    {"svm_result", sizeof(svm_result)},
    {"svm_save_options", sizeof(svm_save_options)},
    {"svm_problem_view", sizeof(svm_problem_view)},
    {"svm_model_arrays", sizeof(svm_model_arrays)},
};

}  // namespace

const char* svm_version(void) { return kPackageVersion; }

size_t svm_struct_size(const char* name) {
  for (const StructSize& each : kStructSizes) {
    if (each.name == name) return each.size;
  }
  return 0;
}
