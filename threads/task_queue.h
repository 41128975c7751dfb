// Long tasks, and tasks within tasks, on the threads of a pool.
#ifndef SVM_THREADS_TASK_QUEUE_H_
#define SVM_THREADS_TASK_QUEUE_H_

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "threads/pool.h"
#include "threads/primitives.h"

namespace svm {

// Ends tasks that are no longer wanted, since the run they belong to has failed.
struct TasksAbandoned {};

// Runs groups of tasks.  A task may run a group of its own: threads that find nothing left in the
// groups further out help with it, and so does a thread that waits for the task.  Made for tasks of
// milliseconds and more.
//
// The thread that runs the outermost group is the owner.  It alone does what is handed to
// on_owner(), for functions that must be called on the thread that called the library.
//
// The first exception that leaves a task or a function on the owner fails the run: no further task
// is begun, nothing more is done on the owner, and when all tasks have ended the outermost run()
// throws that exception.  Until then the other functions throw TasksAbandoned.
class TaskQueue {
 public:
  using Begin = std::function<void(std::size_t task)>;
  using Body = std::function<bool(std::size_t task)>;

  explicit TaskQueue(std::shared_ptr<ThreadPool> pool) : pool_(std::move(pool)) {}

  // Is an outermost group running?
  bool active() const { return active_; }

  // Calls begin(0), begin(1) ... in this order and never two at once, and body(task) after its
  // begin(task), several at once.  After a body has returned false no further task is begun.
  // Returns or throws when all have ended.
  void run(std::size_t count, const Begin& begin, const Body& body);

  // Calls `work` on the owner: now, or when the owner next comes by.  The order is kept, and the
  // queue holds no lock meanwhile.  Only within a task.
  void on_owner(std::function<void()> work);

  // To be called by tasks now and then: the owner does what is handed to it.  Throws TasksAbandoned
  // where the run has failed.
  void come_by();

 private:
  struct Group {
    Group(std::size_t group_count, const Begin& group_begin, const Body& group_body)
        : count(group_count), begin(group_begin), body(group_body) {}
    const std::size_t count;
    const Begin& begin;
    const Body& body;
    const Group* parent = nullptr;  // whose task runs this group
    std::size_t next = 0;
    std::size_t helpers = 0;  // threads that look at the group
    Mutex begins;             // taken before mutex_
  };
  // A thread within a task; the entries are linked, the latest first.
  struct AtWork {
    const ThreadId thread;
    const Group* const group;
    AtWork* next;
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
  bool active_ = false;  // changes while no other thread is in here
  ThreadId owner_;

  Mutex mutex_;
  ConditionVariable changed_;
  std::vector<Group*> groups_;  // the outermost first
  AtWork* at_work_ = nullptr;
  bool over_ = false;
  std::vector<std::function<void()>> outbox_;
  std::exception_ptr failure_;
};

}  // namespace svm

#endif  // SVM_THREADS_TASK_QUEUE_H_
