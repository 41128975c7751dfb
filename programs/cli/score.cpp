#include "programs/cli/score.h"

#include <algorithm>
#include <cmath>

#include "base/platform/float_chars.h"
#include "solvers/run/messages.h"

namespace svm::cli {
namespace {

std::string line(std::string name, const std::string& value) {
  constexpr std::size_t kNameWidth = 38;
  name.resize(kNameWidth, ' ');
  return name + " = " + value + "\n";
}

std::string objective_text(double objective) { return general_text(objective, 10); }

std::string violation_text(const Certificate& certificate, double tolerance) {
  const double violation = certificate.violation, rounding = certificate.rounding;
  const std::string value = general_text(violation), limit = "tolerance " + general_text(tolerance);
  if (certificate.is_within(tolerance)) return value + " (" + limit + ")";
  if (!certificate.is_beyond(tolerance) && !std::isnan(violation)) {
    return "not known: " + value + ", which rounding changes by up to " + general_text(rounding) +
           " (" + limit + ")";
  }
  constexpr double kDigits = 1e-6;  // that are printed
  const bool is_rounded = rounding > kDigits * violation;
  return value + " (above the " + limit +
         (is_rounded ? "; rounding: " + general_text(rounding) : "") + ")";
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
  text += line("violation of the constraints", general_text(certificate.infeasibility));
  text += line("dual objective", objective_text(dual)) + primal;
  const std::string part = size > 0 ? " (" + general_text(gap / size) + " of the objective)" : "";
  text += line("duality gap", general_text(gap) + part);
  return text;
}

}  // namespace svm::cli
