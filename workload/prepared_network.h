// A network of floats made ready for an accelerator: calibrated, quantized, parted, compiled.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/graph/evaluate.h"
#include "compiler/graph/quantize/quantize.h"
#include "compiler/network/compile_network.h"
#include "compiler/network/partition.h"

namespace vantage::workload {

struct PreparedNetwork {
  graph::Graph floats;             // simplified (compiler/graph/passes/pass_list.h)
  graph::QuantizedGraph integers;  // the same in integers, before it is parted
  network::Partitioned parts;
  network::CompiledNetwork compiled;
};

struct PrepareOptions {
  graph::QuantizeOptions quantize = {};
  network::CompileOptions compile = {};
  // Told what begins: "calibrating".
  std::function<void(const std::string&)> progress = nullptr;
};

// `calibration`: inputs by which scales are chosen, at least one set. REQUIRES: a configuration in options.compile.
// Throws Error as each of the steps does.
PreparedNetwork prepare_network(graph::Graph model, const std::vector<graph::Inputs>& calibration,
                                const PrepareOptions& options);

}  // namespace vantage::workload
