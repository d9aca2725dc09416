#include "compiler/network/vta/layer.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/math.h"
#include "compiler/network/vta/pointwise.h"
#include "compiler/network/vta/pool.h"

namespace vantage::network {

namespace {

using Shape = Tensor::Shape;

// [outputs, channels, rows, columns] as tiles of the core's weights.
Tensor weight_tiles(const Tensor& weights, const isa::Config& config) {
  const int64_t outputs = weights.extent(0), channels = weights.extent(1);
  const int64_t kernel = weights.size() / (outputs * channels);
  const int64_t block_out = config.block_out(), block_in = config.block_in();
  const Shape image = weights.rank() == 4 ? Shape{weights.extent(2), weights.extent(3)} : Shape{1, 1};
  Tensor tiles(kInt8,
               {ceil_div(outputs, block_out), ceil_div(channels, block_in), image[0], image[1], block_out, block_in});
  const auto from = weights.values<int8_t>();
  const auto to = tiles.values<int8_t>();
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t tile = (o / block_out * tiles.extent(1) + c / block_in) * kernel;
      const int64_t lane = o % block_out * block_in + c % block_in;
      for (int64_t k = 0; k < kernel; ++k) {
        to[static_cast<size_t>((tile + k) * block_out * block_in + lane)] =
            from[static_cast<size_t>((o * channels + c) * kernel + k)];
      }
    }
  }
  return tiles;
}

// A number for each output as accumulators, repeated for every image of a tile.
Tensor vector_tiles(const Tensor& vector, const isa::Config& config) {
  const int64_t batch = config.batch(), block = config.block_out();
  Tensor tiles(kInt32, {ceil_div(vector.size(), block), batch, block});
  const auto to = tiles.values<int32_t>();
  for (int64_t o = 0; o < vector.size(); ++o) {
    for (int64_t b = 0; b < batch; ++b) {
      to[static_cast<size_t>((o / block * batch + b) * block + o % block)] = static_cast<int32_t>(vector.integer(o));
    }
  }
  return tiles;
}

VtaLayer conv_layer(const VtaConv& conv, const isa::Config& config) {
  using Kind = VtaOperand::Kind;
  using Tiles = Tensor (*)(const Tensor&, const isa::Config&);
  const auto constant = [&config](const char* name, std::shared_ptr<const Tensor> value, Tiles tiles) {
    return VtaOperand{name, Kind::kConstant, 0, [=, &config] { return tiles(*value, config); }};
  };
  VtaLayer layer;
  layer.task = ops::VtaConv2d{conv.shape, conv.epilogue};
  ops::require_room(layer.task, config);
  layer.operands.push_back({"A", Kind::kInput, conv.x, nullptr});
  if (conv.weights != nullptr) {
    layer.operands.push_back(constant("W", conv.weights, weight_tiles));
  } else {
    layer.operands.push_back({"W", Kind::kInput, conv.weights_input, nullptr});
  }
  if (conv.bias) layer.operands.push_back(constant("bias", conv.bias, vector_tiles));
  if (conv.multipliers) layer.operands.push_back(constant("multipliers", conv.multipliers, vector_tiles));
  if (conv.addend) layer.operands.push_back({"addend", Kind::kInput, *conv.addend, nullptr});
  layer.operands.push_back({"C", Kind::kOutput, 0, nullptr});

  const Conv2dShape& s = conv.shape;
  layer.useful = static_cast<uint64_t>(s.batch * s.out_channels * conv.depth * s.out_height() * s.out_width() *
                                       s.kernel_h * s.kernel_w);
  layer.padded = ops::padded_multiplications(layer.task, config);
  layer.operations = layer.useful;
  return layer;
}

VtaLayer pool_layer(const ops::VtaPool& p, const isa::Config& config) {
  using Kind = VtaOperand::Kind;
  VtaLayer layer;
  layer.task = p;
  ops::require_room(layer.task, config);
  layer.operands = {{"A", Kind::kInput, 0, nullptr}, {"C", Kind::kOutput, 0, nullptr}};
  layer.operations =
      static_cast<uint64_t>(p.batch * p.channels * p.out_height() * p.out_width() * p.kernel_h * p.kernel_w);
  return layer;
}

VtaLayer pointwise_layer(const VtaPointwise& pointwise, const isa::Config& config) {
  using Kind = VtaOperand::Kind;
  const ops::Elementwise& e = pointwise.layer;
  VtaLayer layer;
  layer.task = e;
  ops::require_room(layer.task, config);
  constexpr const char* kNames[] = {"A", "B"};
  for (size_t i = 0; i < pointwise.inputs.size(); ++i) {
    layer.operands.push_back({kNames[i], Kind::kInput, pointwise.inputs[i], nullptr});
  }
  layer.operands.push_back({"C", Kind::kOutput, 0, nullptr});
  layer.operations = static_cast<uint64_t>(e.size) * e.steps.size();
  return layer;
}

// Whether the GEMM core has a part in it.
bool is_by_products(const BoundFunction& function) {
  return std::ranges::any_of(function.graph->nodes(), [](const graph::Node& node) {
    return node.is_call("sum") || (node.op != nullptr && node.op->pattern == ops::Pattern::kAnchor);
  });
}

// What has no products. A sum of two activations is best a product by ones, while whose sums are rounded others can be
// made; everything else is of the ALU alone.
VtaLayer read_by_element(const BoundFunction& function, const isa::Config& config) {
  std::optional<VtaLayer> sum;
  try {
    sum = conv_layer(read_conv(function, config), config);
  } catch (const Error&) {
    return pointwise_layer(read_pointwise(function, config), config);
  }
  return std::move(*sum);
}

}  // namespace

VtaLayer read_layer(const BoundFunction& function, const isa::Config& config) {
  for (const graph::Node& node : function.graph->nodes()) {
    if (node.is_call("max_pool2d")) {
      return pool_layer(read_max_pool(function, config), config);
    }
  }
  return is_by_products(function) ? conv_layer(read_conv(function, config), config) : read_by_element(function, config);
}

}  // namespace vantage::network
