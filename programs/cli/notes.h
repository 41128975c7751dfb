// Notes for users at a terminal: facts about the data or the result that are certain, but no
// errors.
#ifndef SVM_PROGRAMS_CLI_NOTES_H_
#define SVM_PROGRAMS_CLI_NOTES_H_

#include <string>

#include "programs/grid/plan.h"
#include "svm.h"

namespace svm::cli {

// True if standard error is a terminal. If not, nobody reads notes, and none need be computed.
bool are_notes_read();

// Prints a note on standard error, if that is a terminal and `text` is not empty.
void print_note(const std::string& text);

// Prints what is to be said of data before they are trained on, notes unless `quiet`: range_note(),
// and if labels of a classification are not whole numbers, to which they are truncated. That is a
// warning if two labels become one, or another one becomes 0.
void tell_of_data(const svm_problem& problem, const svm_parameter& param, bool quiet);

// The functions below return the text of a note, or an empty text if there is nothing to say.

// Says if some features vary a hundred times as much as others. Takes time and memory proportional
// to the data and their largest index.
std::string range_note(const svm_problem& problem, const svm_parameter& param);

// Says if every row of the problem, of at least twenty, is a support vector of the trained model,
// or if a regression has none.
std::string support_vector_note(const svm_problem& problem, const svm_model& model);

// Says if the best point has the smallest or largest value of a searched axis.
std::string edge_note(const grid::Plan& plan, const grid::Point& best, const svm_parameter& param);

// Says that a test row, on line `line` of its file, has a feature index beyond the model's largest.
std::string beyond_note(int index, std::size_t line, const svm_model& model);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_NOTES_H_
