// svm-grid: searches C and gamma by cross validation.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/io/output_file.h"
#include "base/platform/files.h"
#include "base/platform/float_chars.h"
#include "model/forest/forest.h"
#include "model/model_memory.h"
#include "model/svm_type.h"
#include "programs/cli/files.h"
#include "programs/cli/grid_options.h"
#include "programs/cli/grid_output.h"
#include "programs/cli/main.h"
#include "programs/cli/metric_file.h"
#include "programs/cli/notes.h"
#include "programs/cli/score.h"
#include "programs/cli/training_set.h"
#include "programs/grid/adaptive.h"
#include "programs/grid/cells.h"
#include "programs/grid/picture.h"
#include "programs/grid/plan.h"
#include "programs/grid/results.h"
#include "programs/grid/search.h"
#include "programs/platform/processes.h"
#include "solvers/registry.h"
#include "svm.h"
#include "training/call.h"
#include "training/forest/train_forest.h"
#include "training/problem.h"

namespace svm::cli {
namespace {

using grid::Plan;
using grid::Point;
using grid::Results;

// Draws by the program `gnuplot` (a path) into the file `png`. Errors are only reported on standard
// error, because they must not cost the user the search.
void write_picture(const std::string& commands, const std::string& png,
                   const std::string& gnuplot) {
  if (!platform::is_executable(gnuplot)) {
    std::fputs("gnuplot executable not found\n", stderr);
    return;
  }
  const std::optional<std::string> image = platform::output_of(gnuplot, commands);
  if (!image || image->empty()) {
    std::fputs("svm-grid: gnuplot failed; there is no picture\n", stderr);
    return;
  }
  try {
    OutputFile file = open_output(png);
    file.write(*image);
    file.commit();
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "svm-grid: the picture cannot be written: %s\n", error.what());
  }
}

Plan plan_of(const GridSettings& settings) {
  return grid::make_plan(settings.c, settings.g, settings.p, settings.first_gamma,
                         settings.last_gamma);
}

// Learns a metric at some points of the grid, and returns the one with the least error. Throws
// Failure if that was stopped.
MetricFile learned_metric(const svm_problem& problem, const GridSettings& settings) {
  constexpr std::size_t kValues = 3;  // of C, and of gamma
  const TrainSettings& train = settings.train;
  const Plan plan = plan_of(settings);
  const grid::SearchSpecification specification{problem, train.param, plan.axes, settings.folds,
                                                settings.warm_start};
  InterruptMonitor interrupt;
  Run run(Messages([](const char*) {}, print_warning));
  configure(run, train.param, &train.options);
  run.services.progress = [&](const svm_progress&) { return !interrupt.seen(); };
  std::vector<double> all_c = grid::midpoint_order(plan.c), all_g = grid::midpoint_order(plan.g);
  all_c.resize(std::min(all_c.size(), kValues));
  all_g.resize(std::min(all_g.size(), kValues));
  std::optional<std::pair<Metric, Point>> best;
  for (const double c : all_c) {
    for (const double g : all_g) {
      const Point point = {c, g, plan.p.front()};
      Metric metric = machine_metric(problem, specification.at(point), run);
      if (run.interrupted()) {
        throw Failure("ERROR: the call was stopped before a metric was learned");
      }
      const bool is_worse = metric.judged == 0 || (best && best->first.judged > 0 &&
                                                   best->first.error_with <= metric.error_with);
      if (best && is_worse) continue;
      best.emplace(std::move(metric), point);
    }
  }
  if (!train.quiet) {
    const svm_parameter at = specification.at(best->second);
    std::fputs(metric_text(best->first, at).c_str(), stderr);
    print_note("the metric was learned once, from a part of all rows, at -c " + general_text(at.C) +
               " -g " + general_text(at.gamma));
  }
  MetricFile file = metric_file(train.metric, best->first.weights, problem);
  write_metric(file);
  return file;
}

class GridSearch {
 public:
  GridSearch(const svm_problem& problem, const GridSettings& settings, std::string title,
             MetricFile metric)
      : problem_(problem),
        settings_(settings),
        title_(std::move(title)),
        metric_(std::move(metric)),
        plan_(plan_of(settings)),
        log_(settings, plan_.axes),
        run_(Messages([](const char*) {}, [this](const char* text) { warn_once(text); })) {
    if (plan_.points.empty()) {
      throw Failure("svm-grid: option --gammas: no value of gamma is left");
    }
  }

  int run() {
    svm_parameter first = settings_.train.param;
    const grid::SearchSpecification specification{problem_, first, plan_.axes, settings_.folds,
                                                  settings_.warm_start};
    first = specification.at(plan_.points.front());
    check_training(problem_, first, settings_.train.options);
    configure(run_, first, &settings_.train.options);
    if (settings_.warm_start && !has_warm_starts(run_.options)) {
      throw Failure("ERROR: --warm-start is an option of the solvers: " +
                    solver_names(&SolverEntry::start_point));
    }
    // Both may refuse the data, so they come before files change.
    if (settings_.cells == 0) {
      grid::Search search(specification, run_);
      return run_by(search);
    }
    check_cells(first);
    grid::CellSearch search(specification, static_cast<std::size_t>(settings_.cells), run_);
    if (!settings_.train.quiet) {
      print_note("--cells approximates the full search: each of " + std::to_string(search.parts()) +
                 " cells of neighbouring rows is cross validated on its own");
    }
    return run_by(search);
  }

 private:
  void check_cells(const svm_parameter& param) const {
    if (param.probability != 0) {
      throw Failure("svm-grid: option --cells: not with probability estimates (-b 1)");
    }
    if (param.kernel_type == PRECOMPUTED) {
      throw Failure("svm-grid: option --cells: not with a precomputed kernel (-t 4)");
    }
    const char* const fault = settings_.model.empty() ? nullptr : forest_fault(param, run_);
    if (fault != nullptr) {
      throw Failure(std::string("ERROR: --cells writes a forest to --model: ") + fault);
    }
  }

  template <typename AnySearch>
  int run_by(AnySearch& search) {
    if (settings_.adaptive) {
      if (settings_.train.param.probability != 0) {
        throw Failure("svm-grid: option --search adaptive: not with probability estimates (-b 1)");
      }
      judge_.emplace(problem_.y, static_cast<std::size_t>(problem_.l), search.parts(),
                     log_.results().measure(), judge_callbacks());
    }
    log_.open_files();
    interrupt_.emplace();
    run_.services.progress = [this](const svm_progress&) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!settings_.train.quiet) progress_.show();
      return !interrupt_->seen() && !error_;
    };
    bool complete = evaluate(search, plan_);
    const std::optional<Results::Best> best = log_.best();
    if (complete && settings_.refine && best) {
      complete = evaluate(search, grid::refined_plan(plan_, best->point));
    }
    if (const std::optional<Results::Best> last = log_.best();
        complete && last && !settings_.model.empty()) {
      progress_.erase();
      train(search, last->point);
      is_trained_ = !run_.interrupted();
    }
    progress_.erase();
    interrupted_ = interrupt_->end();
    if (error_) std::rethrow_exception(error_);
    const int status = finish(complete);
    return complete && !settings_.model.empty() ? save() : status;
  }

  void train(grid::Search& search, const Point& best) { model_ = search.train(best); }
  void train(const grid::CellSearch& search, const Point& best) {
    RowSource source(problem_);
    ForestPlan plan = plan_of(settings_.train);
    plan.cell = static_cast<std::size_t>(settings_.cells);
    forest_ = train_forest(source, search.at(best), plan, run_);
  }

  // Writes the model, or the forest, unless its training was not completed.
  int save() const {
    if (is_trained_) {
      write_model_output(settings_.model, [this](const TextSink& out) {
        model_ ? write_model(out, *model_, {}) : write_forest(out, forest_, {});
        out(metric_line(metric_));
      });
      return 0;
    }
    const std::string what = "the search is complete, but the model was not trained";
    if (!interrupted_) throw Failure("ERROR: time limit: " + what);
    std::fprintf(stderr, "interrupted: %s\n", what.c_str());
    return 0;  // the process ends by the signal
  }

  // Evaluates the points of a plan. Returns false if the search was stopped.
  template <typename AnySearch>
  bool evaluate(AnySearch& search, const Plan& plan) {
    progress_.erase();
    const std::vector<Point> left = share_trainings(plan, log_.begin_plan(plan));
    progress_.begin(left.size());
    if (judge_) {
      Plan trained = plan;
      if (!has_gamma(kernel_type())) trained.g.resize(1);
      judge_->begin(trained);
    } else {
      for (const std::vector<Point>& of_gamma : grid::by_gamma(left)) {
        for (const Point& point : of_gamma) waiting_.emplace_back(point, std::nullopt);
      }
    }
    const struct AtEnd {  // also after an exception
      GridSearch& search;
      ~AtEnd() { search.record(true); }
    } at_end{*this};
    return search.evaluate(
        left,
        [&](const Point& point, const std::vector<double>& predictions) {
          finished(point, predictions);
        },
        judge_ ? &*judge_ : nullptr);
  }

  int kernel_type() const { return settings_.train.param.kernel_type; }

  // Returns the points to train: all of `left`, or if the kernel has no gamma, one for each C and
  // tube. Points that an earlier search trained at another gamma are finished at once.
  std::vector<Point> share_trainings(const Plan& plan, const std::vector<Point>& left) {
    shared_.clear();
    if (has_gamma(kernel_type())) return left;
    std::vector<Point> trained;
    for (const Point& point : left) {
      std::optional<double> known;
      for (const double log2g : plan.g) {
        known = log_.results().find({point.log2c, log2g, point.log2p});
        if (known) break;
      }
      if (known) {
        log_.add(point, *known);
        continue;
      }
      const Point first = {point.log2c, plan.g.front(), point.log2p};
      std::vector<Point>& sharing = shared_[{first.log2c, first.log2p}];
      if (sharing.empty()) trained.push_back(first);
      sharing.push_back(point);
    }
    return trained;
  }

  // The points whose value a training of share_trainings() provides.
  std::vector<Point> all_of(const Point& trained) const {
    const auto sharing = shared_.find({trained.log2c, trained.log2p});
    return sharing == shared_.end() ? std::vector<Point>{trained} : sharing->second;
  }

  grid::Adaptive::Callbacks judge_callbacks() {
    return {[this] {
              const std::optional<Results::Best> best = log_.best();
              return best ? std::optional<double>(best->value) : std::nullopt;
            },
            [this](const Point& point, const std::string& reason) { skipped(point, reason); }};
  }

  void skipped(const Point& point, const std::string& reason) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
      progress_.erase();
      for (const Point& each : all_of(point)) log_.skip(each, reason);
      progress_.count_point();
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  void finished(const Point& point, const std::vector<double>& predictions) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
      const double value = measure(predictions);
      if (std::isnan(value)) throw Failure(kNanFault);
      auto place = std::find_if(waiting_.begin(), waiting_.end(),
                                [&](const auto& each) { return each.first == point; });
      // A judged search finishes its points in order.
      if (place == waiting_.end()) place = waiting_.emplace(place, point, std::nullopt);
      place->second = value;
      progress_.count_point();
    } catch (...) {
      error_ = std::current_exception();
    }
    record(false);
  }

  // Records the finished points before the first one that is not, or all that are finished.
  void record(bool all) noexcept {
    if (error_) return;
    try {
      for (; !waiting_.empty() && (all || waiting_.front().second); waiting_.pop_front()) {
        const auto& [point, value] = waiting_.front();
        if (!value) continue;
        progress_.erase();
        for (const Point& each : all_of(point)) log_.add(each, *value);
        progress_.set_rates(", best " + log_.best_text() + ", last " + grid::python_real(*value));
      }
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  // The figure that svm-train -v prints.
  double measure(const std::vector<double>& predictions) const {
    Score score;
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      if (std::isnan(predictions[t])) return predictions[t];
      score.add(predictions[t], problem_.y[t]);
    }
    const bool is_error = log_.results().measure().is_error;
    return grid::as_printed(is_error ? score.mean_squared_error() : score.accuracy());
  }

  int finish(bool complete) {
    const std::optional<Results::Best> best = log_.best();
    if (complete && !best) throw Failure("svm-grid: no point has a rate");
    if (best) draw(*best);
    if (complete) {
      log_.print_count();
      std::fputs(log_.results().final_line(*best).c_str(), stdout);
      if (!settings_.train.quiet) {
        print_note(edge_note(plan_, best->point, settings_.train.param));
      }
      return 0;
    }
    std::string kept =
        best ? "; the best point so far: " + log_.best_text() : "; no point is finished";
    if (best && !settings_.no_out)
      kept += "; finished points are kept, -resume continues from them";
    if (!interrupted_) {
      throw Failure("ERROR: the search was not completed within the time limit" + kept);
    }
    std::fprintf(stderr, "interrupted%s\n", kept.c_str());
    return 0;  // the process ends by the signal
  }

  void draw(const Results::Best& best) const {
    if (settings_.no_png) return;
    const auto commands = grid::picture_commands(plan_, log_.results(), best, title_);
    if (commands) write_picture(*commands, settings_.png, settings_.gnuplot);
  }

  // The trainings of all points give the same warnings.
  void warn_once(const char* text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (error_ || (interrupt_ && interrupt_->seen()))
      return;  // the warning would only say that it was stopped
    if (!warnings_.insert(text).second) return;
    progress_.erase();
    std::fputs(text, stderr);
  }

  const svm_problem& problem_;
  const GridSettings& settings_;
  const std::string title_;
  const MetricFile metric_;  // of the problem's rows
  const Plan plan_;
  std::mutex mutex_;  // guards what several threads print and store
  GridLog log_;
  GridProgress progress_;
  std::optional<grid::Adaptive> judge_;
  std::map<std::pair<double, double>, std::vector<Point>> shared_;  // by log2 C and log2 tube
  // The points that are not recorded yet, in the order in which one thread finishes them.
  std::deque<std::pair<Point, std::optional<double>>> waiting_;
  std::set<std::string> warnings_;
  std::optional<InterruptMonitor> interrupt_;
  bool interrupted_ = false;
  std::exception_ptr error_;
  Run run_;
  ModelPtr model_;  // of all rows at the best point; null with cells
  Forest forest_;   // with cells
  bool is_trained_ = false;
};

// Names outputs without a name after the data set. Throws Failure or std::system_error if an output
// would overwrite an input or cannot be written. An exception is a picture without a name: it
// is left out with a warning.
void name_files(GridSettings& settings, const std::string& data) {
  const std::string name = base_name(data);
  if (settings.out.empty()) settings.out = name + ".out";
  const bool is_picture_named = !settings.png.empty();
  if (!is_picture_named) settings.png = name + ".png";
  std::vector<std::string> inputs = {data, settings.train.known_metric};
  spare_inputs(platform::kStandardOutput, inputs);
  if (!settings.no_out) spare_inputs(settings.out, inputs);
  inputs.push_back(settings.resume_file);  // which may be the -out file
  if (!settings.no_png) spare_inputs(settings.png, inputs);
  if (settings.gnuplot.empty()) settings.no_png = true;
  if (!settings.no_out) check_output(settings.out);
  if (!settings.model.empty()) check_model_output(settings.model, inputs);
  const std::string metric = settings.train.learns_metric() ? settings.train.metric : "";
  spare_inputs(metric, inputs);
  if (!metric.empty()) check_output(metric);
  separate_outputs({settings.no_out ? "" : settings.out, settings.no_png ? "" : settings.png,
                    settings.model, metric});
  if (settings.no_png || !settings.c || !settings.g) return;
  try {
    check_output(settings.png);
  } catch (const std::system_error& error) {
    const std::string fault = std::string("the picture cannot be written: ") + error.what();
    if (is_picture_named) throw Failure("svm-grid: option -png: " + fault);
    std::fprintf(stderr, "WARNING: %s\n", fault.c_str());
    settings.no_png = true;
  }
}

int run(GridSettings& settings, const std::vector<std::string>& files) {
  const std::string& data_file = files[0];
  if (!settings.c && !settings.g && !settings.p) {
    throw UsageError("-log2c and -log2g should not be null simultaneously");
  }
  settings.train.finish();
  if (settings.train.trees > 0 && (settings.cells == 0 || settings.model.empty())) {
    throw UsageError("svm-grid: option --trees: needs --cells and --model");
  }
  if (settings.train.learns_metric() && (settings.cells > 0 || settings.resume)) {
    throw UsageError(
        settings.resume
            ? "svm-grid: option --metric: -resume continues with --use-metric"
            : "svm-grid: option --metric: not with --cells, as a forest learns weights");
  }
  svm_parameter& param = settings.train.param;
  if (settings.p && param.svm_type != EPSILON_SVR) {
    throw Failure("svm-grid: option -log2p: only epsilon-SVR (-s 3) has a tube width");
  }
  name_files(settings, data_file);
  // Asked before the data are read, which may take long.
  if (!settings.no_out) grid::LineFile::check_unused(settings.out);
  Dataset data = read_training_set(data_file, param);
  set_default_gamma(param, data.max_index());
  const svm_problem problem = data.problem();
  tell_of_data(problem, param, settings.train.quiet);
  MetricFile metric;
  if (settings.train.learns_metric()) metric = learned_metric(problem, settings);
  if (!settings.train.known_metric.empty()) metric = read_metric(settings.train.known_metric);
  if (!metric.path.empty()) weigh_rows(problem, metric.weights);
  GridSearch search(problem, settings, base_name(data_file), std::move(metric));
  return search.run();
}

}  // namespace
}  // namespace svm::cli

int main(int argc, char** argv) {
  return svm::cli::main_of("svm-grid", svm::cli::grid_program, argc, argv, svm::cli::run);
}
