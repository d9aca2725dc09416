// From sums of products to the integers of a layer's output: which multipliers and shifts say what a ratio of scales
// is.
//
//   out = clip((((sums + bias) >> before) * multiplier + addend * addend_multiplier) >> shift)
//
// where what is 0 or 1 is left out. `bias` also holds what rounds the last shift to the nearest.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace vantage::graph {

// How ratios of scales are said.
enum class Scaling : uint8_t {
  kPowerOfTwo,     // by a shift
  kMultiplyShift,  // by a multiplication with an integer, and a shift
};

struct Requantization {
  int before = 0;
  std::vector<int64_t> multipliers = {};  // one for each output, or one for all; none: 1
  int64_t addend_multiplier = 0;          // a power of two where scales are
  int shift = 0;
  std::vector<int64_t> rounding = {};  // what is added to each output's bias
};

// The sums of each output: their scale, and the most that they and their bias may be.
struct SumsRange {
  std::vector<double> scales;  // one for each output, or one for all
  std::vector<double> most;    // for each output
};

// Scales and zero points as a file gives them: float = scale * (integer - zero).
struct StatedOutput {
  double scale = 1;
  int64_t zero = 0;
};

// What says such ratios of scales best: of as many bits as sums leave room for, with what zero points add in the bias.
// `addend`: the residual's scale and zero point. None as below.
struct StatedRequantization {
  Requantization requantization;
  double error = 0;  // how far a result may be off before it is rounded, in its steps
};
std::optional<StatedRequantization> finest_requantization(const SumsRange& sums, const StatedOutput& output,
                                                          const std::optional<StatedOutput>& addend, int acc_bits);

// Whatever the sums are, nothing that is computed needs more than `acc_bits`. None: it does not go.
std::optional<Requantization> requantization(Scaling scaling, const SumsRange& sums, double output_scale,
                                             std::optional<double> addend_scale, int acc_bits);

}  // namespace vantage::graph
