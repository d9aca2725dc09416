// Channels made alike, so that integers of one scale say all of them well.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/graph/graph.h"
#include "compiler/graph/quantize/quantize.h"

namespace vantage::graph {

// Of what products of constant weights alone take, each channel is divided by a factor that its weights are multiplied
// by: where a product makes it, possibly with a ReLU, its weights are divided ("equalisation", Nagel et al. 2019), and
// where floats do, these are ("smoothing", Xiao et al. 2022). The network of floats computes the same but for rounding.
//
// Of dense layers that only floats are made of, a few channels that are much larger than all others are left out, and
// added to their outputs in floats ("LLM.int8()", Dettmers et al. 2022).
//
// Factors are powers of how large channels are by how large their weights are; which power, a model of the noise says
// that rounding leaves in the products' sums: of activations by the weights' squares, and of weights by the
// activations' squares. Where none lessens it nothing changes.
//
// REQUIRES: batch norms are folded (passes/fold_batch_norm.h), no functions. Throws Error, naming the value, for one
// without statistics.
Graph smooth_channels(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options);

}  // namespace vantage::graph
