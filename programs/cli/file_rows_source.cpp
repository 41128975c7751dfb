#include "programs/cli/file_rows_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/platform/files.h"
#include "programs/cli/files.h"
#include "programs/cli/main.h"
#include "programs/data/row_reader.h"

namespace svm::cli {
namespace {

using Nodes = std::vector<svm_node>;

[[noreturn]] void fail(const std::string& what) {
  const std::string reason = std::strerror(errno);
  throw Failure("ERROR: --out-of-core: " + what + ": " + reason);
}

}  // namespace

FileRowsSource::FileRowsSource(const std::string& path, const RowRules& rules, std::string folder)
    : RowSource(svm_problem{}), path_(path), rules_(rules), folder_(std::move(folder)) {
  const FilePtr file = open_input(path);
  const std::optional<platform::FileFacts> facts = platform::facts_of(file.get());
  if (!facts || facts->kind != platform::FileFacts::Kind::kRegular) {
    throw Failure("ERROR: --out-of-core: " + path +
                  " is no regular file, and so cannot be read several times");
  }
  read([this](std::size_t, double label, const svm_node* row, std::size_t size) {
    labels_.push_back(label);
    if (size > 0) max_index_ = std::max(max_index_, row[size - 1].index);
    return true;
  });
  if (labels_.empty()) {
    throw Failure(
        input_error_text(path, InputError(0, 0, {}, "the file is empty", InputError::Part::kFile)));
  }
  rows_.resize(labels_.size());
  problem_ = Problem(static_cast<int>(labels_.size()), labels_.data(), rows_.data());
}

svm_problem FileRowsSource::labels() {
  return {static_cast<int>(labels_.size()), labels_.data(), nullptr};
}

void FileRowsSource::read(const Use& use) const {
  const FilePtr file = open_input(path_);
  try {
    FileRows rows(file.get(), rules_);
    for (std::size_t number = 0; rows.next(); ++number) {
      if (number == static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw InputError(rows.line_number(), 0, {}, "the file has more rows than fit an int",
                         InputError::Part::kFile);
      }
      if (!use(number, rows.label(), rows.nodes(), rows.size())) return;
    }
  } catch (const InputError& error) {
    throw Failure(input_error_text(path_, error));
  }
}

LoadedRows FileRowsSource::load(const RowNumbers& rows, Run& run) {
  const auto memory = std::make_shared<std::vector<Nodes>>();
  memory->reserve(rows.size());
  read([&](std::size_t number, double, const svm_node* row, std::size_t size) {
    if (memory->size() == rows.size() || !run.poll()) return false;
    if (number == rows[memory->size()]) {
      rows_[number] = memory->emplace_back(row, row + size + 1).data();
    }
    return true;
  });
  if (memory->size() < rows.size() && !run.interrupted()) changed();
  return memory;
}

void FileRowsSource::divide(const RowNumbers& rows, const Tree& tree, Run& run) {
  const std::vector<std::size_t> leaves = leaves_of(tree);
  files_.clear();
  parts_.assign(leaves.size(), {});
  std::vector<std::size_t> part(tree.size());
  for (std::size_t p = 0; p < leaves.size(); ++p) {
    part[leaves[p]] = p;
    files_.emplace_back(platform::open_temporary_stream(folder_));
    if (files_.back() == nullptr) fail("no file can be made in " + folder_);
  }
  std::size_t next = 0;
  read([&](std::size_t number, double, const svm_node* row, std::size_t size) {
    if (next == rows.size() || !run.poll()) return false;
    if (number != rows[next]) return true;
    ++next;
    const std::size_t p = part[leaf_of(tree, row)];
    parts_[p].push_back(static_cast<std::uint32_t>(number));
    if (std::fwrite(row, sizeof(*row), size + 1, files_[p].get()) != size + 1) {
      fail("writing to a file in " + folder_);
    }
    return true;
  });
  if (next < rows.size() && !run.interrupted()) changed();
  for (const FilePtr& file : files_) {
    if (std::fflush(file.get()) != 0) fail("writing to a file in " + folder_);
  }
}

LoadedRows FileRowsSource::load_part(std::size_t p) {
  std::FILE* const file = files_[p].get();
  const auto nodes = std::make_shared<Nodes>(platform::position_of(file) / sizeof(svm_node));
  std::rewind(file);
  if (std::fread(nodes->data(), sizeof(svm_node), nodes->size(), file) != nodes->size()) {
    fail("reading from a file in " + folder_);
  }
  files_[p].reset();
  const svm_node* row = nodes->data();
  for (const std::uint32_t number : parts_[p]) {
    rows_[number] = row;
    while (row++->index != -1) {
    }
  }
  return nodes;
}

void FileRowsSource::changed() const {
  throw Failure("ERROR: --out-of-core: " + path_ + " changed while it was read");
}

}  // namespace svm::cli
