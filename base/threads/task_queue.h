// Runs long tasks, and tasks within tasks, on the threads of a pool.
#ifndef SVM_BASE_THREADS_TASK_QUEUE_H_
#define SVM_BASE_THREADS_TASK_QUEUE_H_

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/threads/pool.h"
#include "base/threads/primitives.h"

namespace svm {

// Thrown to end tasks that are no longer wanted because their run has failed.
struct TasksAbandoned {};

// Runs groups of tasks. A task may itself run a group. Threads that find no task left in the outer
// groups help with inner ones, and so does a thread that waits for its group to end. Meant for
// tasks of milliseconds and more.
//
// The thread that runs the outermost group is the owner. Functions passed to on_owner() run on this
// thread only: they are those that must be called on the thread that called the library.
//
// The first exception that leaves a task or a function on the owner makes the run fail: no further
// task is started, no further function runs on the owner, and the outermost run() rethrows that
// exception when all tasks have ended. Until then the other member functions throw TasksAbandoned.
class TaskQueue {
 public:
  using Begin = std::function<void(std::size_t task)>;
  using Body = std::function<bool(std::size_t task)>;

  explicit TaskQueue(std::shared_ptr<ThreadPool> pool) : pool_(std::move(pool)) {}

  // True while an outermost group is running.
  bool active() const { return active_; }
  // True if the run has failed.  Long tasks ask for it, as everybody waits for their end.
  bool has_failed() const { return has_failed_; }

  // Calls begin(0), begin(1) ... in this order and one at a time, and body(task) after its
  // begin(task), several at once. If a body returns false, no further task is started. Returns or
  // throws when all started tasks have ended.
  void run(std::size_t count, const Begin& begin, const Body& body);

  // Calls `work` on the owner: at once if this is the owner, otherwise during its next
  // run_owner_work(). Functions run in the order of these calls, and no lock of the queue is held
  // meanwhile. May be called within tasks only.
  void on_owner(std::function<void()> work);

  // On the owner, runs the functions passed to on_owner(). Throws TasksAbandoned if the run has
  // failed.
  void run_owner_work();

 private:
  struct Group {
    Group(std::size_t group_count, const Begin& group_begin, const Body& group_body)
        : count(group_count), begin(group_begin), body(group_body) {}
    const std::size_t count;
    const Begin& begin;
    const Body& body;
    const Group* parent = nullptr;  // the group whose task runs this one
    std::size_t next = 0;
    std::size_t helpers = 0;  // threads that currently use the group
    Mutex begins;             // lock before mutex_
  };
  // A thread that runs a task. The entries form a list, latest first.
  struct RunningTask {
    const ThreadId thread;
    const Group* const group;
    RunningTask* next;
  };
  using Lock = std::unique_lock<Mutex>;

  void run_outermost(Group& group);
  void lead(Group& group);
  void run_group(Group& group);
  void work_on(Group& group, Lock& lock);
  bool run_next(Group& group);
  void help();
  Group* find_work(const Group* within) const;
  const Group* group_of_this_thread() const;
  bool is_owner() const { return this_thread() == owner_; }
  void empty_outbox(Lock& lock);
  void fail(std::exception_ptr error);

  const std::shared_ptr<ThreadPool> pool_;
  bool active_ = false;  // only changes while no other thread uses the queue
  ThreadId owner_;

  Mutex mutex_;
  ConditionVariable changed_;
  std::vector<Group*> groups_;  // outermost first
  RunningTask* running_tasks_ = nullptr;
  bool over_ = false;
  std::vector<std::function<void()>> outbox_;
  std::exception_ptr failure_;
  std::atomic<bool> has_failed_{false};
};

}  // namespace svm

#endif  // SVM_BASE_THREADS_TASK_QUEUE_H_
