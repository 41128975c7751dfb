#include "solvers/smo/conjugate_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace svm {
namespace {

// A conjugate curvature below this part of the pair's own is rounding noise.
constexpr double kLeastCurvatureRatio = 1e-10;
// A weight below this may be what rounding leaves of two weights that cancel.
constexpr double kLeastLimitingWeight = 1e-4;

// The step along d, which has been turned, and whose curvature is delta.
void clip_to_box(const PairSlope& slope, const DualState& state, ConjugateStep& step) {
  step.lambda_star = slope.violation / step.delta;
  step.lambda_max = std::numeric_limits<double>::infinity();
  for (const ConjugateDirection::Member& member : step.d.members()) {
    if (member.weight == 0) continue;
    const std::size_t t = member.variable;
    const double room = std::max(state.room(t, member.weight), 0.0),
                 size = std::fabs(member.weight);
    if (room < step.lambda_max * size) {  // a division would take longer
      step.lambda_max = room / size;
      step.limiting = member;
    }
  }
  step.lambda = std::min(step.lambda_star, step.lambda_max);
  step.clipped = step.lambda < step.lambda_star;
  step.gain = step_gain(step.lambda, slope.violation, step.delta);
}

}  // namespace

ConjugateStep conjugate_step(ConjugateDirection d, const Pair& pair, const PairSlope& slope,
                             const ConjugateCurvature& old, const DualState& state) {
  const double overlap = old.q_i - old.q_j;  // v'Q d_old
  ConjugateStep step{std::move(d), true};
  step.gamma = -overlap / old.delta;
  step.delta = slope.curvature - overlap * overlap / old.delta;
  const double least = kLeastCurvatureRatio * slope.curvature;
  const bool is_resolved = step.delta > least;
  if (!is_resolved) step.delta = least;
  step.d.turn(step.gamma, pair.i, pair.j);
  clip_to_box(slope, state, step);
  step.is_usable =
      is_resolved || (step.clipped && std::fabs(step.limiting.weight) > kLeastLimitingWeight);
  return step;
}

ConjugateStep plain_step(ConjugateDirection d, const Pair& pair, const PairSlope& slope,
                         const DualState& state) {
  ConjugateStep step{std::move(d)};
  step.delta = slope.curvature;
  step.d.turn(0, pair.i, pair.j);
  clip_to_box(slope, state, step);
  step.is_usable = true;
  return step;
}

}  // namespace svm
