// This process, others, and the machine they run on.  Texts are UTF-8.
#ifndef SVM_PLATFORM_PROCESSES_H_
#define SVM_PLATFORM_PROCESSES_H_

#include <optional>
#include <string>

namespace svm::platform {

// Replaces the arguments of main() by the same in UTF-8, which on Windows they are not.
void use_utf8_arguments(int& argc, char**& argv);

long long process_id();
bool is_process_gone(long long process);  // certainly; of this machine
std::string host_name();

// What the program at `path` writes to its standard output when it gets `input`, a text; its
// messages go nowhere.  Nothing where it cannot be run, or fails.
std::optional<std::string> output_of(const std::string& path, const std::string& input);

}  // namespace svm::platform

#endif  // SVM_PLATFORM_PROCESSES_H_
