#include "programs/grid/picture.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/io/number_text.h"
#include "base/platform/float_chars.h"
#include "base/platform/numbers.h"

namespace svm::grid {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ') continue;
    result += c == '\'' ? "''" : std::string(1, c);
  }
  return result + "'";
}

// The range of an axis, and about ten marks.
std::string axis_commands(const std::string& axis, const std::vector<double>& values) {
  std::string marks;
  for (std::size_t i = 0; i < values.size(); i += (values.size() + 9) / 10) {
    marks += (i == 0 ? "" : ",") + general_text(values[i]);
  }
  return "set " + axis + "range [" + general_text(values.front()) + ":" +
         general_text(values.back()) + "]\nset " + axis + "tics out nomirror (" + marks + ")\n";
}

std::string mark_command(const Point& point, const std::string& style) {
  return "set label '' at " + general_text(point.log2c) + "," + general_text(point.log2g) +
         " front point " + style + "\n";
}

std::string two_to(double exponent) { return general_text(std::exp2(exponent), 4); }

}  // namespace

std::optional<std::string> picture_commands(const Plan& plan, const Results& results,
                                            const Results::Best& best, const std::string& title) {
  if (!plan.axes.c || !plan.axes.g || plan.c.size() < 2 || plan.g.size() < 2) return std::nullopt;
  std::vector<double> x = plan.c, y = plan.g;
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  std::string data, gaps;
  bool has_values = false;
  for (const double c : x) {
    for (const double g : y) {
      const Point point{c, g, best.point.log2p};
      const double value = results.find(point).value_or(kInfinity);
      const bool is_known = std::isfinite(value);
      has_values = has_values || is_known;
      if (!is_known) gaps += mark_command(point, "pt 2 ps 1 lc 'black'");
      data += general_text(c) + " " + general_text(g) + " " +
              (is_known ? general_text(value, kMostDigits) : "NaN") + "\n";
    }
    data += "\n";
  }
  if (!has_values) return std::nullopt;
  const bool is_error = results.measure().is_error;  // smaller values are better
  return "$rates << END\n" + data +
         "END\nset encoding utf8\nset terminal png size 960,720 font 'sans,16'\nset title " +
         quoted(title + "  best: C = " + two_to(best.point.log2c) +
                ", \xCE\xB3 = " + two_to(best.point.log2g) + ": " + general_text(best.value) +
                (is_error ? "" : " %")) +
         " noenhanced\nset xlabel 'log_2 C' enhanced\nset ylabel 'log_2 \xCE\xB3' enhanced offset "
         "-1\nset lmargin at screen 0.12\nset cblabel " +
         quoted(is_error ? "mean squared error" : "rate (%)") +
         "\nset pm3d map interpolate 30,30\nunset key\nset palette defined (0 '#440154', "
         "1 '#414487', 2 '#2a788e', 3 '#22a884', 4 '#7ad151', 5 '#fde725')" +
         (is_error ? " negative" : "") + "\nset contour base\nset cntrparam " +
         (gaps.empty() ? "cubicspline" : "linear") +
         "\nset cntrparam levels auto 9\nset cntrlabel onecolor\n" + axis_commands("x", x) +
         axis_commands("y", y) + gaps + mark_command(best.point, "pt 7 ps 2 lc 'white'") +
         mark_command(best.point, "pt 6 ps 2 lw 2 lc 'black'") +
         "splot $rates with pm3d, $rates with lines lc 'black' lw 0.7 nosurface" +
         (gaps.empty() ? "" : ", $rates with points pt 7 ps 1 lc palette nocontour") + "\n";
}

}  // namespace svm::grid
