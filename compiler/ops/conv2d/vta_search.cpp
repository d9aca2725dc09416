#include "compiler/ops/conv2d/vta_search.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/short_program.h"

namespace vantage::ops {

namespace {

// Sizes of pieces that cut `size` into 1, 2, 3, ... nearly equal ones: every other size wastes some of the last piece.
// The one that is wanted, if any.
std::vector<int64_t> pieces(int64_t size, int64_t wanted) {
  if (wanted != 0) return {std::min(wanted, size)};
  std::set<int64_t> all;
  for (int64_t count = 1; count <= size; ++count) all.insert(ceil_div(size, count));
  return {all.begin(), all.end()};
}

int64_t instructions(const Conv2dShape& shape, const VtaConv2dTiling& t, const isa::Config& config) {
  const int64_t images = ceil_div(shape.batch, config.batch()), n = ceil_div(images, t.n);
  const int64_t oc = ceil_div(ceil_div(shape.out_channels, config.block_out()), t.oc);
  const int64_t depth = ceil_div(shape.in_channels, config.block_in()), chunks = ceil_div(depth, t.ic);
  const int64_t tiles = n * oc * ceil_div(shape.out_height(), t.h) * ceil_div(shape.out_width(), t.w);
  // A load for each channel of each image, or for each of its rows where pixels are picked.
  const auto input = [&](int64_t of_images, int64_t channels, int64_t rows) {
    return shape.height * shape.width > 1 ? of_images * channels * (t.picks_pixels ? rows : 1) : 1;
  };
  const int64_t inputs =
      t.input_resident ? input(images, depth, shape.out_height()) : tiles * chunks * input(t.n, t.ic, t.h);
  // Weights lie by output channel: a part of their depth is one load for each, unless it is all that lies there.
  const bool lie_apart = (t.weights_resident || t.weights_shared) && chunks > 1;
  const int64_t weights = (t.weights_resident || t.weights_shared ? oc : tiles) * chunks * (lie_apart ? t.oc : 1);
  const int64_t stores = t.w == shape.out_width() || t.h == 1 ? t.n : t.n * t.oc;
  // GEMMs; bias, reset and epilogue; stores.
  return inputs + weights + tiles * (chunks + 6 + stores);
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

}  // namespace

VtaConv2dTiling choose_vta_conv2d_tiling(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                         const TilingRequest& request) {
  const std::vector<int64_t> n = pieces(ceil_div(shape.batch, config.batch()), request.n);
  const std::vector<int64_t> oc = pieces(ceil_div(shape.out_channels, config.block_out()), request.oc);
  const std::vector<int64_t> ic = pieces(ceil_div(shape.in_channels, config.block_in()), request.ic);
  const std::vector<int64_t> h = pieces(shape.out_height(), request.h);
  const std::vector<int64_t> w = pieces(shape.out_width(), request.w);

  std::optional<VtaConv2dTiling> best;
  int64_t best_cycles = INT64_MAX, best_instructions = INT64_MAX;
  const auto consider = [&](const VtaConv2dTiling& t) {
    const int64_t size = instructions(shape, t, config);
    // Without a choice that is short enough, the shortest.
    const bool too_long = size > kShortProgram;
    if (too_long && best && size >= best_instructions) return;
    if (!fits(shape, epilogue, t, config)) return;
    if (too_long && (!best || best_instructions > kShortProgram)) {
      best = t;
      best_instructions = size;
      return;
    }
    if (too_long) return;
    const bool first = best_instructions > kShortProgram;
    const auto cycles = estimate_cycles(shape, epilogue, t, config, first ? INT64_MAX : best_cycles);
    if (!cycles) return;
    if (!first && (*cycles > best_cycles || (*cycles == best_cycles && size >= best_instructions))) return;
    best = t;
    best_cycles = *cycles;
    best_instructions = size;
  };

  const std::vector<VtaConv2dTiling> choices = all_choices(shape, epilogue, request.threads);
  for (int64_t tn : n) {
    for (int64_t toc : oc) {
      for (int64_t th : h) {
        for (int64_t tw : w) {
          // Parts of rows only where whole ones do not fit beside each other.
          if (tw != w.back() && th > 1) continue;
          for (int64_t tic : ic) {
            for (const VtaConv2dTiling& choice : choices) {
              VtaConv2dTiling t = choice;
              t.n = tn;
              t.oc = toc;
              t.h = th;
              t.w = tw;
              t.ic = tic;
              if (t.bias_resident && !fits(shape, epilogue, t, config)) t.bias_resident = false;
              consider(t);
            }
          }
        }
      }
    }
  }
  if (!best) {
    fail("no such pieces of this layer fit the scratchpads of configuration {}; leave tile sizes and threads open",
         config.name());
  }
  return *best;
}

}  // namespace vantage::ops
