#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "base/io/input_error.h"
#include "base/io/number_text.h"
#include "base/io/row_scanner.h"
#include "base/io/text_cursor.h"
#include "model/model_file.h"
#include "model/pairs.h"
#include "model/svm_type.h"

namespace svm {
namespace {

constexpr std::size_t kLongestWord = 80;  // LIBSVM reads no more characters of a header word

enum Key : std::size_t {
  kSvmType,
  kKernelType,
  kDegree,
  kGamma,
  kCoef0,
  kNrClass,
  kTotalSv,
  kRho,
  kLabel,
  kProbA,
  kProbB,
  kDensity,
  kNrSv,
  kKeyCount
};

constexpr std::array<std::string_view, kKeyCount> kKeyWords = {
    "svm_type", "kernel_type",        "degree", "gamma", "coef0",
    "nr_class", "total_sv",           "rho",    "label", "probA",
    "probB",    "prob_density_marks", "nr_sv"};

// Parses the lines before the support vectors.
class HeaderReader {
 public:
  HeaderReader(TextCursor& text, svm_model& model, bool is_forest)
      : text_(text), model_(model), is_forest_(is_forest) {}

  // Reads up to and including the line "SV".
  void read() {
    for (;;) {
      const std::string_view word = text_.word(kLongestWord);
      if (word.empty()) text_.fail_here("the file ends before the line SV");
      if (word == "SV") break;
      const auto found = std::find(kKeyWords.begin(), kKeyWords.end(), word);
      if (found == kKeyWords.end()) {
        text_.fail(word, "not a word of a model header",
                   "unknown text in model file: [" + std::string(word) + "]");
      }
      const auto key = static_cast<Key>(found - kKeyWords.begin());
      if (seen_[key]) text_.fail(word, "appears twice");
      seen_[key] = true;
      read_value(key, word);
    }
    check();
    // Only one-class models have marks; see svm::density_marks().
    if (seen_[kDensity] && model_.param.svm_type == ONE_CLASS) {
      model_.prob_density_marks = malloc_copy(density_marks_.data(), kDensityMarks);
    }
    std::string_view rest_of_line;
    text_.line(rest_of_line);
  }

 private:
  void read_value(Key key, std::string_view word) {
    switch (key) {
      case kSvmType:
        model_.param.svm_type = choice(kSvmTypeWords, "unknown svm type.");
        break;
      case kKernelType:
        model_.param.kernel_type = choice(kKernelTypeWords, "unknown kernel function.");
        break;
      case kDegree:
        model_.param.degree = text_.integer(word);
        if (model_.param.degree < 0) text_.fail(word, "must not be negative");
        break;
      case kGamma:
        model_.param.gamma = text_.real(word, true);
        break;
      case kCoef0:
        model_.param.coef0 = text_.real(word, true);
        break;
      case kNrClass:
        model_.nr_class = text_.integer(word);
        if (model_.nr_class < 1) text_.fail(word, "must be at least 1");
        break;
      case kTotalSv:
        model_.l = text_.integer(word);
        if (model_.l < 0) text_.fail(word, "must not be negative");
        break;
      case kRho:
        read_reals(word, pair_count(classes()), model_.rho);
        break;
      case kLabel:
        read_integers(word, classes(), model_.label);
        break;
      case kProbA:
        read_reals(word, pair_count(classes()), model_.probA);
        break;
      case kProbB:
        read_reals(word, pair_count(classes()), model_.probB);
        break;
      case kDensity:
        expect_list(word, kDensityMarks);
        for (double& mark : density_marks_) mark = text_.real(word, false);
        break;
      case kNrSv:
        read_integers(word, classes(), model_.nSV);
        if (std::any_of(model_.nSV, model_.nSV + classes(), [](int n) { return n < 0; })) {
          text_.fail(word, "must not be negative");
        }
        break;
      case kKeyCount:
        break;
    }
  }

  template <std::size_t N>
  int choice(const std::array<const char*, N>& words, const char* legacy) {
    const std::string_view word = text_.word(kLongestWord);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
      if (word.empty()) text_.fail_here("the file ends where a type is expected");
      text_.fail(word, "not one of the types of LIBSVM", legacy);
    }
    return static_cast<int>(found - words.begin());
  }

  // Throws if the rest of the text cannot hold `count` values, or if nr_class is unknown.
  void expect_list(std::string_view word, std::size_t count) const {
    if (!seen_[kNrClass]) text_.fail(word, "nr_class must come before this list");
    // A value takes at least one character and a preceding blank.
    if (count > text_.left() / 2) {
      text_.fail(word, std::to_string(count) + " values are expected, more than the file holds");
    }
  }

  // Lists belong to the model from the start, so nothing leaks if a value is malformed.
  void read_integers(std::string_view word, std::size_t count, int*& list) {
    expect_list(word, count);
    list = malloc_array<int>(count);
    for (std::size_t i = 0; i < count; ++i) list[i] = text_.integer(word);
  }

  void read_reals(std::string_view word, std::size_t count, double*& list) {
    expect_list(word, count);
    list = malloc_array<double>(count);
    // LIBSVM itself writes infinite and NaN thresholds for degenerate problems.
    for (std::size_t i = 0; i < count; ++i) list[i] = text_.real(word, false);
  }

  std::size_t classes() const { return count_or_zero(model_.nr_class); }

  void require(Key key, const std::string& reason) const {
    if (!seen_[key]) text_.fail_here("the header lacks " + std::string(kKeyWords[key]) + reason);
  }

  // Checks that need the whole header.
  void check() const {
    for (const Key key : {kSvmType, kKernelType, kNrClass, kTotalSv}) require(key, "");
    if (!is_forest_) require(kRho, "");
    const int kernel = model_.param.kernel_type;
    if (has_degree(kernel)) require(kDegree, ", which its kernel needs");
    if (has_gamma(kernel)) require(kGamma, ", which its kernel needs");
    if (has_coef0(kernel)) require(kCoef0, ", which its kernel needs");

    if (!is_classification(model_.param.svm_type)) {
      if (model_.nr_class != 2) {
        text_.fail_here("nr_class must be 2 for regression and one-class, not " +
                        std::to_string(model_.nr_class));
      }
    } else {
      require(kLabel, ", which classification needs");
      if (!is_forest_) require(kNrSv, ", which classification needs");
    }
    if (model_.nr_class < 2 && model_.l > 0) {
      text_.fail_here("total_sv must be 0 for fewer than two classes, not " +
                      std::to_string(model_.l));
    }
    if (seen_[kNrSv]) {
      long long sum = 0;
      for (std::size_t i = 0; i < classes(); ++i) sum += model_.nSV[i];
      if (sum != model_.l) {
        text_.fail_here("the numbers of nr_sv sum to " + std::to_string(sum) +
                        ", but total_sv is " + std::to_string(model_.l));
      }
    }
  }

  TextCursor& text_;
  svm_model& model_;
  const bool is_forest_;
  std::array<bool, kKeyCount> seen_{};
  std::array<double, kDensityMarks> density_marks_{};
};

// Parses the lines of support vectors: some coefficients, then index:value pairs.
class VectorReader {
 public:
  VectorReader(TextCursor& text, svm_model& model, bool is_forest)
      : text_(text),
        model_(model),
        rows_(count_or_zero(model.l)),
        coefs_(std::min(coefficient_arrays(model.nr_class),
                        is_forest ? 1 : std::numeric_limits<std::size_t>::max())) {}

  void read() {
    // A coefficient takes at least one character and a blank or the end of the line.
    if (rows_ > 0 && rows_ > (text_.left() + 1) / 2 / coefs_) {
      text_.fail_here("total_sv announces " + std::to_string(rows_) +
                      " support vectors, more than the file holds");
    }
    const std::size_t nodes = count_nodes();
    model_.free_sv = 1;
    model_.sv_coef = malloc_array<double*>(coefficient_arrays(model_.nr_class));
    for (std::size_t k = 0; k < coefs_; ++k) model_.sv_coef[k] = malloc_array<double>(rows_);
    model_.SV = malloc_array<svm_node*>(rows_);
    if (rows_ == 0) return;
    next_ = malloc_array<svm_node>(nodes);
    model_.SV[0] = next_;
    line_coefs_.resize(coefs_);
    for (std::size_t row = 0; row < rows_; ++row) {
      std::string_view line;
      text_.line(line);
      svm_node* const first = model_.SV[row] = next_;
      if (!scan_line(row, line)) read_line(row, line);
      *next_++ = {-1, 0};
      if (model_.param.kernel_type == PRECOMPUTED) check_serial(line, first);
    }
  }

 private:
  // Counts the nodes of all rows including the terminating ones. Leaves the position unchanged.
  std::size_t count_nodes() {
    const std::size_t begin = text_.position();
    std::size_t nodes = rows_;
    std::string_view line;
    for (std::size_t row = 0; row < rows_; ++row) {
      if (!text_.line(line)) {
        text_.fail_here("the file ends after " + std::to_string(row) + " of " +
                        std::to_string(rows_) + " support vectors");
      }
      nodes += static_cast<std::size_t>(std::count(line.begin(), line.end(), ':'));
    }
    text_.seek(begin);
    return nodes;
  }

  // Reads an ordinary line quickly. Returns false if read_line() has to read it.
  bool scan_line(std::size_t row, std::string_view line) {
    if (text_.left() < RowScanner::kPadding) return false;
    scanner_.seek(line.data());
    if (scanner_.scan(line_coefs_.data(), coefs_, next_) == nullptr) return false;
    for (std::size_t k = 0; k < coefs_; ++k) model_.sv_coef[k][row] = line_coefs_[k];
    return true;
  }

  void read_line(std::size_t row, std::string_view line) {
    TextCursor words(line);
    for (std::size_t k = 0; k < coefs_; ++k) {
      const std::string_view word = words.word();
      const RealText coef = parse_real(word);
      if (word.empty() || coef.status == NumberStatus::kNotANumber || coef.length != word.size()) {
        text_.fail(word, "expected " + std::to_string(coefs_) + " coefficients, found " +
                             std::to_string(k));
      }
      // LIBSVM writes infinite and NaN coefficients for a nu-SVC without a margin.
      if (coef.status == NumberStatus::kOverflow) {
        text_.fail(word, "a coefficient is too large for a double");
      }
      model_.sv_coef[k][row] = coef.value;
    }
    const svm_node* const first = next_;
    for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
      *next_ = parse_pair(word);
      if (next_ != first && next_->index <= next_[-1].index) {
        text_.fail(word, "the index does not come after " + std::to_string(next_[-1].index) +
                             "; indices must ascend");
      }
      ++next_;
    }
  }

  svm_node parse_pair(std::string_view pair) const {
    const IntText index = parse_int(pair);
    if (index.status == NumberStatus::kNotANumber || index.length >= pair.size() ||
        pair[index.length] != ':') {
      text_.fail(pair, "expected index:value");
    }
    if (index.value < 0) text_.fail(pair, "the index is negative");
    if (index.value > std::numeric_limits<int>::max()) {
      text_.fail(pair, "the index does not fit an int");
    }
    const std::string_view digits = pair.substr(index.length + 1);
    const RealText value = parse_real(digits);
    if (value.status == NumberStatus::kNotANumber || value.length != digits.size()) {
      text_.fail(pair, "the value is not a number");
    }
    if (value.status == NumberStatus::kOverflow || !std::isfinite(value.value)) {
      text_.fail(pair, "the value must be finite");
    }
    return {static_cast<int>(index.value), value.value};
  }

  // Checks that the serial number refers to an existing kernel value, as prediction looks it up.
  void check_serial(std::string_view line, const svm_node* node) const {
    if (node->index != 0 || !(node->value >= 1) || node->value != std::floor(node->value) ||
        node->value > std::numeric_limits<int>::max()) {
      text_.fail(line, "with a precomputed kernel a support vector is 0:serial_number, from 1");
    }
  }

  TextCursor& text_;
  svm_model& model_;
  std::size_t rows_;
  std::size_t coefs_;         // per line
  svm_node* next_ = nullptr;  // the next free node
  RowScanner scanner_{RowRules()};
  std::vector<double> line_coefs_;
};

}  // namespace

ModelPtr read_model(TextCursor& text, bool is_forest) {
  ModelPtr model = new_model();
  HeaderReader(text, *model, is_forest).read();
  VectorReader(text, *model, is_forest).read();
  return model;
}

void check_model_text(std::string_view text) {
  if (text.empty()) throw ModelError({}, "the file is empty");
  const std::string fault = encoding_fault(text);
  if (!fault.empty()) throw ModelError({}, fault);
}

ModelPtr parse_model(std::string_view text) {
  check_model_text(text);
  try {
    TextCursor source(text);
    return read_model(source);
  } catch (const InputError& error) {
    throw ModelError(error.legacy(), error.what());
  }
}

}  // namespace svm
