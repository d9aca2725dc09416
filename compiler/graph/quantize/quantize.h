// A network of floats as one of integers: symmetric, of 8 bits or fewer, by what data have shown of its values.
//
//   float value = scale * integer
//
// Convolutions and dense layers of constant weights multiply integers and add them up in int32, with their bias; what
// follows element by element (a residual, ReLU or limits) joins them, and one requantization (requantize.h) makes the
// integers of the output. Pooling and what moves elements keep scales. What is left computes floats.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/quantize/requantize.h"
#include "compiler/graph/quantize/statistics.h"

namespace vantage::graph {

// How much of a value's range its integers say; what lies beyond is cut.
enum class Range : uint8_t {
  kMax,         // all of it
  kPercentile,  // what all values but one in 10,000 lie in
  kLeastError,  // where the squared error is least
  kDivergence,  // where rounding and cutting leave most of how values are spread
};
inline constexpr double kPercentileShare = 0.9999;

struct QuantizeOptions {
  Scaling scaling = Scaling::kPowerOfTwo;
  // A scale for each output: of weights, and of products that only floats are made of.
  bool per_channel = false;
  Range range = Range::kLeastError;
  // What rounding changes in the mean of a product's outputs is taken off its bias.
  bool corrects_bias = false;
  int activation_bits = 8, weight_bits = 8, acc_bits = 32;
  // Products, by their nodes' names, that stay floats (workload/mixed_precision.h).
  std::set<std::string> floats = {};
  // A residual is added before the sums of a product are rounded. Not where an accelerator cannot load activations into
  // its accumulators: there it stays an addition of its own.
  bool joins_additions = true;
  // GELU, SiLU, sigmoid and tanh of integers that integers are needed of stay integers (integer_functions.h).
  bool integer_functions = false;
};

// How a file has a value that it states itself.
struct Stated {
  DType dtype;
  int64_t zero;
};

// A value of the float network that the other one has as integers: float = scale * (integer - zero).
struct QuantizedValue {
  Value before;                             // floats; where it is stated, the integers that the network makes itself
  std::string name;                         // of the node that makes it
  double scale = 0;                         // the largest
  int64_t zero = 0;                         // of the graph's integers
  std::vector<double> channel_scales = {};  // where channels have their own
  std::optional<Stated> stated = {};
  double clipped = 0;        // share of the calibration's values beyond what its integers say
  double weight_scale = 0;   // of a product, the largest
  double weight_snr_db = 0;  // of its weights
};

struct QuantizedGraph {
  Graph graph;
  std::vector<QuantizedValue> values;
};

// The values whose statistics quantize() takes: all that may become integers.
std::vector<Value> values_to_observe(const Graph& graph);

// REQUIRES: batch norms are folded (passes/fold_batch_norm.h), no functions. Throws Error, naming the value, for one
// without statistics.
QuantizedGraph quantize(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options = {});

}  // namespace vantage::graph
