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
constexpr double kSteps = 256;       // of 8 bits: what is further off is cut
// As good as none: a finer one would need another instruction.
constexpr double kNoError = 1.0 / 16;
constexpr int kMostBefore = 16;

int floor_log2(double value) {
  return static_cast<int>(std::floor(std::log2(value)));
}

class ShiftSearch {
 public:
  // Zero points are those of integers; the sums have none.
  ShiftSearch(const SumsRange& sums, const StatedOutput& output, const std::optional<StatedOutput>& addend,
              int acc_bits)
      : sums_(sums),
        acc_bits_(acc_bits),
        addend_(addend ? addend->scale / output.scale : 0),
        zero_(static_cast<double>(output.zero)),
        addend_zero_(addend ? static_cast<double>(addend->zero) : 0) {
    for (const double scale : sums.scales) ratios_.push_back(scale / output.scale);
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

  // The fewest bits that come off before, for which it is fine; else what is off the least.
  std::optional<StatedRequantization> finest() const {
    const auto is_number = [](double ratio) { return ratio > 0 && std::isfinite(ratio); };
    if (!std::ranges::all_of(ratios_, is_number) || !std::isfinite(addend_)) return std::nullopt;
    std::optional<StatedRequantization> best;
    for (int before = 0; before <= kMostBefore; ++before) {
      for (int shift = kMostShift; shift >= 0; --shift) {
        auto found = scaled(before, shift, true);
        if (!found || (found->multipliers.size() == 1 && found->multipliers[0] > kMostImmediate)) continue;
        const double error = error_of(*found);
        if (!best || error < best->error) best = {plain(std::move(*found)), error};
        break;  // all others are coarser
      }
      if (best && best->error <= kNoError) break;
    }
    return best;
  }

 private:
  // A multiplication by a power of two is a shift.
  static Requantization plain(Requantization r) {
    const auto is_even = [](int64_t factor) { return factor % 2 == 0; };
    while (r.shift > 0 && std::ranges::all_of(r.multipliers, is_even) && is_even(r.addend_multiplier)) {
      for (int64_t& multiplier : r.multipliers) multiplier /= 2;
      r.addend_multiplier /= 2;
      --r.shift;
    }
    if (std::ranges::all_of(r.multipliers, [](int64_t factor) { return factor == 1; })) r.multipliers.clear();
    return r;
  }

  double error_of(const Requantization& r) const {
    const double one = std::ldexp(1.0, r.shift);  // a step of the results
    const double factor = static_cast<double>(r.addend_multiplier);
    double most = 0;
    for (size_t i = 0; i < sums_.most.size(); ++i) {
      const size_t of = r.multipliers.size() == 1 ? 0 : i;
      const double ratio = ratios_[of], multiplier = static_cast<double>(r.multipliers[of]);
      const double said = std::ldexp(multiplier, -r.shift - r.before);
      // Sums that are further off are cut, whatever is added to them.
      const double reach = std::min(sums_.most[i] * ratio, kSteps * (1 + addend_));
      const double rounding =
          std::abs(std::ldexp(static_cast<double>(r.rounding[i]) * multiplier, -r.before) - wanted_rounding(r));
      const double cut = r.before == 0 ? 0 : multiplier / one;
      most = std::max(most, reach * std::abs(said / ratio - 1) + rounding / one + cut);
    }
    return most + kSteps * std::abs(factor / one - addend_);
  }

  // What is added to all that is shifted: half a step, and what zero points come to.
  double wanted_rounding(const Requantization& r) const {
    return (r.shift == 0 ? 0 : std::ldexp(0.5, r.shift)) + std::ldexp(zero_, r.shift) -
           addend_zero_ * static_cast<double>(r.addend_multiplier);
  }

  std::optional<Requantization> scaled(int before, int shift, bool multiplies) const {
    if (shift < 0 || shift > kMostShift) return std::nullopt;
    Requantization r{.before = before, .shift = shift};
    for (const double ratio : ratios_) {
      const double multiplier = std::round(std::ldexp(ratio, shift + before));
      if (multiplier >= std::ldexp(1.0, acc_bits_ - 1)) return std::nullopt;
      r.multipliers.push_back(static_cast<int64_t>(multiplier));
    }
    // What comes to nothing could not be given a zero point.
    if (zero_ != 0 || addend_zero_ != 0) {
      for (int64_t& multiplier : r.multipliers) multiplier = std::max<int64_t>(multiplier, 1);
    }
    if (r.multipliers.size() == 1 && r.multipliers[0] == 0) return std::nullopt;  // which leaves nothing of the sums
    if (!multiplies && r.multipliers[0] == 1) r.multipliers.clear();
    const double of_addend = std::round(std::ldexp(addend_, shift));
    if (of_addend > kMostImmediate || (addend_ > 0 && of_addend == 0)) return std::nullopt;
    r.addend_multiplier = static_cast<int64_t>(of_addend);
    const double end = std::ldexp(1.0, acc_bits_ - 1), wanted = wanted_rounding(r);
    for (size_t i = 0; i < sums_.most.size(); ++i) {
      const int64_t multiplier = r.multipliers.empty() ? 1 : r.multipliers[r.multipliers.size() == 1 ? 0 : i];
      // Of an output that comes to nothing nothing is rounded.
      const double rounding =
          multiplier == 0 ? 0 : std::round(std::ldexp(wanted / static_cast<double>(multiplier), before));
      const double sums = sums_.most[i] + std::abs(rounding);
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
  double addend_, zero_, addend_zero_, largest_ = 0, most_ = 0;
};

}  // namespace

std::optional<Requantization> requantization(Scaling scaling, const SumsRange& sums, double output_scale,
                                             std::optional<double> addend_scale, int acc_bits) {
  const ShiftSearch search(sums, {output_scale},
                           addend_scale ? std::optional(StatedOutput{*addend_scale}) : std::nullopt, acc_bits);
  const bool by_shift = scaling == Scaling::kPowerOfTwo && sums.scales.size() == 1;
  return by_shift ? search.by_shift() : search.by_multiplier();
}

std::optional<StatedRequantization> finest_requantization(const SumsRange& sums, const StatedOutput& output,
                                                          const std::optional<StatedOutput>& addend, int acc_bits) {
  return ShiftSearch(sums, output, addend, acc_bits).finest();
}

}  // namespace vantage::graph
