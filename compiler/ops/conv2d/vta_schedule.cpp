#include "compiler/ops/conv2d/vta_schedule.h"

#include <fmt/format.h>

#include "compiler/backend/vta/scopes.h"
#include "compiler/ops/epilogue.h"

namespace vantage::ops {

using schedule::BlockRV;
using schedule::LoopRV;

void schedule_vta_conv2d(schedule::Schedule& s, const VtaConv2dTiling& t) {
  // What the sums begin with lies where they do.
  const bool starts_from_addend =
      s.function().find_buffer("addend_acc") != nullptr && s.function().find_buffer("added") == nullptr;
  const std::string inp(vta::kInpScope), wgt(vta::kWgtScope), acc(vta::kAccScope);
  const auto has = [&](const char* name) { return s.function().find_buffer(name) != nullptr; };
  std::vector<std::string> stages;
  std::vector<std::string> known = {"addend_acc", "conv"};
  known.insert(known.end(), std::begin(kEpilogueStages), std::end(kEpilogueStages));
  for (auto name = known.rbegin(); name != known.rend(); ++name) {
    if (has(name->c_str())) stages.push_back(*name);
  }

  const BlockRV out = s.get_block("C"), conv = s.get_block("conv");
  for (const std::string& stage : stages) s.set_scope(s.get_block(stage), acc);
  // The input is copied as it is padded, or as rows or pixels are picked.
  BlockRV data;
  if (has("rows")) {
    data = s.get_block("rows");
    if (has("pixels")) {
      const BlockRV pixels = s.get_block("pixels");
      s.compute_inline(t.picks_pixels ? data : pixels);
      if (t.picks_pixels) data = pixels;
    }
    s.set_scope(data, inp);
  } else if (has("pad")) {
    data = s.get_block("pad");
    s.set_scope(data, inp);
  } else {
    data = s.cache_read(conv, "A", inp);
  }
  const BlockRV weights = s.cache_read(conv, "W", wgt);
  std::vector<BlockRV> vectors;  // one accumulator for each output
  if (has("bias")) vectors.push_back(s.cache_read(conv, "bias", acc));
  if (has("multipliers")) vectors.push_back(s.cache_read(s.get_block("scaled"), "multipliers", acc));

  // The output in tiles, shared out among threads.
  const auto loops = s.get_loops(out);
  const auto n = s.split_by_factor(loops[0], t.n);
  const auto oc = s.split_by_factor(loops[1], t.oc);
  const auto h = s.split_by_factor(loops[2], t.h);
  const auto w = s.split_by_factor(loops[3], t.w);
  std::vector<LoopRV> outer = {oc[0], n[0], h[0], w[0]};
  if (!t.channels_outside) outer = {n[0], h[0], w[0], oc[0]};
  std::vector<LoopRV> order = outer;
  order.insert(order.end(), {n[1], oc[1], h[1], w[1], loops[4], loops[5]});
  s.reorder(order);
  if (t.weights_shared) outer.erase(outer.begin());
  LoopRV tile = s.fuse(outer), thread;
  if (t.threads > 1) {
    if (t.threads_in_turn) {
      const auto parts = s.split_by_factor(tile, t.threads);
      s.reorder({parts[1], parts[0]});
      thread = parts[1];
      tile = parts[0];
    } else {
      const auto parts = s.split_by_parts(tile, t.threads);
      thread = parts[0];
      tile = parts[1];
    }
    s.bind(thread, "vthread");
    if (t.staggered) s.annotate(thread, std::string(vta::kStaggeredNote), 1);
  }
  for (const std::string& stage : stages) s.compute_at(s.get_block(stage), tile);
  for (const BlockRV& vector : vectors) {
    if (!t.bias_resident) s.compute_at(vector, tile);
    if (t.bias_resident && t.threads > 1) s.compute_at(vector, thread);
  }
  if (t.sum_places > 1) s.double_buffer(conv, t.sum_places);
  if (t.sum_places > 1 && starts_from_addend) s.double_buffer(s.get_block("addend_acc"), t.sum_places);

  // The sums: chunks of input channels outside, one GEMM inside.
  const auto all = s.get_loops(conv);
  const std::vector<LoopRV> inner(all.end() - 10, all.end());  // n oc h w row column ic kh kw lane
  const auto ic = s.split_by_factor(inner[6], t.ic);
  s.reorder({ic[0], inner[0], inner[1], inner[2], inner[3], ic[1], inner[7], inner[8], inner[4], inner[5], inner[9]});
  const auto& input = s.function().find_buffer("A")->shape;
  const bool is_product = is_int(input[2], 1) && is_int(input[3], 1) && !has("pad");
  if (!t.input_resident) {
    s.compute_at(data, ic[0]);
  } else if (is_product && *as_int(input[1]) % t.ic == 0) {
    // A chunk's rows follow each other.
    s.transform_layout(data, fmt::format("n, c, y, x, r, l -> c // {0}, n, c % {0}, y, x, r, l", t.ic));
  }
  if (t.weights_shared) {
    s.compute_at(weights, oc[0]);
  } else if (!t.weights_resident) {
    s.compute_at(weights, ic[0]);
  }
  if (t.chunk_places > 1 && !t.input_resident) s.double_buffer(data, t.chunk_places);
  if (t.chunk_places > 1 && !t.weights_resident) s.double_buffer(weights, t.chunk_places);
  const bool in_chunks = t.ic < *as_int(s.function().find_buffer("W")->shape[1]);
  if (in_chunks) s.annotate(ic[0], std::string(vta::kApartNote), 1);
  s.decompose_reduction(conv, ic[0]);
  s.tensorize(inner[4], "vta.gemm");

  // What is resident or shared comes in pieces, each loaded when it is first needed: what one GEMM takes of the weights
  // and of the rows of a product, or a channel of an image.
  const auto copy = [&](BlockRV block, size_t rank, size_t piece) {
    const auto around = s.get_loops(block);
    s.pragma(around[around.size() - rank + piece], "dma_copy");
  };
  const auto copy_in_pieces = [&](BlockRV block, int64_t piece) {
    const auto around = s.get_loops(block);
    const std::vector<LoopRV> whole(around.end() - 6, around.end());
    const auto pieces = s.split_by_factor(whole[0], piece), chunks = s.split_by_factor(whole[1], t.ic);
    s.reorder({pieces[0], chunks[0], pieces[1], chunks[1]});
    s.pragma(pieces[1], "dma_copy");
  };
  if (t.input_resident && is_product) {
    copy_in_pieces(data, t.n);
  } else {
    copy(data, 6, t.input_resident ? 2 : 0);
  }
  if (t.weights_resident || t.weights_shared) {
    copy_in_pieces(weights, t.oc);
  } else {
    copy(weights, 6, 0);
  }
  for (const BlockRV& vector : vectors) copy(vector, 3, 0);
  if (has("addend_acc")) copy(s.get_block("addend_acc"), 6, 0);
  s.pragma(n[1], "dma_copy");
}

}  // namespace vantage::ops
