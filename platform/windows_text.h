// Texts and errors of Windows.  For the files of Windows in this folder.
#ifndef SVM_PLATFORM_WINDOWS_TEXT_H_
#define SVM_PLATFORM_WINDOWS_TEXT_H_

#include <string>

namespace svm::platform {

// A text that is no UTF-8 is taken for one in the code page of the system, which callers of the
// library may have used for a file name.
std::wstring wide(const std::string& text);
std::string utf8(const std::wstring& text);

// Sets errno by what GetLastError() says, and returns false.
bool failed();

}  // namespace svm::platform

#endif  // SVM_PLATFORM_WINDOWS_TEXT_H_
