#include "compiler/network/vta/conv.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "compiler/network/vta/epilogue.h"
#include "compiler/network/vta/product.h"

namespace vantage::network {

namespace {

// Gives the greatest magnitude.
int64_t require_bits(const char* what, const graph::ElementRange& range, int bits, const isa::Config& config) {
  const int64_t least = -(int64_t{1} << (bits - 1));
  if (range.least < least || range.greatest >= -least) {
    fail("{} may be {} to {}, which the {} bits of configuration {} do not hold; quantize them to as many", what,
         range.least, range.greatest, bits, config.name());
  }
  return std::max(std::abs(range.least), std::abs(range.greatest));
}

// What the graph says of int8 and int32 must hold in lanes that are narrower.
void check_widths(const BoundFunction& bound, const isa::Config& config, const VtaConv& layer) {
  const int64_t x = require_bits("its activations", bound.ranges[layer.x], config.inp_bits(), config);
  int64_t w = 0;
  if (layer.weights != nullptr) {
    int8_t least = 0, greatest = 0;
    for (const int8_t weight : layer.weights->values<int8_t>()) {
      least = std::min(least, weight);
      greatest = std::max(greatest, weight);
    }
    w = require_bits("its weights", {least, greatest}, config.wgt_bits(), config);
  } else {
    w = require_bits("what it multiplies by", bound.ranges[layer.weights_input], config.wgt_bits(), config);
  }
  if (layer.addend && config.out_bits() != 8) {
    fail(
        "it adds an activation, but accumulators are loaded from 8 bits alone, and outputs of configuration {} have "
        "{}; LOG_INP_WIDTH 3 would do",
        config.name(), config.out_bits());
  }
  if (config.acc_bits() >= 32) return;
  for (int64_t o = 0; o < layer.shape.out_channels; ++o) {
    int64_t most = layer.bias == nullptr ? 0 : std::abs(layer.bias->integer(o));
    if (layer.weights != nullptr) {
      const size_t each = static_cast<size_t>(layer.weights->size() / layer.shape.out_channels);
      const auto weights = layer.weights->values<int8_t>().subspan(static_cast<size_t>(o) * each, each);
      for (const int8_t weight : weights) most += x * std::abs(weight);
    } else {
      most += layer.depth * x * w;
    }
    if (most >= int64_t{1} << (config.acc_bits() - 1)) {
      fail("its sums may be {}, which accumulators of {} bits do not hold; LOG_ACC_WIDTH 5 would", most,
           config.acc_bits());
    }
  }
  if (layer.epilogue.multiplier || layer.epilogue.has_multipliers || layer.epilogue.has_addend) {
    fail("accumulators of {} bits are narrower than what it computes; LOG_ACC_WIDTH 5 would do", config.acc_bits());
  }
}

}  // namespace

VtaConv read_conv(const BoundFunction& function, const isa::Config& config) {
  const FunctionReader reader(function);
  VtaConv layer;
  read_product(reader, config, read_epilogue(reader, config, layer), layer);
  check_widths(function, config, layer);
  return layer;
}

}  // namespace vantage::network
