// Structures of svm.h that grow: their first member is the size that the caller's has.
#ifndef SVM_TRAINING_RECORD_SIZE_H_
#define SVM_TRAINING_RECORD_SIZE_H_

#include <cstddef>

namespace svm {

// True where the field lies within the size that the caller gave.
template <typename Record, typename Field>
bool has_member(const Record& record, Field Record::*field) {
  const auto* begin = reinterpret_cast<const char*>(&record);
  const auto* end = reinterpret_cast<const char*>(&(record.*field)) + sizeof(Field);
  return static_cast<std::size_t>(end - begin) <= record.size;
}

// `too_small` or `too_large` where the size is, else null.
template <typename Record>
const char* size_fault(const Record& record, const char* too_small, const char* too_large) {
  if (record.size < sizeof(record.size)) return too_small;
  return record.size > sizeof(Record) ? too_large : nullptr;
}

}  // namespace svm

#endif  // SVM_TRAINING_RECORD_SIZE_H_
