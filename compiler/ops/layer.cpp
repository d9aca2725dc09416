#include "compiler/ops/layer.h"

#include "compiler/target/vta/intrinsics.h"
#include "compiler/target/vta/lower.h"

namespace vantage::compiler {

schedule::Schedule schedule_layer(const Layer& layer, const spec::Config& config) {
  schedule::Schedule s(conv2d(layer.shape, layer.epilogue, config), vta_intrinsics(config));
  schedule_conv2d(s, layer.tiling);
  return s;
}

Program compile_layer(const Layer& layer, const spec::Config& config, const lower::Observer& observer) {
  return compile(schedule_layer(layer, config).function(), config, observer);
}

}  // namespace vantage::compiler
