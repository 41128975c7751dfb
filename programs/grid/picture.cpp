#include "programs/grid/picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/io/number_text.h"
#include "base/platform/float_chars.h"

namespace svm::grid {
namespace {

constexpr int kShortDigits = 4;

// About ten marks for an axis.
std::vector<double> axis_marks(const std::vector<double>& values) {
  constexpr std::size_t kMostMarks = 10;
  const std::size_t step = (values.size() + kMostMarks - 1) / kMostMarks;
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); i += step) result.push_back(values[i]);
  return result;
}

// The text about the best point.
std::string best_text(const Surface& s) {
  return "C = " + general_text(std::exp2(s.best.point.log2c), kShortDigits) +
         ", \xCE\xB3 = " + general_text(std::exp2(s.best.point.log2g), kShortDigits) + ": " +
         general_text(s.best.value) + (s.is_error ? "" : " %");
}

std::string value_text(double value) {
  return std::isnan(value) ? "NaN" : general_text(value, kMostDigits);
}

// True if the point is a corner of a cell with values at all corners.
bool is_at_a_cell(const Surface& s, std::size_t i, std::size_t j) {
  const auto known = [&](std::size_t a, std::size_t b) {
    return a < s.x.size() && b < s.y.size() && !std::isnan(s.values[a * s.y.size() + b]);
  };
  for (const std::size_t a : {i - 1, i}) {  // index -1 wraps around and is out of range as well
    for (const std::size_t b : {j - 1, j}) {
      if (known(a, b) && known(a + 1, b) && known(a, b + 1) && known(a + 1, b + 1)) return true;
    }
  }
  return false;
}

// Marks the points without a value, and explains the marks.
std::string gap_commands(const Surface& s) {
  const std::string skipped = " front point pt 6 ps 1 lc 'black'\n";
  const std::string failed = " front point pt 2 ps 1 lw 2 lc '#cc0000'\n";
  std::string text = "set cntrparam linear\n";
  bool has_skipped = false, has_failed = false;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    for (std::size_t j = 0; j < s.y.size(); ++j) {
      const std::size_t point = i * s.y.size() + j;
      if (!std::isnan(s.values[point])) continue;
      if (!s.skipped[point] && !s.is_complete) continue;
      (s.skipped[point] ? has_skipped : has_failed) = true;
      text += "set label '' at " + general_text(s.x[i]) + "," + general_text(s.y[j]) +
              (s.skipped[point] ? skipped : failed);
    }
  }
  if (has_skipped) text += "set label 'skipped' offset 1 at screen 0.02,0.03" + skipped;
  if (has_failed) text += "set label 'failed' offset 1 at screen 0.14,0.03" + failed;
  return text;
}

}  // namespace

std::optional<Surface> make_surface(const Plan& plan, const Results& results,
                                    const Results::Best& best, const std::string& title,
                                    bool is_complete) {
  if (!plan.axes.c || !plan.axes.g || plan.c.size() < 2 || plan.g.size() < 2) return std::nullopt;
  Surface s{plan.c, plan.g, {}, {}, is_complete, results.measure().is_error, title, best};
  std::sort(s.x.begin(), s.x.end());
  std::sort(s.y.begin(), s.y.end());
  for (const double c : s.x) {
    for (const double g : s.y) {
      const Point point{c, g, best.point.log2p};
      const double value = results.find(point).value_or(Surface::kNone);
      s.values.push_back(std::isfinite(value) ? value : Surface::kNone);
      s.skipped.push_back(results.is_skipped(point));
    }
  }
  const bool has_values = std::any_of(s.values.begin(), s.values.end(),
                                      [](double value) { return !std::isnan(value); });
  return has_values ? std::optional<Surface>(s) : std::nullopt;
}

std::string gnuplot_commands(const Surface& s) {
  const auto quoted = [](const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < ' ') continue;
      result += c == '\'' ? "''" : std::string(1, c);
    }
    return result + "'";
  };
  std::string text =
      "set encoding utf8\nset terminal png size 960,720 font 'sans,16'\nset title " +
      quoted(s.title + "  best: " + best_text(s)) +
      " noenhanced\nset xlabel 'log_2 C' enhanced\nset ylabel 'log_2 \xCE\xB3' enhanced offset "
      "-1\nset lmargin at screen 0.12\n"
      "set cblabel " +
      quoted(s.is_error ? "mean squared error" : "rate (%)") +
      "\nset pm3d map interpolate 30,30\nunset key\nset palette defined (0 '#440154', "
      "1 '#414487', 2 '#2a788e', 3 '#22a884', 4 '#7ad151', 5 '#fde725')" +
      (s.is_error ? " negative" : "") +
      "\nset contour base\nset cntrparam cubicspline\nset cntrparam levels auto 9\nset cntrlabel "
      "onecolor\n";
  const auto list_of = [](const std::vector<double>& values) {
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : ",") + general_text(value);
    return list;
  };
  text += "set xrange [" + general_text(s.x.front()) + ":" + general_text(s.x.back()) +
          "]\nset yrange [" + general_text(s.y.front()) + ":" + general_text(s.y.back()) +
          "]\nset xtics out nomirror (" + list_of(axis_marks(s.x)) + ")\nset ytics out nomirror (" +
          list_of(axis_marks(s.y)) + ")\n";
  if (s.has_gaps()) text += gap_commands(s);
  for (const char* style : {"pt 7 ps 2 lc 'white'", "pt 6 ps 2 lw 2 lc 'black'"}) {
    text += "set label '' at " + general_text(s.best.point.log2c) + "," +
            general_text(s.best.point.log2g) + " front point " + style + "\n";
  }
  text += "splot '-' with pm3d, '-' with lines lc 'black' lw 0.7 nosurface" +
          std::string(s.has_gaps() ? ", '-' with points pt 7 ps 1 lc palette nocontour\n" : "\n");
  const auto data_of = [&](auto value_at) {
    std::string data;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      for (std::size_t j = 0; j < s.y.size(); ++j) {
        data += general_text(s.x[i]) + " " + general_text(s.y[j]) + " " +
                value_text(value_at(i, j)) + "\n";
      }
      data += "\n";
    }
    return data + "e\n";
  };
  const auto value_at = [&](std::size_t i, std::size_t j) { return s.values[i * s.y.size() + j]; };
  const std::string data = data_of(value_at);
  text += data;
  // Without this, gnuplot would draw contours between any three points.
  text += data_of([&](std::size_t i, std::size_t j) {
    return is_at_a_cell(s, i, j) ? value_at(i, j) : Surface::kNone;
  });
  return s.has_gaps() ? text + data : text;
}

}  // namespace svm::grid
