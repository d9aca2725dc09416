#include "compiler/ops/conv2d/vta_candidates.h"

#include <algorithm>
#include <vector>

#include "compiler/ops/conv2d/vta_fit.h"
#include "compiler/ops/conv2d/vta_rough_cost.h"
#include "compiler/ops/conv2d/vta_tilings.h"
#include "compiler/ops/conv2d/vta_timeline.h"
#include "compiler/ops/transfer_cost.h"

namespace vantage::ops {

namespace {

// Tiles and chunks of tilings that are weighed.
constexpr int64_t kMostTurns = 1'000'000;

struct Weighed {
  VtaConv2dTiling tiling;
  const RoughCost* rough;
  int64_t cycles;  // by the tile
  // Cycles, and what instructions take beside what they do, by experience.
  int64_t expected() const { return cycles + rough->instructions / 4; }
};

class Candidates {
 public:
  Candidates(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config, const MemoryTiming& memory)
      : shape_(shape), epilogue_(epilogue), config_(config), cost_(memory, config), room_(config) {}

  std::vector<VtaConv2dCandidate> best(std::vector<RatedTiling>& tilings, size_t count) {
    // The model of tiles knows threads that take turns. Of the others, a third are taken as they come.
    std::vector<Weighed> staggered;
    for (auto r = tilings.begin(); r != tilings.end() && staggered.size() < count / 3; ++r) {
      if (!r->tiling.staggered) continue;
      const auto tiling = fitted(*r, room_);
      if (tiling && alike(staggered, *tiling) == staggered.end()) staggered.push_back({*tiling, &r->rough, 0});
    }
    most_ = count - staggered.size();
    weigh(tilings);
    std::vector<VtaConv2dCandidate> found;
    const auto take = [&](const Weighed& w) { found.push_back({w.tiling, w.rough->instructions}); };
    for (size_t i = 0; i < most_; ++i) {
      if (i < best_.size()) take(best_[i]);
      if (i < staggered.size()) take(staggered[i]);
    }
    return found;
  }

 private:
  // One of the same sizes that keeps the same: the search goes from each of those to the others.
  static std::vector<Weighed>::iterator alike(std::vector<Weighed>& list, const VtaConv2dTiling& tiling) {
    return std::find_if(list.begin(), list.end(), [&](const Weighed& w) {
      VtaConv2dTiling other = w.tiling;
      other.threads_in_turn = tiling.threads_in_turn;
      other.channels_outside = tiling.channels_outside;
      other.sum_places = tiling.sum_places;
      other.picks_pixels = tiling.picks_pixels;
      return other == tiling;
    });
  }

  void weigh(std::vector<RatedTiling>& tilings) {
    int64_t turns = 0;
    for (RatedTiling& rated : tilings) {
      if (rated.tiling.staggered) continue;
      const int64_t limit = best_.size() == most_ ? best_.back().expected() : INT64_MAX;
      if (rated.rough.cycles >= limit) continue;
      const auto tiling = fitted(rated, room_);
      if (!tiling) continue;
      if (turns > kMostTurns) break;
      turns += rated.rough.instructions;
      const auto cycles = cycles_of(rated, *tiling, limit);
      if (!cycles) continue;
      const Weighed now{*tiling, &rated.rough, *cycles};
      if (now.expected() >= limit) continue;
      const auto known = alike(best_, *tiling);
      if (known != best_.end()) {
        if (known->expected() <= now.expected()) continue;
        best_.erase(known);
      }
      if (best_.size() == most_) best_.pop_back();
      best_.insert(std::ranges::upper_bound(best_, now.expected(), {}, &Weighed::expected), now);
    }
  }

  std::optional<int64_t> cycles_of(RatedTiling& rated, const VtaConv2dTiling& fitted, int64_t limit) const {
    if (!(fitted == rated.tiling)) return estimate_cycles(shape_, epilogue_, fitted, config_, cost_, limit);
    if (!rated.cycles && rated.more_than < limit) {
      rated.cycles = estimate_cycles(shape_, epilogue_, fitted, config_, cost_, limit);
      if (!rated.cycles) rated.more_than = limit;
    }
    return rated.cycles && *rated.cycles <= limit ? rated.cycles : std::nullopt;
  }

  const Conv2dShape& shape_;
  const Epilogue& epilogue_;
  const isa::Config& config_;
  const TransferCost cost_;
  const ScratchpadRoom room_;
  size_t most_ = 0;
  std::vector<Weighed> best_;  // by cycles
};

}  // namespace

std::vector<VtaConv2dCandidate> vta_conv2d_candidates(const Conv2dShape& shape, const Epilogue& epilogue,
                                                      const isa::Config& config, const MemoryTiming& memory,
                                                      std::vector<RatedTiling>& tilings, size_t count) {
  return Candidates(shape, epilogue, config, memory).best(tilings, count);
}

}  // namespace vantage::ops
