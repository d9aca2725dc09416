// A network of floats as one of integers: symmetric, of 8 bits or fewer, by what data have shown of its values.
//
//   float value = scale * integer
//
// Convolutions and dense layers of constant weights multiply integers and add them up in int32, with their bias; what
// follows element by element (a residual, ReLU or limits) joins them, and one requantization (requantize.h) makes the
// integers of the output. Pooling and what moves elements keep scales. What is left computes floats.
#pragma once

#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/quantize/requantize.h"
#include "compiler/graph/quantize/statistics.h"

namespace vantage::graph {

// Which scale a value gets: that which its largest value needs, or the one with the least squared error, for which a
// few large values are cut.
enum class ScaleChoice : uint8_t { kLargest, kLeastError };

struct QuantizeOptions {
  Scaling scaling = Scaling::kPowerOfTwo;
  bool per_channel = false;  // weights: a scale for each output
  ScaleChoice choice = ScaleChoice::kLeastError;
  int activation_bits = 8, weight_bits = 8, acc_bits = 32;
  // A residual is added before the sums of a product are rounded. Not where an accelerator cannot load activations into
  // its accumulators: there it stays an addition of its own.
  bool joins_additions = true;
};

// A value of the float network that the other one has as integers.
struct QuantizedValue {
  Value before;
  std::string name;  // of the node that makes it
  double scale = 0;
  double clipped = 0;        // share of the calibration's values beyond what its integers say
  double weight_scale = 0;   // of a product, the largest
  double weight_snr_db = 0;  // of its weights
};

struct QuantizedGraph {
  Graph graph;
  std::vector<QuantizedValue> values;
};

// The values whose statistics quantize() takes: inputs, and what calls make of them, all of float32.
std::vector<Value> values_to_observe(const Graph& graph);

// REQUIRES: batch norms are folded (passes/fold_batch_norm.h), no functions. Throws Error, naming the value, for one
// without statistics.
QuantizedGraph quantize(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options = {});

}  // namespace vantage::graph
