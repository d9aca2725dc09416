// Convolutions of GPUs, pixel by pixel.
//
// Thread safety: a function without state.
#pragma once

#include "compiler/graph/graph.h"

namespace vantage::network {

// Convolutions (conv2d, in one group) of constant kernels become products of which a GPU makes tiles (pixel_conv2d):
// the kernels are laid out for it here, once. The names of values and functions stay.
graph::Graph pixel_convolutions(const graph::Graph& graph);

}  // namespace vantage::network
