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

class Results {
 public:
  Results(Axes axes, Measure measure) : axes_(axes), measure_(measure) {}

  // Reads finished points.  Lines that are none, and a last line without its end, are passed over.
  void read(const std::string& text);
  void add(const Point& point, double value) { values_[key(point)] = value; }
  std::optional<double> find(const Point& point) const;

  // The best of the known among these points.  Of equal ones the first counts, but with the same
  // gamma the smaller C: so it is independent of the order in which points were finished.
  struct Best {
    Point point;
    double value;
  };
  std::optional<Best> best(const std::vector<Point>& points) const;

  // "log2c=0.0 log2g=-1.0 rate=77.037\n"
  std::string file_line(const Point& point, double value) const;
  // "[local] 0.0 -1.0 77.037 (best c=1.0, g=0.5, rate=77.037)\n"
  std::string progress_line(const char* origin, const Point& point, double value,
                            const Best& best) const;
  // "1.0 0.5 77.037\n"
  std::string final_line(const Best& best) const;

  Axes axes() const { return axes_; }
  Measure measure() const { return measure_; }

 private:
  using Key = std::tuple<double, double, double>;
  static Key key(const Point& point) { return {point.log2c, point.log2g, point.log2p}; }

  const Axes axes_;
  const Measure measure_;
  std::map<Key, double> values_;
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
