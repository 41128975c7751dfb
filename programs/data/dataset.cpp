#include "programs/data/dataset.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "base/io/number_text.h"
#include "base/platform/files.h"
#include "base/platform/process.h"
#include "programs/data/row_reader.h"

namespace svm {
namespace {

std::string pair_text(const svm_node& node) {
  std::string out;
  append_int(out, node.index);
  out += ':';
  append_real(out, node.value, 17);
  return out;
}

svm_node* allocate_nodes(std::size_t count) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / sizeof(svm_node);
  void* const memory = count > kMost ? nullptr : platform::allocate(count * sizeof(svm_node));
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<svm_node*>(memory);
}

}  // namespace

Dataset::Dataset(std::FILE* file, RowRules rules, std::size_t piece) {
  // LIBSVM checks rows of a precomputed kernel after it has read all of them, so messages about
  // malformed rows take precedence.
  RowRules row_rules = rules;
  row_rules.precomputed = false;
  RowReader reader(row_rules);
  BlockReader blocks(file, piece);
  std::size_t blocks_read = 0;
  while (blocks.next()) {
    svm_node* node = reserve(most_nodes(blocks.begin(), blocks.size()));
    reader.begin(blocks.begin());
    for (const char* at = blocks.begin(); at != blocks.end();) {
      if (labels_.size() == static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw InputError(reader.line_number() + 1, 0, {}, "the file has more rows than fit an int",
                         InputError::Part::kFile);
      }
      svm_node* const row = node;
      double label = 0;
      at = reader.read(label, node);
      labels_.push_back(label);
      rows_.push_back(row);
      if (node != row) {
        has_features_ = true;
        max_index_ = std::max(max_index_, node[-1].index);
      }
      *node++ = {-1, 0};
    }
    next_ = node;
    if (blocks_read++ == 0) {
      expect_rows(file, blocks.size());
      first_line_ = start_of_line(blocks.begin());
    }
  }
  if (labels_.empty()) {
    throw InputError(0, 0, {}, "the file is empty", InputError::Part::kFile);
  }
  ignored_ = reader.ignored();
  if (rules.precomputed) check_precomputed();
}

void Dataset::expect_rows(std::FILE* file, std::size_t bytes) {
  const std::optional<platform::FileFacts> facts = platform::facts_of(file);
  if (!facts || facts->kind != platform::FileFacts::Kind::kRegular) return;
  // Somewhat more than the part read so far suggests; memory that stays unused is never touched.
  const double blocks = static_cast<double>(facts->size) / static_cast<double>(bytes);
  const double rows = static_cast<double>(labels_.size()) * blocks * 1.25;
  if (blocks < 2 || rows > std::numeric_limits<int>::max()) return;
  labels_.reserve(static_cast<std::size_t>(rows));
  rows_.reserve(static_cast<std::size_t>(rows));
}

svm_node* Dataset::reserve(std::size_t count) {
  if (static_cast<std::size_t>(piece_end_ - next_) >= count) return next_;
  constexpr std::size_t kLargestPiece = std::size_t{1} << 22;  // nodes, 64 MiB
  piece_size_ = std::max(count, std::min(2 * piece_size_, kLargestPiece));
  pieces_.emplace_back(allocate_nodes(piece_size_));
  next_ = pieces_.back().get();
  piece_end_ = next_ + piece_size_;
  return next_;
}

svm_problem Dataset::problem() {
  return {static_cast<int>(labels_.size()), labels_.data(), rows_.data()};
}

// Kernel values are looked up by position, so rows must be complete.
void Dataset::check_precomputed() const {
  int largest_serial = 0;
  const auto fail = [](std::size_t row, const std::string& pair, const std::string& rule,
                       const char* legacy = "") {
    throw InputError(row + 1, 0, pair, rule, InputError::Part::kFeatures, legacy);
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const svm_node& first = rows_[i][0];
    if (first.index != 0) {
      fail(i, first.index < 0 ? "" : pair_text(first),
           "with a precomputed kernel a row must begin with index 0",
           "Wrong input format: first column must be 0:sample_serial_number");
    }
    if (!(first.value >= 1 && first.value <= max_index_) ||
        first.value != std::floor(first.value)) {
      fail(i, pair_text(first),
           "the serial number must be an integer from 1 to the largest index, " +
               std::to_string(max_index_),
           "Wrong input format: sample_serial_number out of range");
    }
    largest_serial = std::max(largest_serial, static_cast<int>(first.value));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    int count = 0;  // number of nodes including the serial number
    for (; rows_[i][count].index != -1; ++count) {
      if (rows_[i][count].index == count) continue;
      fail(i, pair_text(rows_[i][count]),
           "with a precomputed kernel indices must be 0, 1, 2 ... without gaps; expected " +
               std::to_string(count));
    }
    if (count > largest_serial) continue;
    fail(i, "",
         "the row has " + std::to_string(count - 1) +
             " kernel values, but the largest serial number is " + std::to_string(largest_serial));
  }
}

}  // namespace svm
