// The output of grid.py, and the file of finished points.
#ifndef SVM_PROGRAMS_GRID_RESULTS_H_
#define SVM_PROGRAMS_GRID_RESULTS_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/platform/files.h"
#include "programs/grid/plan.h"

namespace svm::grid {

// What is measured at a point: a rate in percent, of which large values are good, or a mean squared
// error, of which small values are good.
struct Measure {
  bool is_error = false;

  const char* name() const { return "rate"; }  // used in grid.py's lines for both
  bool is_better(double a, double b) const { return is_error ? a < b : a > b; }
};

// The text that Python prints for a float: 0.5, 1.0, 1e-05.
std::string python_real(double value);

// The value of the text that svm-train -v prints, which has six digits.
double as_printed(double value);

class Results {
 public:
  Results(Axes axes, Measure measure) : axes_(axes), measure_(measure) {}

  // Reads finished points, and points that an adaptive search skipped. Ignores other lines, and a
  // last line without a line end.
  void read(const std::string& text);
  void add(const Point& point, double value) { values_[point.exponents()] = value; }
  std::optional<double> find(const Point& point) const;

  // Records that an adaptive search skipped a point of a plan. That decision holds for that plan
  // only.
  void skip(const Plan& plan, const Point& point, const std::string& reason) {
    skipped_[point.exponents()] = {std::make_shared<const std::string>(plan_line(plan)), reason};
  }
  std::optional<std::string> why_skipped(const Plan& plan, const Point& point) const;

  // The best of these points. Of equally good points the first one counts, or if they have the same
  // gamma, the one with the smallest C. The result does not depend on the order in which points
  // finished.
  struct Best {
    Point point;
    double value;
  };
  std::optional<Best> best(const std::vector<Point>& points) const;

  // "log2c=0.0 log2g=-1.0 rate=77.037\n"
  std::string file_line(const Point& point, double value) const;
  // "# adaptive: log2c=-1.0..7.0/3 log2g=1.0..-3.0/3\n", which precedes the points skipped by a
  // plan
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

  Measure measure() const { return measure_; }

 private:
  struct Skipped {
    // This is a plan_line().  The points that follow it in a file share it, because a stranger's
    // line may be long.
    std::shared_ptr<const std::string> plan;
    std::string reason;
  };
  // visit(name, member of Point, member of Plan) for each searched axis.
  template <typename Visit>
  void for_each_axis(const Visit& visit) const {
    if (axes_.c) visit("log2c", &Point::log2c, &Plan::c);
    if (axes_.g) visit("log2g", &Point::log2g, &Plan::g);
    if (axes_.p) visit("log2p", &Point::log2p, &Plan::p);
  }
  std::string point_text(const Point& point, bool with_names) const;

  const Axes axes_;
  const Measure measure_;
  std::map<Exponents, double> values_;
  std::map<Exponents, Skipped> skipped_;
};

// A text file that grows line by line. When append() returns, the operating system has the line, so
// it survives any end of the process. The open file is locked, as tools/svmgrid/outfile.py does, so
// that two searches never write to the same file; the lock ends with the process in any case.
class LineFile {
 public:
  using LockFunction = bool (*)(const platform::File& file);

  // Truncates the file, or with `keep`, continues after its last complete line. Throws
  // std::system_error, and std::runtime_error if another search uses the file.
  LineFile(const std::string& path, bool keep, LockFunction lock = platform::lock);

  // Throws std::runtime_error if a search uses the file.
  static void check_unused(const std::string& path);

  // Why the file could not be locked, as on file systems without locks; empty otherwise.
  const std::string& lock_fault() const { return lock_fault_; }

  // Throws std::system_error.
  void append(const std::string& line);

 private:
  const std::string path_;
  const platform::File file_;
  std::string lock_fault_;
};

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_RESULTS_H_
