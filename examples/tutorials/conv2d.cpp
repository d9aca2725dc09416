// A 3 x 3 convolution of 14 x 14 pixels and 256 channels, with padding, ReLU and shift, by two virtual threads.
// docs/tutorials/conv2d.md explains each step.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/compiler.h"
#include "examples/support/run_program.h"

using namespace vantage;
using namespace vantage::te;

namespace {

// The same in plain loops. (The interpreter would take seconds for 115 million products.)
examples::Tensors plain_loops(examples::Tensors tensors) {
  const vantage::Tensor &a = tensors.at("A"), &w = tensors.at("W");
  vantage::Tensor& c = tensors.at("C");
  const auto at = [](const vantage::Tensor& array, int64_t element) {
    return static_cast<int32_t>(static_cast<int8_t>(array.bytes()[static_cast<size_t>(element)]));
  };
  constexpr int64_t kTiles = 16, kSize = 14, kLanes = 16;
  for (int64_t out = 0; out < c.size(); ++out) {
    const int64_t lane = out % kLanes, x = out / kLanes % kSize, y = out / kLanes / kSize % kSize;
    const int64_t channel = out / kLanes / kSize / kSize;
    int32_t sum = 0;
    for (int64_t ic = 0; ic < kTiles; ++ic) {
      for (int64_t ky = std::max<int64_t>(0, 1 - y); ky < std::min<int64_t>(3, kSize + 1 - y); ++ky) {
        for (int64_t kx = std::max<int64_t>(0, 1 - x); kx < std::min<int64_t>(3, kSize + 1 - x); ++kx) {
          const int64_t pixel = ((ic * kSize + y + ky - 1) * kSize + x + kx - 1) * kLanes;
          const int64_t weight = ((((channel * kTiles + ic) * 3 + ky) * 3 + kx) * kLanes + lane) * kLanes;
          for (int64_t i = 0; i < kLanes; ++i) sum += at(a, pixel + i) * at(w, weight + i);
        }
      }
    }
    c.set_integer(out, std::clamp(sum >> 8, 0, 127));
  }
  return tensors;
}

}  // namespace

int main() {
  const auto config = isa::Config::vta_default();
  const int batch = config.batch(), block = config.block_out();
  const int64_t channels = 256 / block, size = 14, kernel = 3, pad = 1;
  const std::vector<Expr> shape = {1, channels, size, size, batch, block};

  // What is computed.
  const te::Tensor a = placeholder({1, channels, size, size, batch, block}, kInt8, "A");
  const te::Tensor w = placeholder({channels, channels, kernel, kernel, block, block}, kInt8, "W");
  const te::Tensor padded = compute(
      {1, channels, size + 2 * pad, size + 2 * pad, batch, block},
      [&](Expr n, Expr c, Expr y, Expr x, Expr r, Expr l) {
        const Expr inside = y >= pad && y < size + pad && x >= pad && x < size + pad;
        return if_then_else(inside, a(n, c, y - pad, x - pad, r, l), 0);
      },
      "padded");
  const ReduceAxis ic = reduce_axis(channels, "ic"), ky = reduce_axis(kernel, "ky"), kx = reduce_axis(kernel, "kx");
  const ReduceAxis ki = reduce_axis(block, "ki");
  const te::Tensor conv = compute(
      shape,
      [&](Expr n, Expr o, Expr y, Expr x, Expr r, Expr l) {
        return sum(cast(kInt32, padded(n, ic, y + ky, x + kx, r, ki)) * cast(kInt32, w(o, ic, ky, kx, l, ki)),
                   {ic, ky, kx, ki});
      },
      "conv");
  const te::Tensor shifted = (conv >> 8).named("shifted");
  const te::Tensor above = relu(shifted);
  const te::Tensor below = min(above, 127, "below");
  const te::Tensor c = cast(kInt8, below, "C");
  const ir::PrimFunc function = create_prim_func({a, w, c}, "conv2d");

  // Tiles of 4 x 16 output channels and 7 rows; each thread makes the tiles of half of the channels.
  schedule::Schedule s(function, vta::intrinsics(config));
  const auto out = s.get_block("C"), sums = s.get_block("conv"), data = s.get_block("padded");
  const auto loops = s.get_loops(out);  // n oc y x row lane
  const auto oc = s.split(loops[1], {2, std::nullopt, 4});
  const auto y = s.split(loops[2], {std::nullopt, 7});
  s.reorder({oc[0], loops[0], oc[1], y[0], oc[2], y[1], loops[3], loops[4], loops[5]});
  s.bind(oc[0], "vthread");
  const auto tile = s.fuse({loops[0], oc[1], y[0]});
  for (const char* name : {"below", "relu", "shifted", "conv"}) {
    s.compute_at(s.get_block(name), tile);
    s.set_scope(s.get_block(name), "vta.acc");
  }
  s.double_buffer(sums);  // one tile is stored while the next is computed

  // One input channel tile at a time.
  const auto inner = s.get_loops(sums);  // thread, tile, then n oc y x row lane ic ky kx ki
  s.reorder({inner[8], inner[2], inner[3], inner[4], inner[5], inner[9], inner[10], inner[6], inner[7], inner[11]});
  s.set_scope(data, "vta.inp");
  s.compute_at(data, inner[8]);
  const auto weights = s.cache_read(sums, "W", "vta.wgt");
  s.compute_at(weights, inner[8]);
  s.pragma(s.get_loops(data)[3], "dma_copy");
  s.pragma(s.get_loops(weights)[3], "dma_copy");
  s.pragma(oc[2], "dma_copy");
  s.decompose_reduction(sums, inner[8]);
  s.tensorize(inner[6], "vta.gemm");
  fmt::print("Scheduled:\n{}\n", to_text(s.function()));

  const Program program = vta::compile(s.function(), config, [](const passes::Step& step) {
    if (step.name == "place_scratchpads") fmt::print("Lowered:\n{}\n", step.text());
  });
  fmt::print("{} instructions, {} micro-ops\n", program.insns.size(), program.uops.size());
  const examples::Tensors inputs = examples::random_tensors(function, -8, 7);
  return examples::check_and_report(program, inputs, plain_loops(inputs), "systemc:", "Successful conv2d test!");
}
