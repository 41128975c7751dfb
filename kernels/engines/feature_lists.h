// Columns of sparse rows as lists of values, one list for each feature.
#ifndef SVM_KERNELS_ENGINES_FEATURE_LISTS_H_
#define SVM_KERNELS_ENGINES_FEATURE_LISTS_H_

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace svm {

// The type of values that are all 1 and that are not stored.
struct NoValue {
  NoValue() = default;
  explicit NoValue(double) {}
  explicit operator double() const { return 1; }
};

// If columns are so few that most features have no value in them, only the features that occur get
// a list.  Bits tell which these are.
template <class Value>
struct FeatureLists {
  // 64 features: which of them have lists, and the number of lists before theirs.
  struct Word {
    std::uint64_t bits = 0;
    std::uint32_t before = 0;
  };
  std::size_t columns = 0;
  std::vector<Word> words;            // of all features; empty if every feature has a list
  std::vector<std::size_t> start;     // where each list begins, and the end
  std::vector<std::uint32_t> column;  // of each value; they rise in each list
  std::vector<Value> value;           // none if all are 1

  // Packs columns in place of what was held.  of_column(k, visit) calls visit(feature, value) for
  // each value of column k, of features below `dimension`; there are `values` in all.
  template <class OfColumn>
  void fill(std::size_t dimension, std::size_t count, std::size_t values,
            const OfColumn& of_column);

  bool has_list(std::size_t feature) const {
    return words.empty() || (words[feature / kWordBits].bits >> feature % kWordBits & 1) != 0;
  }
  // The list of the feature or, if it has none, of the next one that has.
  std::size_t list_of(std::size_t feature) const {
    if (words.empty()) return feature;
    const Word& word = words[feature / kWordBits];
    const std::uint64_t below = (std::uint64_t{1} << feature % kWordBits) - 1;
    return word.before + std::bitset<kWordBits>(word.bits & below).count();
  }

  // Adds the dot product of a row and column k to sums[k - begin], for begin <= k < end.
  // of_row(visit) calls visit(feature, value) for each value of the row.  Each sum runs in that
  // order of the features.
  template <class OfRow>
  void add_products(const OfRow& of_row, std::size_t begin, std::size_t end, double* sums) const;

  std::size_t bytes() const {
    return words.size() * sizeof(Word) + start.size() * sizeof(std::size_t) +
           column.size() * sizeof(std::uint32_t) + value.size() * sizeof(Value);
  }

 private:
  static constexpr std::size_t kWordBits = 64;
  static constexpr bool kHasValues = !std::is_same<Value, NoValue>::value;

  // With more features per value, lists of all features take more memory than the values.
  static constexpr std::size_t kFeaturesPerValue = 4;
};

template <class Value>
template <class OfColumn>
void FeatureLists<Value>::fill(std::size_t dimension, std::size_t count, std::size_t values,
                               const OfColumn& of_column) {
  columns = count;
  words.clear();
  std::size_t lists = dimension;
  if (values > 0 && dimension / kFeaturesPerValue > values) {
    words.resize(dimension / kWordBits + 1);
    for (std::size_t k = 0; k < count; ++k) {
      of_column(k, [&](std::uint32_t feature, double) {
        words[feature / kWordBits].bits |= std::uint64_t{1} << feature % kWordBits;
      });
    }
    lists = 0;
    for (Word& word : words) {
      word.before = static_cast<std::uint32_t>(lists);
      lists += std::bitset<kWordBits>(word.bits).count();
    }
  }
  start.assign(lists + 1, 0);
  for (std::size_t k = 0; k < count; ++k) {
    of_column(k, [&](std::uint32_t feature, double) { ++start[list_of(feature)]; });
  }
  std::size_t total = 0;
  for (std::size_t& place : start) total += std::exchange(place, total);
  column.resize(values);
  if (kHasValues) value.resize(values);
  for (std::size_t k = 0; k < count; ++k) {
    of_column(k, [&](std::uint32_t feature, double x) {
      const std::size_t place = start[list_of(feature)]++;
      column[place] = static_cast<std::uint32_t>(k);
      if (kHasValues) value[place] = Value(x);
    });
  }
  // start[list] is now the end of the list, which is where the next one begins.
  std::copy_backward(start.begin(), start.end() - 1, start.end());
  start.front() = 0;
}

template <class Value>
template <class OfRow>
void FeatureLists<Value>::add_products(const OfRow& of_row, std::size_t begin, std::size_t end,
                                       double* sums) const {
  const std::uint32_t* const all = column.data();
  of_row([&](std::uint32_t feature, double x) {
    if (!has_list(feature)) return;
    const std::size_t list = list_of(feature);
    // The row's value is rounded as the columns' are, so that the kernel is symmetric.
    const auto factor = static_cast<double>(Value(x));
    std::size_t first = start[list], last = start[list + 1];
    const auto place_of = [&](std::size_t k) {
      return static_cast<std::size_t>(std::lower_bound(all + first, all + last, k) - all);
    };
    if (begin > 0) first = place_of(begin);
    if (end < columns) last = place_of(end);
    for (std::size_t q = first; q < last; ++q) {
      sums[all[q] - begin] += factor * static_cast<double>(kHasValues ? value[q] : Value());
    }
  });
}

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_FEATURE_LISTS_H_
