#include "tests/sweep/trials.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <unistd.h>

#include "solvers/run/run.h"
#include "training/call.h"

namespace svm::test {
namespace {

const char* const kOutcomeNames[kOutcomes] = {"converged", "at cap",  "stalled",
                                              "imprecise", "refused", "failed"};

// The current case, for the handler of the alarm.
volatile std::sig_atomic_t hangs_in = 0;

extern "C" void on_alarm(int) {
  char text[64] = "a case hangs: ";
  std::size_t length = std::strlen(text);
  char digits[24];
  std::size_t count = 0;
  for (long rest = hangs_in; count == 0 || rest > 0; rest /= 10) {
    digits[count++] = static_cast<char>('0' + rest % 10);
  }
  while (count > 0) text[length++] = digits[--count];
  text[length++] = '\n';
  static_cast<void>(::write(STDOUT_FILENO, text, length) < 0);
  ::_exit(1);
}

bool assign(const std::string& text, std::string& target) {
  target = text;
  return true;
}

bool assign(const std::string& text, double& target) {
  char* end = nullptr;
  target = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && target >= 0;
}

// Large counts may be written as 1e6.
template <class Integer>
bool assign(const std::string& text, Integer& target) {
  constexpr double kMost = 1e15;
  double number = 0;
  if (!assign(text, number) || !(number <= kMost)) return false;
  target = static_cast<std::uint64_t>(number);
  return true;
}

}  // namespace

const char* name_of(Outcome outcome) { return kOutcomeNames[static_cast<std::size_t>(outcome)]; }

Outcome outcome_of(int status) {
  switch (status) {
    case SVM_CONVERGED:
      return Outcome::kConverged;
    case SVM_ITERATION_LIMIT:
      return Outcome::kAtCap;
    case SVM_STALLED:
      return Outcome::kStalled;
    case SVM_IMPRECISE:
      return Outcome::kImprecise;
    default:
      return Outcome::kFailed;
  }
}

void Tally::add(const std::string& name, Outcome outcome) {
  ++counts_[name][static_cast<std::size_t>(outcome)];
  ++total_[static_cast<std::size_t>(outcome)];
}

long long Tally::count(Outcome outcome) const { return total_[static_cast<std::size_t>(outcome)]; }

void Tally::print(const char* title) const {
  const auto print_line = [](const std::string& name, const Counts& counts) {
    std::printf("%-12s %9lld", name.c_str(), std::accumulate(counts.begin(), counts.end(), 0LL));
    for (const long long each : counts) std::printf(" %9lld", each);
    std::printf("\n");
  };
  std::printf("%-12s %9s", title, "runs");
  for (const char* const name : kOutcomeNames) std::printf(" %9s", name);
  std::printf("\n");
  for (const auto& [name, counts] : counts_) print_line(name, counts);
  print_line("all", total_);
}

bool are_equal(const svm_model& a, const svm_model& b) {
  if (a.l != b.l || a.nr_class != b.nr_class) return false;
  const auto same = [](const double* x, const double* y, int count) {
    return std::memcmp(x, y, sizeof(double) * static_cast<std::size_t>(count)) == 0;
  };
  for (int k = 0; k + 1 < a.nr_class; ++k) {
    if (!same(a.sv_coef[k], b.sv_coef[k], a.l)) return false;
  }
  return same(a.rho, b.rho, a.nr_class * (a.nr_class - 1) / 2);
}

Certificate certificate_of(const svm_problem& problem, const svm_parameter& param,
                           const svm_options& options, const svm_model& model) {
  Run run(Messages([](const char*) {}, [](const char*) {}));
  configure(run, param, &options);
  return certify(problem, param, model, run);
}

void write_data(const Data& rows, const std::string& name) {
  std::ofstream file(name);
  file.precision(17);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    file << rows.label(i);
    for (const svm_node* node = rows.row(i); node->index != -1; ++node) {
      file << ' ' << node->index << ':' << node->value;
    }
    file << '\n';
  }
}

void write_weights(const std::vector<double>& weights, const std::string& name) {
  std::ofstream file(name);
  file.precision(17);
  for (const double weight : weights) file << weight << '\n';
}

void limit_case(long number, unsigned seconds) {
  hangs_in = static_cast<std::sig_atomic_t>(number);
  std::signal(SIGALRM, on_alarm);
  ::alarm(seconds);
}

bool parse_options(const std::vector<std::string>& arguments,
                   const std::map<std::string, OptionTarget>& options) {
  for (std::size_t k = 0; k < arguments.size(); k += 2) {
    const auto option = options.find(arguments[k]);
    if (option == options.end() || k + 1 == arguments.size()) return false;
    const std::string& text = arguments[k + 1];
    if (!std::visit([&](auto* target) { return assign(text, *target); }, option->second)) {
      return false;
    }
  }
  return true;
}

}  // namespace svm::test
