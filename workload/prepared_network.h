// A network of floats made ready for an accelerator: calibrated, quantized, parted, compiled.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/evaluate.h"
#include "compiler/graph/quantize/quantize.h"
#include "compiler/network/compile_network.h"
#include "compiler/network/partition.h"
#include "workload/mixed_precision.h"

namespace vantage::workload {

// A model in the operators that targets compute best: attention as its products (compiler/graph/passes/
// split_attention.h), and what simplifying passes leave (pass_list.h).
graph::Graph simplified(graph::Graph model);

struct PreparedNetwork {
  graph::Graph floats;                     // simplified
  graph::QuantizedGraph integers;          // the same in integers, before it is parted
  std::vector<Sensitivity> sensitivities;  // of its products, where some stay floats
  std::set<std::string> kept_floats;       // those
  // The network states its scales itself (compiler/graph/quantize/quantize_stated.h): nothing was measured, and options
  // of quantization did not count.
  bool states_scales = false;
  network::Partitioned parts;
  network::CompiledNetwork compiled;
};

struct PrepareOptions {
  graph::QuantizeOptions quantize = {};
  // Channels are made alike first (compiler/graph/quantize/smooth.h).
  bool smooths_channels = false;
  // So large a share of the multiplications stays floats, on the processor: those whose rounding adds the most noise
  // (mixed_precision.h).
  double float_share = 0;
  // Instead: as many as keep the estimated cycles below this, those of the accelerator's programs and those that the
  // processor takes for the products that it gets (network::PartitionCost), in the accelerator's clock.
  std::optional<uint64_t> most_cycles = {};
  network::CompileOptions compile = {};
  // Told what begins: "calibrating".
  std::function<void(const std::string&)> progress = nullptr;
};

// Integers of as many bits as a configuration has, and programs for it. `config` is copied.
PrepareOptions options_for(const isa::Config& config);
// With them what keeps most of a network's accuracy: scales that are no powers of two, one for each output of weights
// and one for each channel of what goes to floats; channels that are made alike; biases that take off what rounding
// adds; and scales that cut nothing. The ALU multiplies each result for it, where a shift would do otherwise.
PrepareOptions accurate_options_for(const isa::Config& config);

// The network's integers alone, as prepare_network() makes them: the same for all accelerators of as many bits.
graph::Graph integers_of(graph::Graph model, const std::vector<graph::Inputs>& calibration,
                         const PrepareOptions& options);

// `calibration`: inputs by which scales are chosen, at least one set, if the network does not state them. REQUIRES: a
// configuration in options.compile. Throws Error as each of the steps does.
PreparedNetwork prepare_network(graph::Graph model, const std::vector<graph::Inputs>& calibration,
                                const PrepareOptions& options);

}  // namespace vantage::workload
