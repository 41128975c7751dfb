// Advice for people who sit at a terminal: what is certain from the data or the result, and no
// error.
#ifndef SVM_CLI_NOTES_H_
#define SVM_CLI_NOTES_H_

#include <string>

#include "grid/plan.h"
#include "svm.h"

namespace svm::cli {

// False if standard error is no terminal: then nobody reads notes, and they need not be made.
bool are_notes_read();

// Prints a note on standard error, if it is a terminal and `text` is not empty.
void print_note(const std::string& text);

// The functions below give the text of a note, or an empty one if there is nothing to say.

// The labels of a classification are no whole numbers, to which they are cut.
std::string label_note(const svm_problem& problem, const svm_parameter& param);

// Some features vary a hundred times as much as others.  Takes time and memory in proportion to the
// data and their largest index.
std::string range_note(const svm_problem& problem, const svm_parameter& param);

// Every row of the problem, of twenty or more, is a support vector of the model trained on it.
std::string support_vector_note(const svm_problem& problem, const svm_model& model);

// The best point has the least or largest value of an axis that is searched.
std::string edge_note(const grid::Plan& plan, const grid::Point& best, const svm_parameter& param);

// A test row, in this line of its file, has a feature beyond the largest of the model.
std::string beyond_note(int index, std::size_t line, const svm_model& model);

}  // namespace svm::cli

#endif  // SVM_CLI_NOTES_H_
