// What a network says itself of its integers, as files do that were quantized before: scales and zero points, at every
// place where floats become integers and integers floats.
//
//   float value = scale * (integer - zero)
//
// Thread safety: functions without state.
#pragma once

#include <optional>

#include "compiler/graph/graph.h"

namespace vantage::graph {

// Where floats become integers of 8 bits, by one scale:
//
//   cast(clip(round(x / scale) + zero))
//
// where what is 1 or 0 is left out.
struct StatedRounding {
  Value floats;
  double scale = 1;
  int64_t zero = 0;
  DType dtype;  // int8 or uint8
  int64_t least = 0, greatest = 0;
};
std::optional<StatedRounding> find_rounding(const Graph& graph, uint32_t node);

// A constant of one element.
std::optional<double> number_of(const Graph& graph, Value value);

// Whether a network does that anywhere and goes on with what comes out, or from integers on with no float weights: then
// it says what is an integer, and how.
bool states_quantization(const Graph& graph);

}  // namespace vantage::graph
