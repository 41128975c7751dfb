#include "training/tasks.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/threads/primitives.h"
#include "base/threads/task_queue.h"
#include "training/random.h"

namespace svm {

// The progress of all tasks of a call together.
struct SharedProgress {
  Mutex mutex;
  ProgressFunction show;
  bool cancelled = false;
  long long problems = 0;  // that have begun
  long long iterations = 0;
};

namespace {

// Shows the problems of one task, numbered in the order in which the tasks begin them.
class TaskProgress {
 public:
  TaskProgress(std::shared_ptr<SharedProgress> shared, Clock::time_point start)
      : shared_(std::move(shared)), start_(start) {}

  bool operator()(const svm_progress& snapshot) {
    const std::lock_guard<Mutex> lock(shared_->mutex);
    if (snapshot.problem == 0) {
      if (!shared_->cancelled && !show(snapshot)) shared_->cancelled = true;
      return !shared_->cancelled;
    }
    if (snapshot.problem != problem_) {
      number_ = shared_->problems += snapshot.problem - problem_;
      problem_ = snapshot.problem;
    }
    shared_->iterations += snapshot.total_iterations - iterations_;
    iterations_ = snapshot.total_iterations;
    if (shared_->cancelled && !snapshot.finished) return false;
    svm_progress shown = snapshot;
    shown.problem = number_;
    shown.total_iterations = shared_->iterations;
    if (!show(shown)) shared_->cancelled = true;
    return !shared_->cancelled;
  }

  // Counts the problems that were not shown.
  void finish(const Record& record) {
    const std::lock_guard<Mutex> lock(shared_->mutex);
    shared_->problems += record.problems - problem_;
    shared_->iterations += record.iterations - iterations_;
  }

 private:
  bool show(svm_progress snapshot) {
    // The time includes the wait for the lock, so that it never decreases.
    snapshot.seconds = seconds_since(start_);
    return shared_->show(snapshot);
  }

  std::shared_ptr<SharedProgress> shared_;
  const Clock::time_point start_;  // start of the call
  long long problem_ = 0, number_ = 0;
  long long iterations_ = 0;  // of all problems of the task
};

// Random draws for shuffles that were taken in advance, with the bounds that they will have.
class Draws {
 public:
  Draws(const std::vector<std::size_t>& shuffles, Run& run) {
    draws_.reserve(std::accumulate(shuffles.begin(), shuffles.end(), std::size_t{0}));
    for (const std::size_t size : shuffles) {
      for (std::size_t bound = size; bound > 0; --bound) {
        draws_.push_back({static_cast<std::uint32_t>(bound), draw(run, bound)});
      }
    }
  }
  int operator()(std::uint32_t bound) {
    if (next_ == draws_.size() || draws_[next_].bound != bound) {
      throw std::logic_error("a random draw that was not announced");
    }
    return draws_[next_++].number;
  }

 private:
  struct Taken {
    std::uint32_t bound;
    int number;
  };
  std::vector<Taken> draws_;
  std::size_t next_ = 0;
};

// Runs tasks one after the other, in the run that they belong to.
void run_one_by_one(Run& run, std::size_t count, const TaskBody& body) {
  Services& services = run.services;
  const std::size_t parts = std::exchange(services.parts, services.parts * count);
  for (std::size_t task = 0; task < count && body(task, run); ++task) {
  }
  services.parts = parts;
}

class TaskGroup {
 public:
  TaskGroup(Run& run, std::size_t count, const Shuffles& shuffles, const TaskBody& body,
            std::size_t together)
      : run_(run),
        shuffles_(shuffles),
        body_(body),
        count_(count),
        together_(together),
        tasks_((count + together - 1) / together) {
    if (!run.services.tasks) run.services.tasks = std::make_shared<TaskQueue>(run.services.pool);
    one_by_one_ = tasks_.size() == 1 || run.services.pool->threads() == 1;
    outermost_ = !run.services.tasks->active();
    if (!run.services.shared_progress && run.services.progress) {
      progress_ = std::make_shared<SharedProgress>();
      progress_->show = run.services.progress;
      progress_->problems = run.record.problems;
      progress_->iterations = run.record.iterations;
    } else {
      progress_ = run.services.shared_progress;
    }
  }

  void run() {
    run_.services.tasks->run(
        tasks_.size(), [this](std::size_t task) { begin(task); },
        [this](std::size_t task) { return execute(task); });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  using Lock = std::unique_lock<Mutex>;
  struct Text {
    bool is_warning;
    std::string text;
  };
  struct Task {
    std::unique_ptr<Run> run;
    std::optional<TaskProgress> progress;  // that the run shows
    std::vector<Text> texts;               // held back until all earlier tasks are finished
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

  // A task has the services of the whole, but its own messages, progress and draws.
  std::unique_ptr<Run> make_run(std::size_t number) {
    const std::lock_guard<Mutex> lock(mutex_);  // guards the record of run_
    Services services = run_.services;
    services.parts *= count_;
    services.one_by_one = together_ > 1;
    services.shared_progress = progress_;
    if (progress_) {
      services.progress = std::ref(tasks_[number].progress.emplace(progress_, services.start));
    }
    if (!one_by_one_ || together_ > 1) services.messages = messages(number);
    if (one_by_one_) {
      services.draw = [this](std::uint32_t bound) { return draw(run_, bound); };
    } else {
      std::vector<std::size_t> shuffles;
      for_each_of(number, [&](std::size_t task) {
        const std::vector<std::size_t> of_task = shuffles_(task);
        shuffles.insert(shuffles.end(), of_task.begin(), of_task.end());
        return true;
      });
      services.draw = Draws(shuffles, run_);
      services.is_abandoned = [this, outer = run_.services.is_abandoned] {
        return is_abandoned_ || run_.services.tasks->has_failed() || (outer && outer());
      };
      services.concurrency =
          std::min<std::size_t>(services.pool->threads(), services.concurrency * tasks_.size());
    }
    return std::make_unique<Run>(run_, std::move(services));
  }

  Messages messages(std::size_t number) {
    Messages own([this, number](const char* text) { say(number, false, text); },
                 [this, number](const char* text) { say(number, true, text); });
    if (run_.services.messages.is_silent()) own.silence();
    return own;
  }

  bool execute(std::size_t number) {
    Task& task = tasks_[number];
    try {
      if (!task.error) {
        const Clock::time_point start = Clock::now();
        task.go_on = for_each_of(number, [&](std::size_t each) { return body_(each, *task.run); });
        if (together_ > 1) task.run->record.seconds = seconds_since(start);
      }
    } catch (...) {
      task.error = std::current_exception();
    }
    finish(number);
    return task.go_on && !task.error;
  }

  // Calls visit(task) for the tasks that are handed out together, until it returns false.
  template <typename Visit>
  bool for_each_of(std::size_t number, Visit visit) const {
    const std::size_t begin = number * together_, end = std::min(begin + together_, count_);
    for (std::size_t task = begin; task < end; ++task) {
      if (!visit(task)) return false;
    }
    return true;
  }

  void say(std::size_t number, bool is_warning, const char* text) {
    Lock lock(mutex_);
    if (error_) throw TasksAbandoned();
    if (silent_) return;
    std::vector<Text>& texts = tasks_[number].texts;
    if (number == first_ && together_ == 1) {
      ready_.push_back({is_warning, text});
      pass_on(lock);
    } else if (together_ > 1 && !texts.empty() && texts.back().is_warning == is_warning) {
      texts.back().text += text;  // many short ones are passed on as one
    } else {
      texts.push_back({is_warning, text});
      lock.unlock();
      run_.services.tasks->run_owner_work();
    }
  }

  // Passes on the texts that are ready.  This may call the caller's print function, so the lock is
  // released meanwhile.  Texts that become ready in that time are left to the thread that is
  // passing on, which keeps the order.
  void pass_on(Lock& lock) {
    if (passing_on_) return;
    passing_on_ = true;
    while (!ready_.empty()) {
      const std::vector<Text> texts = std::exchange(ready_, {});
      lock.unlock();
      for (const Text& text : texts) pass_on(text);  // nothing is passed on after an exception
      lock.lock();
    }
    passing_on_ = false;
  }

  void pass_on(const Text& text) {
    const auto print = [&run = run_, text] {
      const Messages& messages = run.services.messages;
      text.is_warning ? messages.warn(text.text) : messages.print(text.text);
    };
    if (outermost_ && !one_by_one_) {
      run_.services.tasks->on_owner(print);
    } else {
      print();
    }
  }

  void finish(std::size_t number) {
    Lock lock(mutex_);
    tasks_[number].finished = true;
    try {
      while (first_ < tasks_.size() && tasks_[first_].finished) {
        if (!silent_) take_texts();
        settle(tasks_[first_]);
        if (++first_ < tasks_.size() && !silent_) take_texts();
      }
      pass_on(lock);
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      fail(std::current_exception());
    }
  }

  // If a task has failed, the results of later ones are not needed.
  void fail(std::exception_ptr error) {
    if (!error_) error_ = std::move(error);
    is_abandoned_ = error_ != nullptr;
  }

  void take_texts() {
    const std::vector<Text> texts = std::exchange(tasks_[first_].texts, {});
    ready_.insert(ready_.end(), texts.begin(), texts.end());
  }

  // Takes over the record, the interruption and the exception of task first_.
  void settle(Task& task) {
    if (task.run) {
      if (task.progress && together_ > 1) task.progress->finish(task.run->record);
      run_.record.add(task.run->record);
      if (task.run->interrupted()) run_.interrupt(*task.run->interruption());
      task.run.reset();
    }
    fail(task.error);
    silent_ = silent_ || error_ || !task.go_on;
  }

  Run& run_;
  const Shuffles& shuffles_;
  const TaskBody& body_;
  const std::size_t count_, together_;
  std::shared_ptr<SharedProgress> progress_;
  bool one_by_one_;
  bool outermost_;

  Mutex mutex_;  // guards what follows and the record of run_
  std::vector<Task> tasks_;
  std::size_t first_ = 0;  // the first task that is not settled
  bool silent_ = false;    // one by one, the tasks from first_ on would not have run
  std::vector<Text> ready_;
  bool passing_on_ = false;
  std::exception_ptr error_;
  std::atomic<bool> is_abandoned_{false};  // error_ is set
};

}  // namespace

void run_tasks(Run& run, std::size_t count, const Shuffles& shuffles, const TaskBody& body,
               std::size_t together) {
  if (run.services.one_by_one) {
    run_one_by_one(run, count, body);
  } else if (count > 0) {
    TaskGroup(run, count, shuffles, body, together).run();
  }
}

}  // namespace svm
