// Parses svmlight text by the grammar of svm-train.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "examples/page/native/page.h"
#include "programs/data/row_reader.h"

namespace {

constexpr int kMostColumns = 2;

struct Parsed {
  std::vector<double> labels, values;  // values: kMostColumns per row
  int columns = 0;                     // largest index
  std::string error;
};

Parsed& parsed() {
  static Parsed all;
  return all;
}

// Adds a line, given without its line end.
void add_row(svm::RowParser& parser, std::string_view line, std::size_t number,
             std::vector<svm_node>& nodes) {
  Parsed& all = parsed();
  nodes.resize(static_cast<std::size_t>(std::count(line.begin(), line.end(), ':')) + 1);
  svm_node* end = nodes.data();
  all.labels.push_back(parser.parse(line, number, end));
  all.values.resize(all.labels.size() * kMostColumns);
  for (const svm_node* node = nodes.data(); node != end; ++node) {
    if (node->index < 1 || node->index > kMostColumns) {
      throw std::invalid_argument("line " + std::to_string(number) + ": feature " +
                                  std::to_string(node->index) +
                                  ": the page shows features 1 and 2 only");
    }
    const auto column = static_cast<std::size_t>(node->index - 1);
    all.values[(all.labels.size() - 1) * kMostColumns + column] = node->value;
    all.columns = std::max(all.columns, node->index);
  }
}

}  // namespace

int page_parse(const char* text, int size) {
  Parsed& all = parsed();
  all = {};
  try {
    svm::RowParser parser{svm::RowRules{}};
    std::vector<svm_node> nodes;
    std::string_view rest(text, static_cast<std::size_t>(size));
    for (std::size_t number = 1; !rest.empty(); ++number) {
      const std::size_t length = std::min(rest.find('\n'), rest.size());
      add_row(parser, rest.substr(0, length), number, nodes);
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    if (all.labels.empty()) throw std::invalid_argument("the file is empty");
    return 0;
  } catch (const std::exception& error) {
    all.error = error.what();
    return -1;
  }
}

const char* page_parse_error() { return parsed().error.c_str(); }
int page_parsed_rows() { return static_cast<int>(parsed().labels.size()); }
int page_parsed_columns() { return parsed().columns; }
const double* page_parsed_labels() { return parsed().labels.data(); }
const double* page_parsed_values() { return parsed().values.data(); }
