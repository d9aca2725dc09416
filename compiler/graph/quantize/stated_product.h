// Products of integers by constant weights in a network that states its quantization: of floats that integers stand
// for, or of the integers themselves.
//
// Thread safety: functions without state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/quantize/stated_values.h"

namespace vantage::graph {

// value = scales * (sums of weights * (integers of x, whose zero point is taken off) + bias)
struct StatedProduct {
  uint32_t node;                               // the convolution or dense layer
  Int8 x = {};                                 // what it multiplies
  std::shared_ptr<const Tensor> weights = {};  // int8 [outputs, ...]
  double weight_scale = 1;                     // the largest; 0: nobody states it alone
  std::vector<double> scales = {}, bias = {};  // one for each output; the bias in their steps
  std::vector<uint32_t> moves = {};            // what lays the sums out, the last one first
};

// What makes a value, if that is such a product with what is added to it and what it is multiplied by. None, with the
// reason if there is a product.
std::optional<StatedProduct> find_product(const Graph& graph, const StatedValues& values, Value value,
                                          std::string& reason);

// The convolution or dense layer that makes a value, with what is computed of it element by element behind; none: -1.
int64_t product_behind(const Graph& graph, Value value);

}  // namespace vantage::graph
