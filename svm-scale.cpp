// svm-scale: scales the features of a data file. The arithmetic is in programs/scaling/.
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/io/input_error.h"
#include "base/io/input_file.h"
#include "base/io/output_file.h"
#include "base/platform/files.h"
#include "programs/cli/files.h"
#include "programs/cli/main.h"
#include "programs/cli/notes.h"
#include "programs/cli/scale_options.h"
#include "programs/cli/status_line.h"
#include "programs/data/row_reader.h"
#include "programs/platform/processes.h"
#include "programs/scaling/feature_ranges.h"
#include "programs/scaling/scaler.h"

namespace svm::cli {
namespace {

constexpr int kReadFailure = 255;  // LIBSVM's main returns -1 here
constexpr std::size_t kPiece = std::size_t{1} << 18;

// Copies data that cannot be read twice, such as those of a pipe.
FilePtr copy_to_temporary(std::FILE* source, const std::string& path) {
  FilePtr copy(platform::open_temporary_stream(std::filesystem::temp_directory_path().u8string()));
  const auto check = [](bool done, const std::string& name) {
    if (!done) throw std::system_error(errno, std::generic_category(), name);
  };
  check(copy != nullptr, "temporary file");
  std::vector<char> piece(kPiece);
  for (;;) {
    errno = 0;
    const std::size_t got = std::fread(piece.data(), 1, piece.size(), source);
    if (got == 0) break;
    check(std::fwrite(piece.data(), 1, got, copy.get()) == got, "temporary file");
  }
  check(std::ferror(source) == 0, path);
  check(std::fflush(copy.get()) == 0, "temporary file");
  return copy;
}

FilePtr open_data(const std::string& path) {
  FilePtr file = open_for_reading(path, "can't open file");
  const std::optional<platform::FileFacts> facts = platform::facts_of(file.get());
  const bool can_be_read_twice = facts && facts->kind == platform::FileFacts::Kind::kRegular;
  return can_be_read_twice ? std::move(file) : copy_to_temporary(file.get(), path);
}

ScalingParameters restore(const std::string& path) {
  try {
    return parse_range_file(
        opened("can't open file " + path, [&] { return read_whole_file(path); }));
  } catch (const InputError& error) {
    throw Failure("ERROR: failed to read scaling parameters\n" + path + ": " + error.what(),
                  kReadFailure);
  }
}

void save_ranges(const std::string& path, const ScalingParameters& parameters) {
  OutputFile out = opened("can't open file " + path, [&] { return open_output(path); });
  out.write(range_file_text(parameters));
  out.commit();
}

// Calls `take` with the label and features of every row, from the beginning of the file. Returns
// what has read them.
template <typename Take>
FileRows for_each_row(std::FILE* file, ReadingLine& line, Take take) {
  RowRules rules;
  rules.reject_subnormals = false;
  rules.cr_ends_label = true;
  std::rewind(file);
  line.begin_pass();
  FileRows rows(file, rules);
  while (rows.next()) {
    take(rows.label(), rows.nodes());
    line.count_row();
  }
  line.erase();
  return rows;
}

Failure bad_input(const std::string& path, const InputError& error) {
  const std::string detail = path + ": " + error.what();
  if (error.part() == InputError::Part::kLabel) {
    return Failure("ERROR: failed to read labels\n" + detail, kReadFailure);
  }
  return Failure("Wrong input format at line " + std::to_string(error.line()) + "\n" + detail);
}

RangeCollector collect(std::FILE* data, const std::string& path, ReadingLine& line) {
  RangeCollector ranges;
  try {
    const FileRows rows = for_each_row(
        data, line, [&](double label, const svm_node* row) { ranges.add_row(label, row); });
    if (ranges.rows() == 0) throw Failure(path + ": the file is empty");
    warn_of_rows(path, ranges.pairs() > 0, rows.first_line(), rows.ignored());
  } catch (const InputError& error) {
    throw bad_input(path, error);
  }
  return ranges;
}

struct OutputRefused {};

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw OutputRefused();
}

// Returns false if writing to standard output fails, which run_program() reports.
bool print_rows(std::FILE* data, Scaler& scaler, ReadingLine& line) {
  try {
    for_each_row(data, line,
                 [&](double label, const svm_node* row) { scaler.write_row(label, row); });
    scaler.flush();
    return true;
  } catch (const OutputRefused&) {
    return false;
  }
}

ScalingParameters parameters_for(const ScaleSettings& settings, RangeCollector& ranges,
                                 const ScalingParameters& restored, const std::string& path) {
  ScalingParameters out;
  out.scale_target = settings.scale_target;
  out.target_limits = {settings.y_lower, settings.y_upper};
  out.target_range = ranges.target();
  out.limits = {settings.lower, settings.upper};
  out.features = ranges.take_features();
  if (settings.restore_file.empty()) return out;

  if (restored.scale_target) {
    out.scale_target = true;
    out.target_limits = restored.target_limits;
    out.target_range = restored.target_range;
  }
  out.limits = restored.limits;
  std::vector<int> unknown;
  out.features = merge_ranges(out.features, restored.features, unknown);
  for (const int index : unknown) {
    std::fprintf(stderr,
                 "WARNING: feature index %d appeared in file %s was not seen in the scaling "
                 "factor file %s. The feature is scaled to 0.\n",
                 index, path.c_str(), settings.restore_file.c_str());
  }
  return out;
}

int scale_file(const ScaleSettings& settings, const std::vector<std::string>& files) {
  const std::string& path = files[0];
  if (!(settings.lower < settings.upper) ||
      (settings.scale_target && !(settings.y_lower < settings.y_upper))) {
    throw Failure("inconsistent lower/upper specification");
  }
  if (!settings.restore_file.empty() && !settings.save_file.empty()) {
    throw Failure("cannot use -r and -s simultaneously");
  }

  spare_inputs(platform::kStandardOutput, {path, settings.restore_file});
  spare_inputs(settings.save_file, {path});
  if (!settings.save_file.empty()) {
    opened("can't open file " + settings.save_file, [&] { check_output(settings.save_file); });
  }
  const FilePtr data = open_data(path);
  ScalingParameters restored;
  if (!settings.restore_file.empty()) restored = restore(settings.restore_file);
  ReadingLine line(data.get(), 2, !platform::is_terminal(platform::Stream::kOutput));
  RangeCollector ranges = collect(data.get(), path, line);
  if (ranges.min_index() < 1) {
    std::fprintf(stderr, "WARNING: minimal feature index is %d, but indices should start from 1\n",
                 ranges.min_index());
  }
  ScalingParameters parameters = parameters_for(settings, ranges, restored, path);
  if (!settings.save_file.empty()) {
    save_ranges(settings.save_file, parameters);
    if (ranges.min_index() < 1) {
      std::fprintf(stderr,
                   "WARNING: scaling factors with indices smaller than 1 are not stored to the "
                   "file %s.\n",
                   settings.save_file.c_str());
    }
  }

  Scaler scaler(std::move(parameters), print);
  if (!print_rows(data.get(), scaler, line)) return 1;
  if (scaler.left_out() > 0 && !settings.restore_file.empty()) {
    print_note("feature " + std::to_string(scaler.left_out()) +
               " is left out, because it is not in " + settings.restore_file);
  }
  if (scaler.nonzeros() > ranges.pairs()) {
    std::fprintf(stderr,
                 "WARNING: original #nonzeros %zu\n"
                 "       > new      #nonzeros %zu\n"
                 "If feature values are non-negative and sparse, use -l 0 rather than the default "
                 "-l -1\n",
                 ranges.pairs(), scaler.nonzeros());
  }
  return 0;
}

}  // namespace
}  // namespace svm::cli

int main(int argc, char** argv) {
  return svm::cli::main_of("svm-scale", svm::cli::scale_program, argc, argv, svm::cli::scale_file);
}
