// svm-net: trains by csmo on random problems of some thousand rows, which are large enough for two
// levels, and judges what comes out.
//
// A problem passes if its training ends within 50,000 iterations, or ten times those of smo; if it
// takes no more than ten times smo's processor time, unless that is little anyway; and if the model
// is optimal by `--check` and by certificate_checker.h, or comes with a warning.  For some of the
// problems the models of 1, 2 and 3 threads, of a view and of svm_nodes, and the predictions of
// five folds have to be the same to the bit.
//
//   svm-net [--first K] [--every N] [--count N] [--seconds S] [--limit T]
//       trains on problems K, K+N, K+2N, ...
//   svm-net --case I [--write FILE]
//       trains on one of them, and prints svm-train's commands; FILE gets its rows
//
// A training that has taken T seconds of processor time (default 30) counts as one that does not
// end.  Exits with status 1 if a problem failed, or if S seconds were not enough.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/sweep/net_cases.h"
#include "tests/sweep/net_trial.h"
#include "tests/sweep/trials.h"

namespace svm::test {
namespace {

// Elapsed seconds, for a training that does not even call its progress function.
constexpr unsigned kSecondsOfACase = 1200;

struct Settings {
  std::uint64_t first = 0, every = 1, count = 100;
  std::optional<std::uint64_t> one;
  double seconds = 0, limit = 30;
  std::string file;
};

const char* const kTypeNames[] = {"C-SVC", "nu-SVC", "one-class", "epsilon-SVR", "nu-SVR"};

int run_one(std::uint64_t number, const Settings& settings) {
  NetCase c(number);
  std::printf("%s\n", c.text().c_str());
  if (!settings.file.empty()) {
    write_data(c.rows, settings.file);
    if (!c.row_weights.empty()) write_weights(c.row_weights, settings.file + ".weights");
    for (const std::string& command : c.commands(settings.file))
      std::printf("%s\n", command.c_str());
  }
  std::string why;
  std::vector<std::string> notes;
  NetTrial trial(c, settings.limit);
  const Outcome outcome = trial.run(why, notes);
  for (const std::string& note : notes) std::printf("%s\n", note.c_str());
  std::printf("%s %s\n", name_of(outcome), why.c_str());
  const svm_result& result = trial.own().result;
  std::printf("status %d, %s, objective %.10g, violation %.3g\n", result.status,
              trial.own().text().c_str(), result.objective, result.violation);
  if (trial.was_checked()) {
    const Verdict& verdict = trial.verdict();
    std::printf("recomputed: violation %.6g, rounding %.3g, infeasibility %.3g, threshold %.3g\n",
                verdict.violation, verdict.rounding, verdict.infeasibility, verdict.threshold);
  }
  if (outcome != Outcome::kRefused) {
    trial.compare();
    if (const auto comparison = trial.comparison()) std::printf("%s\n", comparison->text.c_str());
  }
  return outcome == Outcome::kFailed ? 1 : 0;
}

void print_slowest(std::vector<Comparison> comparisons) {
  constexpr std::size_t kShown = 10;
  std::sort(comparisons.begin(), comparisons.end(),
            [](const Comparison& a, const Comparison& b) { return a.ratio > b.ratio; });
  std::printf("slowest beside smo, of %zu that were compared:\n", comparisons.size());
  for (std::size_t k = 0; k < std::min(kShown, comparisons.size()); ++k) {
    std::printf("  %s\n", comparisons[k].text.c_str());
  }
}

int run_all(const Settings& settings) {
  constexpr std::uint64_t kCompared = 4, kProgress = 100;  // one in so many
  Tally tally;
  std::vector<Comparison> comparisons;
  long long checked = 0;
  const std::time_t begin = std::time(nullptr);
  bool complete = true;
  for (std::uint64_t k = 0; k < settings.count; ++k) {
    const auto seconds = static_cast<double>(std::time(nullptr) - begin);
    if (k > 0 && k % kProgress == 0) {
      std::printf("%llu of %llu after %.0f s: %lld failed\n", static_cast<unsigned long long>(k),
                  static_cast<unsigned long long>(settings.count), seconds,
                  tally.count(Outcome::kFailed));
    }
    if (settings.seconds > 0 && seconds >= settings.seconds) {
      complete = false;
      break;
    }
    const std::uint64_t number = settings.first + k * settings.every;
    limit_case(static_cast<long>(number), kSecondsOfACase);
    NetCase c(number);
    NetTrial trial(c, settings.limit);
    std::string why;
    std::vector<std::string> notes;
    const Outcome outcome = trial.run(why, notes);
    for (const std::string& note : notes) {
      std::printf("note: %s\n  %s\n", c.text().c_str(), note.c_str());
    }
    if (outcome == Outcome::kFailed) {
      std::printf("FAILED: %s\n  %s\n", c.text().c_str(), why.c_str());
    }
    if (outcome == Outcome::kConverged && k % kCompared == 0) trial.compare();
    if (const auto comparison = trial.comparison()) comparisons.push_back(*comparison);
    checked += trial.was_checked() ? 1 : 0;
    tally.add(kTypeNames[c.param.svm_type], outcome);
  }
  limit_case(0, 0);
  tally.print("type");
  std::printf("%lld of the models were checked independently as well\n", checked);
  print_slowest(std::move(comparisons));
  if (!complete) std::printf("out of time\n");
  const bool any = tally.count(Outcome::kConverged) > 0;
  if (!any) std::printf("nothing converged, so that nothing was judged\n");
  return tally.count(Outcome::kFailed) > 0 || !complete || !any ? 1 : 0;
}

int main_function(const std::vector<std::string>& arguments) {
  Settings settings;
  if (!parse_options(arguments, {{"--first", &settings.first},
                                 {"--every", &settings.every},
                                 {"--count", &settings.count},
                                 {"--seconds", &settings.seconds},
                                 {"--limit", &settings.limit},
                                 {"--case", &settings.one},
                                 {"--write", &settings.file}}) ||
      settings.every == 0 || settings.count == 0 || settings.limit == 0) {
    std::fputs(
        "Usage: svm-net [--first K] [--every N] [--count N] [--seconds S] [--limit T] "
        "[--case I [--write FILE]]\n",
        stderr);
    return 1;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return settings.one ? run_one(*settings.one, settings) : run_all(settings);
}

}  // namespace
}  // namespace svm::test

int main(int argc, char** argv) { return svm::test::main_function({argv + 1, argv + argc}); }
