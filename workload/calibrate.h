// What values a network of floats takes, measured on data.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <vector>

#include "compiler/graph/evaluate.h"
#include "compiler/graph/quantize/statistics.h"

namespace vantage::workload {

// Runs the graph on this machine's processor for every set of inputs, and counts what each of `values` is. `done` is
// told of each run. Throws Error as compilation and runs do, and for a value that is no number.
graph::Statistics calibrate(const graph::Graph& graph, const std::vector<graph::Value>& values,
                            const std::vector<graph::Inputs>& data, const std::function<void()>& done = nullptr);

}  // namespace vantage::workload
