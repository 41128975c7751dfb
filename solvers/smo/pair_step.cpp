#include "solvers/smo/pair_step.h"

namespace svm {
namespace {

// Clips to the box along the line alpha_i - alpha_j = difference.
PairValues clip_on_difference(PairValues a, double difference, double upper_i, double upper_j) {
  if (difference > 0) {
    if (a.j < 0) a = {difference, 0};
  } else if (a.i < 0) {
    a = {0, -difference};
  }
  if (difference > upper_i - upper_j) {
    if (a.i > upper_i) a = {upper_i, upper_i - difference};
  } else if (a.j > upper_j) {
    a = {upper_j + difference, upper_j};
  }
  return a;
}

// Clips to the box along the line alpha_i + alpha_j = sum.
PairValues clip_on_sum(PairValues a, double sum, double upper_i, double upper_j) {
  if (sum > upper_i) {
    if (a.i > upper_i) a = {upper_i, sum - upper_i};
  } else if (a.j < 0) {
    a = {sum, 0};
  }
  if (sum > upper_j) {
    if (a.j > upper_j) a = {sum - upper_j, upper_j};
  } else if (a.i < 0) {
    a = {0, sum};
  }
  return a;
}

}  // namespace

PairValues pair_step(PairValues alpha, int y_i, int y_j, double step, double upper_i,
                     double upper_j) {
  const PairValues moved = {alpha.i + y_i * step, alpha.j - y_j * step};
  return y_i != y_j ? clip_on_difference(moved, alpha.i - alpha.j, upper_i, upper_j)
                    : clip_on_sum(moved, alpha.i + alpha.j, upper_i, upper_j);
}

}  // namespace svm
