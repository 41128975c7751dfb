// Calls in which something throws, once, at one place after another.
#ifndef SVM_TESTS_FAULTS_H_
#define SVM_TESTS_FAULTS_H_

#include <atomic>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/simd/loops.h"
#include "solvers/run/run.h"
#include "tests/training_data.h"
#include "tests/waiting.h"
#include "training/random.h"

namespace svm::test {

// Where it throws: in a solver, where a solver shows its progress, where other work polls (waits
// and predictions do), in a message or a warning, and in a function that a test gives to the call.
enum class Place { kSolver, kProgress, kPoll, kMessage, kWarning, kOwn };

// No std::exception, so that nothing takes it for an error of the library.
struct Fault {};

// Throws at one of the visits to a place.
class Faults {
 public:
  Faults(Place place, int visit) : place_(place), visit_(visit) {}

  void visit(Place place) {
    if (place == place_ && ++visits_ == visit_) throw Fault();
  }
  bool has_thrown() const { return visits_ >= visit_; }

 private:
  const Place place_;
  const int visit_;
  std::atomic<int> visits_{0};
};

// The faults of the solvers' loops, which take no other argument.
inline std::atomic<Faults*> faults_of_loops{nullptr};
inline decltype(Loops::find_extremes) true_find_extremes = nullptr;

// What a call does with a run.
using Call = std::function<void(Run& run, Faults& faults)>;

// Runs the call, which must end, and with the fault if there was one.  Returns whether there was.
inline bool has_fault(Place place, int visit, unsigned threads, const Call& call) {
  Faults faults(place, visit);
  Loops loops = svm::loops(instruction_set());
  true_find_extremes = loops.find_extremes;
  faults_of_loops = &faults;
  loops.find_extremes = [](auto... arguments) {
    faults_of_loops.load()->visit(Place::kSolver);
    return true_find_extremes(arguments...);
  };
  std::atomic<bool> is_over{false};
  bool is_thrown = false;
  std::string other;
  std::thread caller([&] {
    try {
      Run run(Messages([&](const char*) { faults.visit(Place::kMessage); },
                       [&](const char*) { faults.visit(Place::kWarning); }));
      run.services.loops = &loops;
      run.services.pool = std::make_shared<ThreadPool>(threads);
      run.services.draw = remainders_of([draws = Draws(1)]() mutable { return draws.bits(); });
      run.services.progress = [&](const svm_progress& progress) {
        faults.visit(progress.problem == 0 ? Place::kPoll : Place::kProgress);
        return true;
      };
      call(run, faults);
    } catch (const Fault&) {
      is_thrown = true;
    } catch (const std::exception& error) {
      other = error.what();
    }
    is_over = true;
  });
  if (!comes_true([&] { return is_over.load(); })) {
    std::cerr << "a call does not end after a fault\n";
    std::abort();  // a thread that hangs cannot be ended
  }
  caller.join();
  EXPECT_EQ(other, "");
  EXPECT_EQ(is_thrown, faults.has_thrown());
  return faults.has_thrown();
}

// Throws at visits to a place that become rarer, until there are no more.  Returns whether there
// was a visit.
inline bool throws_at(Place place, unsigned threads, const Call& call) {
  constexpr int kMostVisits = 2000;
  bool any = false;
  for (int visit = 1; visit < kMostVisits; visit += visit) {
    if (!has_fault(place, visit, threads, call)) break;
    any = true;
  }
  return any;
}

}  // namespace svm::test

#endif  // SVM_TESTS_FAULTS_H_
