#include "compiler/ops/conv2d/vta_tilings.h"

#include <algorithm>
#include <functional>
#include <set>
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

// Cycles, and what instructions take beside what they do, by experience.
int64_t expected(const RoughCost& rough) {
  return rough.cycles + 3 * rough.instructions;
}

// Whether a micro-op could name all that it takes.
bool fits_some_core(const RatedTiling& rated) {
  const auto bits = [](int64_t elements) { return log2_ceil(std::max<int64_t>(elements, 1)); };
  const int64_t acc = std::min(rated.use.acc, rated.acc_in_pieces);
  return bits(rated.use.inp) + bits(rated.use.wgt) + bits(acc) <= isa::kMicroOpBits;
}

}  // namespace

std::vector<RatedTiling> rated_tilings(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                       const TilingRequest& request, const MemoryTiming& memory, bool that_fit) {
  const TransferCost cost(memory, config);
  std::vector<RatedTiling> all;
  const auto rate = [&](const TiledLayer& layer, const VtaConv2dTiling& t) {
    RatedTiling rated{t, scratchpad_use(layer, epilogue, t), 0, {}};
    rated.acc_in_pieces = rated.use.acc;
    // What holds all of the bias is not asked for less.
    if (t.bias_resident && !(that_fit && holds(isa::Memory::kAcc, rated.use.acc, t.threads, config))) {
      VtaConv2dTiling in_pieces = t;
      in_pieces.bias_resident = false;
      rated.acc_in_pieces = scratchpad_use(layer, epilogue, in_pieces).acc;
    }
    if (that_fit ? !fitted(rated, config) : !fits_some_core(rated)) return;
    if (load_fault(layer, t) != LoadFault::kNone) return;
    // Each row of a chunk would be a load of its own.
    if (shape.is_product() && t.input_resident && !layer.lies_in_chunks()) return;
    rated.rough = rough_cost(layer, epilogue, t, config, cost);
    all.push_back(rated);
  };
  const std::vector<VtaConv2dTiling> choices = all_choices(shape, epilogue, request.threads);
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
          for (int64_t tic : ic) {
            VtaConv2dPart part{.tiling = {.n = tn, .oc = toc, .h = th, .w = tw, .ic = tic}};
            const TiledLayer whole_rows(shape, part, config);
            part.tiling.picks_pixels = true;
            const TiledLayer picked(shape, part, config);
            for (VtaConv2dTiling t : choices) {
              t.n = tn;
              t.oc = toc;
              t.h = th;
              t.w = tw;
              t.ic = tic;
              rate(t.picks_pixels ? picked : whole_rows, t);
            }
          }
        }
      }
    }
  }
  std::sort(all.begin(), all.end(),
            [](const RatedTiling& a, const RatedTiling& b) { return expected(a.rough) < expected(b.rough); });
  return all;
}

std::optional<VtaConv2dTiling> fitted(const RatedTiling& rated, const isa::Config& config) {
  VtaConv2dTiling t = rated.tiling;
  const int64_t threads = t.threads;
  if (!holds(isa::Memory::kInp, rated.use.inp, threads, config) ||
      !holds(isa::Memory::kWgt, rated.use.wgt, threads, config)) {
    return std::nullopt;
  }
  if (holds(isa::Memory::kAcc, rated.use.acc, threads, config)) return t;
  t.bias_resident = false;
  if (!rated.tiling.bias_resident || !holds(isa::Memory::kAcc, rated.acc_in_pieces, threads, config)) {
    return std::nullopt;
  }
  return t;
}

}  // namespace vantage::ops
