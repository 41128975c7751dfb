// Makes the data sets in data/, or a file of many rows.  It uses only integer arithmetic and
// std::mt19937_64, whose output is fixed by the C++ standard, so that every computer writes the
// same bytes.
//
//   make-data FOLDER
//   make-data FILE ROWS FEATURES SEED
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kFeatures = 6;
constexpr std::int64_t kUnit = 1000;  // hidden coordinates run from -kUnit to kUnit
constexpr std::int64_t kNoisePercent = 3;

using Point = std::array<std::int64_t, kFeatures>;

// A hidden coordinate z appears in a file as (offset + factor z) / 10^digits. In the given
// percentage of rows it is absent; z is then the coordinate for which that expression is 0.
struct Feature {
  std::int64_t offset;
  std::int64_t factor;
  int digits;
  std::int64_t absent_percent;
};

// Scales differ by many orders of magnitude, so that training without svm-scale does badly.
constexpr std::array<Feature, kFeatures> kFeatureTable = {{
    {0, 1, 3, 0},             // -1 to 1
    {170000, 65, 3, 0},       // 105 to 235
    {0, 7, 8, 0},             // -0.00007 to 0.00007
    {52000000, 31000, 0, 0},  // 21 to 83 million
    {0, 45, 2, 40},           // -450 to 450, often absent
    {0, 3, 0, 70},            // -3000 to 3000, mostly absent
}};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // Nearly uniform in [low, high], a tiny range compared with 2^64.
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(engine_() % span);
  }

  bool percent(std::int64_t chance) { return draw(0, 99) < chance; }

  Point point() {
    Point z{};
    for (std::size_t j = 0; j < kFeatures; ++j) {
      z[j] = draw(-kUnit, kUnit);
      if (percent(kFeatureTable[j].absent_percent)) z[j] = 0;
    }
    return z;
  }

 private:
  std::mt19937_64 engine_;
};

// The text of value / 10^digits without trailing zeros, such as "-0.05".
std::string decimal(std::int64_t value, int digits) {
  std::string text = std::to_string(value < 0 ? -value : value);
  if (digits > 0) {
    const auto places = static_cast<std::size_t>(digits);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, 1, '.');
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return value < 0 ? "-" + text : text;
}

void write_row(std::ostream& out, const std::string& label, const Point& z) {
  out << label;
  for (std::size_t j = 0; j < kFeatures; ++j) {
    const Feature& feature = kFeatureTable[j];
    const std::int64_t value = feature.offset + feature.factor * z[j];
    if (value != 0) out << ' ' << j + 1 << ':' << decimal(value, feature.digits);
  }
  out << '\n';
}

// Positive inside an ellipsoid whose centre moves with the fourth coordinate, negative outside.
std::int64_t depth(const Point& z) {
  const std::int64_t a = z[0] - z[3] / 4;
  const std::int64_t b = z[1] + z[2] / 4;
  return 1000000 - 3 * a * a - 2 * b * b - z[4] * z[4] / 2;
}

// A point that is not close to the ellipsoid's surface.
Point clear_point(Random& random) {
  constexpr std::int64_t kGap = 250000;
  for (;;) {
    const Point z = random.point();
    const std::int64_t d = depth(z);
    if (d < -kGap || d > kGap) return z;
  }
}

void write_two_classes(std::ostream& out, Random& random, int rows) {
  for (int i = 0; i < rows; ++i) {
    const Point z = clear_point(random);
    const bool inside = depth(z) > 0;
    write_row(out, inside != random.percent(kNoisePercent) ? "+1" : "-1", z);
  }
}

// Three sectors whose common edge is a bent line.
int sector(const Point& z) {
  const std::int64_t bend = z[1] * z[1] / kUnit;
  if (z[0] + bend < 150) return 1;
  return z[2] + z[3] > 0 ? 2 : 3;
}

void write_three_classes(std::ostream& out, Random& random, int rows) {
  for (int i = 0; i < rows; ++i) {
    const Point z = random.point();
    const int label =
        random.percent(kNoisePercent) ? static_cast<int>(random.draw(1, 3)) : sector(z);
    write_row(out, std::to_string(label), z);
  }
}

// A quadratic target with a little noise, in thousandths.
void write_regression(std::ostream& out, Random& random, int rows) {
  for (int i = 0; i < rows; ++i) {
    const Point z = random.point();
    const std::int64_t target =
        2 * z[0] + z[1] * z[2] / kUnit - z[3] * z[3] / kUnit + z[4] / 2 + random.draw(-100, 100);
    write_row(out, decimal(target, 3), z);
  }
}

// A kind of machine, new and idle: tenths of a degree, hundredths of a millimetre per second.
struct Machine {
  const char* name;
  std::int64_t temperature;
  std::int64_t vibration;
};
constexpr std::array<Machine, 3> kMachines = {
    {{"lathe", 450, 120}, {"mill", 520, 180}, {"press", 600, 260}}};

const char* state_of(std::int64_t wear) {
  if (wear < 450) return "good";
  return wear < 750 ? "worn" : "broken";
}

// A table with a header, a column of categories and a label that is text. missing: the row without
// a vibration, from 0; none if it is negative.
void write_table(std::ostream& out, Random& random, int rows, int missing) {
  out << "machine,temperature,vibration,load,hours,state\n";
  for (int i = 0; i < rows; ++i) {
    const Machine& machine = kMachines[static_cast<std::size_t>(random.draw(0, 2))];
    const std::int64_t wear = random.draw(0, 999);
    const std::int64_t load = random.percent(10) ? 0 : random.draw(1, 100);
    const std::int64_t temperature =
        machine.temperature + wear * 12 / 100 + load + random.draw(-8, 8);
    const std::int64_t vibration =
        machine.vibration + wear * wear * 15 / 100000 + load * 3 / 10 + random.draw(-6, 6);
    const std::int64_t hours = 800 + wear * 4 + random.draw(-800, 800);
    const std::int64_t seen = random.percent(kNoisePercent) ? random.draw(0, 999) : wear;
    out << machine.name << ',' << decimal(temperature, 1) << ','
        << (i == missing ? "" : decimal(vibration, 2)) << ',' << load << ',' << hours << ','
        << state_of(seen) << '\n';
  }
}

void write_training_table(std::ostream& out, Random& random, int rows) {
  write_table(out, random, rows, 16);
}

void write_test_table(std::ostream& out, Random& random, int rows) {
  write_table(out, random, rows, -1);
}

// Two classes in the fields of a board of four hidden coordinates.  Each feature is a sum of these
// and a little noise.
void write_many(std::ostream& out, Random& random, int rows, int features) {
  constexpr std::size_t kHidden = 4;
  constexpr std::int64_t kField = 667;
  using Hidden = std::array<std::int64_t, kHidden>;
  Random of_sums(1);
  std::vector<Hidden> sums(static_cast<std::size_t>(features));
  for (Hidden& sum : sums) {
    for (std::int64_t& factor : sum) factor = of_sums.draw(-100, 100);
  }
  for (int i = 0; i < rows; ++i) {
    Hidden hidden{};
    std::int64_t field = random.percent(kNoisePercent) ? 1 : 0;
    for (std::int64_t& coordinate : hidden) {
      coordinate = random.draw(0, 2 * kUnit);
      field += coordinate / kField;
    }
    std::string row = field % 2 == 0 ? "+1" : "-1";
    for (std::size_t j = 0; j < sums.size(); ++j) {
      std::int64_t value = random.draw(-20, 20);
      for (std::size_t h = 0; h < kHidden; ++h) value += sums[j][h] * (hidden[h] - kUnit) / 200;
      if (value != 0) row += ' ' + std::to_string(j + 1) + ':' + decimal(value, 3);
    }
    out << row << '\n';
  }
}

using Writer = std::function<void(std::ostream&, Random&, int)>;

void write_file(const std::string& path, const Writer& writer, std::uint64_t seed, int rows) {
  std::ofstream file(path, std::ios::binary);
  Random random(seed);
  writer(file, random, rows);
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 5) {
    std::cerr << "usage: make-data folder\n       make-data file rows features seed\n";
    return 1;
  }
  try {
    if (argc == 5) {
      const int features = std::stoi(argv[3]);
      const auto write = [features](std::ostream& out, Random& random, int rows) {
        write_many(out, random, rows, features);
      };
      write_file(argv[1], write, std::stoull(argv[4]), std::stoi(argv[2]));
      return 0;
    }
    const std::string folder = argv[1];
    write_file(folder + "/demo.train", write_two_classes, 1, 800);
    write_file(folder + "/demo.test", write_two_classes, 2, 400);
    write_file(folder + "/demo3.train", write_three_classes, 3, 300);
    write_file(folder + "/demo-svr.train", write_regression, 4, 300);
    write_file(folder + "/demo-train.csv", write_training_table, 5, 300);
    write_file(folder + "/demo-test.csv", write_test_table, 6, 100);
  } catch (const std::exception& error) {
    std::cerr << "make-data: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
