// Conversion of texts and errors, for the Windows files of this folder.
#ifndef SVM_BASE_PLATFORM_WINDOWS_TEXT_H_
#define SVM_BASE_PLATFORM_WINDOWS_TEXT_H_

#include <string>

namespace svm::platform {

// Converts from UTF-8; a text that is not valid UTF-8 is taken to be in the system's code page,
// which callers of the library may have used for a file name.
std::wstring wide(const std::string& text);
std::string utf8(const std::wstring& text);

// Sets errno according to GetLastError(). Returns false.
bool failed();

}  // namespace svm::platform

#endif  // SVM_BASE_PLATFORM_WINDOWS_TEXT_H_
