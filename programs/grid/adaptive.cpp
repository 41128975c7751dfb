#include "programs/grid/adaptive.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/platform/float_chars.h"

namespace svm::grid {
namespace {

// Margins in standard errors of a difference on the same rows.
constexpr double kClearly = 3, kFalling = 2;
// Number of neighbours in C whose first fold is trained before any of them is judged.
constexpr std::size_t kChunk = 3;
// Few points are skipped after more than kWatchedFolds folds.  They then train this many folds at
// the same time, before they are judged again.
constexpr std::size_t kWatchedFolds = 2, kFoldsAtOnce = 3;

// The difference of two sums over the same rows in units of its standard error; 0 if it is
// negative. If the rows of a fold are drawn at random and `a` is no worse on all rows, each
// difference favours `a` with at least the same probability: the result exceeds k with a
// probability of at most exp(-k^2/2).
double distance(const float* a, const float* b, std::size_t count) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference;
    squares += difference * difference;
  }
  return sum > 0 ? sum / std::sqrt(squares) : 0;
}

std::string after(std::size_t done, std::size_t folds) {
  return " after " + std::to_string(done) + " of " + std::to_string(folds) + " folds";
}

}  // namespace

Adaptive::Adaptive(const double* labels, std::size_t rows, std::size_t folds, Measure measure,
                   Callbacks callbacks)
    : labels_(labels),
      rows_(rows),
      folds_(folds),
      measure_(measure),
      callbacks_(std::move(callbacks)),
      leaders_(folds) {}

void Adaptive::begin(const Plan& plan) {
  c_ = plan.c;
  g_ = plan.g;
  std::sort(c_.begin(), c_.end());
  std::sort(g_.begin(), g_.end());
}

void Adaptive::fold_finished(const Point& point, const std::vector<std::size_t>& rows,
                             const std::vector<double>& predictions) {
  Entry& entry = entries_[point.exponents()];
  Losses& losses = *entry.losses;
  double sum = losses.sums.empty() ? 0 : losses.sums.back();
  for (const std::size_t row : rows) {
    const double error = predictions[row] - labels_[row];
    const double wrong = error == 0 ? 0 : 1;
    const double loss = measure_.is_error ? error * error : wrong;
    sum += loss;
    losses.rows.push_back(static_cast<float>(loss));
  }
  losses.sums.push_back(sum);
  losses.ends.push_back(losses.rows.size());
  const std::size_t last = losses.folds() - 1;
  std::shared_ptr<const Losses>& leader = leaders_[last];
  if (leader == nullptr || sum < leader->sums[last]) leader = entry.losses;
  if (losses.folds() == folds_) forget_rows(entry);
}

// A leader keeps its rows.
void Adaptive::forget_rows(Entry& entry) {
  const Losses& all = *entry.losses;
  if (all.ends.empty()) return;
  const auto first_fold = all.rows.begin() + static_cast<std::ptrdiff_t>(all.ends[0]);
  entry.losses =
      std::make_shared<Losses>(Losses{{all.rows.begin(), first_fold}, all.sums, all.ends});
}

// Says why even the best possible result of the point is worse than the best one; empty if it is
// not.
std::string Adaptive::why_hopeless(const Losses& losses) const {
  const std::optional<double> best = callbacks_.best();
  if (!best) return "";
  const double rows = static_cast<double>(rows_), sum = losses.sums.back();
  constexpr double kRounding = 1 - 1e-9;  // the sum over all rows is formed in a different order
  const double bound =
      as_printed(measure_.is_error ? sum / rows * kRounding : (rows - sum) / rows * 100);
  if (!measure_.is_better(*best, bound)) return "";
  return (measure_.is_error ? "at least " : "at most ") + general_text(bound) +
         after(losses.folds(), folds_);
}

std::string Adaptive::why_worse(const Losses& losses) const {
  const Losses& leader = *leaders_[losses.folds() - 1];
  const double errors = distance(losses.rows.data(), leader.rows.data(), losses.ends.back());
  if (!(errors > kClearly)) return "";
  constexpr int kDigits = 2;
  return "worse by " + general_text(errors, kDigits) + " standard errors" +
         after(losses.folds(), folds_);
}

// True if the point is clearly worse than another on the first fold.
bool Adaptive::is_clearly_worse(const Losses& losses) const {
  return distance(losses.rows.data(), leaders_[0]->rows.data(), losses.ends[0]) > kClearly;
}

// Returns what is known of the point that is `steps` away on the side opposite to `side`; null if
// nothing is.
const Adaptive::Entry* Adaptive::neighbour(const Point& point, Side side, std::size_t steps) const {
  const bool along_c = side == Side::kSmallerC || side == Side::kLargerC;
  const bool below = side == Side::kSmallerC || side == Side::kSmallerGamma;
  const std::vector<double>& axis = along_c ? c_ : g_;
  Point other = point;
  double& value = along_c ? other.log2c : other.log2g;
  const auto here =
      static_cast<std::size_t>(std::lower_bound(axis.begin(), axis.end(), value) - axis.begin());
  if (below ? here + steps >= axis.size() : here < steps) return nullptr;
  value = axis[below ? here + steps : here - steps];
  const auto found = entries_.find(other.exponents());
  return found == entries_.end() ? nullptr : &found->second;
}

// The side on which two consecutive neighbours are clearly worse than the best, and the nearer one
// is worse than the other. For small C and small gamma the rates level off at that of a constant;
// there the nearer one need not be worse. In the other direction a level stretch may be followed by
// a rise.
Adaptive::Side Adaptive::side_of_fall(const Point& point) const {
  for (const Side side :
       {Side::kLargerC, Side::kSmallerC, Side::kLargerGamma, Side::kSmallerGamma}) {
    const Entry* const near = neighbour(point, side, 1);
    if (near == nullptr) continue;
    if (near->fell == side) return side;
    const Entry* const far = neighbour(point, side, 2);
    if (far == nullptr || near->losses->folds() == 0 || far->losses->folds() == 0) continue;
    if (!is_clearly_worse(*near->losses) || !is_clearly_worse(*far->losses)) continue;
    const bool up = side == Side::kLargerC || side == Side::kLargerGamma;
    const bool falls = up ? distance(near->losses->rows.data(), far->losses->rows.data(),
                                     near->losses->ends[0]) > kFalling
                          : near->losses->sums[0] >= far->losses->sums[0];
    if (falls) return side;
  }
  return Side::kNone;
}

void Adaptive::skip(const Point& point, Entry& entry, const std::string& reason) {
  entry.skipped = true;
  forget_rows(entry);
  callbacks_.skipped(point, reason);
}

// The points of the group whose first fold is trained next, in two chunks at the same time: from a
// middle C upwards, and downwards.
std::vector<Step> Adaptive::first_fold_of(const std::vector<Point>& group) {
  static constexpr std::array<const char*, 5> kReasons = {
      "", "no better with smaller C", "worse with larger C", "no better with smaller gamma",
      "worse with larger gamma"};
  Step up, down;
  down.is_apart = true;
  const auto take = [&](std::size_t i, Step& step) {
    Entry& entry = entries_[group[i].exponents()];
    if (entry.skipped || entry.losses->folds() > 0) return;
    entry.fell = side_of_fall(group[i]);
    if (entry.fell == Side::kNone) {
      step.points.push_back(i);
    } else {
      skip(group[i], entry, kReasons[static_cast<std::size_t>(entry.fell)]);
    }
  };
  for (std::size_t begin = 0, end = 0; begin < group.size(); begin = end) {
    while (end < group.size() && group[end].log2p == group[begin].log2p) ++end;
    const std::size_t half = (end - begin) / 2, middle = begin + half - (half > 0 ? 1 : 0);
    for (std::size_t first = middle; first < end && up.points.empty(); first += kChunk) {
      for (std::size_t i = first; i < std::min(first + kChunk, end); ++i) take(i, up);
    }
    for (std::size_t last = middle; last > begin && down.points.empty();) {
      const std::size_t first = last - std::min(kChunk, last - begin);
      while (last > first) take(--last, down);
    }
    if (!up.points.empty() || !down.points.empty()) break;
  }
  std::vector<Step> steps;
  for (Step* const step : {&up, &down}) {
    std::sort(step->points.begin(), step->points.end());
    if (!step->points.empty()) steps.push_back(std::move(*step));
  }
  return steps;
}

std::vector<Step> Adaptive::next(const std::vector<Point>& group) {
  std::size_t least = folds_;  // smallest number of folds of an unfinished point
  for (const Point& point : group) {
    Entry& entry = entries_[point.exponents()];
    const std::size_t done = entry.losses->folds();
    if (entry.skipped || done == 0 || done == folds_) continue;
    std::string reason = why_hopeless(*entry.losses);
    if (reason.empty()) reason = why_worse(*entry.losses);
    if (!reason.empty()) {
      skip(point, entry, reason);
    } else {
      least = std::min(least, done);
    }
  }
  std::vector<Step> steps = first_fold_of(group);
  if (!steps.empty() || least == folds_) return steps;
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Entry& entry = entries_[group[i].exponents()];
    if (!entry.skipped && entry.losses->folds() == least) points.push_back(i);
  }
  const std::size_t at_once = least < kWatchedFolds ? 1 : kFoldsAtOnce;
  for (std::size_t fold = least; fold < std::min(least + at_once, folds_); ++fold) {
    steps.push_back({fold, points});
  }
  return steps;
}

}  // namespace svm::grid
