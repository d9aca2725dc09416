// Nodes that make integers of integers.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/quantize/requantize.h"

namespace vantage::graph {

// A constant without axes, which leaves the shape of what it is used with.
Value number_in(Graph& to, DType dtype, double value, const std::string& name);
// One, or one for each channel of `of`, in a shape that repeats along it.
Value by_channel_in(Graph& to, Tensor numbers, Value of, const std::string& name);
Value by_channel_in(Graph& to, const std::vector<int64_t>& numbers, Value of, const std::string& name);  // int32

// From int32 sums, whose bias and rounding are there, to int8 within these limits. The last node has the name, all
// others begin with it. `addend`: int8.
Value requantized_in(Graph& to, Value sums, const Requantization& r, std::optional<Value> addend, int64_t least,
                     int64_t greatest, const std::string& name);

}  // namespace vantage::graph
