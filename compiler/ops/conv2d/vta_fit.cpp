#include "compiler/ops/conv2d/vta_fit.h"

#include <algorithm>

#include "base/math.h"
#include "compiler/ops/conv2d/vta_join.h"
#include "compiler/ops/conv2d/vta_tiles.h"

namespace vantage::ops {

using isa::Memory;

namespace {

int64_t depth_of(Memory memory, const isa::Config& config) {
  return static_cast<int64_t>(config.depth(memory).count());
}

// Biases that a thread keeps: of whole tiles, as far as there are channels.
int64_t resident_bias(const TiledLayer& layer, const VtaConv2dTiling& t) {
  if (t.threads == 1) return layer.out_channels;
  return std::min(layer.oc.count() * std::min(layer.oc.piece, layer.oc.size), layer.out_channels);
}

}  // namespace

ScratchpadUse scratchpad_use(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dPart& part,
                             const isa::Config& config) {
  return scratchpad_use(TiledLayer(shape, part, config), epilogue, part.tiling);
}

ScratchpadUse scratchpad_use(const TiledLayer& layer, const Epilogue& epilogue, const VtaConv2dTiling& t) {
  const int64_t kernel = layer.kernel_h * layer.kernel_w;
  const auto piece = [](const Cut& cut) { return std::min(cut.piece, cut.size); };
  ScratchpadUse use{};
  if (t.input_resident) {
    use.inp = layer.images * layer.in_channels() * (layer.height + layer.pad.top + layer.pad.bottom) *
              (layer.width + layer.pad.left + layer.pad.right);
  } else {
    use.inp = t.threads * t.chunk_places * piece(layer.n) * piece(layer.channelwise ? layer.oc : layer.ic) *
              layer.rows(piece(layer.h)) * layer.columns(piece(layer.w));
  }
  use.wgt = t.weights_resident ? layer.out_channels * layer.ic.size * kernel
            : t.weights_shared ? t.chunk_places * piece(layer.oc) * layer.ic.size * kernel
                               : t.threads * t.chunk_places * piece(layer.oc) * piece(layer.ic) * kernel;
  const int64_t tile = piece(layer.n) * piece(layer.oc) * piece(layer.h) * piece(layer.w);
  const int64_t resident = resident_bias(layer, t);
  const int64_t vectors = channel_vectors(epilogue) * (t.bias_resident ? resident : piece(layer.oc));
  const int64_t addend = epilogue.has_addend && !epilogue.starts_from_addend() ? tile : 0;
  use.acc = t.threads * (tile * t.sum_places + addend + vectors);
  return use;
}

bool fits(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dPart& part, const isa::Config& config) {
  const TiledLayer layer(shape, part, config);
  const ScratchpadUse use = scratchpad_use(layer, epilogue, part.tiling);
  const ScratchpadRoom room(config);
  const int64_t threads = part.tiling.threads;
  return room.holds_loads(use, threads) && room.holds_accumulators(use.acc, threads) &&
         load_fault(layer, part.tiling) == LoadFault::kNone;
}

ScratchpadRoom::ScratchpadRoom(const isa::Config& config)
    : inp_(depth_of(Memory::kInp, config)),
      wgt_(depth_of(Memory::kWgt, config)),
      acc_(depth_of(Memory::kAcc, config)) {}

LoadFault load_fault(const Conv2dShape& shape, const VtaConv2dPart& part, const isa::Config& config) {
  return load_fault(TiledLayer(shape, part, config), part.tiling);
}

LoadFault load_fault(const TiledLayer& layer, const VtaConv2dTiling& t) {
  if (t.input_resident || !layer.pad.any()) return LoadFault::kNone;
  if (layer.w.size % std::min(layer.w.piece, layer.w.size) != 0) return LoadFault::kUnevenRows;
  for (int64_t i = 0; i < layer.h.count(); ++i) {
    if (layer.rows_inside(i) == 0) return LoadFault::kNoPixelDown;
  }
  for (int64_t i = 0; i < layer.w.count(); ++i) {
    if (layer.columns_inside(i) == 0) return LoadFault::kNoPixelAcross;
  }
  return LoadFault::kNone;
}

bool fits(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dMapping& mapping,
          const isa::Config& config) {
  for (const VtaConv2dPart& part : mapping.parts) {
    if (!fits(shape, epilogue, part, config)) return false;
  }
  const int64_t depth = depth_of(Memory::kAcc, config);
  const std::vector<int64_t> accumulators = accumulators_of_threads(shape, epilogue, mapping, config);
  for (size_t i = 0; i < mapping.parts.size(); ++i) {
    if (accumulators[i] > depth / mapping.parts[i].tiling.threads) return false;
  }
  return true;
}

std::vector<int64_t> accumulators_of_threads(const Conv2dShape& shape, const Epilogue& epilogue,
                                             const VtaConv2dMapping& mapping, const isa::Config& config) {
  const auto& parts = mapping.parts;
  std::vector<int64_t> result;
  // The biases of all parts that a thread goes through, and the most that one takes beside its bias.
  int64_t biases = 0, most = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const VtaConv2dTiling& t = parts[i].tiling;
    if (i == 0 || !go_on(shape, parts[i - 1].tiling, t)) biases = most = 0;
    const int64_t bias =
        t.bias_resident ? channel_vectors(epilogue) * resident_bias(TiledLayer(shape, parts[i], config), t) : 0;
    biases += bias;
    most = std::max(most, scratchpad_use(shape, epilogue, parts[i], config).acc / t.threads - bias);
    result.push_back(biases + most);
  }
  return result;
}

}  // namespace vantage::ops
