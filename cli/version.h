// Version of this package.  CMakeLists.txt reads it from here.
#ifndef SVM_CLI_VERSION_H_
#define SVM_CLI_VERSION_H_

namespace svm::cli {

inline constexpr char kPackageVersion[] = "1.0.0";

}  // namespace svm::cli

#endif  // SVM_CLI_VERSION_H_
