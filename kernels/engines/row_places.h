// Where the columns of a training part stand in rows over the whole data set.
#ifndef SVM_KERNELS_ENGINES_ROW_PLACES_H_
#define SVM_KERNELS_ENGINES_ROW_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simd/loops.h"

namespace svm {

// Column k stands at places[k] of a row.  If the examples of a part stand in the order of the data
// set, their places are few runs, until a solver exchanges variables.
class RowPlaces {
 public:
  RowPlaces() = default;
  explicit RowPlaces(std::vector<std::uint32_t> places);

  const std::vector<std::uint32_t>& all() const { return places_; }

  // out[k - from] = row[places[k]], for from <= k < to.
  void copy(const float* row, std::size_t from, std::size_t to, float* out) const;
  void copy(const double* row, std::size_t from, std::size_t to, double* out) const;

  // sums[k - from] += factors[r] rows[r][places[k]], for from <= k < to, over `count` rows in their
  // order, as Loops::add_float_rows adds.
  void add(const float* const* rows, const double* factors, std::size_t count, std::size_t from,
           std::size_t to, double* sums) const;

 private:
  // Columns [end of the run before, end) have the places first, first + 1, ...
  struct Run {
    std::size_t end;
    std::uint32_t first;
  };
  // use(place of column low, low, high) for the parts [low, high) of [from, to) that runs have.
  template <typename Use>
  void for_runs(std::size_t from, std::size_t to, const Use& use) const;

  std::vector<std::uint32_t> places_;
  std::vector<Run> runs_;  // empty if they would be too many
  const Loops* loops_ = &loops(instruction_set());
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ROW_PLACES_H_
