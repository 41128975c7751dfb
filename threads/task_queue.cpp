#include "threads/task_queue.h"

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
  owner_ = std::this_thread::get_id();
  // Workers take a chunk each and stay until the owner is done; what they leave falls to the owner.
  pool_->for_chunks(pool_->threads(), 1, [&](std::size_t, std::size_t) {
    if (!is_owner()) {
      help();
    } else if (!over_) {  // which the owner alone writes
      run_group(group);
      const Lock lock(mutex_);
      over_ = true;
      changed_.notify_all();
    }
  });
  active_ = false;
}

// The part of the thread that the group belongs to.  While others still run tasks of the group, it
// helps with what those have begun within them, and with nothing else: that could outlast the
// group.
void TaskQueue::run_group(Group& group) {
  Lock lock(mutex_);
  group.parent = group_of_this_thread();
  groups_.push_back(&group);
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
}

// Runs one task, or none where others were quicker.
void TaskQueue::work_on(Group& group, Lock& lock) {
  const std::pair<std::thread::id, const Group*> entry(std::this_thread::get_id(), &group);
  at_work_.push_back(entry);
  ++group.helpers;  // keeps the group alive
  lock.unlock();
  std::size_t task;
  bool found;
  {
    const std::lock_guard<std::mutex> begins(group.begins);
    lock.lock();
    task = group.next;
    found = task < group.count;
    if (found) ++group.next;
    lock.unlock();
    if (found) group.begin(task);
  }
  const bool go_on = !found || group.body(task);
  lock.lock();
  if (!go_on) group.next = group.count;
  --group.helpers;
  at_work_.erase(std::find(at_work_.begin(), at_work_.end(), entry));
  changed_.notify_all();
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

// The outermost group with tasks left; of those whose tasks run within tasks of `within`, if given.
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
  const auto entry = std::find_if(at_work_.rbegin(), at_work_.rend(), [](const auto& one) {
    return one.first == std::this_thread::get_id();
  });
  return entry == at_work_.rend() ? nullptr : entry->second;
}

void TaskQueue::on_owner(std::function<void()> work) {
  Lock lock(mutex_);
  outbox_.push_back(std::move(work));
  if (is_owner()) {
    empty_outbox(lock);
  } else {
    changed_.notify_all();
  }
}

void TaskQueue::empty_outbox(Lock& lock) {
  while (!outbox_.empty()) {
    const std::vector<std::function<void()>> all = std::exchange(outbox_, {});
    lock.unlock();
    for (const std::function<void()>& work : all) work();
    lock.lock();
  }
}

}  // namespace svm
