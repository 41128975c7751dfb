#include "svm_ext.h"

// CMakeLists.txt, setup.py and the packages read the version from here.
static constexpr char kPackageVersion[] = "1.0.0";

const char* svm_version(void) { return kPackageVersion; }
