// What the functions of the C interface share: failures, the caller's process-wide functions, and
// reading of models.
#ifndef SVM_API_BORDER_H_
#define SVM_API_BORDER_H_

#include <exception>
#include <functional>
#include <new>
#include <string>

#include "model/forest/forest.h"
#include "model/kept_predictor.h"
#include "model/model_file.h"
#include "model/model_memory.h"
#include "solvers/run/messages.h"
#include "svm_ext.h"

namespace svm {

// Stores "function: what" for this thread, truncated if it is too long.
void set_last_error(const char* function, const char* what) noexcept;

// Runs `work`. If it throws an error, stores the reason and returns `failure`. An exception thrown
// by a function of the caller is passed on to the caller.
template <typename Result, typename Work>
Result guarded(const char* function, Result failure, Work work) {
  try {
    return work();
  } catch (const CallerException& exception) {
    std::rethrow_exception(exception.thrown);
  } catch (const std::bad_alloc&) {
    set_last_error(function, "out of memory");
  } catch (const std::exception& error) {
    set_last_error(function, error.what());
  }
  return failure;
}

// The same for a function that gives the caller a new model, which make() returns.
template <typename Make>
svm_model* guarded_model(const char* function, const Make& make) {
  return guarded<svm_model*>(function, nullptr, [&] {
    ModelPtr model = make();
    keep_predictor_for(*model);
    return model.release();
  });
}

// As svm_set_print_string_function().
void set_print_function(void (*function)(const char*));

// Sends messages to the functions of svm_set_print_string_function() and
// svm_set_warning_function().
Messages process_messages();
// Sends each message to the functions that are set when it is sent.
Messages current_messages();

// Threads to use for the prediction of `rows` rows; `threads` as in svm_options.
unsigned threads_for_rows(std::size_t threads, std::size_t rows);

// Reads a model file.  Warns of a model with infinite or NaN coefficients, and with LIBSVM's lines
// of a file that is no model, for which it throws std::runtime_error.
ModelPtr load_model(const char* file);
// The same for the text of the file.
ModelPtr parse_file(const std::string& text, const char* file);

// The digits of a text whose features have so many; 0 stands for LIBSVM's.  Throws
// std::invalid_argument.
ModelDigits digits_of(int features);

// A copy from malloc of the text that `write` passes on.  *size receives its bytes unless it is
// null.
char* text_of(const std::function<void(const TextSink&)>& write, std::size_t* size);

// What a svm_forest, which is never defined, points to: a forest for prediction, or one whose parts
// may be taken, and which predicts nothing any more.
svm_forest* new_forest(Forest forest);
Forest& take_forest(svm_forest* forest);

}  // namespace svm

#endif  // SVM_API_BORDER_H_
