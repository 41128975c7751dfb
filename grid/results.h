// The lines of grid.py, and the file of finished points.
#ifndef SVM_GRID_RESULTS_H_
#define SVM_GRID_RESULTS_H_

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "grid/plan.h"
#include "platform/files.h"

namespace svm::grid {

// What is measured at a point: a rate in percent, to be large, or a mean squared error, to be
// small.
struct Measure {
  bool is_error = false;

  const char* name() const { return "rate"; }  // in grid.py's lines, whatever it is
  bool is_better(double a, double b) const { return is_error ? a < b : a > b; }
};

// As Python prints a float: 0.5, 1.0, 1e-05.
std::string python_real(double value);

// To so many digits; to six, as svm-train -v prints a figure.
std::string number_text(double value, int digits = 6);
double as_printed(double value);  // what that text says

class Results {
 public:
  Results(Axes axes, Measure measure) : axes_(axes), measure_(measure) {}

  // Reads finished points, and those that an adaptive search left out.  Lines that are neither, and
  // a last line without its end, are passed over.
  void read(const std::string& text);
  void add(const Point& point, double value) { values_[key(point)] = value; }
  std::optional<double> find(const Point& point) const;

  // Points that an adaptive search leaves out of a plan.  What it decides holds for that plan only.
  void skip(const Plan& plan, const Point& point, const std::string& reason) {
    skipped_[key(point)] = {plan_line(plan), reason};
  }
  std::optional<std::string> why_skipped(const Plan& plan, const Point& point) const;
  // By whatever plan, and without a value.
  bool is_skipped(const Point& point) const {
    return skipped_.count(key(point)) > 0 && values_.count(key(point)) == 0;
  }

  // The best of the known among these points.  Of equal ones the first counts, but with the same
  // gamma the smaller C: so it is independent of the order in which points were finished.
  struct Best {
    Point point;
    double value;
  };
  std::optional<Best> best(const std::vector<Point>& points) const;

  // "log2c=0.0 log2g=-1.0 rate=77.037\n"
  std::string file_line(const Point& point, double value) const;
  // "# adaptive: log2c=-1.0..7.0/3 log2g=1.0..-3.0/3\n", before the points that a plan leaves out
  std::string plan_line(const Plan& plan) const;
  // "# log2c=0.0 log2g=-1.0 skipped: worse with larger C\n"
  std::string skipped_line(const Point& point, const std::string& reason) const;
  // "[skipped] 0.0 -1.0 (worse with larger C)\n"
  std::string skipped_progress_line(const Point& point, const std::string& reason) const;
  // "[local] 0.0 -1.0 77.037 (best c=1.0, g=0.5, rate=77.037)\n"
  std::string progress_line(const char* origin, const Point& point, double value,
                            const Best& best) const;
  // "c=1.0, g=0.5"
  std::string parameters(const Point& point) const;
  // "1.0 0.5 77.037\n"
  std::string final_line(const Best& best) const;

  Axes axes() const { return axes_; }
  Measure measure() const { return measure_; }

 private:
  using Key = std::tuple<double, double, double>;
  struct Skipped {
    std::string plan, reason;  // the plan's line
  };
  std::string point_text(const Point& point) const;
  std::string exponents(const Point& point) const;
  static Key key(const Point& point) { return {point.log2c, point.log2g, point.log2p}; }

  const Axes axes_;
  const Measure measure_;
  std::map<Key, double> values_;
  std::map<Key, Skipped> skipped_;
};

// A text file that grows by whole lines.  Each is with the system when append() returns, so that no
// end of the process, however sudden, loses it.
class LineFile {
 public:
  // Starts anew, or, with `keep`, goes on behind the last whole line.  Throws std::system_error.
  LineFile(const std::string& path, bool keep);

  // Throws std::system_error.
  void append(const std::string& line);

 private:
  const std::string path_;
  const platform::File file_;
};

}  // namespace svm::grid

#endif  // SVM_GRID_RESULTS_H_
