#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "grid/picture.h"
#include "io/number_text.h"

namespace svm::grid {
namespace {

constexpr std::size_t kFiner = 8;  // cells per cell of the surface, along each axis
constexpr double kWidth = 640, kHeight = 480;
constexpr double kLeft = 74, kTop = 44, kPlotWidth = 450, kPlotHeight = 370;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (static_cast<unsigned char>(c) >= ' ') {
      result += c;
    }
  }
  return result;
}

// From dark blue over green to yellow; distinguishable in greyscale and by colour-blind readers.
std::string colour(double share) {
  constexpr std::array<std::array<double, 3>, 6> kStops = {
      {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {253, 231, 37}}};
  const double at = std::min(std::max(share, 0.0), 1.0) * (kStops.size() - 1);
  const std::size_t stop = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  const double rest = at - static_cast<double>(stop);
  std::string result = "rgb(";
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = kStops[stop][i] + rest * (kStops[stop + 1][i] - kStops[stop][i]);
    append_int(result, std::lround(value));
    result += i < 2 ? "," : ")";
  }
  return result;
}

// A smooth curve through the values, evaluated between value i and the next one. Beyond the ends,
// the last value is repeated.
double between(const double* values, std::size_t count, std::size_t i, double share) {
  const double b = values[i], c = values[i + 1];
  if (share == 0) return b;
  if (std::isnan(b) || std::isnan(c)) return Surface::kNone;
  const double a = i > 0 && !std::isnan(values[i - 1]) ? values[i - 1] : b;
  const double d = i + 2 < count && !std::isnan(values[i + 2]) ? values[i + 2] : c;
  const double slope_b = (c - a) / 2, slope_c = (d - b) / 2;
  const double s = share, s2 = s * s, s3 = s2 * s;
  const double smooth = (2 * s3 - 3 * s2 + 1) * b + (s3 - 2 * s2 + s) * slope_b +
                        (3 * s2 - 2 * s3) * c + (s3 - s2) * slope_c;
  return std::min(std::max(smooth, std::min(b, c)), std::max(b, c));  // adds no new hills
}

std::vector<double> finer(const std::vector<double>& values) {
  std::vector<double> result;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    for (std::size_t k = 0; k < kFiner; ++k) {
      result.push_back(between(values.data(), values.size(), i,
                               static_cast<double>(k) / static_cast<double>(kFiner)));
    }
  }
  result.push_back(values.back());
  return result;
}

// The surface on a finer grid, in coordinates of the picture.
struct Sheet {
  std::vector<double> x, y, values;

  double at(std::size_t i, std::size_t j) const { return values[i * y.size() + j]; }
  // The smallest value at the corners of a cell; none if a corner has none.
  double least(std::size_t i, std::size_t j) const {
    double result = at(i, j);
    for (const double value : {at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)}) {
      if (!(result <= value)) result = std::isnan(result) ? result : value;
    }
    return result;
  }
};

double place_x(const Surface& s, double x) {
  return kLeft + (x - s.x.front()) / (s.x.back() - s.x.front()) * kPlotWidth;
}

double place_y(const Surface& s, double y) {
  return kTop + kPlotHeight - (y - s.y.front()) / (s.y.back() - s.y.front()) * kPlotHeight;
}

Sheet make_sheet(const Surface& s) {
  const std::size_t columns = s.y.size();
  std::vector<std::vector<double>> lines;  // finer along y, original x
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const auto begin = s.values.begin() + static_cast<std::ptrdiff_t>(i * columns);
    lines.push_back(finer({begin, begin + static_cast<std::ptrdiff_t>(columns)}));
  }
  Sheet sheet;
  const auto spread = [](const std::vector<double>& marks, auto place) {
    std::vector<double> result;
    for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
      for (std::size_t k = 0; k < kFiner; ++k) {
        const double share = static_cast<double>(k) / static_cast<double>(kFiner);
        result.push_back(place(marks[i] + share * (marks[i + 1] - marks[i])));
      }
    }
    result.push_back(place(marks.back()));
    return result;
  };
  sheet.x = spread(s.x, [&](double x) { return place_x(s, x); });
  sheet.y = spread(s.y, [&](double y) { return place_y(s, y); });
  sheet.values.resize(sheet.x.size() * sheet.y.size());
  for (std::size_t j = 0; j < sheet.y.size(); ++j) {
    std::vector<double> along;
    along.reserve(lines.size());
    for (const std::vector<double>& line : lines) along.push_back(line[j]);
    along = finer(along);
    for (std::size_t i = 0; i < along.size(); ++i) sheet.values[i * sheet.y.size() + j] = along[i];
  }
  return sheet;
}

struct Corner {
  double x, y, value;
};

std::string spot(double x, double y) { return number_text(x) + " " + number_text(y); }

// Adds the part of a triangle at or above `level`, and the contour line at that level.
void add_part(const std::array<Corner, 3>& corners, double level, std::string& area,
              std::string& line) {
  std::vector<std::pair<double, double>> shape, cut;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Corner &a = corners[k], &b = corners[(k + 1) % corners.size()];
    if (a.value >= level) shape.emplace_back(a.x, a.y);
    if ((a.value >= level) == (b.value >= level)) continue;
    const double share = (level - a.value) / (b.value - a.value);
    shape.emplace_back(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y));
    cut.push_back(shape.back());
  }
  for (std::size_t k = 0; k < shape.size(); ++k) {
    area += (k == 0 ? "M" : "L") + spot(shape[k].first, shape[k].second);
  }
  if (!shape.empty()) area += "Z";
  if (cut.size() == 2) {
    line += "M" + spot(cut[0].first, cut[0].second) + "L" + spot(cut[1].first, cut[1].second);
  }
}

void add_level(const Sheet& sheet, double level, std::string& area, std::string& line) {
  for (std::size_t j = 0; j + 1 < sheet.y.size(); ++j) {
    for (std::size_t i = 0; i + 1 < sheet.x.size(); ++i) {
      const auto corner = [&](std::size_t a, std::size_t b) {
        return Corner{sheet.x[a], sheet.y[b], sheet.at(a, b)};
      };
      if (std::isnan(sheet.least(i, j))) continue;
      // Adjacent cells that are entirely above the level become one rectangle.
      std::size_t end = i;
      while (end + 1 < sheet.x.size() && sheet.least(end, j) >= level) ++end;
      if (end > i) {
        area += "M" + spot(sheet.x[i], sheet.y[j]) + "H" + number_text(sheet.x[end]) + "V" +
                number_text(sheet.y[j + 1]) + "H" + number_text(sheet.x[i]) + "Z";
        i = end - 1;
        continue;
      }
      add_part({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)}, level, area, line);
      add_part({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)}, level, area, line);
    }
  }
}

std::string svg_text(double x, double y, const std::string& anchor, const std::string& content,
                     const std::string& more = "") {
  return "<text x=\"" + number_text(x) + "\" y=\"" + number_text(y) + "\" text-anchor=\"" + anchor +
         "\"" + more + ">" + content + "</text>\n";
}

std::string svg_line(double x1, double y1, double x2, double y2) {
  return "<path d=\"M" + spot(x1, y1) + "L" + spot(x2, y2) + "\" stroke=\"#000\"/>\n";
}

std::string svg_axes(const Surface& s) {
  constexpr double kTick = 5, kBelow = 20, kGap = 9, kMiddle = 5;
  const double bottom = kTop + kPlotHeight;
  std::string svg = "<path d=\"M" + spot(kLeft, kTop) + "h" + number_text(kPlotWidth) + "v" +
                    number_text(kPlotHeight) + "h" + number_text(-kPlotWidth) +
                    "z\" fill=\"none\" stroke=\"#000\"/>\n";
  for (const double x : axis_marks(s.x)) {
    svg += svg_line(place_x(s, x), bottom, place_x(s, x), bottom + kTick);
    svg += svg_text(place_x(s, x), bottom + kBelow, "middle", number_text(x));
  }
  for (const double y : axis_marks(s.y)) {
    svg += svg_line(kLeft - kTick, place_y(s, y), kLeft, place_y(s, y));
    svg += svg_text(kLeft - kGap, place_y(s, y) + kMiddle, "end", number_text(y));
  }
  constexpr double kNameBelow = 46, kNameLeft = 26;
  svg += svg_text(kLeft + kPlotWidth / 2, bottom + kNameBelow, "middle", "log2 C");
  svg += svg_text(0, 0, "middle", "log2 \xCE\xB3",
                  " transform=\"translate(" + number_text(kNameLeft) + "," +
                      number_text(kTop + kPlotHeight / 2) + ") rotate(-90)\"");
  return svg;
}

double share_of_band(const Surface& s, std::size_t band, std::size_t bands) {
  const double share = bands < 2 ? 1 : static_cast<double>(band) / static_cast<double>(bands - 1);
  return s.is_error ? 1 - share : share;
}

std::string svg_bar(const Surface& s, const std::vector<double>& levels) {
  constexpr double kBarLeft = 548, kBarWidth = 18, kGap = 5, kMiddle = 5;
  const std::size_t bands = levels.size() + 1;
  const double height = kPlotHeight / static_cast<double>(bands);
  std::string svg;
  for (std::size_t b = 0; b < bands; ++b) {
    const double top = kTop + kPlotHeight - static_cast<double>(b + 1) * height;
    svg += "<rect x=\"" + number_text(kBarLeft) + "\" y=\"" + number_text(top) + "\" width=\"" +
           number_text(kBarWidth) + "\" height=\"" + number_text(height) + "\" fill=\"" +
           colour(share_of_band(s, b, bands)) + "\"/>\n";
    if (b + 1 < bands) {
      svg += svg_text(kBarLeft + kBarWidth + kGap, top + kMiddle, "start", number_text(levels[b]));
    }
  }
  svg += "<rect x=\"" + number_text(kBarLeft) + "\" y=\"" + number_text(kTop) + "\" width=\"" +
         number_text(kBarWidth) + "\" height=\"" + number_text(kPlotHeight) +
         "\" fill=\"none\" stroke=\"#000\"/>\n";
  constexpr double kAbove = 10;
  svg += svg_text(kBarLeft, kTop - kAbove, "start", s.is_error ? "MSE" : "rate (%)");
  return svg;
}

// A thin stroke closes the seams between the pieces.
std::string svg_band(const std::string& area, const std::string& fill) {
  return "<path d=\"" + area + "\" fill=\"" + fill + "\" stroke=\"" + fill +
         "\" stroke-width=\"0.4\"/>\n";
}

std::string svg_circle(double x, double y, double radius, const std::string& fill,
                       const char* width) {
  return "<circle cx=\"" + number_text(x) + "\" cy=\"" + number_text(y) + "\" r=\"" +
         number_text(radius) + "\" fill=\"" + fill + "\" stroke=\"#000\" stroke-width=\"" + width +
         "\"/>\n";
}

constexpr double kMark = 3;  // half the width of a mark

std::string svg_skipped(double x, double y) { return svg_circle(x, y, kMark, "none", "0.6"); }

std::string svg_failed(double x, double y) {
  const std::string across = number_text(2 * kMark), back = number_text(-2 * kMark);
  return "<path d=\"M" + spot(x - kMark, y - kMark) + "l" + across + " " + across + "M" +
         spot(x - kMark, y + kMark) + "l" + across + " " + back + "\" stroke=\"#c00\"" +
         " stroke-width=\"1.5\"/>\n";
}

// Draws all points, and explains the marks.
std::string svg_points(const Surface& s, const std::vector<double>& levels) {
  std::string svg;
  bool has_skipped = false, has_failed = false;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    for (std::size_t j = 0; j < s.y.size(); ++j) {
      const std::size_t point = i * s.y.size() + j;
      const double x = place_x(s, s.x[i]), y = place_y(s, s.y[j]), value = s.values[point];
      if (!std::isnan(value)) {
        const auto band = static_cast<std::size_t>(
            std::upper_bound(levels.begin(), levels.end(), value) - levels.begin());
        svg += svg_circle(x, y, kMark, colour(share_of_band(s, band, levels.size() + 1)), "0.6");
      } else if (s.skipped[point]) {
        svg += svg_skipped(x, y);
        has_skipped = true;
      } else if (s.is_complete) {
        svg += svg_failed(x, y);
        has_failed = true;
      }
    }
  }
  constexpr double kKeyLeft = 557, kGap = 14, kMiddle = 5, kKeyLine = 20;
  double y = kTop + kPlotHeight + kKeyLine;
  if (has_skipped) {
    svg += svg_skipped(kKeyLeft, y) + svg_text(kKeyLeft + kGap, y + kMiddle, "start", "skipped");
    y += kKeyLine;
  }
  if (has_failed) {
    svg += svg_failed(kKeyLeft, y) + svg_text(kKeyLeft + kGap, y + kMiddle, "start", "failed");
  }
  return svg;
}

std::string svg_best(const Surface& s) {
  const double x = place_x(s, s.best.point.log2c), y = place_y(s, s.best.point.log2g);
  if (x < kLeft || x > kLeft + kPlotWidth || y < kTop || y > kTop + kPlotHeight) return "";
  constexpr double kRadius = 5;
  return svg_circle(x, y, kRadius, "#fff", "1.5");
}

}  // namespace

std::string svg_picture(const Surface& s) {
  const std::vector<double> levels = contour_levels(s);
  const Sheet sheet = make_sheet(s);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number_text(kWidth) +
                    "\" height=\"" + number_text(kHeight) + "\" viewBox=\"0 0 " +
                    spot(kWidth, kHeight) +
                    "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  const bool has_gaps = s.has_gaps();
  const std::string lowest = colour(share_of_band(s, 0, levels.size() + 1));
  svg += "<rect x=\"" + number_text(kLeft) + "\" y=\"" + number_text(kTop) + "\" width=\"" +
         number_text(kPlotWidth) + "\" height=\"" + number_text(kPlotHeight) + "\" fill=\"" +
         (has_gaps ? "#f2f2f2" : lowest) + "\"/>\n";
  std::string lines;
  if (has_gaps) {
    std::string area;
    add_level(sheet, -std::numeric_limits<double>::infinity(), area, lines);
    svg += svg_band(area, lowest);
  }
  for (std::size_t b = 0; b < levels.size(); ++b) {
    std::string area;
    add_level(sheet, levels[b], area, lines);
    const std::string fill = colour(share_of_band(s, b + 1, levels.size() + 1));
    svg += svg_band(area, fill);
  }
  svg += "<path d=\"" + lines + "\" fill=\"none\" stroke=\"#000\" stroke-opacity=\"0.45\"" +
         " stroke-width=\"0.7\"/>\n";
  svg += svg_axes(s) + svg_bar(s, levels);
  if (has_gaps) svg += svg_points(s, levels);
  svg += svg_best(s);
  constexpr double kAbove = 10;
  svg += svg_text(kLeft, kTop - kAbove, "start",
                  escaped(s.title + (s.title.empty() ? "best: " : ", best: ") + best_text(s)));
  return svg + "</svg>\n";
}

}  // namespace svm::grid
