#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// float16, bfloat16 and float64 as float32: what is quantized is rounded to far fewer steps, and by rules for that
// type. Inputs and outputs keep their types. Not where nodes are functions: such a graph stays as it is.
Graph all_in_float32(Graph graph);

}  // namespace vantage::graph
