#include "compiler/ops/conv2d_search.h"

#include <algorithm>
#include <set>

#include "hw/spec/error.h"

namespace vantage::compiler {

namespace {

// Instructions are estimated generously; programs stay below 2,000.
constexpr int64_t kMaxInstructions = 1900;

int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

// Sizes of pieces that cut `size` into 1, 2, 3, ... nearly equal ones: every other size wastes some of the last piece.
// The one that is wanted, if any.
std::vector<int64_t> pieces(int64_t size, int64_t wanted) {
  if (wanted != 0) return {std::min(wanted, size)};
  std::set<int64_t> all;
  for (int64_t count = 1; count <= size; ++count) all.insert(ceil_div(size, count));
  return {all.begin(), all.end()};
}

int64_t instructions(const Conv2dShape& shape, const Conv2dTiling& t, const spec::Config& config) {
  const int64_t n = ceil_div(ceil_div(shape.batch, config.batch()), t.n);
  const int64_t oc = ceil_div(ceil_div(shape.out_channels, config.block_out()), t.oc);
  const int64_t tiles = n * oc * ceil_div(shape.out_height(), t.h) * ceil_div(shape.out_width(), t.w);
  const int64_t chunks = ceil_div(ceil_div(shape.in_channels, config.block_in()), t.ic);
  const bool pixels = shape.height * shape.width > 1;
  // A load for each channel of each image, and rows of weights, GEMM; bias, reset, epilogue, store.
  const int64_t loads = t.input_resident ? 1 : (pixels ? t.n * t.ic : 1);
  const int64_t stores = t.w == shape.out_width() || t.h == 1 ? t.n : t.n * t.oc;
  return tiles * (chunks * (loads + 2) + 6 + stores);
}

}  // namespace

Conv2dTiling choose_conv2d_tiling(const Conv2dShape& shape, const Epilogue& epilogue, const spec::Config& config,
                                  const TilingRequest& request) {
  const std::vector<int64_t> n = pieces(ceil_div(shape.batch, config.batch()), request.n);
  const std::vector<int64_t> oc = pieces(ceil_div(shape.out_channels, config.block_out()), request.oc);
  const std::vector<int64_t> ic = pieces(ceil_div(shape.in_channels, config.block_in()), request.ic);
  const std::vector<int64_t> h = pieces(shape.out_height(), request.h);
  const std::vector<int64_t> w = pieces(shape.out_width(), request.w);

  std::optional<Conv2dTiling> best;
  int64_t best_cycles = INT64_MAX, best_instructions = INT64_MAX;
  const auto consider = [&](const Conv2dTiling& t) {
    const int64_t size = instructions(shape, t, config);
    // Without a choice that is short enough, the shortest.
    const bool too_long = size > kMaxInstructions;
    if (too_long && best && size >= best_instructions) return;
    if (!fits(shape, epilogue, t, config)) return;
    if (too_long && (!best || best_instructions > kMaxInstructions)) {
      best = t;
      best_instructions = size;
      return;
    }
    if (too_long) return;
    const bool first = best_instructions > kMaxInstructions;
    const auto cycles = estimate_cycles(shape, epilogue, t, config, first ? INT64_MAX : best_cycles);
    if (!cycles) return;
    if (!first && (*cycles > best_cycles || (*cycles == best_cycles && size >= best_instructions))) return;
    best = t;
    best_cycles = *cycles;
    best_instructions = size;
  };

  Conv2dTiling t;
  for (int64_t tn : n) {
    for (int64_t toc : oc) {
      for (int64_t th : h) {
        for (int64_t tw : w) {
          // Parts of rows only where whole ones do not fit beside each other.
          if (tw != w.back() && th > 1) continue;
          for (int64_t tic : ic) {
            t.n = tn;
            t.oc = toc;
            t.h = th;
            t.w = tw;
            t.ic = tic;
            for (int option = 0; option < 256; ++option) {
              t.threads = request.threads != 0 ? request.threads : (option & 1) != 0 ? 1 : 2;
              t.channels_outside = (option & 2) != 0;
              t.threads_in_turn = (option & 4) != 0;
              t.double_buffer = (option & 8) == 0;
              t.input_resident = (option & 16) != 0;
              t.weights_resident = (option & 32) != 0;
              t.weights_shared = (option & 64) != 0;
              t.picks_pixels = (option & 128) != 0;
              if (t.weights_shared && (t.weights_resident || !t.channels_outside || t.threads == 1)) continue;
              if (t.picks_pixels && !shape.skips_pixels()) continue;
              t.bias_resident = epilogue.bias;
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

}  // namespace vantage::compiler
