#include "compiler/network/vta/conv.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "compiler/ops/sizes.h"

namespace vantage::network {

using graph::Node;
using graph::Value;

namespace {

class Reader {
 public:
  Reader(const BoundFunction& function, const isa::Config& config) : f_(function), bound_(function), config_(config) {}

  VtaConv run() {
    Value value = f_.result(config_);
    value = read_limits(value);
    value = read_shift(value, layer_.epilogue.shift);
    value = read_addend(value);
    value = read_multiplier(value);
    const bool multiplies = layer_.multipliers != nullptr || layer_.epilogue.multiplier;
    if (multiplies || layer_.addend) value = read_shift(value, layer_.epilogue.cut);
    read_product(value);
    check_widths();
    return std::move(layer_);
  }

 private:
  // cast(clip(x)), or cast(relu(x)) of what is limited above.
  Value read_limits(Value value) {
    if (!f_.is(value, "cast") || f_.type(value).dtype != kInt8) {
      fail("its results are {}, and not rounded to int8; end it in clip and cast", describe(f_.type(value)));
    }
    value = f_.node(value).inputs[0];
    if (!f_.is(value, "clip") || f_.type(value).dtype != kInt32) {
      fail("its results are cut to int8 without limits, or are none of int32; put a clip before the cast");
    }
    const auto& attributes = f_.node(value).attributes;
    const double low = attributes.number("min"), high = attributes.number("max");
    const double least = -std::ldexp(1.0, config_.out_bits() - 1);
    if (low < std::max(-128.0, least) || high > std::min(127.0, -least - 1)) {
      fail("its limits are {} and {}, but outputs have {} bits; quantize it to as many", low, high,
           std::min(8, config_.out_bits()));
    }
    layer_.epilogue.clip_min = static_cast<int>(low);
    layer_.epilogue.clip_max = static_cast<int>(high);
    return f_.node(value).inputs[0];
  }

  Value read_shift(Value value, int& shift) {
    if (!f_.is(value, "right_shift")) return value;
    const auto amount = f_.number(f_.node(value).inputs[1]);
    if (!amount || *amount < 0 || *amount > 31)
      fail("{} shifts by what is no constant up to 31; give it one number", f_.node(value).name);
    shift = static_cast<int>(*amount);
    return f_.node(value).inputs[0];
  }

  Value read_addend(Value value) {
    if (!f_.is(value, "add")) return value;
    const std::vector<Value>& sides = f_.node(value).inputs;
    // Of two that might be one, the second: the first may have been given the rounding.
    for (const size_t side : {size_t{1}, size_t{0}}) {
      if (const auto found = addend(sides[side])) {
        layer_.addend = f_.unpacked_input(found->first, config_.batch(), config_.block_out());
        layer_.epilogue.has_addend = true;
        layer_.epilogue.addend_factor = static_cast<int>(found->second);
        return sides[1 - side];
      }
    }
    return value;  // a bias, perhaps
  }

  // An activation as int32, times a constant.
  std::optional<std::pair<Value, int64_t>> addend(Value value) const {
    int64_t factor = 1;
    if (f_.is(value, "left_shift") || f_.is(value, "multiply")) {
      const auto number = f_.number(f_.node(value).inputs[1]);
      if (!number) return std::nullopt;
      const bool shifts = f_.is(value, "left_shift");
      if (*number < 0 || *number > (shifts ? 14 : INT16_MAX)) return std::nullopt;
      factor = shifts ? int64_t{1} << *number : *number;
      value = f_.node(value).inputs[0];
    }
    if (!f_.is(value, "cast") || f_.type(value).dtype != kInt32) return std::nullopt;
    const Value from = f_.node(value).inputs[0];
    if (!f_.is(from, "unpack_tiles")) return std::nullopt;
    return std::pair(from, factor);
  }

  Value read_multiplier(Value value) {
    if (!f_.is(value, "multiply")) return value;
    const Value by = f_.node(value).inputs[1];
    const auto constant = f_.constant(by);
    if (constant == nullptr) fail("{} multiplies by what is no constant; give it one", f_.node(value).name);
    if (const auto number = f_.number(by); number && *number >= INT16_MIN && *number <= INT16_MAX) {
      layer_.epilogue.multiplier = static_cast<int>(*number);
      return f_.node(value).inputs[0];
    }
    require_channels(*constant, f_.type(value), f_.node(value).name);
    layer_.multipliers = constant;
    layer_.epilogue.has_multipliers = true;
    return f_.node(value).inputs[0];
  }

  // One number for each channel of `images`.
  static void require_channels(const Tensor& constant, const TensorType& images, const std::string& name) {
    const size_t rank = images.shape.size();
    const size_t behind = rank - 2;  // axes behind the channels'
    const int64_t channels = images.shape[1];
    const bool fits = constant.size() == channels && constant.rank() > behind &&
                      constant.extent(constant.rank() - 1 - behind) == channels;
    if (!fits) fail("{} has {}, expected a number for each of {} outputs", name, describe(constant), channels);
  }

  void read_product(Value value) {
    // A bias of its own.
    if (f_.is(value, "add")) {
      const auto bias = f_.constant(f_.node(value).inputs[1]);
      if (bias == nullptr) fail("{} adds what is neither constant nor an activation of int8", f_.node(value).name);
      if (const auto number = f_.number(f_.node(value).inputs[1])) {
        Tensor same(kInt32, {f_.type(value).shape[1]});
        for (int64_t o = 0; o < same.size(); ++o) same.set_integer(o, *number);
        layer_.bias = std::make_shared<const Tensor>(std::move(same));
      } else {
        require_channels(*bias, f_.type(value), f_.node(value).name);
        layer_.bias = bias;
      }
      value = f_.node(value).inputs[0];
    }
    if (f_.is(value, "sum")) {
      read_sum(f_.node(value));
      return;
    }
    if (const auto other = layer_.addend ? addend(value) : std::nullopt) {
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
    if (product.op->name == "dense") return;
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

  // What the graph says of int8 and int32 must hold in lanes that are narrower.
  void check_widths() const {
    const int64_t x = require_bits("its activations", bound_.ranges[layer_.x], config_.inp_bits());
    int64_t w = 0;
    if (layer_.weights != nullptr) {
      const auto [least, greatest] = std::ranges::minmax(layer_.weights->values<int8_t>());
      w = require_bits("its weights", {least, greatest}, config_.wgt_bits());
    } else {
      w = require_bits("what it multiplies by", bound_.ranges[layer_.weights_input], config_.wgt_bits());
    }
    if (layer_.addend && config_.out_bits() != 8) {
      fail(
          "it adds an activation, but accumulators are loaded from 8 bits alone, and outputs of configuration {} have "
          "{}; LOG_INP_WIDTH 3 would do",
          config_.name(), config_.out_bits());
    }
    if (config_.acc_bits() >= 32) return;
    for (int64_t o = 0; o < layer_.shape.out_channels; ++o) {
      int64_t most = layer_.bias == nullptr ? 0 : std::abs(layer_.bias->integer(o));
      if (layer_.weights != nullptr) {
        const size_t each = static_cast<size_t>(layer_.weights->size() / layer_.shape.out_channels);
        const auto weights = layer_.weights->values<int8_t>().subspan(static_cast<size_t>(o) * each, each);
        for (const int8_t weight : weights) most += x * std::abs(weight);
      } else {
        most += layer_.depth * x * w;
      }
      if (most >= int64_t{1} << (config_.acc_bits() - 1)) {
        fail("its sums may be {}, which accumulators of {} bits do not hold; LOG_ACC_WIDTH 5 would", most,
             config_.acc_bits());
      }
    }
    if (layer_.epilogue.multiplier || layer_.epilogue.has_multipliers || layer_.epilogue.has_addend) {
      fail("accumulators of {} bits are narrower than what it computes; LOG_ACC_WIDTH 5 would do", config_.acc_bits());
    }
  }

  // Gives the greatest magnitude.
  int64_t require_bits(const char* what, const graph::ElementRange& range, int bits) const {
    const int64_t least = -(int64_t{1} << (bits - 1));
    if (range.least < least || range.greatest >= -least) {
      fail("{} may be {} to {}, which the {} bits of configuration {} do not hold; quantize them to as many", what,
           range.least, range.greatest, bits, config_.name());
    }
    return std::max(std::abs(range.least), std::abs(range.greatest));
  }

  FunctionReader f_;
  const BoundFunction& bound_;
  const isa::Config& config_;
  VtaConv layer_{};
};

}  // namespace

VtaConv read_conv(const BoundFunction& function, const isa::Config& config) {
  return Reader(function, config).run();
}

}  // namespace vantage::network
