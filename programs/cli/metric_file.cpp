#include "programs/cli/metric_file.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/io/input_error.h"
#include "base/io/input_file.h"
#include "kernels/features.h"
#include "programs/cli/files.h"
#include "programs/cli/main.h"
#include "programs/scaling/feature_ranges.h"

namespace svm::cli {
namespace {

constexpr std::string_view kWord = "metric ";

// 64 bits as hexadecimal digits that differ for different texts (FNV-1a).
std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15];
  return digits;
}

}  // namespace

MetricFile read_metric(const std::string& path) {
  MetricFile file = {path, {}, {}};
  file.text = opened("can't open metric file " + path, [&] { return read_whole_file(path); });
  const auto refuse = [&](const std::string& fault) {
    throw Failure("ERROR: " + path + ": " + fault + "; svm-train --metric writes such files");
  };
  try {
    const ScalingParameters ranges = parse_range_file(file.text);
    std::vector<int> indices;
    std::vector<double> weights;
    if (ranges.scale_target || ranges.limits.lower != 0 || ranges.limits.upper != 1) {
      refuse("a metric has the limits 0 and 1");
    }
    for (const FeatureRange& feature : ranges.features) {
      const double weight = 1 / feature.range.max;
      if (feature.range.min != 0 || !std::isfinite(weight)) {
        refuse("the range of feature " + std::to_string(feature.index) +
               " does not go from 0 to the reciprocal of a weight");
      }
      indices.push_back(feature.index);
      weights.push_back(weight);
    }
    file.weights = {std::move(indices), std::move(weights), 0};
  } catch (const InputError& error) {
    refuse(error.what());
  }
  if (file.weights.empty()) refuse("there are no features");
  return file;
}

MetricFile metric_file(const std::string& path, const FeatureWeights& weights,
                       const svm_problem& problem) {
  std::vector<int> indices;
  std::vector<double> of_all;
  ScalingParameters ranges;
  ranges.limits = {0, 1};
  for (const int index : indices_of(problem.x, static_cast<std::size_t>(problem.l))) {
    if (index < 1) continue;  // files of ranges do not have them
    indices.push_back(index);
    of_all.push_back(weights.of(index));
    ranges.features.push_back({index, {0, reach_of(of_all.back())}});
  }
  return {path, range_file_text(ranges), {std::move(indices), std::move(of_all), 0}};
}

void write_metric(const MetricFile& file) {
  OutputFile out =
      opened("can't open metric file " + file.path, [&] { return open_output(file.path); });
  out.write(file.text);
  out.commit();
}

void weigh_rows(const svm_problem& problem, const FeatureWeights& weights) {
  for (int i = 0; i < problem.l; ++i) {
    svm_node* node = problem.x[i];
    weights.for_each(problem.x[i], [&](int index, double value) { *node++ = {index, value}; });
    *node = {-1, 0};
  }
}

std::string metric_line(const MetricFile& file) {
  if (file.path.empty()) return {};
  std::string name = file.path;
  std::replace(name.begin(), name.end(), '\n', ' ');
  return std::string(kWord) + fingerprint(file.text) + " " + name + "\n";
}

void check_metric(const std::string& model, std::string_view text, const MetricFile& file) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const std::string_view line = text.substr(text.find_last_of('\n') + 1);
  if (line.substr(0, kWord.size()) != kWord) return;
  const std::string_view mark = line.substr(kWord.size());
  const std::size_t space = std::min(mark.find(' '), mark.size() - 1);
  const std::string name(mark.substr(space + 1));
  if (file.path.empty()) {
    std::fprintf(stderr,
                 "WARNING: %s was trained on features with the weights of %s: give --metric %s, "
                 "unless svm-scale -r %s has applied them\n",
                 model.c_str(), name.c_str(), name.c_str(), name.c_str());
  } else if (mark.substr(0, space) != fingerprint(file.text)) {
    throw Failure("ERROR: " + file.path + " does not have the weights that " + model +
                  " was trained with, which were those of " + name);
  }
}

}  // namespace svm::cli
