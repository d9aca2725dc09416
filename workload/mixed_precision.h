// Which products of a network stay floats, for the sake of accuracy.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/graph/evaluate.h"
#include "compiler/graph/quantize/quantize.h"

namespace vantage::workload {

// What it costs the network when one of its products alone is computed in integers.
struct Sensitivity {
  std::string product;      // the node
  uint64_t operations = 0;  // multiplications
  double noise = 0;         // the squares of what its first output then lacks, by the squares of that
};

// Of all convolutions and dense layers of weights. One network is compiled, in which each of them can be switched to
// rounded inputs, weights and outputs, and run once for each of them and each set of inputs.
std::vector<Sensitivity> sensitivities(const graph::Graph& floats, const graph::Statistics& statistics,
                                       const graph::QuantizeOptions& options, const std::vector<graph::Inputs>& data);

// Those that add the most noise for their multiplications, as long as all of them together are no more than so large a
// share of the network's.
std::set<std::string> choose_floats(std::vector<Sensitivity> all, double share);

// Those that gain the most for each cycle that floats add, as long as all of them together add no more than `cycles`.
// `added`: what the processor takes more than the accelerator, by product; what it takes less costs nothing, and one of
// which nothing is known stays integers.
std::set<std::string> choose_floats_for_cycles(std::vector<Sensitivity> all, const std::map<std::string, double>& added,
                                               double cycles);

}  // namespace vantage::workload
