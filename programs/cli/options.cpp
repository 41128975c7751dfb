#include "programs/cli/options.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/io/number_text.h"
#include "base/platform/files.h"

namespace svm::cli {
namespace {

constexpr std::size_t kNearName = 2;  // largest edit distance at which a name is suggested
constexpr const char* kOtherDash = " has a typographic dash in the place of the sign '-'";

bool is_long(std::string_view name) { return name.substr(0, 2) == "--"; }

// The number of single-character edits that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

// An option's name, or what was mistaken for one, without its dashes and in small letters.
std::string word_of(std::string_view name) {
  std::string word(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return word;
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

// The text with '-' for typographic dashes (U+2010 to U+2015, U+2212), as copied from a page.
std::string with_plain_dashes(std::string text) {
  for (std::size_t at = 0; (at = text.find('\xE2', at)) != std::string::npos; ++at) {
    const std::string sign = text.substr(at, 3);
    const bool is_dash = sign >= "\xE2\x80\x90" && sign <= "\xE2\x80\x95";
    if (is_dash || sign == "\xE2\x88\x92") text.replace(at, 3, "-");
  }
  return text;
}

std::string_view skip_space(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n\v\f\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// Parses the arguments in one pass.
class Parser {
 public:
  Parser(const Program& program, int argc, const char* const* argv) : program_(program) {
    for (int i = 1; i < argc; ++i) arguments_.emplace_back(argv[i]);
  }

  ParsedLine parse() {
    while (next_ < arguments_.size() && arguments_[next_].substr(0, 1) == "-" &&
           arguments_[next_] != "-") {
      const std::string_view argument = arguments_[next_++];
      if (is_long(argument)) {
        if (parse_long(argument)) return std::move(result_);
      } else {
        parse_short(argument);
      }
    }
    take_files();
    return std::move(result_);
  }

 private:
  std::string option_text(std::string_view name, const std::string& what) const {
    return program_.name + ": option " + std::string(name) + ": " + what;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(program_.name + ": " + what);
  }

  [[noreturn]] void fail_option(std::string_view name, const std::string& what) const {
    throw UsageError(option_text(name, what));
  }

  // Null if there is no such option.
  const Option* find(std::string_view name) const {
    for (const Option& each : program_.options) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }

  // The value `text` is wrong unless `holds`.
  void require(bool holds, std::string_view name, std::string_view text, const char* fault) const {
    if (!holds) fail_option(name, in_quotes(text) + fault);
  }

  // Reports LIBSVM's line, the whole argument if that line does not show it, and similar options.
  [[noreturn]] void fail_unknown(std::string_view argument) const {
    const auto known = program_.messages.find(argument);
    if (known != program_.messages.end()) throw UsageError(known->second);
    const std::string hint = suggestion(argument);
    std::string message = program_.unknown_option;
    const std::size_t place = message.find("%c");
    if (place != std::string::npos) message.replace(place, 2, argument.substr(1, 1));
    const bool shown = place != std::string::npos && argument.size() == 2 && hint.empty();
    if (!shown)
      message += "\n" + program_.name + ": there is no option " + in_quotes(argument) + hint;
    throw UsageError(message);
  }

  // Returns true for --help and similar options: the arguments after them are ignored.
  bool parse_long(std::string_view argument) {
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const bool has_value = equals != std::string_view::npos;
    if (name == "--help" || name == "--version") {
      if (has_value) fail_option(name, "takes no value");
      result_.request = name == "--help" ? Request::kHelp : Request::kVersion;
      return true;
    }
    const Option* const option = find(name);
    if (option == nullptr || !is_long(name)) fail_unknown(name);
    if (!has_value && option->text) {
      result_.request = Request::kText;
      result_.text = option->text();
      return true;
    }
    if (!has_value) {
      read_values(*option, name, {});
    } else if (option->kind == ValueKind::kNone) {
      fail_option(name, "takes no value");
    } else {
      store(*option, name, {}, {argument.substr(equals + 1)});
    }
    return false;
  }

  // Names of several letters after a single dash, as in grid.py, must be complete.
  void parse_short(std::string_view argument) {
    const Option* const whole = argument.size() > 2 ? find(argument) : nullptr;
    if (whole != nullptr) return read_values(*whole, argument, {});
    // "-threads" must not be taken for -t.
    for (const Option& option : all_options(program_)) {
      if (option.name == "-" + std::string(argument)) fail_unknown(argument);
    }
    const std::string_view name = argument.substr(0, 2);
    const Option* const option = find(name);
    if (name.size() < 2 || option == nullptr) fail_unknown(argument);
    read_values(*option, option->suffix ? argument : name, argument.substr(2));
  }

  // A hint about similar options for an unknown one; empty if none is similar.
  std::string suggestion(std::string_view argument) const {
    const std::string nearest = nearest_name(argument);
    return nearest.empty() ? "" : "; did you mean " + nearest + "?";
  }

  std::string nearest_name(std::string_view argument) const {
    const std::string word = word_of(argument);
    if (word.empty()) return "";
    std::size_t best = std::min(kNearName + 1, word.size());
    std::string nearest;
    for (const Option& option : all_options(program_)) {
      const std::string other = word_of(option.name);
      const std::size_t distance = word == other ? 0 : edit_distance(word, other);
      if (distance >= best || (other.size() == 1 && distance > 0)) continue;
      best = distance;
      nearest = option.name;
    }
    if (best == 0) return nearest;
    // First "--cost", and last the letter: "-Cost".
    for (const Option& option : program_.options) {
      const bool is_short = option.name.size() == 2;
      if (is_short && word.size() > 1 && word == option.value_name) return option.name;
    }
    if (!nearest.empty() || is_long(argument)) return nearest;
    const Option* const option = find("-" + word.substr(0, 1));
    return option != nullptr ? option->name : "";
  }

  // Takes the option's values from the following arguments.
  void read_values(const Option& option, std::string_view name, std::string_view suffix) {
    std::size_t count = 1;
    if (option.kind == ValueKind::kNone) count = 0;
    if (option.kind == ValueKind::kTwoReals) count = 2;
    if (arguments_.size() - next_ < count && !option.optional) {
      fail("option " + std::string(name) +
           (count == 2 ? " needs two values: " : " needs a value: ") + option.value_name);
    }
    std::vector<std::string_view> values;
    if (option.optional &&
        (arguments_.size() - next_ < 2 || arguments_[next_].substr(0, 1) == "-")) {
      values.emplace_back("");
    }
    for (; values.size() < count; ++next_) values.push_back(arguments_[next_]);
    store(option, name, suffix, values);
  }

  void store(const Option& option, std::string_view name, std::string_view suffix,
             const std::vector<std::string_view>& values) {
    for (const std::string_view text : values) {
      require(option.file || with_plain_dashes(std::string(text)) == text, name, text, kOtherDash);
    }
    Option::Value value;
    if (option.suffix) value.suffix = read_int(name, suffix);
    const bool is_real = option.kind == ValueKind::kReal, is_int = option.kind == ValueKind::kInt;
    const bool are_two = option.kind == ValueKind::kTwoReals;
    if (is_int) value.real = value.integer = read_int(name, values[0]);
    if (is_real || are_two) value.real = read_real(name, values[0]);
    if (are_two) value.second = read_real(name, values[1]);
    if (is_int || is_real) check_range(option, name, value.real, values[0]);
    if (!values.empty()) value.text = values[0];
    try {
      option.store(value);
    } catch (const BadValue& fault) {
      throw UsageError(fault.heading + option_text(name, fault.what()));
    }
  }

  void check_range(const Option& option, std::string_view name, double value,
                   std::string_view text) const {
    if (value >= option.lower && value <= option.upper) return;
    fail_option(name, in_quotes(text) + " is out of range; allowed is " + option.range);
  }

  int read_int(std::string_view name, std::string_view text) {
    const std::string_view digits = skip_space(text);
    const IntText number = parse_int(digits);
    require(number.status != NumberStatus::kNotANumber, name, text, " is not an integer");
    require(number.status == NumberStatus::kOk && number.value == static_cast<int>(number.value),
            name, text, " does not fit an integer of 32 bits");
    warn_ignored(name, digits.substr(number.length), digits.substr(0, number.length));
    return static_cast<int>(number.value);
  }

  double read_real(std::string_view name, std::string_view text) {
    const std::string_view digits = skip_space(text);
    const RealText number = parse_real(digits);
    require(number.status != NumberStatus::kNotANumber, name, text, " is not a number");
    require(number.status != NumberStatus::kOverflow, name, text, " is too large for a double");
    require(std::isfinite(number.value), name, text, " is not a finite number");
    warn_ignored(name, digits.substr(number.length), digits.substr(0, number.length));
    return number.value;
  }

  void warn_ignored(std::string_view name, std::string_view rest, std::string_view used) {
    if (skip_space(rest).empty()) return;
    result_.warnings.push_back(
        option_text(name, in_quotes(rest) + " after " + std::string(used) + " is ignored"));
  }

  void take_files() {
    result_.files.assign(arguments_.begin() + static_cast<std::ptrdiff_t>(next_), arguments_.end());
    const std::size_t count = result_.files.size();
    // As in LIBSVM, a call without arguments shows the help and nothing else.
    if (arguments_.empty() && program_.min_files > 0) throw UsageError("");
    for (const std::string& file : result_.files) {
      const std::string plain = with_plain_dashes(file);
      if (plain.substr(0, 1) != file.substr(0, 1))
        fail(in_quotes(file) + kOtherDash + suggestion(plain));
    }
    if (count < program_.min_files) {
      fail("file names given: " + std::to_string(count) +
           ", needed: " + std::to_string(program_.min_files));
    }
    if (count > program_.max_files) {
      fail("unexpected argument " + in_quotes(result_.files[program_.max_files]) +
           " (options come before file names)");
    }
    bool reads_standard_input = false;
    for (std::size_t i = 0; i < count; ++i) {
      std::string& file = result_.files[i];
      if (file == "-") {
        const bool is_input = i < program_.input_files;
        if (is_input && reads_standard_input) fail("only one file can be '-', standard input");
        reads_standard_input = reads_standard_input || is_input;
        file = is_input ? platform::kStandardInput : platform::kStandardOutput;
      } else if (file.substr(0, 1) == "-") {
        result_.warnings.push_back(program_.name + ": " + in_quotes(file) +
                                   " is taken as the name of a file (options come before "
                                   "file names)");
      }
    }
  }

  const Program& program_;
  std::vector<std::string_view> arguments_;
  std::size_t next_ = 0;
  ParsedLine result_;
};

}  // namespace

ParsedLine parse_command_line(const Program& program, int argc, const char* const* argv) {
  return Parser(program, argc, argv).parse();
}

}  // namespace svm::cli
