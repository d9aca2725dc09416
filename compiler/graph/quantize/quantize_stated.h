// A network that states its quantization (stated.h) as one of integers, by the scales and zero points that it states:
// nothing is measured.
//
// What lies between integers and the next ones is computed of these: convolutions, dense layers and products of
// matrices, residuals, ReLU and other limits, pooling, and what moves elements. Weights stay as they are. Sums are
// exact; a ratio of scales is said by a multiplication and a shift, so an integer is the one that the network's floats
// make, or the next one to it: nothing is made integer that might be further off. All else stays as the network has it.
#pragma once

#include <string>
#include <vector>

#include "compiler/graph/quantize/quantize.h"

namespace vantage::graph {

// A product that stays floats, by its node's name, and why.
struct LeftProduct {
  std::string product, reason;
};

struct StatedGraph {
  QuantizedGraph quantized;
  std::vector<LeftProduct> left;
};

// REQUIRES: states_quantization(), no functions. Of the options, only `acc_bits` and `joins_additions` count.
StatedGraph quantize_as_stated(const Graph& graph, const QuantizeOptions& options = {});

}  // namespace vantage::graph
