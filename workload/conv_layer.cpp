#include "workload/conv_layer.h"

#include "base/error.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "compiler/ops/tile_layout.h"
#include "driver/runtime/recorder.h"

namespace vantage::workload {

using isa::Memory;
using ops::Epilogue;

namespace {

driver::Buffer upload(driver::Accelerator& device, const std::vector<std::byte>& bytes) {
  driver::Buffer buffer = device.allocate(Bytes(bytes.size()));
  buffer.write_constant(bytes);
  return buffer;
}

}  // namespace

ConvLayer::ConvLayer(driver::Accelerator& device, std::string name, const Conv2dShape& shape, const Epilogue& epilogue,
                     const Tensor& weights, const std::optional<Tensor>& bias, ChooseMapping choose)
    : device_(device),
      name_(std::move(name)),
      shape_(shape),
      epilogue_(epilogue),
      choose_(std::move(choose)),
      weights_(upload(device, ops::pack_tiles(weights, Memory::kWgt, device.config(), name_ + " weights"))) {
  epilogue_.bias = bias.has_value();
  if (bias) bias_ = upload(device, ops::pack_tiles(*bias, Memory::kAcc, device.config(), name_ + " bias"));
}

ConvLayer::Loaded& ConvLayer::loaded(int64_t images) {
  const auto found = loaded_.find(images);
  if (found != loaded_.end()) return found->second;
  Conv2dShape shape = shape_;
  shape.batch = images;
  const ops::Layer layer{shape, epilogue_,
                         choose_ ? choose_(shape) : ops::map_vta_conv2d(shape, epilogue_, device_.config())};
  const Program program = ops::compile_layer(layer, device_.config());
  const auto allocate = [&](std::string_view tensor) {
    return device_.allocate(program.symbol_size(program.tensor_index(tensor)));
  };
  Loaded& result = loaded_.emplace(images, Loaded{layer, allocate("A"), allocate("C"), nullptr, least_traffic(program)})
                       .first->second;
  std::map<std::string, const driver::Buffer*> tensors = {
      {"A", &result.inputs}, {"W", &weights_}, {"C", &result.outputs}};
  if (bias_) tensors["bias"] = &*bias_;
  result.program = device_.load(program, tensors);
  return result;
}

ConvLayer::Output ConvLayer::run(const Tensor& inputs, bool record, const driver::RunOptions& options) {
  Loaded& layer = loaded(inputs.extent(0));
  layer.inputs.write(ops::pack_tiles(inputs, Memory::kInp, device_.config(), name_ + " inputs"));
  Output output;
  output.layer = layer.layer;
  output.instructions = layer.program->image().insn_count;
  output.least = layer.least;
  if (record) {
    auto recorded = run_and_record(device_, *layer.program, name_, options);
    output.result = std::move(recorded.result);
    output.bundle = std::move(recorded.bundle);
  } else {
    output.result = layer.program->run(options);
  }
  if (!output.result.ok()) {
    fail("{}: the run ended with {}", name_, failure(output.result));
  }
  std::vector<std::byte> bytes(layer.outputs.size().count());
  layer.outputs.read(bytes);
  const Conv2dShape& shape = layer.layer.shape;
  output.values = ops::unpack_tiles(bytes, {shape.batch, shape.out_channels, shape.out_height(), shape.out_width()},
                                    device_.config());
  return output;
}

}  // namespace vantage::workload
