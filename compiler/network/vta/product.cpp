#include "compiler/network/vta/product.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/network/vta/epilogue.h"
#include "compiler/ops/sizes.h"

namespace vantage::network {

using graph::Node;
using graph::Value;

namespace {

class ProductReader {
 public:
  ProductReader(const FunctionReader& function, const isa::Config& config, VtaConv& layer)
      : f_(function), config_(config), layer_(layer) {}

  void run(Value value) {
    if (f_.is(value, "sum")) {
      read_sum(f_.node(value));
      return;
    }
    if (const auto other = layer_.addend ? scaled_activation(f_, value) : std::nullopt) {
      read_copy(other->first, other->second);
      return;
    }
    const bool is_conv = f_.is(value, "conv2d");
    if (!is_conv && !f_.is(value, "dense")) {
      fail("{} is no convolution and no dense layer", f_.node(value).name);
    }
    const Node& product = f_.node(value);
    const DType of_weights = f_.type(product.inputs[1]).dtype;
    if (of_weights != kInt8 || product.types[0].dtype != kInt32) {
      fail("it multiplies {} to {}, the GEMM core int8 to int32; quantize what goes in", vantage::name(of_weights),
           vantage::name(product.types[0].dtype));
    }
    layer_.weights = f_.constant(product.inputs[1]);
    if (layer_.weights == nullptr) {
      if (is_conv) fail("its weights are not constant; only a matmul's may come from the network");
      layer_.weights_input = f_.unpacked_input(product.inputs[1], config_.block_out(), config_.block_in());
      if (config_.inp_bits() != config_.wgt_bits()) {
        fail("it multiplies activations, but inputs have {} bits and weights {}; a configuration with as many would do",
             config_.inp_bits(), config_.wgt_bits());
      }
      // What lies in the other lanes would be multiplied.
      const int64_t depth = f_.type(product.inputs[1]).shape[1];
      if (depth % config_.block_in() != 0) {
        fail("its depth of {} fills no tiles of {}, and neither factor is constant; pad both", depth,
             config_.block_in());
      }
    }
    // A dense layer of an image that is laid out as a row is a convolution whose kernel sees all of it.
    const bool is_row = !is_conv && f_.is(product.inputs[0], "reshape");
    const Value x = is_row ? f_.node(product.inputs[0]).inputs[0] : product.inputs[0];
    layer_.x = f_.unpacked_input(x, config_.batch(), config_.block_in());
    if (product.inputs.size() > 2) {
      const auto bias = f_.constant(product.inputs[2]);
      if (bias == nullptr || layer_.bias != nullptr) fail("its bias is not one constant; give it one");
      layer_.bias = bias;
    }
    layer_.epilogue.bias = layer_.bias != nullptr;
    is_row ? read_row(f_.type(x).shape) : read_shape(product);
  }

  void read_row(const Tensor::Shape& image) {
    if (layer_.weights == nullptr) fail("it takes an image as a row, but its weights are not constant; give it some");
    if (image.size() != 4 || layer_.weights->extent(1) != image[1] * image[2] * image[3]) {
      fail("it takes a row that is no image of {} values; lay out a whole one", layer_.weights->extent(1));
    }
    const int64_t outputs = layer_.weights->extent(0);
    layer_.weights = std::make_shared<const Tensor>(layer_.weights->reshaped({outputs, image[1], image[2], image[3]}));
    layer_.shape = {.batch = image[0],
                    .in_channels = image[1],
                    .height = image[2],
                    .width = image[3],
                    .out_channels = outputs,
                    .kernel_h = image[2],
                    .kernel_w = image[3]};
    layer_.depth = image[1];
  }

  // The sum of each channel's pixels: a product with weights of one.
  void read_sum(const Node& sum) {
    const Value wide = sum.inputs[0];
    const bool is_image = f_.is(wide, "cast") && f_.type(wide).dtype == kInt32 && f_.type(wide).shape.size() == 4;
    ops::Integers axes = sum.attributes.integers("axes");
    for (int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
    if (!is_image || axes != ops::Integers{2, 3} || !sum.attributes.flag("keep_axes")) {
      fail("it adds up other axes than the rows and columns of images of int8");
    }
    const Value x = f_.node(wide).inputs[0];
    layer_.x = f_.unpacked_input(x, config_.batch(), config_.block_in());
    const Tensor::Shape& shape = f_.type(x).shape;
    Tensor ones(kInt8, {shape[1], 1, shape[2], shape[3]});
    std::ranges::fill(ones.values<int8_t>(), int8_t{1});
    layer_.weights = std::make_shared<const Tensor>(std::move(ones));
    layer_.shape = {.batch = shape[0],
                    .in_channels = shape[1],
                    .height = shape[2],
                    .width = shape[3],
                    .out_channels = shape[1],
                    .kernel_h = shape[2],
                    .kernel_w = shape[3]};
    layer_.epilogue.bias = layer_.bias != nullptr;
    connect_groups(shape[1]);
  }

  // An activation as it is, times a number: each channel's product with a weight.
  void read_copy(Value x, int64_t factor) {
    if (factor > 127)
      fail("it multiplies one of what it adds by {}, which is no weight; bring their scales nearer", factor);
    layer_.x = f_.unpacked_input(x, config_.batch(), config_.block_in());
    const Tensor::Shape& shape = f_.type(x).shape;
    Tensor weights(kInt8, {shape[1], 1, 1, 1});
    std::ranges::fill(weights.values<int8_t>(), static_cast<int8_t>(factor));
    layer_.weights = std::make_shared<const Tensor>(std::move(weights));
    layer_.shape = {.batch = shape[0], .in_channels = shape[1], .out_channels = shape[1]};
    if (shape.size() == 4) {
      layer_.shape.height = shape[2];
      layer_.shape.width = shape[3];
    }
    layer_.epilogue.bias = layer_.bias != nullptr;
    connect_groups(shape[1]);
  }

  void read_shape(const Node& product) {
    const Tensor::Shape &x = f_.type(product.inputs[0]).shape, &w = f_.type(product.inputs[1]).shape;
    if (x.size() != w.size())
      fail("it multiplies {} by {}", describe(f_.type(product.inputs[0])), describe(f_.type(product.inputs[1])));
    Conv2dShape& s = layer_.shape;
    s.batch = x[0];
    s.in_channels = x[1];
    s.out_channels = w[0];
    layer_.depth = w[1];
    if (product.is_call("dense")) return;
    s.height = x[2];
    s.width = x[3];
    s.kernel_h = w[2];
    s.kernel_w = w[3];
    const ops::Window window = ops::window_of(product.attributes, x, s.kernel_h, s.kernel_w);
    const auto& [rows, columns] = window;
    if (const int64_t groups = product.attributes.integer("groups"); groups != 1) connect_groups(groups);
    s.stride = {rows.stride, columns.stride};
    s.pad = {rows.before, columns.before, rows.after, columns.after};
    s.dilation = {rows.dilation, columns.dilation};
    for (const int64_t side : {rows.before, columns.before, rows.after, columns.after}) {
      if (side > 15) fail("its padding is {}, a load's 15 at most; pad before it", side);
    }
  }

  // The GEMM core connects all channels of a tile: those of other groups get weights of zero. Groups that share tiles
  // with no others need no more than these; of others all tiles are connected, where that is not too much.
  void connect_groups(int64_t groups) {
    const Tensor& w = *layer_.weights;
    const int64_t outputs = w.extent(0), inputs = w.extent(1), each = outputs / groups;  // of a group
    const int64_t block = config_.block_in(), kernel = w.extent(2) * w.extent(3);
    layer_.shape.channelwise = block == config_.block_out() && inputs == each && block % inputs == 0;
    const int64_t connected = layer_.shape.channelwise ? block : layer_.shape.in_channels;
    constexpr int64_t kMostWaste = 8;
    if (connected > kMostWaste * inputs && !layer_.shape.channelwise) {
      fail(
          "it has {} groups of {} channels, which fill no tiles of {}: connected to all of them 1 product of {} would "
          "be useful; smaller tiles (LOG_BLOCK) would take it",
          groups, inputs, block, groups);
    }
    Tensor all(kInt8, {outputs, connected, w.extent(2), w.extent(3)});
    const auto from = w.values<int8_t>();
    const auto to = all.values<int8_t>();
    for (int64_t o = 0; o < outputs; ++o) {
      const int64_t first = o / each * inputs % connected;  // of the group's channels among those that are connected
      for (int64_t e = 0; e < inputs * kernel; ++e) {
        to[static_cast<size_t>((o * connected + first) * kernel + e)] =
            from[static_cast<size_t>(o * inputs * kernel + e)];
      }
    }
    layer_.weights = std::make_shared<const Tensor>(std::move(all));
  }

  const FunctionReader& f_;
  const isa::Config& config_;
  VtaConv& layer_;
};

}  // namespace

void read_product(const FunctionReader& function, const isa::Config& config, Value sums, VtaConv& layer) {
  ProductReader(function, config, layer).run(sums);
}

}  // namespace vantage::network
