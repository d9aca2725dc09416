#include "compiler/ops/conv2d/vta_candidates.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "compiler/ops/conv2d/vta_rough_cost.h"
#include "compiler/ops/conv2d/vta_tiles.h"
#include "compiler/ops/conv2d/vta_timeline.h"
#include "compiler/ops/transfer_cost.h"

namespace vantage::ops {

namespace {

// Tiles and chunks of tilings that are weighed.
constexpr int64_t kMostTurns = 1'000'000;

// Sizes of pieces that cut `size` into nearly equal ones: every other size wastes some of the last piece. Of long
// dimensions those that are few or small. The one that is wanted, if any.
std::vector<int64_t> pieces(int64_t size, int64_t wanted) {
  constexpr int64_t kFew = 24;
  if (wanted != 0) return {std::min(wanted, size)};
  std::set<int64_t> all;
  for (int64_t count = 1; count <= std::min(size, kFew); ++count) all.insert(ceil_div(size, count));
  for (int64_t piece = 1; piece <= std::min(size, kFew); ++piece) all.insert(ceil_div(size, ceil_div(size, piece)));
  return {all.begin(), all.end()};
}

// All combinations of what is no size.
std::vector<VtaConv2dTiling> all_choices(const Conv2dShape& shape, const Epilogue& epilogue, int threads) {
  VtaConv2dTiling first;
  first.channels_outside = false;
  first.bias_resident = channel_vectors(epilogue) > 0;
  std::vector<VtaConv2dTiling> all;
  for (int count : threads != 0 ? std::vector{threads} : std::vector{2, 1}) {
    first.threads = count;
    all.push_back(first);
  }
  const auto with = [&](bool VtaConv2dTiling::*option, const std::function<bool(const VtaConv2dTiling&)>& possible) {
    const std::vector<VtaConv2dTiling> without = all;
    for (VtaConv2dTiling t : without) {
      t.*option = true;
      if (possible(t)) all.push_back(t);
    }
  };
  const auto always = [](const VtaConv2dTiling&) { return true; };
  with(&VtaConv2dTiling::double_buffer, always);
  with(&VtaConv2dTiling::channels_outside, always);
  with(&VtaConv2dTiling::threads_in_turn, [](const VtaConv2dTiling& t) { return t.threads > 1; });
  with(&VtaConv2dTiling::input_resident, always);
  with(&VtaConv2dTiling::weights_resident, always);
  with(&VtaConv2dTiling::weights_shared,
       [](const VtaConv2dTiling& t) { return !t.weights_resident && t.channels_outside && t.threads > 1; });
  with(&VtaConv2dTiling::picks_pixels, [&](const VtaConv2dTiling&) { return shape.skips_pixels(); });
  const size_t in_turns = all.size();
  with(&VtaConv2dTiling::staggered, [](const VtaConv2dTiling& t) {
    return t.threads > 1 && !t.double_buffer && !t.weights_shared && !t.threads_in_turn;
  });
  for (size_t i = in_turns; i < all.size(); ++i) all[i].loads_ahead = true;
  return all;
}

struct Weighed {
  VtaConv2dTiling tiling;
  RoughCost rough;
  int64_t cycles = INT64_MAX;  // by the tile
  // Cycles, and what instructions take beside what they do, by experience: the rough cost knows less of that than the
  // model of tiles.
  int64_t roughly_expected() const { return rough.cycles + 3 * rough.instructions; }
  int64_t expected() const { return cycles + rough.instructions / 4; }
  bool operator<(const Weighed& other) const { return expected() < other.expected(); }
};

class Candidates {
 public:
  Candidates(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
             const TilingRequest& request, const MemoryTiming& memory)
      : shape_(shape), epilogue_(epilogue), config_(config), request_(request), cost_(memory, config) {}

  std::vector<VtaConv2dCandidate> best(size_t count) {
    std::vector<Weighed> rough = all();
    std::sort(rough.begin(), rough.end(),
              [](const Weighed& a, const Weighed& b) { return a.roughly_expected() < b.roughly_expected(); });
    const auto turns =
        std::stable_partition(rough.begin(), rough.end(), [](const Weighed& w) { return w.tiling.staggered; });
    // The model of tiles knows threads that take turns. Of the others, a third are taken as they come.
    std::vector<VtaConv2dCandidate> found;
    const auto take = [&](const Weighed& w) { found.push_back({w.tiling, w.rough.instructions}); };
    std::vector<Weighed> staggered;
    for (auto w = rough.begin(); w != turns && staggered.size() < count / 3; ++w) {
      if (alike(staggered, w->tiling) == staggered.end()) staggered.push_back(*w);
    }
    std::vector<Weighed> in_turns(turns, rough.end());
    most_ = count - staggered.size();
    weigh(in_turns);
    for (size_t i = 0; i < most_; ++i) {
      if (i < best_.size()) take(best_[i]);
      if (i < staggered.size()) take(staggered[i]);
    }
    return found;
  }

 private:
  // All that fit.
  std::vector<Weighed> all() const {
    const std::vector<VtaConv2dTiling> choices = all_choices(shape_, epilogue_, request_.threads);
    std::vector<Weighed> all;
    const auto w = pieces(shape_.out_width(), request_.w);
    for (int64_t tn : pieces(ceil_div(shape_.batch, config_.batch()), request_.n)) {
      for (int64_t toc : pieces(ceil_div(shape_.out_channels, config_.block_out()), request_.oc)) {
        for (int64_t th : pieces(shape_.out_height(), request_.h)) {
          for (int64_t tw : w) {
            // Parts of rows only where whole ones do not fit beside each other.
            if (tw != w.back() && th > 1) continue;
            for (int64_t tic : pieces(depth_in_tiles(shape_, config_), request_.ic)) {
              add({tn, toc, th, tw, tic}, choices, all);
            }
          }
        }
      }
    }
    return all;
  }

  void add(const VtaConv2dTiling& sizes, const std::vector<VtaConv2dTiling>& choices, std::vector<Weighed>& all) const {
    for (const VtaConv2dTiling& choice : choices) {
      VtaConv2dTiling t = choice;
      t.n = sizes.n;
      t.oc = sizes.oc;
      t.h = sizes.h;
      t.w = sizes.w;
      t.ic = sizes.ic;
      if (!fits(shape_, epilogue_, {.tiling = t}, config_)) {
        if (!t.bias_resident) continue;
        t.bias_resident = false;
        if (!fits(shape_, epilogue_, {.tiling = t}, config_)) continue;
      }
      all.push_back({t, rough_cost(shape_, epilogue_, t, config_, cost_)});
    }
  }

  // One of the same sizes that keeps the same: the search goes from each of those to the others.
  static std::vector<Weighed>::iterator alike(std::vector<Weighed>& list, const VtaConv2dTiling& tiling) {
    return std::find_if(list.begin(), list.end(), [&](const Weighed& w) {
      VtaConv2dTiling other = w.tiling;
      other.threads_in_turn = tiling.threads_in_turn;
      other.channels_outside = tiling.channels_outside;
      other.double_buffer = tiling.double_buffer;
      other.picks_pixels = tiling.picks_pixels;
      return other == tiling;
    });
  }

  void weigh(std::vector<Weighed>& all) {
    int64_t turns = 0;
    for (Weighed& c : all) {
      const int64_t limit = best_.size() == most_ ? best_.back().expected() : INT64_MAX;
      if (c.rough.cycles >= limit) continue;
      if (turns > kMostTurns) break;
      turns += c.rough.instructions;
      const auto cycles = estimate_cycles(shape_, epilogue_, c.tiling, config_, cost_, limit);
      if (!cycles) continue;
      c.cycles = *cycles;
      if (c.expected() >= limit) continue;
      const auto known = alike(best_, c.tiling);
      if (known != best_.end()) {
        if (known->expected() <= c.expected()) continue;
        best_.erase(known);
      }
      if (best_.size() == most_) best_.pop_back();
      best_.insert(std::upper_bound(best_.begin(), best_.end(), c), c);
    }
  }

  const Conv2dShape& shape_;
  const Epilogue& epilogue_;
  const isa::Config& config_;
  const TilingRequest& request_;
  TransferCost cost_;
  size_t most_ = 0;
  std::vector<Weighed> best_;  // by cycles
};

}  // namespace

std::vector<VtaConv2dCandidate> vta_conv2d_candidates(const Conv2dShape& shape, const Epilogue& epilogue,
                                                      const isa::Config& config, const TilingRequest& request,
                                                      const MemoryTiming& memory, size_t count) {
  return Candidates(shape, epilogue, config, request, memory).best(count);
}

}  // namespace vantage::ops
