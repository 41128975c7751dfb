#include "training/tasks.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "threads/task_queue.h"
#include "training/random.h"

namespace svm {

// The progress of all tasks of a call, as one.
struct SharedProgress {
  std::mutex mutex;
  Run::ProgressFunction show;
  bool cancelled = false;
  long long problems = 0;  // begun
  long long iterations = 0;
};

namespace {

// Shows the problems of one task, numbered in the order in which all tasks begin theirs.
class TaskProgress {
 public:
  TaskProgress(std::shared_ptr<SharedProgress> shared, const Run& run)
      : shared_(std::move(shared)), run_(run) {}

  bool operator()(const Progress& look) {
    const std::lock_guard<std::mutex> lock(shared_->mutex);
    if (look.problem == 0) {
      if (!shared_->cancelled && !show(look)) shared_->cancelled = true;
      return !shared_->cancelled;
    }
    if (look.problem != problem_) {
      problem_ = look.problem;
      number_ = ++shared_->problems;
      iterations_ = 0;
    }
    shared_->iterations += look.iterations - iterations_;
    iterations_ = look.iterations;
    if (shared_->cancelled && !look.finished) return false;
    Progress shown = look;
    shown.problem = number_;
    shown.total_iterations = shared_->iterations;
    if (!show(shown)) shared_->cancelled = true;
    return !shared_->cancelled;
  }

 private:
  bool show(Progress look) {
    look.seconds = run_.seconds();  // waiting for the lock included, so that time does not go back
    return shared_->show(look);
  }

  std::shared_ptr<SharedProgress> shared_;
  const Run& run_;
  long long problem_ = 0, number_ = 0, iterations_ = 0;
};

// Random draws that were taken beforehand.
class Draws {
 public:
  Draws(std::size_t count, Run& run) {
    draws_.reserve(count);
    while (draws_.size() < count) draws_.push_back(draw(run));
  }
  int operator()() {
    if (next_ == draws_.size()) throw std::logic_error("more random draws than were announced");
    return draws_[next_++];
  }

 private:
  std::vector<int> draws_;
  std::size_t next_ = 0;
};

class TaskGroup {
 public:
  TaskGroup(Run& run, std::size_t count, const CountDraws& draws, const TaskBody& body)
      : run_(run), draws_(draws), body_(body), tasks_(count) {
    if (!run.tasks) run.tasks = std::make_shared<TaskQueue>(run.pool);
    one_by_one_ = count == 1 || run.pool->threads() == 1;
    outermost_ = !run.tasks->active();
    if (!run.shared_progress && run.progress) {
      progress_ = std::make_shared<SharedProgress>();
      progress_->show = run.progress;
      progress_->problems = run.report.problems;
      progress_->iterations = run.report.iterations;
    } else {
      progress_ = run.shared_progress;
    }
  }

  void run() {
    run_.tasks->run(
        tasks_.size(), [this](std::size_t task) { begin(task); },
        [this](std::size_t task) { return execute(task); });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  using Lock = std::unique_lock<std::mutex>;
  enum class Kind { kMessage, kWarning };
  struct Text {
    Kind kind;
    std::string text;
  };
  struct Task {
    std::unique_ptr<Run> run;
    std::vector<Text> texts;  // that wait for the tasks before this one
    bool finished = false;
    bool go_on = true;
    std::exception_ptr error;
  };

  void begin(std::size_t number) {
    Task& task = tasks_[number];
    try {
      task.run = make_run(number);
    } catch (...) {
      task.error = std::current_exception();
    }
  }

  std::unique_ptr<Run> make_run(std::size_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);  // for the report of run_
    auto run = std::make_unique<Run>(run_, one_by_one_ ? run_.messages : messages(number));
    run->shared_progress = progress_;
    if (progress_) run->progress = TaskProgress(progress_, *run);
    run->parts = run_.parts * tasks_.size();
    if (one_by_one_) {
      run->draw = [this] { return draw(run_); };
    } else {
      run->draw = Draws(draws_(number), run_);
      run->concurrency =
          std::min<std::size_t>(run_.pool->threads(), run_.concurrency * tasks_.size());
    }
    return run;
  }

  Messages messages(std::size_t number) {
    return Messages([this, number](const char* text) { say(number, Kind::kMessage, text); },
                    [this, number](const char* text) { say(number, Kind::kWarning, text); });
  }

  bool execute(std::size_t number) {
    Task& task = tasks_[number];
    try {
      if (!task.error) task.go_on = body_(number, *task.run);
    } catch (...) {
      task.error = std::current_exception();
    }
    finish(number);
    return task.go_on && !task.error;
  }

  void say(std::size_t number, Kind kind, const char* text) {
    Lock lock(mutex_);
    if (error_) throw TasksAbandoned();
    if (silent_) return;
    if (number == first_) {
      ready_.push_back({kind, text});
      pass_on(lock);
    } else {
      tasks_[number].texts.push_back({kind, text});
      lock.unlock();
      run_.tasks->come_by();
    }
  }

  // Passes on what is ready.  The caller's print function may be called here, so no lock is held
  // meanwhile; what becomes ready in that time is left to the thread that is at it, for the order.
  void pass_on(Lock& lock) {
    if (passing_on_) return;
    passing_on_ = true;
    try {
      while (!ready_.empty()) {
        const std::vector<Text> texts = std::exchange(ready_, {});
        lock.unlock();
        for (const Text& text : texts) pass_on(text);
        lock.lock();
      }
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      passing_on_ = false;
      throw;
    }
    passing_on_ = false;
  }

  void pass_on(const Text& text) {
    const auto print = [&run = run_, text] {
      if (text.kind == Kind::kMessage) {
        run.messages.print(text.text);
      } else {
        run.messages.warn(text.text);
      }
    };
    if (outermost_) {
      run_.tasks->on_owner(print);
    } else {
      print();
    }
  }

  void finish(std::size_t number) {
    Lock lock(mutex_);
    tasks_[number].finished = true;
    try {
      while (first_ < tasks_.size() && tasks_[first_].finished) {
        settle(tasks_[first_]);
        if (++first_ == tasks_.size() || silent_) continue;
        const std::vector<Text> texts = std::exchange(tasks_[first_].texts, {});
        ready_.insert(ready_.end(), texts.begin(), texts.end());
      }
      pass_on(lock);
    } catch (...) {
      if (!error_) error_ = std::current_exception();
    }
  }

  // Takes over what came of the first task that was not settled yet.
  void settle(Task& task) {
    if (task.run) {
      run_.report.add(task.run->report);
      run_.cancelled = run_.cancelled || task.run->cancelled;
      if (!one_by_one_) task.run.reset();
    }
    if (!error_) error_ = task.error;
    silent_ = silent_ || error_ || !task.go_on;
  }

  Run& run_;
  const CountDraws& draws_;
  const TaskBody& body_;
  std::shared_ptr<SharedProgress> progress_;
  bool one_by_one_;
  bool outermost_;

  std::mutex mutex_;  // for what follows, and the report of run_
  std::vector<Task> tasks_;
  std::size_t first_ = 0;  // task that is not settled
  bool silent_ = false;    // the tasks from here on would not have run one by one
  std::vector<Text> ready_;
  bool passing_on_ = false;
  std::exception_ptr error_;
};

}  // namespace

void run_tasks(Run& run, std::size_t count, const CountDraws& draws, const TaskBody& body) {
  if (count > 0) TaskGroup(run, count, draws, body).run();
}

}  // namespace svm
