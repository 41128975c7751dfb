#include "programs/cli/score.h"

#include <algorithm>
#include <cmath>

#include "programs/cli/format.h"
#include "solvers/run/messages.h"

namespace svm::cli {
namespace {

std::string line(const char* name, const std::string& value) {
  return format("%-38s = %s\n", name, value.c_str());
}

std::string objective_text(double objective) { return format("%.10g", objective); }

std::string violation_text(const Certificate& certificate, double tolerance) {
  const double violation = certificate.violation, rounding = certificate.rounding;
  if (certificate.is_within(tolerance)) return format("%g (tolerance %g)", violation, tolerance);
  if (!certificate.is_beyond(tolerance) && !std::isnan(violation)) {
    return format("not known: %g, which rounding changes by up to %g (tolerance %g)", violation,
                  rounding, tolerance);
  }
  constexpr double kDigits = 1e-6;  // that are printed
  const std::string above = format("%g (above the tolerance %g", violation, tolerance);
  return above + (rounding > kDigits * violation ? format("; rounding: %g)", rounding) : ")");
}

}  // namespace

void Score::add(double prediction, double label) {
  ++count_;
  if (prediction == label) ++correct_;
  squared_error_ += (prediction - label) * (prediction - label);
  prediction_ += prediction;
  label_ += label;
  prediction_squared_ += prediction * prediction;
  label_squared_ += label * label;
  product_ += prediction * label;
}

double Score::accuracy() const {
  return static_cast<double>(correct_) / static_cast<double>(count_) * 100;
}

double Score::mean_squared_error() const { return squared_error_ / static_cast<double>(count_); }

double Score::squared_correlation() const {
  const double n = static_cast<double>(count_);
  const double covariance = n * product_ - prediction_ * label_;
  return (covariance * covariance) / ((n * prediction_squared_ - prediction_ * prediction_) *
                                      (n * label_squared_ - label_ * label_));
}

std::string certificate_text(const Certificate& certificate, double tolerance) {
  if (certificate.problems == 0) return "check of the model: there was nothing to optimise\n";
  std::string text = "check of the model, computed anew:\n";
  const std::string primal = line("primal objective", objective_text(certificate.primal_objective));
  if (!certificate.has_dual) {
    return text + primal + "the model has no dual variables, which all else would need\n";
  }
  const double dual = certificate.dual_objective, gap = certificate.gap();
  const double size = std::max(std::fabs(dual), std::fabs(certificate.primal_objective));
  text += line("violation of the optimality conditions", violation_text(certificate, tolerance));
  text += line("violation of the constraints", format("%g", certificate.infeasibility));
  text += line("dual objective", objective_text(dual)) + primal;
  text += line("duality gap",
               size > 0 ? format("%g (%g of the objective)", gap, gap / size) : format("%g", gap));
  return text;
}

}  // namespace svm::cli
