// svm-train: trains a model, or cross validates.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/border.h"
#include "api/training_calls.h"
#include "base/io/input_file.h"
#include "base/io/number_text.h"
#include "base/io/output_file.h"
#include "base/platform/files.h"
#include "model/compact.h"
#include "model/forest/forest.h"
#include "model/model_file.h"
#include "model/model_memory.h"
#include "model/svm_type.h"
#include "programs/certificate/certificate.h"
#include "programs/cli/file_rows_source.h"
#include "programs/cli/files.h"
#include "programs/cli/main.h"
#include "programs/cli/metric_file.h"
#include "programs/cli/notes.h"
#include "programs/cli/score.h"
#include "programs/cli/status_line.h"
#include "programs/cli/train_options.h"
#include "programs/cli/training_set.h"
#include "programs/data/dataset.h"
#include "solvers/registry.h"
#include "svm_ext.h"
#include "training/call.h"
#include "training/check.h"
#include "training/forest/train_forest.h"
#include "training/start_point.h"

namespace svm::cli {
namespace {

constexpr const char* kNoMetric = "no metric was learned, and nothing was written";

// A CSV file with a row for the start and the end of each binary problem, and one about every
// min(variables, 1000) iterations. Rows of problems that are solved concurrently are interleaved.
// Without commit() no file appears.
class Trace {
 public:
  // Throws std::system_error if the file cannot be opened.
  explicit Trace(const std::string& path) : file_(open_output(path)) {
    file_.write(
        "iteration,seconds,objective,violation,active,kernel_rows,problem,conjugate,clipped,phases,"
        "outer\n");
  }

  // Throws std::system_error if writing fails.
  void add(const svm_progress& progress) {
    if (progress.variables == 0) return;  // no binary problem has begun
    const bool ends = progress.finished != 0;
    if (ends && progress.problem == over_) return;  // the call's work after the end of the problem
    const auto [place, first] = next_.try_emplace(progress.problem, 0);
    if (!first && !ends && progress.iterations < place->second) return;
    if (ends) {
      next_.erase(place);
      over_ = progress.problem;
    } else {
      const auto interval = static_cast<long long>(std::min(progress.variables, kRowInterval));
      place->second = progress.iterations + interval;
    }
    std::string row;
    append_int(row, progress.iterations);
    for (const double value : {progress.seconds, progress.objective, progress.violation}) {
      row += ',';
      append_real(row, value, kDigits);
    }
    for (const long long value : {static_cast<long long>(progress.active), progress.kernel_rows,
                                  progress.problem, progress.conjugate_steps,
                                  progress.clipped_steps, progress.phases, progress.outer_steps}) {
      row += ',';
      append_int(row, value);
    }
    file_.write(row + '\n');
  }

  void commit() { file_.commit(); }

 private:
  static constexpr std::size_t kRowInterval = 1000;  // iterations, at most
  static constexpr int kDigits = 10;

  OutputFile file_;
  std::map<long long, long long> next_;  // iteration of the next row, for each running problem
  long long over_ = 0;                   // the last problem that ended
};

// Runs the library with a trace, a status line and a handler for Ctrl-C.
class MonitoredRun {
 public:
  MonitoredRun(const svm_problem& problem, const TrainSettings& settings)
      : options_(settings.options) {
    if (!settings.trace_file.empty()) trace_.emplace(settings.trace_file);
    if (settings.quiet) {
      options_.quiet = 1;
    } else if (are_status_lines_shown()) {
      line_.emplace(settings.param.eps, binary_problems(problem, settings.param, settings.folds),
                    options_.time_limit);
      options_.print = [](const char* text, void* user) { line_of(user).print(text); };
      options_.print_user = this;
    }
    // Notes of the library, unlike its warnings, are for a terminal.
    notes_ = !settings.quiet && are_notes_read();
    options_.warn = [](const char* text, void* user) {
      auto& run = *static_cast<MonitoredRun*>(user);
      if (std::strncmp(text, "NOTE", 4) == 0 && !run.notes_) return;
      run.line_ ? run.line_->warn(text) : print_warning(text);
    };
    options_.warn_user = this;
    options_.progress = show;
    options_.progress_user = this;
    interrupt_.emplace();
  }
  MonitoredRun(const MonitoredRun&) = delete;
  MonitoredRun& operator=(const MonitoredRun&) = delete;

  const svm_options* options() const { return &options_; }

  // Tells the status line that the trees of a forest have so many more rows in trained leaves, of
  // `all`.  Threads may call it at once.
  void count_rows(std::size_t rows, std::size_t all) {
    share_ = static_cast<double>(rows_ += rows) / static_cast<double>(all);
  }

  // Call after training: from here on Ctrl-C ends the program as usual. Returns true if training
  // was interrupted.
  bool finish() {
    line_.reset();
    const bool interrupted = interrupt_->end();
    if (error_) std::rethrow_exception(error_);
    if (trace_) trace_->commit();
    return interrupted;
  }

 private:
  static TrainingLine& line_of(void* user) { return *static_cast<MonitoredRun*>(user)->line_; }

  static int show(const svm_progress* progress, void* user) {
    return static_cast<MonitoredRun*>(user)->show(*progress) ? 0 : 1;
  }

  bool show(const svm_progress& progress) noexcept {
    try {
      if (trace_ && !error_) trace_->add(progress);
      if (line_) line_->add(progress, share_);
    } catch (...) {
      if (!error_) error_ = std::current_exception();
    }
    return !error_ && !interrupt_->seen();
  }

  svm_options options_;
  std::atomic<std::size_t> rows_{0};
  std::atomic<double> share_{0};
  bool notes_ = false;  // whether the library's notes are shown
  std::optional<Trace> trace_;
  std::optional<TrainingLine> line_;
  std::optional<InterruptMonitor> interrupt_;
  std::exception_ptr error_;
};

void print_counts(const svm_result& result, const TrainSettings& settings) {
  if (settings.quiet || !(settings.counts || settings.options.as_published != 0)) return;
  const long long plain = result.iterations - result.conjugate_steps - result.outer_steps;
  std::printf("#conjugate = %lld, #clipped = %lld, #plain = %lld, #phases = %lld, #outer = %lld\n",
              result.conjugate_steps, result.clipped_steps, plain, result.phases,
              result.outer_steps);
}

int print_cross_validation(const svm_problem& problem, const TrainSettings& settings) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  std::vector<double> predictions(rows);
  svm_result result{};
  result.size = sizeof(result);
  MonitoredRun run(problem, settings);
  const int failed = guarded("svm-train", -1, [&] {
    CallRun call(settings.param, run.options(), &result);
    if (settings.forest()) {
      const Problem weighted = with_weights(problem, settings.param, call.options.row_weights);
      predictions =
          cross_validate_forest(weighted, settings.param, plan_of(settings), settings.folds, call);
      call.report();
      return 0;
    }
    if (settings.learns_metric()) {
      const Problem weighted = with_weights(problem, settings.param, call.options.row_weights);
      predictions = cross_validate_by_metrics(weighted, settings.param, settings.folds, call);
      call.report();
      return 0;
    }
    Targets targets(predictions.data(), rows);
    targets.cross_validate(problem, settings.param, settings.folds, call);
    return 0;
  });
  if (failed != 0) print_last_error();
  const bool interrupted = run.finish();
  if (interrupted) {
    std::fprintf(stderr, "interrupted: the cross validation was not completed\n");
    return 0;  // the process ends by the signal
  }
  if (result.status == SVM_TIME_LIMIT) {
    throw Failure("ERROR: the cross validation was not completed within the time limit");
  }
  print_counts(result, settings);
  Score score;
  for (std::size_t t = 0; t < rows; ++t) {
    if (failed != 0) throw Failure("ERROR: cross validation failed");
    if (std::isnan(predictions[t])) throw Failure(kNanFault);
    score.add(predictions[t], problem.y[t]);
  }
  if (is_regression(settings.param.svm_type)) {
    std::printf("Cross Validation Mean squared error = %g\n", score.mean_squared_error());
    std::printf("Cross Validation Squared correlation coefficient = %g\n",
                score.squared_correlation());
  } else {
    std::printf("Cross Validation Accuracy = %g%%\n", score.accuracy());
  }
  return 0;
}

void check_outputs(const TrainSettings& settings, const std::string& data,
                   const std::string& model_file) {
  const std::string& weights = settings.weights_file;
  const std::string& known = settings.known_metric;
  const std::string metric = settings.learns_metric() ? settings.metric : "";
  spare_inputs(platform::kStandardOutput, {data, weights, known, settings.init_file});
  spare_inputs(settings.trace_file, {data, weights, known, settings.init_file, model_file});
  separate_outputs({settings.trace_file, metric, model_file});
  if (!settings.trace_file.empty()) check_output(settings.trace_file);
  if (settings.cross_validation()) return;
  // The model may replace that of --init, which has been read.
  check_model_output(model_file, {data, weights, known});
  spare_inputs(partial_name(model_file), {data, weights, known});
  if (metric.empty()) return;
  for (const std::string& output : {metric, partial_name(metric)}) {
    spare_inputs(output, {data, weights});
  }
  opened("can't open metric file " + metric, [&] { check_output(metric); });
}

// Weight vectors, unlike features, need all digits of a double.
ModelDigits model_digits(const TrainSettings& settings) {
  ModelDigits digits;
  if (settings.compact && settings.param.kernel_type == LINEAR) digits.features = kMostDigits;
  if (settings.feature_digits > 0) digits.features = settings.feature_digits;
  return digits;
}

// Reads the model of --init.
ModelPtr read_init(const svm_problem& problem, const TrainSettings& settings) {
  const std::string& path = settings.init_file;
  if (settings.cross_validation()) {
    throw Failure("ERROR: --init: cross validation trains on other rows");
  }
  try {
    ModelPtr model =
        parse_model(opened("can't open model file " + path, [&] { return read_whole_file(path); }));
    const Problem rows(problem.l, problem.y, problem.x, settings.options.row_weights);
    start_points(rows, settings.param, *model);  // for its error message
    return model;
  } catch (const ModelError& error) {
    throw Failure("can't open model file " + path + "\n" + error.what());
  } catch (const std::invalid_argument& error) {
    throw Failure("ERROR: --init " + path + ": " + error.what());
  }
}

// The certificate of a model that was trained with these options, which have the weights of the
// rows.
Certificate certified(const Problem& rows, const svm_parameter& param, const svm_model& model,
                      const svm_options& options) {
  Run run(Messages(nullptr, print_warning));
  configure(run, param, &options);
  return certify(rows, param, model, run);
}

void print(const Certificate& certificate, const TrainSettings& settings) {
  std::fputs(certificate_text(certificate, settings.param.eps).c_str(), stdout);
}

// Saves a model that was trained on `problem`, checks it if asked for, and prints notes on it.
void save_and_check(const svm_model& model, const svm_problem& problem, bool interrupted,
                    const TrainSettings& settings, const std::string& model_file,
                    const MetricFile& metric) {
  const ModelPtr compact = settings.compact ? compact_model(model) : nullptr;
  const std::string file = interrupted ? partial_name(model_file) : model_file;
  write_model_output(file, [&](const TextSink& out) {
    write_model(out, compact ? *compact : model, model_digits(settings));
    out(metric_line(metric));
  });
  constexpr double kFar = 100;
  const int digits = model_digits(settings).features;
  const double change = change_by_digits(problem, compact ? *compact : model, digits);
  if (change > kFar * settings.param.eps) {
    std::fprintf(stderr,
                 "WARNING: the %d digits of features in %s change decision values by up to %g, far "
                 "more than the tolerance; --digits 17 keeps all\n",
                 digits, file.c_str(), change);
  }
  if (interrupted) {
    std::string other =
        metric.path.empty() ? "" : ", for features with the weights of " + metric.path;
    if (file != model_file) other += "; " + model_file + " was not written";
    std::fprintf(stderr, "interrupted: the model of the current iterate is in %s%s\n", file.c_str(),
                 other.c_str());
  }
  if (settings.check) {
    print(certified(problem, settings.param, model, settings.options), settings);
  }
  const SolverEntry* const solver = find_solver(settings.solver);
  const bool has_landmarks = solver != nullptr && solver->landmarks;  // as all of few rows are
  if (!interrupted && !settings.quiet && !has_landmarks) {
    print_note(support_vector_note(problem, model));
  }
}

void save(const Forest& forest, bool interrupted, const TrainSettings& settings,
          const std::string& model_file) {
  const std::string file = interrupted ? partial_name(model_file) : model_file;
  if (!forest.trees.empty()) {
    write_model_output(
        file, [&](const TextSink& out) { write_forest(out, forest, model_digits(settings)); });
  }
  if (interrupted) {
    std::fprintf(stderr, "interrupted: %s\n",
                 forest.trees.empty()
                     ? "no tree was finished, and nothing was written"
                     : (std::to_string(forest.trees.size()) + " trees are in " + file).c_str());
  } else if (forest.trees.empty()) {
    throw Failure("ERROR: time limit: no tree was finished");
  } else if (const std::size_t wanted = plan_of(settings).trees; forest.trees.size() < wanted) {
    print_warning(("WARNING: time limit: " + std::to_string(forest.trees.size()) + " of " +
                   std::to_string(wanted) + " trees are in " + file + "\n")
                      .c_str());
  }
}

int run_forest(const svm_problem& problem, RowSource& source, const TrainSettings& settings,
               const std::string& model_file) {
  svm_result result{};
  result.size = sizeof(result);
  MonitoredRun training(problem, settings);
  Certificate sum;
  std::mutex mutex;  // guards it
  ForestPlan plan = plan_of(settings);
  const std::size_t all = plan.trees * static_cast<std::size_t>(problem.l);
  plan.on_cell = [&](const Problem& cell, const svm_parameter& param, const svm_model& machine) {
    if (settings.check) {
      svm_options options = settings.options;
      options.row_weights = cell.weights;
      options.threads = 1;
      const Certificate of_cell = certified(cell, param, machine, options);
      const std::lock_guard<std::mutex> lock(mutex);
      sum.add(of_cell);
    }
    training.count_rows(cell.size(), all);
  };
  const std::optional<Forest> forest = guarded("svm-train", std::optional<Forest>(), [&] {
    CallRun call(settings.param, training.options(), &result);
    std::optional<Forest> trained = train_forest(source, settings.param, plan, call);
    call.report();
    return trained;
  });
  if (!forest) print_last_error();
  const bool interrupted = training.finish();
  if (!forest) throw Failure("ERROR: training failed");
  print_counts(result, settings);
  save(*forest, interrupted, settings, model_file);
  if (settings.check && !interrupted) {
    print(sum, settings);
  }
  return 0;
}

int run(TrainSettings& settings, const std::vector<std::string>& files) {
  settings.finish();
  const std::string model_file = files.size() > 1 ? files[1] : base_name(files[0]) + ".model";
  check_outputs(settings, files[0], model_file);  // before the data are read, which may take long
  std::optional<Dataset> data;
  std::optional<FileRowsSource> file;  // has the rows, if they are not in memory
  if (settings.out_of_core) {
    const std::string folder = model_file.substr(0, platform::name_begin(model_file));
    file.emplace(files[0], training_rules(settings.param), folder.empty() ? "." : folder);
  } else {
    data.emplace(read_training_set(files[0], settings.param));
  }
  set_default_gamma(settings.param, file ? file->max_index() : data->max_index());
  const svm_problem problem = file ? file->labels() : data->problem();
  std::vector<double> weights;
  if (!settings.weights_file.empty()) {
    weights = read_row_weights(settings.weights_file, static_cast<std::size_t>(problem.l));
    settings.options.row_weights = weights.data();
  }
  check_training(problem, settings.param, settings.options);
  if (file) {
    file->set_weights(settings.options.row_weights);
    return run_forest(problem, *file, settings, model_file);
  }
  tell_of_data(problem, settings.param, settings.quiet);
  if (settings.cross_validation() && files.size() > 1 && !settings.quiet) {
    print_note("cross validation (-v) writes no model: " + model_file + " stays as it is");
  }
  MetricFile metric;
  if (!settings.known_metric.empty()) {
    metric = read_metric(settings.known_metric);
    if (!settings.forest()) weigh_rows(problem, metric.weights);
  }
  ModelPtr init;
  if (!settings.init_file.empty()) {
    init = read_init(problem, settings);
    settings.options.init = init.get();
  }
  if (settings.cross_validation()) return print_cross_validation(problem, settings);
  if (settings.forest()) {
    RowSource source(with_weights(problem, settings.param, settings.options.row_weights));
    return run_forest(problem, source, settings, model_file);
  }
  svm_result result{};
  result.size = sizeof(result);
  MonitoredRun training(problem, settings);
  bool is_stopped = false;  // before a metric was learned
  const ModelPtr model = guarded("svm-train", ModelPtr(), [&] {
    CallRun call(settings.param, training.options(), &result);
    if (settings.learns_metric()) {
      const Metric learned = machine_metric(
          with_weights(problem, settings.param, call.options.row_weights), settings.param, call);
      is_stopped = call.interrupted();
      if (is_stopped) return ModelPtr();
      call.services.messages.print(metric_text(learned, settings.param));
      metric = metric_file(settings.metric, learned.weights, problem);
      weigh_rows(problem, metric.weights);
    }
    return call.train(problem, settings.param);
  });
  if (!model && !is_stopped) print_last_error();
  const bool interrupted = training.finish();
  if (is_stopped) {
    if (!interrupted) throw Failure(std::string("ERROR: time limit: ") + kNoMetric);
    std::fprintf(stderr, "interrupted: %s\n", kNoMetric);
    return 0;  // the process ends by the signal
  }
  if (!model) throw Failure("ERROR: training failed");
  print_counts(result, settings);
  // As with the model, an earlier file stays as it is.
  if (settings.learns_metric() && interrupted) metric.path = partial_name(metric.path);
  save_and_check(*model, problem, interrupted, settings, model_file, metric);
  if (settings.learns_metric()) write_metric(metric);
  return 0;
}

}  // namespace
}  // namespace svm::cli

int main(int argc, char** argv) {
  return svm::cli::main_of("svm-train", svm::cli::train_program, argc, argv, svm::cli::run);
}
