#include "base/platform/text.h"

std::string svm::joined(std::initializer_list<std::string_view> parts) {
  std::size_t length = 0;
  for (const std::string_view part : parts) length += part.size();
  std::string text;
  text.reserve(length);
  for (const std::string_view part : parts) text += part;
  return text;
}

void svm::add_item(std::string& list, std::string_view item) {
  if (!list.empty()) list += ", ";
  list += item;
}
