#include "kernels/engines/pair_rows.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "kernels/engines/row_engine.h"

namespace svm {
namespace {

constexpr std::size_t kGroupColumns = 1024;  // of a group, at least, unless it is the last one
// Blocks of values between classes that exist at a time: one is in use, and threads may begin the
// next ones.
constexpr std::size_t kBlocksAtOnce = 3;

}  // namespace

PairRows::Block::Block(std::size_t count, std::size_t width)
    : rows(count), values(new float[count * width]) {
  for (std::size_t r = 0; r < count; ++r) rows[r] = values.get() + r * width;
}

PairRows::PairRows(const RowEngine& engine, std::vector<std::uint32_t> order,
                   std::vector<std::size_t> start)
    : engine_(engine), order_(std::move(order)), start_(std::move(start)) {
  const std::size_t classes = start_.size() - 1;
  group_of_.resize(classes);
  for (std::size_t first = 0, end = 0; first < classes; first = end) {
    while (end < classes && (end == first || start_[end] - start_[first] < kGroupColumns)) ++end;
    Group group = {first, end - 1, {}, nullptr};
    for (std::size_t c = end; c-- > first;) {
      group_of_[c] = groups_.size();
      group.examples.insert(group.examples.end(), examples_of(c), examples_of(c) + count(c));
    }
    groups_.push_back(std::move(group));
  }
  within_ = std::vector<Square>(classes);
  between_.assign(classes, std::vector<Between>(groups_.size()));
}

std::size_t PairRows::bytes() const {
  std::size_t within = 0, largest = 0;
  for (std::size_t c = 0; c < within_.size(); ++c) {
    within += count(c) * count(c);
    for (const Group& group : groups_) {
      largest = std::max(largest, count(c) * columns_after(group, c));
    }
  }
  return (within + kBlocksAtOnce * largest) * sizeof(float);
}

std::size_t PairRows::columns_after(const Group& group, std::size_t a) const {
  if (a >= group.last) return 0;
  return start_[group.last + 1] - start_[std::max(a + 1, group.first)];
}

PairRows::Block& PairRows::within(std::size_t c) {
  Square& square = within_[c];
  run_once(square.once, [&] {
    square.block = std::make_unique<Block>(count(c), count(c));
    square.block->columns = engine_.pack(examples_of(c), count(c), nullptr);
  });
  return *square.block;
}

std::shared_ptr<PairRows::Block> PairRows::between(std::size_t a, std::size_t number) {
  const std::lock_guard<Mutex> lock(mutex_);
  Group& group = groups_[number];
  if (group.columns == nullptr) {
    group.columns = engine_.pack(group.examples.data(), group.examples.size(), nullptr);
  }
  std::shared_ptr<Block>& block = between_[a][number].block;
  if (block == nullptr) block = std::make_shared<Block>(count(a), columns_after(group, a));
  return block;
}

void PairRows::release(std::size_t a, std::size_t b) {
  const std::size_t number = group_of_[b];
  const std::size_t pairs = groups_[number].last + 1 - std::max(a + 1, groups_[number].first);
  const std::lock_guard<Mutex> lock(mutex_);
  Between& between = between_[a][number];
  if (++between.pairs_released == pairs) between.block.reset();
}

bool PairRows::fill(std::size_t a, std::size_t b, const GoOn& poll,
                    const std::vector<std::uint32_t>& order, float* const* out) {
  const bool in_order = std::is_sorted(order.begin(), order.end());
  std::vector<float*> rows_in_order(in_order ? 0 : order.size());
  for (std::size_t i = 0; i < rows_in_order.size(); ++i) rows_in_order[order[i]] = out[i];
  float* const* const rows = in_order ? out : rows_in_order.data();
  const std::size_t own = count(a), other = count(b);
  const Group& group = groups_[group_of_[b]];
  const std::shared_ptr<Block> both = between(a, group_of_[b]);
  const std::size_t width = columns_after(group, a);
  if (!both->loop.complete(own, poll, [&](std::size_t begin, std::size_t end) {
        engine_.compute_rows(examples_of(a) + begin, end - begin, *group.columns, width,
                             &both->rows[begin]);
      })) {
    return false;
  }
  for (const std::size_t c : {a, b}) {
    Block& square = within(c);
    const std::size_t first = c == a ? 0 : own;
    if (!square.loop.complete(count(c), poll, [&](std::size_t begin, std::size_t end) {
          compute_part_of_square(engine_, examples_of(c), *square.columns, begin, end,
                                 square.rows.data());
        })) {
      return false;
    }
    run_once(within_[c].finished,
             [&] { square.columns.reset(); });  // padded, so large if rows are few
    for (std::size_t r = 0; r < count(c); ++r) {
      std::copy_n(square.rows[r], count(c), rows[first + r] + first);
    }
  }
  const std::size_t place = start_[group.last + 1] - start_[b + 1];  // of class b in the group
  std::vector<const float*> values(both->rows.begin(), both->rows.end());
  for (std::size_t r = 0; r < own; ++r) {
    values[r] += place;
    std::copy_n(values[r], other, rows[r] + own);
  }
  transpose(values.data(), own, other, rows + own);
  if (in_order) return true;
  std::vector<float> row(order.size());
  for (float* const each : rows_in_order) {
    std::copy_n(each, row.size(), row.data());
    for (std::size_t k = 0; k < row.size(); ++k) each[k] = row[order[k]];
  }
  return true;
}

}  // namespace svm
