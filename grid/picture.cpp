#include "grid/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "io/number_text.h"

namespace svm::grid {
namespace {

constexpr std::size_t kFiner = 8;  // cells for one of the surface, along each axis
constexpr std::size_t kMostBands = 9;
constexpr double kWidth = 640, kHeight = 480;
constexpr double kLeft = 74, kTop = 44, kPlotWidth = 450, kPlotHeight = 370;
constexpr int kDigits = 6, kShortDigits = 4;

std::string text_of(double value, int digits = kDigits) {
  std::string text;
  append_real(text, value, digits);
  return text;
}

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

// Dark blue over green to yellow, also told apart in grey and by the colour-blind.
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

// A smooth curve through the values, between value i and the next one.
double between(const double* values, std::size_t count, std::size_t i, double share) {
  const double b = values[i], c = values[i + 1];
  const double a = i > 0 ? values[i - 1] : b, d = i + 2 < count ? values[i + 2] : c;
  const double slope_b = (c - a) / 2, slope_c = (d - b) / 2;
  const double s = share, s2 = s * s, s3 = s2 * s;
  const double smooth = (2 * s3 - 3 * s2 + 1) * b + (s3 - 2 * s2 + s) * slope_b +
                        (3 * s2 - 2 * s3) * c + (s3 - s2) * slope_c;
  return std::min(std::max(smooth, std::min(b, c)), std::max(b, c));  // no new hills
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

// The surface on a finer grid, in places of the picture.
struct Sheet {
  std::vector<double> x, y, values;

  double at(std::size_t i, std::size_t j) const { return values[i * y.size() + j]; }
};

double place_x(const Surface& s, double x) {
  return kLeft + (x - s.x.front()) / (s.x.back() - s.x.front()) * kPlotWidth;
}

double place_y(const Surface& s, double y) {
  return kTop + kPlotHeight - (y - s.y.front()) / (s.y.back() - s.y.front()) * kPlotHeight;
}

Sheet make_sheet(const Surface& s) {
  const std::size_t columns = s.y.size();
  std::vector<std::vector<double>> lines;  // finer along y, by old x
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

std::string spot(double x, double y) { return text_of(x, kDigits) + " " + text_of(y, kDigits); }

// The part of a triangle that is at or above `level`, and the line at that level.
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
      // Whole cells above the level go into one rectangle with their neighbours.
      std::size_t end = i;
      while (end + 1 < sheet.x.size() &&
             std::min({sheet.at(end, j), sheet.at(end + 1, j), sheet.at(end, j + 1),
                       sheet.at(end + 1, j + 1)}) >= level) {
        ++end;
      }
      if (end > i) {
        area += "M" + spot(sheet.x[i], sheet.y[j]) + "H" + text_of(sheet.x[end]) + "V" +
                text_of(sheet.y[j + 1]) + "H" + text_of(sheet.x[i]) + "Z";
        i = end - 1;
        continue;
      }
      add_part({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)}, level, area, line);
      add_part({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)}, level, area, line);
    }
  }
}

// About so many marks along an axis, at values of the grid.
std::vector<double> marks(const std::vector<double>& values) {
  constexpr std::size_t kMostMarks = 10;
  const std::size_t step = (values.size() + kMostMarks - 1) / kMostMarks;
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); i += step) result.push_back(values[i]);
  return result;
}

std::string svg_text(double x, double y, const std::string& anchor, const std::string& content,
                     const std::string& more = "") {
  return "<text x=\"" + text_of(x) + "\" y=\"" + text_of(y) + "\" text-anchor=\"" + anchor + "\"" +
         more + ">" + content + "</text>\n";
}

std::string svg_line(double x1, double y1, double x2, double y2) {
  return "<path d=\"M" + spot(x1, y1) + "L" + spot(x2, y2) + "\" stroke=\"#000\"/>\n";
}

std::string svg_axes(const Surface& s) {
  constexpr double kTick = 5, kBelow = 20, kGap = 9, kMiddle = 5;
  const double bottom = kTop + kPlotHeight;
  std::string svg = "<path d=\"M" + spot(kLeft, kTop) + "h" + text_of(kPlotWidth) + "v" +
                    text_of(kPlotHeight) + "h" + text_of(-kPlotWidth) +
                    "z\" fill=\"none\" stroke=\"#000\"/>\n";
  for (const double x : marks(s.x)) {
    svg += svg_line(place_x(s, x), bottom, place_x(s, x), bottom + kTick);
    svg += svg_text(place_x(s, x), bottom + kBelow, "middle", text_of(x));
  }
  for (const double y : marks(s.y)) {
    svg += svg_line(kLeft - kTick, place_y(s, y), kLeft, place_y(s, y));
    svg += svg_text(kLeft - kGap, place_y(s, y) + kMiddle, "end", text_of(y));
  }
  constexpr double kNameBelow = 46, kNameLeft = 26;
  svg += svg_text(kLeft + kPlotWidth / 2, bottom + kNameBelow, "middle", "log2 C");
  svg += svg_text(0, 0, "middle", "log2 \xCE\xB3",
                  " transform=\"translate(" + text_of(kNameLeft) + "," +
                      text_of(kTop + kPlotHeight / 2) + ") rotate(-90)\"");
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
    svg += "<rect x=\"" + text_of(kBarLeft) + "\" y=\"" + text_of(top) + "\" width=\"" +
           text_of(kBarWidth) + "\" height=\"" + text_of(height) + "\" fill=\"" +
           colour(share_of_band(s, b, bands)) + "\"/>\n";
    if (b + 1 < bands) {
      svg += svg_text(kBarLeft + kBarWidth + kGap, top + kMiddle, "start", text_of(levels[b]));
    }
  }
  svg += "<rect x=\"" + text_of(kBarLeft) + "\" y=\"" + text_of(kTop) + "\" width=\"" +
         text_of(kBarWidth) + "\" height=\"" + text_of(kPlotHeight) +
         "\" fill=\"none\" stroke=\"#000\"/>\n";
  constexpr double kAbove = 10;
  svg += svg_text(kBarLeft, kTop - kAbove, "start", s.is_error ? "MSE" : "rate (%)");
  return svg;
}

std::string best_text(const Surface& s) {
  return "C = " + text_of(std::exp2(s.best.point.log2c), kShortDigits) +
         ", \xCE\xB3 = " + text_of(std::exp2(s.best.point.log2g), kShortDigits) + ": " +
         text_of(s.best.value) + (s.is_error ? "" : " %");
}

std::string svg_best(const Surface& s) {
  const double x = place_x(s, s.best.point.log2c), y = place_y(s, s.best.point.log2g);
  if (x < kLeft || x > kLeft + kPlotWidth || y < kTop || y > kTop + kPlotHeight) return "";
  constexpr double kRadius = 5;
  return "<circle cx=\"" + text_of(x) + "\" cy=\"" + text_of(y) + "\" r=\"" + text_of(kRadius) +
         "\" fill=\"#fff\" stroke=\"#000\" stroke-width=\"1.5\"/>\n";
}

}  // namespace

std::optional<Surface> make_surface(const Plan& plan, const Results& results,
                                    const Results::Best& best, const std::string& title) {
  if (!plan.axes.c || !plan.axes.g || plan.c.size() < 2 || plan.g.size() < 2) return std::nullopt;
  Surface s{plan.c, plan.g, {}, results.measure().is_error, title, best};
  std::sort(s.x.begin(), s.x.end());
  std::sort(s.y.begin(), s.y.end());
  for (const double c : s.x) {
    for (const double g : s.y) {
      const std::optional<double> value = results.find({c, g, best.point.log2p});
      if (!value || !std::isfinite(*value)) return std::nullopt;
      s.values.push_back(*value);
    }
  }
  return s;
}

std::vector<double> contour_levels(const Surface& surface) {
  const auto [low, high] = std::minmax_element(surface.values.begin(), surface.values.end());
  std::vector<double> levels;
  if (!(*high > *low)) return levels;
  const double least = (*high - *low) / kMostBands;
  double step = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (step * factor >= least) {
      step *= factor;
      break;
    }
  }
  for (double k = std::floor(*low / step) + 1; k * step < *high; ++k) levels.push_back(k * step);
  return levels;
}

std::string svg_picture(const Surface& s) {
  const std::vector<double> levels = contour_levels(s);
  const Sheet sheet = make_sheet(s);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + text_of(kWidth) +
                    "\" height=\"" + text_of(kHeight) + "\" viewBox=\"0 0 " +
                    spot(kWidth, kHeight) +
                    "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  svg += "<rect x=\"" + text_of(kLeft) + "\" y=\"" + text_of(kTop) + "\" width=\"" +
         text_of(kPlotWidth) + "\" height=\"" + text_of(kPlotHeight) + "\" fill=\"" +
         colour(share_of_band(s, 0, levels.size() + 1)) + "\"/>\n";
  std::string lines;
  for (std::size_t b = 0; b < levels.size(); ++b) {
    std::string area;
    add_level(sheet, levels[b], area, lines);
    const std::string fill = colour(share_of_band(s, b + 1, levels.size() + 1));
    // The thin stroke closes the seams between the pieces.
    svg += "<path d=\"" + area + "\" fill=\"" + fill + "\" stroke=\"" + fill +
           "\" stroke-width=\"0.4\"/>\n";
  }
  svg += "<path d=\"" + lines + "\" fill=\"none\" stroke=\"#000\" stroke-opacity=\"0.45\"" +
         " stroke-width=\"0.7\"/>\n";
  svg += svg_axes(s) + svg_bar(s, levels) + svg_best(s);
  constexpr double kAbove = 10;
  svg += svg_text(kLeft, kTop - kAbove, "start",
                  escaped(s.title + (s.title.empty() ? "best: " : ", best: ") + best_text(s)));
  return svg + "</svg>\n";
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
      "\nset contour base\nset cntrparam cubicspline\nset cntrlabel onecolor\n";
  const auto list_of = [](const std::vector<double>& values) {
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : ",") + text_of(value);
    return list;
  };
  const std::string list = list_of(contour_levels(s));
  if (!list.empty()) text += "set cntrparam levels discrete " + list + "\n";
  text += "set xrange [" + text_of(s.x.front()) + ":" + text_of(s.x.back()) + "]\nset yrange [" +
          text_of(s.y.front()) + ":" + text_of(s.y.back()) + "]\nset xtics out nomirror (" +
          list_of(marks(s.x)) + ")\nset ytics out nomirror (" + list_of(marks(s.y)) + ")\n";
  for (const char* style : {"pt 7 ps 2 lc 'white'", "pt 6 ps 2 lw 2 lc 'black'"}) {
    text += "set label '' at " + text_of(s.best.point.log2c) + "," + text_of(s.best.point.log2g) +
            " front point " + style + "\n";
  }
  text += "splot '-' with pm3d, '-' with lines lc 'black' lw 0.7 nosurface\n";
  std::string data;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    for (std::size_t j = 0; j < s.y.size(); ++j) {
      data += text_of(s.x[i]) + " " + text_of(s.y[j]) + " " +
              text_of(s.values[i * s.y.size() + j], kMostDigits) + "\n";
    }
    data += "\n";
  }
  return text + data + "e\n" + data + "e\n";
}

}  // namespace svm::grid
