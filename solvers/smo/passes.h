// The solvers' passes over their active variables, vectorised, and on several threads if they are
// long enough.  Results do not depend on either.
#ifndef SVM_SOLVERS_SMO_PASSES_H_
#define SVM_SOLVERS_SMO_PASSES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simd/loops.h"
#include "threads/pool.h"

namespace svm {

// All passes run over variables [0, count).  `pool` must outlive this.
class Passes {
 public:
  explicit Passes(ThreadPool& pool) : loops_(loops(instruction_set())), pool_(pool) {}

  Extremes find_extremes(const double* f, const std::uint8_t* index_sets, std::size_t count) const;
  Extremes add_pair(const PairUpdate& update, std::size_t count) const;
  Extremes add_conjugate(const ConjugateUpdate& update, std::size_t count) const;
  Partner find_partner(const PartnerSearch& search, std::size_t count) const;

  // Adds the rows of a block to `sums`, one after the other; see Loops::add_rows.
  void add_rows(double* sums, const KernelRow& rows, std::size_t stride,
                const std::vector<RowTerm>& terms, std::size_t width) const {
    loops_.add_rows(sums, rows, stride, terms.data(), terms.size(), width);
  }

 private:
  const Loops& loops_;
  ThreadPool& pool_;
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_PASSES_H_
