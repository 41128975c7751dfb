#include "programs/cli/model_output.h"

#include <exception>
#include <new>
#include <system_error>

#include "base/io/output_file.h"
#include "programs/cli/input.h"
#include "programs/cli/main.h"

namespace svm::cli {
namespace {

Failure cannot_save(const std::string& path, const char* reason) {
  return Failure("can't save model to file " + path + "\n" + reason);
}

}  // namespace

void check_model_output(const std::string& path) {
  try {
    check_output(path);
  } catch (const std::system_error& error) {
    throw cannot_save(path, error.what());
  }
}

void write_model_output(const std::string& path, const svm_model& model,
                        const ModelDigits& digits) {
  try {
    save_model(open_output(path), model, digits);
  } catch (const std::bad_alloc&) {
    throw cannot_save(path, "out of memory");
  } catch (const std::exception& error) {
    throw cannot_save(path, error.what());
  }
}

}  // namespace svm::cli
