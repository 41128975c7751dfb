// What belongs to a file besides its text.
#ifndef SVM_IO_FILE_ATTRIBUTES_H_
#define SVM_IO_FILE_ATTRIBUTES_H_

#include "io/file_descriptor.h"

namespace svm {

// Gives `to` owner, permissions, access lists and extended attributes of `from`, and no others; the
// last two on Linux only.  False where not all of that is possible.  Throws std::bad_alloc.
bool copy_attributes(const FileDescriptor& from, const FileDescriptor& to);

}  // namespace svm

#endif  // SVM_IO_FILE_ATTRIBUTES_H_
