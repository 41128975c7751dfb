// Maps the columns of a part of the data set to their places in rows over the whole data set.
#ifndef SVM_KERNELS_ENGINES_ROW_PLACES_H_
#define SVM_KERNELS_ENGINES_ROW_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/simd/loops.h"

namespace svm {

// Column k has place places[k] in a row.  If the examples of a part are in the order of the data
// set, their places form few runs, until a solver exchanges variables.
class RowPlaces {
 public:
  RowPlaces() = default;
  explicit RowPlaces(std::vector<std::uint32_t> places);

  const std::vector<std::uint32_t>& all() const { return places_; }

  // out[k - from] = row[places[k]], for from <= k < to.
  void copy(const float* row, std::size_t from, std::size_t to, float* out) const;
  void copy(const double* row, std::size_t from, std::size_t to, double* out) const;

  // sums[k - from] += factors[r] rows[r][places[k]], for from <= k < to, over `count` rows in their
  // order, by the operations of Loops::add_float_rows.
  void add(const float* const* rows, const double* factors, std::size_t count, std::size_t from,
           std::size_t to, double* sums) const;

 private:
  // Columns [end of the previous run, end) have the places first, first + 1, ...
  struct Run {
    std::size_t end;
    std::uint32_t first;
  };
  // Calls use(place of column low, low, high) for the part [low, high) of [from, to) in each run.
  template <typename Use>
  void for_runs(std::size_t from, std::size_t to, const Use& use) const;

  std::vector<std::uint32_t> places_;
  std::vector<Run> runs_;  // empty if they would be too many
  const Loops* loops_ = nullptr;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ROW_PLACES_H_
