// Decides which points of a grid need no training because others are better.
#ifndef SVM_PROGRAMS_GRID_ADAPTIVE_H_
#define SVM_PROGRAMS_GRID_ADAPTIVE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "programs/grid/plan.h"
#include "programs/grid/results.h"

namespace svm::grid {

// A part of a gamma's points that is trained at a time.
struct Step {
  std::size_t fold = 0;
  std::vector<std::size_t> points;  // ascending indices in the group
  // The points do not start from solutions of earlier steps of the fold, nor do later ones start
  // from theirs.  Only one of several steps of the same fold at the same time may do that.
  bool is_apart = false;
};

// Decides what a search trains, and receives the results. It is called by one thread at a time and
// only while nothing is trained, so its decisions do not depend on threads.
//
// Trains fold by fold and skips a point if
//
//  * it could not become the best even without any further error (certain),
//  * it is clearly worse than another point on the same rows, or
//  * two neighbours towards better points are clearly worse than the best (see adaptive.cpp).
//
// A point that is as good as the best is never skipped for the first reason.
class Adaptive {
 public:
  struct Callbacks {
    // Returns the best value of all finished points.
    std::function<std::optional<double>()> best;
    // Reports that a point is skipped for good.
    std::function<void(const Point& point, const std::string& reason)> skipped;
  };

  // `labels` has the labels of all rows and must outlive this object.
  Adaptive(const double* labels, std::size_t rows, std::size_t folds, Measure measure,
           Callbacks callbacks);

  // Sets the grid of the points that follow. What is known about points is kept.
  void begin(const Plan& plan);

  // Chooses what to train next of a group, the points of one gamma, ordered by tube width and C:
  // steps that run at the same time.  None if the group is done.
  std::vector<Step> next(const std::vector<Point>& group);
  // Takes a fold of a point: its rows, and an array of predictions, which has those of the fold.
  void fold_finished(const Point& point, const std::vector<std::size_t>& rows,
                     const std::vector<double>& predictions);

 private:
  // Losses of the rows, fold by fold: 1 for an error in classification, or the squared error.
  struct Losses {
    std::vector<float> rows;
    std::vector<double> sums;       // over the first 1, 2 ... folds
    std::vector<std::size_t> ends;  // end of each fold in `rows`

    std::size_t folds() const { return sums.size(); }
  };
  enum class Side { kNone, kSmallerC, kLargerC, kSmallerGamma, kLargerGamma };
  struct Entry {
    // Grows fold by fold.  Once the point is finished or skipped, `rows` has the first fold only,
    // by which neighbours are compared.
    std::shared_ptr<Losses> losses = std::make_shared<Losses>();
    bool skipped = false;
    Side fell = Side::kNone;  // on which side of its neighbours it was skipped
  };

  std::string why_hopeless(const Losses& losses) const;
  std::string why_worse(const Losses& losses) const;
  bool is_clearly_worse(const Losses& losses) const;
  Side side_of_fall(const Point& point) const;
  const Entry* neighbour(const Point& point, Side side, std::size_t steps) const;
  std::vector<Step> first_fold_of(const std::vector<Point>& group);
  void skip(const Point& point, Entry& entry, const std::string& reason);
  static void forget_rows(Entry& entry);

  const double* const labels_;
  const std::size_t rows_, folds_;
  const Measure measure_;
  const Callbacks callbacks_;
  std::vector<double> c_, g_;  // ascending
  std::map<Exponents, Entry> entries_;
  // The losses with the smallest sums over the first 1, 2 ... folds; they may have more folds.
  std::vector<std::shared_ptr<const Losses>> leaders_;
};

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_ADAPTIVE_H_
