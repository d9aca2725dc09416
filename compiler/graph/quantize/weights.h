// Weights of products as integers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/quantize/quantize.h"

namespace vantage::graph {

// Weights [outputs, ...] as integers, and their scales: one, or one for each output.
struct IntegerWeights {
  std::shared_ptr<const Tensor> values;  // int8, of the same shape
  std::vector<double> scales;
  double snr_db = 0;  // their squares by those of their errors; 200 where nothing is lost, or nothing known

  double scale(int64_t output) const { return scales[scales.size() == 1 ? 0 : static_cast<size_t>(output)]; }
};

// REQUIRES: float32.
IntegerWeights quantize_weights(const Tensor& weights, const QuantizeOptions& options);

// Weights that a network has as int8, with scales: what it multiplies by is
//
//   multiply(cast(constant int8), constant float32)
//
// where there is one scale for all, or one for each place along some of the axes. Of a matrix there may be one for each
// group of neighbours along an axis: then groups are an axis of their own, and a reshape makes the matrix.
struct NarrowWeights {
  std::shared_ptr<const Tensor> integers, scales;  // scales: one element, or of the same rank, all above 0
  // Whether there are fewer scales along an axis than integers, but not one.
  bool has_groups() const;
};
std::optional<NarrowWeights> find_narrow_weights(const Graph& graph, Value value);
// Puts such nodes into a graph: the value is float32, of the integers' shape.
Value add_narrow_weights(Graph& graph, const NarrowWeights& weights, const std::string& name);
// The floats that they stand for.
Tensor floats_of(const NarrowWeights& weights);

// The same of [outputs, ...].
Value dequantized(Graph& graph, const IntegerWeights& weights, const std::string& name);
// Whether a value is made so, with one scale or one for each output.
bool is_dequantized(const Graph& graph, Value value);
std::optional<IntegerWeights> find_dequantized(const Graph& graph, Value value);

// Matrices [outputs, depth] of so many bits, by a scale for each group of so many along the depth, where it divides it;
// else by one for each output. REQUIRES: float32, rank 2.
NarrowWeights quantize_in_groups(const Tensor& weights, int bits, int64_t group);

// Whether a value is known before the network runs, as floats or so, in groups along the depth too.
bool is_weight(const Graph& graph, Value value);
// As integers of the options' bits: those that the network has, if they are. What has groups is rounded anew: products
// are computed whole, with one scale for each output. REQUIRES: is_weight(), float32.
IntegerWeights integer_weights(const Graph& graph, Value value, const QuantizeOptions& options);

}  // namespace vantage::graph
