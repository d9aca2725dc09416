#include "compiler/ops/conv2d/vta_tilings.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "base/math.h"
#include "compiler/ops/conv2d/vta_tiles.h"
#include "compiler/ops/transfer_cost.h"
#include "hw/isa/layout.h"

namespace vantage::ops {

namespace {

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
  const std::vector<VtaConv2dTiling> in_one_place = all;
  for (VtaConv2dTiling t : in_one_place) {
    t.sum_places = 2;
    all.push_back(t);
  }
  with(&VtaConv2dTiling::channels_outside, always);
  with(&VtaConv2dTiling::threads_in_turn, [](const VtaConv2dTiling& t) { return t.threads > 1; });
  with(&VtaConv2dTiling::input_resident, always);
  with(&VtaConv2dTiling::weights_resident, always);
  with(&VtaConv2dTiling::weights_shared,
       [](const VtaConv2dTiling& t) { return !t.weights_resident && t.channels_outside && t.threads > 1; });
  with(&VtaConv2dTiling::picks_pixels, [&](const VtaConv2dTiling&) { return shape.skips_pixels(); });
  const size_t in_turns = all.size();
  with(&VtaConv2dTiling::staggered, [](const VtaConv2dTiling& t) {
    return t.threads > 1 && t.sum_places == 1 && !t.weights_shared && !t.threads_in_turn;
  });
  for (size_t i = in_turns; i < all.size(); ++i) all[i].chunk_places = 2;
  return all;
}

// Whether a micro-op could name all that it takes.
bool fits_some_core(const ScratchpadUse& use, int64_t acc_in_pieces) {
  const auto bits = [](int64_t elements) { return log2_ceil(std::max<int64_t>(elements, 1)); };
  return bits(use.inp) + bits(use.wgt) + bits(std::min(use.acc, acc_in_pieces)) <= isa::kMicroOpBits;
}

// Tilings of one layer, of one size after the other.
class Rating {
 public:
  Rating(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config, const MemoryTiming& memory,
         int threads, bool that_fit)
      : shape_(shape),
        epilogue_(epilogue),
        config_(config),
        cost_(memory, config),
        room_(config),
        that_fit_(that_fit),
        choices_(all_choices(shape, epilogue, threads)),
        room_kinds_(choices_,
                    [](const VtaConv2dTiling& t) {
                      return std::tuple(t.threads, t.chunk_places, t.sum_places, t.input_resident, t.weights_resident,
                                        t.weights_shared, t.bias_resident, t.picks_pixels);
                    }),
        cost_kinds_(choices_, [](const VtaConv2dTiling& t) {
          return std::tuple(t.threads, t.sum_places, t.channels_outside, t.input_resident,
                            t.weights_resident || t.weights_shared, t.picks_pixels);
        }) {}

  // All choices beside these sides.
  void rate(const VtaConv2dTiling& sides) {
    std::array<std::optional<Sized>, 2> sized;  // whole rows, and with pixels picked
    for (const bool picked : {false, true}) {
      if (picked && !shape_.skips_pixels()) continue;
      Sized& cut = sized[picked ? 1 : 0].emplace(*this, sides, picked);
      if (!fits_somehow(cut.layer)) sized[picked ? 1 : 0].reset();
    }
    const size_t before = places_.size();
    uses_.assign(choices_.size(), std::nullopt);
    rough_.assign(choices_.size(), std::nullopt);
    for (size_t i = 0; i < choices_.size(); ++i) {
      if (auto& cut = sized[choices_[i].picks_pixels ? 1 : 0]) rate(i, *cut);
    }
    if (places_.size() != before) sides_.push_back(sides);
  }

  // The best first, roughly.
  std::vector<RatedTiling> sorted() {
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.expected < b.expected; });
    std::vector<RatedTiling> result;
    const auto is_left = [&](const Found& found) { return !is_hopeless(found.rough); };
    result.reserve(static_cast<size_t>(std::count_if(found_.begin(), found_.end(), is_left)));
    for (const Place& place : places_) {
      if (place.found == kHopeless) continue;
      const Found& found = found_[place.found];
      if (!is_left(found)) continue;
      result.push_back({tiling_of(found), found.use, found.acc_in_pieces, found.rough});
    }
    return result;
  }

 private:
  // The layer cut by some sides, and what that costs once one of these tilings fits.
  struct Sized {
    Sized(const Rating& rating, VtaConv2dTiling sides, bool picks_pixels)
        : layer(rating.shape_, part_of(sides, picks_pixels), rating.config_) {}
    static VtaConv2dPart part_of(VtaConv2dTiling tiling, bool picks_pixels) {
      tiling.picks_pixels = picks_pixels;
      return {.tiling = tiling};
    }
    TiledLayer layer;
    std::optional<RoughCosts> costs = {};
  };

  // Where all that are rated fit, nobody asks for those that take more than one and a half times what the best does,
  // some half of them. True of more the more are known.
  bool is_hopeless(const RoughCost& rough) const { return that_fit_ && 2 * rough.cycles > 3 * least_expected_; }

  // Tilings, of which there are many. What is hopeless has a place and nothing more: which of equals is sorted before
  // the other depends on all that are sorted.
  static constexpr uint32_t kHopeless = UINT32_MAX;
  struct Place {
    int64_t expected;
    uint32_t found;  // in found_, or kHopeless
  };
  struct Found {
    uint32_t sides, choice;
    ScratchpadUse use;
    int64_t acc_in_pieces;
    RoughCost rough;
  };
  VtaConv2dTiling tiling_of(const Found& found) const {
    VtaConv2dTiling t = choices_[found.choice];
    const VtaConv2dTiling& sides = sides_[found.sides];
    t.n = sides.n, t.oc = sides.oc, t.h = sides.h, t.w = sides.w, t.ic = sides.ic;
    return t;
  }

  // Whether there may be a choice with which these sides fit: none takes less room than one thread with nothing
  // resident and a place for each.
  bool fits_somehow(const TiledLayer& layer) const {
    const ScratchpadUse least = scratchpad_use(layer, epilogue_, {});
    return !that_fit_ || (room_.holds_loads(least, 1) && room_.holds_accumulators(least.acc, 1));
  }

  // A choice beside the sides that come next. Fits as fitted() says, which is asked for what is left of it.
  void rate(size_t choice, Sized& sized) {
    const VtaConv2dTiling& t = choices_[choice];
    const TiledLayer& layer = sized.layer;
    std::optional<ScratchpadUse>& known_use = uses_[room_kinds_.of[choice]];
    if (!known_use) known_use = scratchpad_use(layer, epilogue_, t);
    const ScratchpadUse& use = *known_use;
    if (that_fit_ && !room_.holds_loads(use, t.threads)) return;
    int64_t acc_in_pieces = use.acc;
    const bool has_room = that_fit_ && room_.holds_accumulators(use.acc, t.threads);
    // What holds all of the bias is not asked for less.
    if (t.bias_resident && !has_room) {
      VtaConv2dTiling in_pieces = t;
      in_pieces.bias_resident = false;
      acc_in_pieces = scratchpad_use(layer, epilogue_, in_pieces).acc;
    }
    if (that_fit_ ? !has_room && !room_.holds_accumulators(acc_in_pieces, t.threads)
                  : !fits_some_core(use, acc_in_pieces)) {
      return;
    }
    if (load_fault(layer, t) != LoadFault::kNone) return;
    // Each row of a chunk would be a load of its own.
    if (layer.is_product && t.input_resident && !layer.lies_in_chunks()) return;
    if (!sized.costs) sized.costs.emplace(layer, epilogue_, config_, cost_);
    std::optional<RoughCost>& known_cost = rough_[cost_kinds_.of[choice]];
    if (!known_cost) known_cost = sized.costs->of(t);
    const RoughCost& rough = *known_cost;
    least_expected_ = std::min(least_expected_, rough.expected());
    places_.push_back({rough.expected(), kHopeless});
    if (is_hopeless(rough)) return;
    places_.back().found = static_cast<uint32_t>(found_.size());
    found_.push_back({static_cast<uint32_t>(sides_.size()), static_cast<uint32_t>(choice), use, acc_in_pieces, rough});
  }

  // By choice, the first one that has the same of what a result depends on.
  struct Kinds {
    template <typename Part>
    Kinds(const std::vector<VtaConv2dTiling>& choices, const Part& part) {
      std::map<decltype(part(choices.front())), size_t> first;
      for (const VtaConv2dTiling& t : choices) of.push_back(first.emplace(part(t), of.size()).first->second);
    }
    std::vector<size_t> of;
  };

  const Conv2dShape& shape_;
  const Epilogue& epilogue_;
  const isa::Config& config_;
  const TransferCost cost_;
  const ScratchpadRoom room_;
  const bool that_fit_;
  const std::vector<VtaConv2dTiling> choices_;
  const Kinds room_kinds_, cost_kinds_;  // of scratchpad_use() and RoughCosts::of()
  // Of the sides that are rated, as far as they were asked for.
  std::vector<std::optional<ScratchpadUse>> uses_;
  std::vector<std::optional<RoughCost>> rough_;
  std::vector<VtaConv2dTiling> sides_;
  int64_t least_expected_ = INT64_MAX;
  std::vector<Place> places_;
  std::deque<Found> found_;
};

}  // namespace

std::vector<RatedTiling> rated_tilings(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                       const TilingRequest& request, const MemoryTiming& memory, bool that_fit) {
  Rating rating(shape, epilogue, config, memory, request.threads, that_fit);
  const auto n = pieces(ceil_div(shape.batch, config.batch()), request.n);
  const auto oc = pieces(ceil_div(shape.out_channels, config.block_out()), request.oc);
  const auto h = pieces(shape.out_height(), request.h), w = pieces(shape.out_width(), request.w);
  const auto ic = pieces(depth_in_tiles(shape, config), request.ic);
  for (int64_t tn : n) {
    for (int64_t toc : oc) {
      for (int64_t th : h) {
        for (int64_t tw : w) {
          // Parts of rows only where whole ones do not fit beside each other.
          if (tw != w.back() && th > 1) continue;
          for (int64_t tic : ic) rating.rate({.n = tn, .oc = toc, .h = th, .w = tw, .ic = tic});
        }
      }
    }
  }
  return rating.sorted();
}

std::optional<VtaConv2dTiling> fitted(const RatedTiling& rated, const ScratchpadRoom& room) {
  VtaConv2dTiling t = rated.tiling;
  if (!room.holds_loads(rated.use, t.threads)) return std::nullopt;
  if (room.holds_accumulators(rated.use.acc, t.threads)) return t;
  t.bias_resident = false;
  if (!rated.tiling.bias_resident || !room.holds_accumulators(rated.acc_in_pieces, t.threads)) return std::nullopt;
  return t;
}

}  // namespace vantage::ops
