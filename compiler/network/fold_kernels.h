// Convolutions of few channels as products of what their kernels see.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/graph/graph.h"
#include "hw/isa/config.h"

namespace vantage::network {

// A convolution of integers whose channels would leave most of a tile empty, such as that of an image's three colours,
// becomes one of 1 x 1 on im2col's channels, where that takes fewer cycles of the core: for input that the processor
// makes, which can lay it out so.
graph::Graph fold_kernels(graph::Graph graph, const isa::Config& config);

}  // namespace vantage::network
