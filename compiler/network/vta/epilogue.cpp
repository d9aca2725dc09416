#include "compiler/network/vta/epilogue.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace vantage::network {

using graph::Value;

namespace {

class EpilogueReader {
 public:
  EpilogueReader(const FunctionReader& function, const isa::Config& config, VtaConv& layer)
      : f_(function), config_(config), layer_(layer) {}

  Value run() {
    Value value = f_.result(config_);
    value = read_limits(value);
    value = read_shift(value, layer_.epilogue.shift);
    value = read_addend(value);
    value = read_multiplier(value);
    const bool multiplies = layer_.multipliers != nullptr || layer_.epilogue.multiplier;
    if (multiplies || layer_.addend) value = read_shift(value, layer_.epilogue.cut);
    return read_bias(value);
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
      if (const auto found = scaled_activation(f_, sides[side])) {
        layer_.addend = f_.unpacked_input(found->first, config_.batch(), config_.block_out());
        layer_.epilogue.has_addend = true;
        layer_.epilogue.addend_factor = static_cast<int>(found->second);
        return sides[1 - side];
      }
    }
    return value;  // a bias, perhaps
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

  // A bias of its own; products may have one as well.
  Value read_bias(Value value) {
    if (!f_.is(value, "add")) return value;
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

  const FunctionReader& f_;
  const isa::Config& config_;
  VtaConv& layer_;
};

}  // namespace

Value read_epilogue(const FunctionReader& function, const isa::Config& config, VtaConv& layer) {
  return EpilogueReader(function, config, layer).run();
}

std::optional<std::pair<Value, int64_t>> scaled_activation(const FunctionReader& f, Value value) {
  int64_t factor = 1;
  if (f.is(value, "left_shift") || f.is(value, "multiply")) {
    const auto number = f.number(f.node(value).inputs[1]);
    if (!number) return std::nullopt;
    const bool shifts = f.is(value, "left_shift");
    if (*number < 0 || *number > (shifts ? 14 : INT16_MAX)) return std::nullopt;
    factor = shifts ? int64_t{1} << *number : *number;
    value = f.node(value).inputs[0];
  }
  if (!f.is(value, "cast") || f.type(value).dtype != kInt32) return std::nullopt;
  const Value from = f.node(value).inputs[0];
  if (!f.is(from, "unpack_tiles")) return std::nullopt;
  return std::pair(from, factor);
}

}  // namespace vantage::network
