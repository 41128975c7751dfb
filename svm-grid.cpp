// svm-grid: searches C and gamma by cross validation.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/grid_options.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/main.h"
#include "cli/score.h"
#include "cli/train_data.h"
#include "grid/gnuplot.h"
#include "grid/out_lock.h"
#include "grid/picture.h"
#include "grid/plan.h"
#include "grid/results.h"
#include "grid/search.h"
#include "io/model_file.h"
#include "io/number_text.h"
#include "io/output_file.h"
#include "platform/files.h"
#include "platform/processes.h"
#include "platform/terminal.h"
#include "solvers/registry.h"
#include "svm.h"
#include "training/call.h"
#include "training/classes.h"

namespace {

using svm::cli::Failure;
using svm::grid::Plan;
using svm::grid::Point;
using svm::grid::Results;

std::string base_name(const std::string& path) {
  return path.substr(svm::platform::name_begin(path));
}

// The picture's name where it is no PNG file.
std::string svg_name(const std::string& png) {
  const bool has_ending = png.size() > 4 && png.substr(png.size() - 4) == ".png";
  return (has_ending ? png.substr(0, png.size() - 4) : png) + ".svg";
}

// Throws Failure where an option would have the data set overwritten.
void spare_data(const std::string& data, const char* option, const std::string& path) {
  const auto target = std::filesystem::u8path(path);
  std::error_code is_not_there;
  if (std::filesystem::is_regular_file(target, is_not_there) &&
      std::filesystem::equivalent(std::filesystem::u8path(data), target, is_not_there)) {
    throw Failure(std::string("svm-grid: option ") + option + ": " + path +
                  " is the training set itself");
  }
}

// One line on a terminal: how far the search is, and how long it may take.
class StateLine {
 public:
  void begin(std::size_t points, std::size_t trainings) {
    points_ = points;
    trainings_ = static_cast<double>(std::max<std::size_t>(trainings, 1));
    done_ = finished_ = 0;
    start_ = Clock::now();
  }
  void training_finished() { ++finished_; }
  void point_finished() { ++done_; }

  void show() {
    const Clock::time_point now = Clock::now();
    if (!terminal_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(250);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double share = std::min(static_cast<double>(finished_) / trainings_, 1.0);
    std::string text = std::to_string(done_) + " of " + std::to_string(points_) + " points, " +
                       std::to_string(static_cast<int>(100 * share)) + " % of the trainings";
    if (finished_ > 0) text += ", about " + duration(seconds * (1 - share) / share) + " left";
    const std::size_t width = text.size();
    if (width < width_) text.append(width_ - width, ' ');
    width_ = width;
    std::fputs(("\r" + text).c_str(), stderr);
  }

  void erase() {
    if (width_ == 0) return;
    std::fputs(("\r" + std::string(width_, ' ') + "\r").c_str(), stderr);
    width_ = 0;
    next_ = Clock::time_point::min();
  }

 private:
  using Clock = std::chrono::steady_clock;

  static std::string duration(double seconds) {
    constexpr double kMinute = 60, kHour = 3600;
    if (seconds < 2 * kMinute) return std::to_string(std::lround(seconds)) + " s";
    if (seconds < 2 * kHour) return std::to_string(std::lround(seconds / kMinute)) + " min";
    return std::to_string(std::lround(seconds / kHour)) + " h";
  }

  const bool terminal_ = svm::platform::is_terminal(svm::platform::Stream::kError);
  std::size_t points_ = 0, done_ = 0;
  double trainings_ = 1;
  long long finished_ = 0;
  std::size_t width_ = 0;
  Clock::time_point start_, next_ = Clock::time_point::min();
};

class GridSearch {
 public:
  GridSearch(const svm_problem& problem, svm::cli::GridSettings& settings,
             const std::string& data_file)
      : problem_(problem),
        settings_(settings),
        title_(base_name(data_file)),
        plan_(svm::grid::make_plan(settings.c, settings.g, settings.p, settings.first_gamma,
                                   settings.last_gamma)),
        results_(plan_.axes, {svm::cli::is_regression(settings.train.param)}),
        run_(svm::Messages([](const char*) {}, [this](const char* text) { warn_once(text); })) {
    if (plan_.points.empty()) {
      throw Failure("svm-grid: option --gammas: no value of gamma is left");
    }
    known_points_ = plan_.points;
  }

  // `unlocked`: why the results file has no lock; empty where it has one or needs none.
  int run(const std::string& unlocked) {
    svm_parameter first = settings_.train.param;
    const svm::grid::Question question{problem_, first, plan_.axes, settings_.folds,
                                       settings_.warm_start};
    first = question.at(plan_.points.front());
    svm::cli::check_training(problem_, first, settings_.train.options);
    svm::configure(run_, first, &settings_.train.options);
    if (settings_.warm_start && !run_.solver->start_point) {
      throw Failure("ERROR: --warm-start is an option of the solvers: " +
                    svm::solver_names(&svm::SolverEntry::start_point));
    }
    svm::grid::Search search(question, run_);  // which may refuse the data: before files change
    open_files();
    if (!unlocked.empty()) {
      std::fprintf(stderr, "WARNING: a second search with this -out file will go unnoticed: %s\n",
                   unlocked.c_str());
    }
    interrupt_.emplace();
    run_.progress = [this](const svm::Progress& look) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (look.finished) line_.training_finished();
      line_.show();
      return !interrupt_->seen() && !write_error_;
    };
    bool complete = look_at(search, plan_);
    std::optional<Results::Best> best = results_.best(plan_.points);
    if (complete && settings_.refine && best) {
      const Plan finer = svm::grid::refined_plan(plan_, best->point);
      known_points_.insert(known_points_.end(), finer.points.begin(), finer.points.end());
      complete = look_at(search, finer);
    }
    line_.erase();
    interrupted_ = interrupt_->end();
    if (write_error_) std::rethrow_exception(write_error_);
    return finish(complete);
  }

 private:
  void open_files() {
    if (settings_.resume) {
      const std::string& from =
          settings_.resume_file.empty() ? settings_.out : settings_.resume_file;
      try {
        results_.read(svm::read_whole_file(from));
      } catch (const std::system_error& error) {
        throw Failure("file for resumption not found: " + from + "\n" + error.what());
      }
    }
    if (!settings_.no_out) out_.emplace(settings_.out, settings_.resume);
  }

  // False where the search was stopped.
  bool look_at(svm::grid::Search& search, const Plan& plan) {
    std::vector<Point> left;
    for (const Point& point : plan.points) {
      if (const std::optional<double> value = results_.find(point)) {
        if (!is_new_[key(point)]) print("resumed", point, *value);
      } else {
        left.push_back(point);
      }
    }
    const std::size_t problems = settings_.train.param.probability != 0 ? 6 : 1;
    line_.begin(left.size(),
                left.size() * static_cast<std::size_t>(settings_.folds) * pairs() * problems);
    return search.look_at(left, [&](const Point& point, const std::vector<double>& predictions) {
      finished(point, predictions);
    });
  }

  std::size_t pairs() const {
    if (!svm::cli::is_classification(settings_.train.param)) return 1;
    std::set<int> labels;
    for (int i = 0; i < problem_.l; ++i) labels.insert(svm::class_label(problem_.y[i]));
    return std::max<std::size_t>(labels.size() * (labels.size() - 1) / 2, 1);
  }

  void finished(const Point& point, const std::vector<double>& predictions) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
      const double value = measure(predictions);
      if (std::isnan(value)) throw Failure("ERROR: cross validation failed");
      results_.add(point, value);
      is_new_[key(point)] = true;
      if (out_) out_->append(results_.file_line(point, value));
      line_.point_finished();
      print("local", point, value);
    } catch (...) {
      write_error_ = std::current_exception();
    }
  }

  // The figure as svm-train -v prints it.
  double measure(const std::vector<double>& predictions) const {
    svm::cli::Score score;
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      if (std::isnan(predictions[t])) return predictions[t];
      score.add(predictions[t], problem_.y[t]);
    }
    constexpr int kDigits = 6;
    std::string text;
    svm::append_real(
        text, results_.measure().is_error ? score.mean_squared_error() : score.accuracy(), kDigits);
    return svm::parse_real(text).value;
  }

  void print(const char* origin, const Point& point, double value) {
    const std::optional<Results::Best> best = results_.best(known_points_);
    line_.erase();
    if (settings_.train.quiet || !best) return;
    std::fputs(results_.progress_line(origin, point, value, *best).c_str(), stdout);
    if (std::fflush(stdout) != 0) throw Failure("svm-grid: cannot write standard output");
  }

  int finish(bool complete) {
    const std::optional<Results::Best> best = results_.best(known_points_);
    if (complete) {
      if (!best) throw Failure("svm-grid: no point has a rate");
      draw(*best);
      std::fputs(results_.final_line(*best).c_str(), stdout);
      return 0;
    }
    const std::string kept =
        settings_.no_out ? "" : "; finished points are kept, -resume goes on from them";
    if (!interrupted_) {
      throw Failure("ERROR: the search was not completed within the time limit" + kept);
    }
    std::fprintf(stderr, "interrupted%s\n", kept.c_str());
    return svm::cli::kInterrupted;
  }

  void draw(const Results::Best& best) {
    if (settings_.no_png) return;
    const std::optional<svm::grid::Surface> surface =
        svm::grid::make_surface(plan_, results_, best, title_);
    if (!surface) return;
    const std::optional<std::string> png = png_of(*surface);
    try {
      svm::OutputFile file = svm::cli::open_output(png ? settings_.png : svg_name(settings_.png));
      file.write(png ? *png : svg_picture(*surface));
      file.commit();
    } catch (const std::system_error& error) {  // no reason to lose the answer
      std::fprintf(stderr, "svm-grid: the picture cannot be written: %s\n", error.what());
    }
  }

  std::optional<std::string> png_of(const svm::grid::Surface& surface) const {
    if (settings_.gnuplot.empty()) return std::nullopt;
    if (!svm::platform::is_executable(settings_.gnuplot)) {
      std::fputs("gnuplot executable not found\n", stderr);
      return std::nullopt;
    }
    std::optional<std::string> png =
        svm::grid::run_gnuplot(settings_.gnuplot, gnuplot_commands(surface));
    if (!png) std::fputs("svm-grid: gnuplot failed; the picture is written as SVG\n", stderr);
    return png;
  }

  // Every point has the same warnings.
  void warn_once(const char* text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (write_error_ || (interrupt_ && interrupt_->seen())) return;  // that it was stopped is known
    if (!warnings_.insert(text).second) return;
    line_.erase();
    std::fputs(text, stderr);
  }

  static std::tuple<double, double, double> key(const Point& point) {
    return {point.log2c, point.log2g, point.log2p};
  }

  const svm_problem& problem_;
  svm::cli::GridSettings& settings_;
  const std::string title_;
  const Plan plan_;
  Results results_;
  std::vector<Point> known_points_;  // of all plans, in their order
  std::map<std::tuple<double, double, double>, bool> is_new_;
  std::optional<svm::grid::LineFile> out_;
  svm::Run run_;
  std::mutex mutex_;  // what is shown and written is called for by several threads
  StateLine line_;
  std::set<std::string> warnings_;
  std::optional<svm::cli::InterruptWatch> interrupt_;
  bool interrupted_ = false;
  std::exception_ptr write_error_;
};

int run(svm::cli::GridSettings& settings, const std::vector<std::string>& files,
        const std::string& command) {
  if (!settings.c && !settings.g && !settings.p) {
    throw svm::cli::UsageError("-log2c and -log2g should not be null simultaneously");
  }
  settings.train.finish();
  svm_parameter& param = settings.train.param;
  if (settings.p && param.svm_type != EPSILON_SVR) {
    throw Failure("svm-grid: option -log2p: only epsilon-SVR (-s 3) has a tube width");
  }
  if (settings.out.empty()) settings.out = base_name(files[0]) + ".out";
  if (settings.png.empty()) settings.png = base_name(files[0]) + ".png";
  if (!settings.no_out) spare_data(files[0], "-out", settings.out);
  if (!settings.no_png) {
    spare_data(files[0], "-png", settings.png);
    spare_data(files[0], "-png", svg_name(settings.png));
  }
  // Before the data are read, which may take its time.
  std::optional<svm::grid::OutLock> lock;
  if (!settings.no_out) lock.emplace(settings.out, command);
  svm::Dataset data = svm::cli::read_training_data(files[0], param);
  if (param.gamma == 0 && data.max_index() > 0) param.gamma = 1.0 / data.max_index();
  const svm_problem problem = data.problem();
  GridSearch search(problem, settings, files[0]);
  return search.run(lock ? lock->failure() : "");
}

}  // namespace

int main(int argc, char** argv) {
  svm::platform::use_utf8_arguments(argc, argv);
  svm::cli::GridSettings settings;
  const svm::cli::Program program = svm::cli::grid_program(settings);
  std::vector<std::string> arguments;
  std::vector<const char*> views;
  std::optional<svm::cli::UsageError> error;
  try {
    arguments = svm::cli::complete_grid_line(argc, argv);
  } catch (const svm::cli::UsageError& caught) {
    error = caught;
    arguments = {argv[0], "none"};  // so that the message and the help come the usual way
  }
  views.reserve(arguments.size());
  for (const std::string& argument : arguments) views.push_back(argument.c_str());
  std::string command = program.name;
  for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
  return svm::cli::run_program(program, static_cast<int>(views.size()), views.data(),
                               [&](const std::vector<std::string>& files) {
                                 if (error) throw svm::cli::UsageError(*error);
                                 return run(settings, files, command);
                               });
}
