#include "compiler/ops/conv2d/vta_search.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/math.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/conv2d/vta_rough_cost.h"
#include "compiler/ops/conv2d/vta_timeline.h"
#include "compiler/ops/transfer_cost.h"

namespace vantage::ops {

namespace {

// How much a search weighs: tiles and chunks of tilings, instructions of programs.
constexpr int64_t kMostTurns = 20'000'000;
constexpr int64_t kMostInstructions = 20'000;
constexpr size_t kMostPrograms = 8;

// Sizes of pieces that cut `size` into 1, 2, 3, ... nearly equal ones: every other size wastes some of the last piece.
// The one that is wanted, if any.
std::vector<int64_t> pieces(int64_t size, int64_t wanted) {
  if (wanted != 0) return {std::min(wanted, size)};
  std::set<int64_t> all;
  for (int64_t count = 1; count <= size; ++count) all.insert(ceil_div(size, count));
  return {all.begin(), all.end()};
}

// All combinations of what is no size.
std::vector<VtaConv2dTiling> all_choices(const Conv2dShape& shape, const Epilogue& epilogue, int threads) {
  VtaConv2dTiling first;
  first.channels_outside = false;
  first.bias_resident = epilogue.bias;
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
  return all;
}

struct Candidate {
  VtaConv2dTiling tiling;
  RoughCost rough;
  int64_t cycles = INT64_MAX;  // by the tile
  // Cycles, and what instructions take beside what they do, by experience: the rough cost knows less of that than the
  // model of tiles.
  int64_t roughly_expected() const { return rough.cycles + 3 * rough.instructions; }
  int64_t expected() const { return cycles + rough.instructions / 4; }
  bool operator<(const Candidate& other) const { return expected() < other.expected(); }
};

class Search {
 public:
  Search(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config, const TilingRequest& request,
         const MemoryTiming& memory)
      : shape_(shape),
        epilogue_(epilogue),
        config_(config),
        request_(request),
        memory_(memory),
        cost_(memory, config) {}

  VtaConv2dTiling best() {
    weigh_tiles(candidates());
    if (best_.empty()) {
      fail("no such pieces of this layer fit the scratchpads of configuration {}; leave tile sizes and threads open",
           config_.name());
    }
    return weigh_programs();
  }

 private:
  // All that fit.
  std::vector<Candidate> candidates() const {
    const std::vector<VtaConv2dTiling> choices = all_choices(shape_, epilogue_, request_.threads);
    std::vector<Candidate> all;
    const auto w = pieces(shape_.out_width(), request_.w);
    for (int64_t tn : pieces(ceil_div(shape_.batch, config_.batch()), request_.n)) {
      for (int64_t toc : pieces(ceil_div(shape_.out_channels, config_.block_out()), request_.oc)) {
        for (int64_t th : pieces(shape_.out_height(), request_.h)) {
          for (int64_t tw : w) {
            // Parts of rows only where whole ones do not fit beside each other.
            if (tw != w.back() && th > 1) continue;
            for (int64_t tic : pieces(ceil_div(shape_.in_channels, config_.block_in()), request_.ic)) {
              add({tn, toc, th, tw, tic}, choices, all);
            }
          }
        }
      }
    }
    return all;
  }

  void add(const VtaConv2dTiling& sizes, const std::vector<VtaConv2dTiling>& choices,
           std::vector<Candidate>& all) const {
    for (const VtaConv2dTiling& choice : choices) {
      VtaConv2dTiling t = choice;
      t.n = sizes.n;
      t.oc = sizes.oc;
      t.h = sizes.h;
      t.w = sizes.w;
      t.ic = sizes.ic;
      if (!fits(shape_, epilogue_, t, config_)) {
        if (!t.bias_resident) continue;
        t.bias_resident = false;
        if (!fits(shape_, epilogue_, t, config_)) continue;
      }
      all.push_back({t, rough_cost(shape_, epilogue_, t, config_, cost_)});
    }
  }

  void weigh_tiles(std::vector<Candidate> all) {
    std::sort(all.begin(), all.end(),
              [](const Candidate& a, const Candidate& b) { return a.roughly_expected() < b.roughly_expected(); });
    int64_t turns = 0;
    for (Candidate& c : all) {
      const int64_t limit = best_.size() == kMostPrograms ? best_.back().expected() : INT64_MAX;
      if (c.rough.cycles >= limit) continue;
      if (turns > kMostTurns) break;
      turns += c.rough.instructions;
      const auto cycles = estimate_cycles(shape_, epilogue_, c.tiling, config_, cost_, limit);
      if (!cycles) continue;
      c.cycles = *cycles;
      if (c.expected() >= limit) continue;
      if (best_.size() == kMostPrograms) best_.pop_back();
      best_.insert(std::upper_bound(best_.begin(), best_.end(), c), c);
    }
  }

  VtaConv2dTiling weigh_programs() const {
    VtaConv2dTiling best = best_.front().tiling;
    uint64_t cycles = UINT64_MAX;
    int64_t instructions = 0;
    for (const Candidate& c : best_) {
      if (cycles != UINT64_MAX && instructions + c.rough.instructions > kMostInstructions) continue;
      instructions += c.rough.instructions;
      const Program program = compile_layer({shape_, epilogue_, c.tiling}, config_);
      const auto estimate = vta::estimate_cycles(vta::steps_of(program), config_, memory_, cycles);
      if (!estimate || *estimate >= cycles) continue;
      cycles = *estimate;
      best = c.tiling;
    }
    return best;
  }

  const Conv2dShape& shape_;
  const Epilogue& epilogue_;
  const isa::Config& config_;
  const TilingRequest& request_;
  const MemoryTiming& memory_;
  TransferCost cost_;
  std::vector<Candidate> best_;  // by cycles
};

}  // namespace

VtaConv2dTiling choose_vta_conv2d_tiling(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                         const TilingRequest& request, const MemoryTiming& memory) {
  return Search(shape, epilogue, config, request, memory).best();
}

}  // namespace vantage::ops
