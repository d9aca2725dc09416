#include "compiler/ops/conv2d/vta_layer.h"

#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"

namespace vantage::ops {

schedule::Schedule schedule_layer(const Layer& layer, const isa::Config& config) {
  schedule::Schedule s(vta_conv2d(layer.shape, layer.epilogue, config), vta::intrinsics(config));
  schedule_vta_conv2d(s, layer.tiling);
  return s;
}

Program compile_layer(const Layer& layer, const isa::Config& config, const passes::Observer& observer) {
  return vta::compile(schedule_layer(layer, config).function(), config, observer);
}

}  // namespace vantage::ops
