#include "compiler/graph/quantize/requantize.h"

#include <algorithm>
#include <cmath>

namespace vantage::graph {

namespace {

constexpr int kMostMultiplierBits = 12, kEnoughMultiplierBits = 9,
              kLeastMultiplierBits = 4;            // of the largest multiplier
constexpr int64_t kMostImmediate = (1 << 15) - 1;  // that an instruction holds
constexpr int kMostShift = 31;
constexpr double kMostAddend = 128;  // of 8 bits

int floor_log2(double value) {
  return static_cast<int>(std::floor(std::log2(value)));
}

class ShiftSearch {
 public:
  ShiftSearch(const SumsRange& sums, double output_scale, std::optional<double> addend_scale, int acc_bits)
      : sums_(sums), acc_bits_(acc_bits), addend_(addend_scale ? *addend_scale / output_scale : 0) {
    for (const double scale : sums.scales) ratios_.push_back(scale / output_scale);
    largest_ = *std::max_element(ratios_.begin(), ratios_.end());
    most_ = *std::max_element(sums.most.begin(), sums.most.end());
  }

  // The addend in the scale of the sums, or these in the addend's where that is finer.
  std::optional<Requantization> by_shift() const {
    const double finest = addend_ > 0 ? std::min(largest_, addend_) : largest_;
    return scaled(0, std::max(0, static_cast<int>(std::lround(-std::log2(finest)))), false);
  }

  std::optional<Requantization> by_multiplier() const {
    // A shift of its own takes the core another step for each of the sums: fewer bits first.
    for (int bits = kMostMultiplierBits; bits >= kEnoughMultiplierBits; --bits) {
      if (most_ >= std::ldexp(1.0, acc_bits_ - 1 - bits)) continue;
      if (auto found = scaled(0, bits - 1 - floor_log2(largest_), true)) return found;
    }
    for (int bits = kMostMultiplierBits; bits >= kLeastMultiplierBits; --bits) {
      const int total = bits - 1 - floor_log2(largest_);
      // What the product has no room for comes off before, and more, so that the addend's multiplier fits.
      int before = std::max(0, floor_log2(std::max(most_, 1.0)) + bits + 2 - acc_bits_);
      if (addend_ > 0) before = std::max(before, total - floor_log2(kMostImmediate / addend_));
      if (auto found = scaled(before, total - before, true)) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<Requantization> scaled(int before, int shift, bool multiplies) const {
    if (shift < 0 || shift > kMostShift) return std::nullopt;
    Requantization r{.before = before, .shift = shift};
    for (const double ratio : ratios_) r.multipliers.push_back(std::llround(std::ldexp(ratio, shift + before)));
    if (!multiplies && r.multipliers[0] == 1) r.multipliers.clear();
    r.addend_multiplier = std::llround(std::ldexp(addend_, shift));
    if (r.addend_multiplier > kMostImmediate || (addend_ > 0 && r.addend_multiplier == 0)) return std::nullopt;
    const double half = shift == 0 ? 0 : std::ldexp(0.5, shift), end = std::ldexp(1.0, acc_bits_ - 1);
    for (size_t i = 0; i < sums_.most.size(); ++i) {
      const int64_t multiplier = r.multipliers.empty() ? 1 : r.multipliers[r.multipliers.size() == 1 ? 0 : i];
      // Of an output that comes to nothing nothing is rounded.
      const double rounding =
          multiplier == 0 ? 0 : std::round(std::ldexp(half / static_cast<double>(multiplier), before));
      const double sums = sums_.most[i] + rounding;
      const double all = std::ldexp(sums, -before) * static_cast<double>(multiplier) +
                         kMostAddend * static_cast<double>(r.addend_multiplier);
      if (std::max(sums, all) >= end) return std::nullopt;
      r.rounding.push_back(static_cast<int64_t>(rounding));
    }
    return r;
  }

  const SumsRange& sums_;
  int acc_bits_;
  std::vector<double> ratios_;  // of the sums' scales to the output's
  double addend_, largest_ = 0, most_ = 0;
};

}  // namespace

std::optional<Requantization> requantization(Scaling scaling, const SumsRange& sums, double output_scale,
                                             std::optional<double> addend_scale, int acc_bits) {
  const ShiftSearch search(sums, output_scale, addend_scale, acc_bits);
  const bool by_shift = scaling == Scaling::kPowerOfTwo && sums.scales.size() == 1;
  return by_shift ? search.by_shift() : search.by_multiplier();
}

}  // namespace vantage::graph
