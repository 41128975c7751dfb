// The primitives in NEON, which every aarch64 has. plain.h documents them.
#ifndef SVM_BASE_SIMD_TARGETS_NEON_H_
#define SVM_BASE_SIMD_TARGETS_NEON_H_

#include <arm_neon.h>
#include <cstddef>
#include <cstdint>

#include "base/simd/targets/generic.h"

namespace svm {
namespace {

constexpr std::size_t kVectorBytes = 16;
using Doubles = Vectors<kVectorBytes>::Doubles;
using Longs = Vectors<kVectorBytes>::Longs;
using Words = Vectors<kVectorBytes>::Words;
using Bytes = Vectors<kVectorBytes>::Bytes;
using WideFloats = Vectors<kVectorBytes>::WideFloats;
using WideInts = Vectors<kVectorBytes>::WideInts;
using WideWords = Vectors<kVectorBytes>::WideWords;

constexpr bool kManyRegisters = true;
constexpr bool kSixteenInRegisters = false;

// Numbers --------------------------------------------------------------------------------------

inline Doubles load(const float* from) { return vcvt_f64_f32(vld1_f32(from)); }
inline void store(float* to, Doubles vector) { vst1_f32(to, vcvt_f32_f64(vector)); }

inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) { return vfmaq_f64(c, a, b); }
inline Doubles at_most(Doubles x, Doubles limit) { return vminq_f64(limit, x); }

inline WideFloats multiply_add(WideFloats a, WideFloats b, WideFloats c) {
  return vfmaq_f32(c, a, b);
}
inline WideFloats multiply_add_exactly(WideFloats a, WideFloats b, WideFloats c) {
  return multiply_add(a, b, c);
}
inline WideFloats at_most(WideFloats x, WideFloats limit) { return vminq_f32(limit, x); }

inline Doubles low_half(WideFloats x) { return vcvt_f64_f32(vget_low_f32(x)); }
inline Doubles high_half(WideFloats x) { return vcvt_high_f64_f32(x); }
inline Doubles low_half(WideInts x) { return vcvtq_f64_s64(vmovl_s32(vget_low_s32(x))); }
inline Doubles high_half(WideInts x) { return vcvtq_f64_s64(vmovl_high_s32(x)); }
inline WideFloats join(Doubles low, Doubles high) {
  return vcvt_high_f32_f64(vcvt_f32_f64(low), high);
}

inline WideInts nearest(WideFloats x) { return vcvtnq_s32_f32(x); }

inline bool store_where_equal(Doubles below, Doubles above, float* out) {
  const float32x2_t lower = vcvt_f32_f64(below);
  vst1_f32(out, lower);
  return vminv_u32(vceq_f32(lower, vcvt_f32_f64(above))) != 0;
}

// Masks ----------------------------------------------------------------------------------------

using Mask = Longs;

inline bool any(Mask a, Mask b) { return vmaxvq_u32(reinterpret_cast<uint32x4_t>(a | b)) != 0; }

// Every lane contains the flags of all lanes.
using Flags = Words;
inline Flags load_flags(const std::uint8_t* from) {
  return load_vector<std::uint16_t>(from) + Flags{};
}
inline Mask has_bit(Flags flags, std::uint8_t bit) {
  const std::uint64_t word = bit;
  return reinterpret_cast<Mask>(vtstq_u64(flags, Flags{word, word << 8}));
}

inline Doubles add_marked(Doubles sum, Doubles value, std::uint64_t marks) {
  const uint64x2_t is_marked = vtstq_u64(marks + Words{}, Words{1, 2});
  return sum + reinterpret_cast<Doubles>(reinterpret_cast<Words>(value) & is_marked);
}

// Tables ---------------------------------------------------------------------------------------

using SmallFloats = NoTable;
using SmallDoubles = NoTable;
using LikelyFloats = NoTable;

// Counts ---------------------------------------------------------------------------------------

struct RowDigit {
  static constexpr std::size_t kBits = 8;
  explicit RowDigit(std::uint16_t bits) : all(vdupq_n_u8(static_cast<std::uint8_t>(bits))) {}
  Bytes common(Bytes columns) const { return vcntq_u8(vandq_u8(columns, all)); }
  uint8x16_t all;
};

struct WideBitCounter {
  void add(WideInts words) {
    bytes = vaddq_u8(bytes, vcntq_u8(reinterpret_cast<uint8x16_t>(words)));
  }
  WideInts sum() const { return reinterpret_cast<WideInts>(vpaddlq_u16(vpaddlq_u8(bytes))); }
  uint8x16_t bytes = vdupq_n_u8(0);
};

struct IntegerSums {
  static constexpr std::size_t kColumns = 8;
  void add(const std::uint8_t* bytes, std::int32_t both) {
    const uint8x8x2_t columns = vld2_u8(bytes);  // of the first feature, of the second
    const int16x4_t factors = vreinterpret_s16_s32(vdup_n_s32(both));
    const int16x8_t first = vreinterpretq_s16_u16(vmovl_u8(columns.val[0]));
    const int16x8_t second = vreinterpretq_s16_u16(vmovl_u8(columns.val[1]));
    low = vmlal_lane_s16(low, vget_low_s16(first), factors, 0);
    low = vmlal_lane_s16(low, vget_low_s16(second), factors, 1);
    high = vmlal_high_lane_s16(high, first, factors, 0);
    high = vmlal_high_lane_s16(high, second, factors, 1);
  }
  void store(double* to) const {
    vst1q_f64(to, vcvtq_f64_s64(vmovl_s32(vget_low_s32(low))));
    vst1q_f64(to + 2, vcvtq_f64_s64(vmovl_high_s32(low)));
    vst1q_f64(to + 4, vcvtq_f64_s64(vmovl_s32(vget_low_s32(high))));
    vst1q_f64(to + 6, vcvtq_f64_s64(vmovl_high_s32(high)));
  }
  int32x4_t low = vdupq_n_s32(0), high = vdupq_n_s32(0);
};

// Uses the two halves of the row's bytes separately, so that eight steps fit into 16 bits. Indices
// are (half of the row's bytes, half of the columns).
struct ByteDots {
  static constexpr std::size_t kSteps = 8;
  static constexpr std::size_t kChains = 1;
  static constexpr std::size_t kVectors = 4;
  struct Row {
    int8x16_t low, high;
  };
  static Row row(std::uint32_t word) {
    const uint8x16_t bytes = vreinterpretq_u8_u32(vdupq_n_u32(word));
    return {vreinterpretq_s8_u8(vandq_u8(bytes, vdupq_n_u8(15))),
            vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4))};
  }
  void start(WideInts columns, const Row& row) {
    const int8x16_t bytes = reinterpret_cast<int8x16_t>(columns);
    parts[0][0] = vmull_s8(vget_low_s8(bytes), vget_low_s8(row.low));
    parts[0][1] = vmull_high_s8(bytes, row.low);
    parts[1][0] = vmull_s8(vget_low_s8(bytes), vget_low_s8(row.high));
    parts[1][1] = vmull_high_s8(bytes, row.high);
  }
  void add(WideInts columns, const Row& row) {
    const int8x16_t bytes = reinterpret_cast<int8x16_t>(columns);
    parts[0][0] = vmlal_s8(parts[0][0], vget_low_s8(bytes), vget_low_s8(row.low));
    parts[0][1] = vmlal_high_s8(parts[0][1], bytes, row.low);
    parts[1][0] = vmlal_s8(parts[1][0], vget_low_s8(bytes), vget_low_s8(row.high));
    parts[1][1] = vmlal_high_s8(parts[1][1], bytes, row.high);
  }
  void add_to(WideInts& sum) const {
    int32x4_t totals[2];
    for (int half = 0; half < 2; ++half) {
      const int32x4_t fine = vpaddlq_s16(parts[0][half]), coarse = vpaddlq_s16(parts[1][half]);
      totals[half] = vaddq_s32(fine, vshlq_n_s32(coarse, 4));
    }
    sum = vaddq_s32(sum, vpaddq_s32(totals[0], totals[1]));
  }
  int16x8_t parts[2][2];
};

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_TARGETS_NEON_H_
