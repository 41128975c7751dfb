// Which points of a grid need no training, because others are better.
#ifndef SVM_GRID_ADAPTIVE_H_
#define SVM_GRID_ADAPTIVE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "grid/plan.h"
#include "grid/results.h"
#include "grid/search.h"

namespace svm::grid {

// Trains fold by fold, and leaves a point out where
// * it could not be the best even without a further error (sure),
// * it is clearly worse than another point on the same rows, or
// * two neighbours are, which lie towards better points (both by a margin, see adaptive.cpp).
// A point that is as good as the best is never left out by the first.
class Adaptive : public Judge {
 public:
  struct Callbacks {
    // The best of the points that are finished.
    std::function<std::optional<double>()> best;
    // A point is left out, for good.
    std::function<void(const Point& point, const std::string& reason)> skipped;
  };

  // `labels` of all rows, which must outlive it.
  Adaptive(const double* labels, std::size_t rows, std::size_t folds, Measure measure,
           Callbacks callbacks);

  // The grid whose points are looked at from now on.  What is known of points stays.
  void begin(const Plan& plan);

  Step next(const std::vector<Point>& group) override;
  void fold_finished(const Point& point, const std::vector<std::size_t>& rows,
                     const std::vector<double>& predictions) override;

 private:
  // Losses row by row, of one fold after the other: 1 for an error, or the squared error.
  struct Losses {
    std::vector<float> rows;
    std::vector<double> sums;       // over the first 1, 2 ... folds
    std::vector<std::size_t> ends;  // of the folds in `rows`

    std::size_t folds() const { return sums.size(); }
    // All rows but those of the first fold, which neighbours are compared by.
    void forget() {
      rows.resize(ends.empty() ? 0 : ends[0]);
      rows.shrink_to_fit();
    }
  };
  enum class Side { kNone, kSmallerC, kLargerC, kSmallerGamma, kLargerGamma };
  struct Entry {
    Losses losses;  // of the first fold only, once the point is done with
    bool skipped = false;
    Side fell = Side::kNone;  // on which side of its neighbours it was left out
  };
  using Key = std::tuple<double, double, double>;
  static Key key(const Point& point) { return {point.log2c, point.log2g, point.log2p}; }

  std::string why_hopeless(const Losses& losses) const;
  std::string why_worse(const Losses& losses) const;
  bool is_clearly_worse(const Losses& losses) const;
  Side side_of_fall(const Point& point) const;
  const Entry* neighbour(const Point& point, Side side, std::size_t steps) const;
  std::vector<std::size_t> first_fold_of(const std::vector<Point>& group);
  void skip(const Point& point, Entry& entry, const std::string& reason);

  const double* const labels_;
  const std::size_t rows_, folds_;
  const Measure measure_;
  const Callbacks callbacks_;
  std::vector<double> c_, g_;  // ascending
  std::map<Key, Entry> entries_;
  std::vector<Losses> leaders_;  // least sums over the first 1, 2 ... folds
};

}  // namespace svm::grid

#endif  // SVM_GRID_ADAPTIVE_H_
