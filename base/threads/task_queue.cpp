#include "base/threads/task_queue.h"

#include <algorithm>

namespace svm {

void TaskQueue::run(std::size_t count, const Begin& begin, const Body& body) {
  if (count == 1 || pool_->threads() == 1) {
    for (std::size_t task = 0; task < count; ++task) {
      begin(task);
      if (!body(task)) return;
    }
    return;
  }
  Group group(count, begin, body);
  if (active_) {
    run_group(group);
  } else {
    run_outermost(group);
  }
}

void TaskQueue::run_outermost(Group& group) {
  active_ = true;
  over_ = false;
  owner_ = this_thread();
  // Each worker takes one chunk and stays until the owner is done; the owner takes the chunks of
  // workers that do not come.
  pool_->for_chunks(pool_->threads(), 1, [&](std::size_t, std::size_t) {
    if (!is_owner()) {
      help();
    } else if (!over_) {  // only the owner writes over_
      lead(group);
    }
  });
  active_ = has_failed_ = false;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// The owner's part. The workers are told of the end even if it throws.
void TaskQueue::lead(Group& group) {
  try {
    run_group(group);
  } catch (...) {
    const Lock lock(mutex_);
    fail(std::current_exception());
  }
  const Lock lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

// The part of the thread that the group belongs to. While other threads still run tasks of the
// group, it helps with the groups within those tasks only: any other work could outlast the group.
void TaskQueue::run_group(Group& group) {
  Lock lock(mutex_);
  if (failure_) throw TasksAbandoned();
  groups_.push_back(&group);
  group.parent = group_of_this_thread();
  changed_.notify_all();
  while (group.next < group.count) work_on(group, lock);
  for (;;) {
    if (is_owner()) empty_outbox(lock);
    if (group.helpers == 0) break;
    if (Group* inner = find_work(&group)) {
      work_on(*inner, lock);
    } else {
      changed_.wait(lock);
    }
  }
  groups_.erase(std::find(groups_.begin(), groups_.end(), &group));
  if (failure_) throw TasksAbandoned();
}

// Runs one task of the group, or none if other threads were faster.
void TaskQueue::work_on(Group& group, Lock& lock) {
  RunningTask entry{this_thread(), &group, running_tasks_};
  running_tasks_ = &entry;
  ++group.helpers;  // keeps the group alive
  lock.unlock();
  bool go_on = false;
  try {
    go_on = run_next(group);
    lock.lock();
  } catch (...) {
    lock.lock();
    fail(std::current_exception());
  }
  if (!go_on) group.next = group.count;
  --group.helpers;
  RunningTask** link = &running_tasks_;
  while (*link != &entry) link = &(*link)->next;
  *link = entry.next;
  changed_.notify_all();
}

// Returns what the task's body returns, or true if no task is left.
bool TaskQueue::run_next(Group& group) {
  std::size_t task;
  {
    const std::lock_guard<Mutex> begins(group.begins);
    {
      const Lock lock(mutex_);
      if (group.next == group.count) return true;
      task = group.next++;
    }
    group.begin(task);
  }
  return group.body(task);
}

void TaskQueue::help() {
  Lock lock(mutex_);
  while (!over_) {
    if (Group* group = find_work(nullptr)) {
      work_on(*group, lock);
    } else {
      changed_.wait(lock);
    }
  }
}

// The outermost group with tasks left. If `within` is given, only groups within its tasks count.
TaskQueue::Group* TaskQueue::find_work(const Group* within) const {
  for (Group* group : groups_) {
    if (group->next == group->count) continue;
    const Group* outer = group;
    while (outer != nullptr && outer != within) outer = outer->parent;
    if (outer == within) return group;
  }
  return nullptr;
}

const TaskQueue::Group* TaskQueue::group_of_this_thread() const {
  const RunningTask* entry = running_tasks_;
  while (entry != nullptr && entry->thread != this_thread()) entry = entry->next;
  return entry == nullptr ? nullptr : entry->group;
}

void TaskQueue::on_owner(std::function<void()> work) {
  Lock lock(mutex_);
  if (failure_) throw TasksAbandoned();
  outbox_.push_back(std::move(work));
  changed_.notify_all();
  lock.unlock();
  run_owner_work();
}

void TaskQueue::run_owner_work() {
  Lock lock(mutex_);
  if (is_owner()) empty_outbox(lock);
  if (failure_) throw TasksAbandoned();
}

void TaskQueue::empty_outbox(Lock& lock) {
  while (!outbox_.empty()) {
    const std::vector<std::function<void()>> all = std::exchange(outbox_, {});
    lock.unlock();
    try {
      for (const std::function<void()>& work : all) work();
      lock.lock();
    } catch (...) {
      lock.lock();
      fail(std::current_exception());
    }
  }
}

// Requires that mutex_ is held.
void TaskQueue::fail(std::exception_ptr error) {
  if (!failure_) failure_ = std::move(error);
  has_failed_ = true;
  outbox_.clear();
  for (Group* group : groups_) group->next = group->count;
  changed_.notify_all();
}

}  // namespace svm
