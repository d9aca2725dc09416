#include "hw/fpga/area/part_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace vantage::fpga {

namespace {

AreaModel model_for(const Part& part) {
  auto model = AreaModel::of_family(part.family);
  if (!model) fail("nothing is known of what cores take of the family of the {}, {}", part.name, part.family);
  return std::move(*model);
}

std::string share_text(const PartShare& share) {
  if (std::isinf(share.percent)) return fmt::format("{} of none", share.of->brief);
  const double shown = share.percent > 100 ? std::ceil(share.percent) : std::floor(share.percent);
  return fmt::format("{:.0f}% {}", shown, share.of->brief);
}

}  // namespace

const std::array<PartResource, 4>& part_resources() {
  static const std::array<PartResource, 4> kResources = {{
      {"LUTs", "LUTs", "luts", &Resources::luts, &Part::luts},
      {"flip-flops", "flip-flops", "flip_flops", &Resources::flip_flops, &Part::flip_flops},
      {"DSP slices", "DSPs", "dsps", &Resources::dsps, &Part::dsps},
      {"36 Kb RAMs", "RAMs", "block_rams", &Resources::block_rams, &Part::block_rams},
  }};
  return kResources;
}

bool fits(const Resources& used, const Part& part) {
  return std::ranges::all_of(part_resources(),
                             [&](const PartResource& r) { return used.*r.used <= part.*r.available; });
}

std::vector<PartShare> part_shares(const Resources& used, const Part& part) {
  std::vector<PartShare> shares;
  for (const PartResource& r : part_resources()) {
    const auto takes = static_cast<double>(used.*r.used), has = static_cast<double>(part.*r.available);
    shares.push_back({&r, takes == 0 ? 0 : has == 0 ? HUGE_VAL : 100 * takes / has});
  }
  std::ranges::stable_sort(shares, std::ranges::greater(), &PartShare::percent);
  return shares;
}

std::string fullest_text(const Resources& used, const Part& part) {
  std::vector<std::string> texts;
  for (const PartShare& share : part_shares(used, part)) {
    if (share.percent > 100 || texts.empty()) texts.push_back(share_text(share));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

PartFit::PartFit(Part part) : part_(std::move(part)), model_(model_for(part_)) {}

}  // namespace vantage::fpga
