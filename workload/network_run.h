// A network on its devices, step by step: what a table of its layers is made of.
//
// Thread safety: as the devices'.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/tensor/tensor.h"
#include "base/units.h"
#include "driver/runtime/executor.h"
#include "workload/traffic.h"

namespace vantage::workload {

struct LayerMeasurement {
  std::string name;                    // of the step
  std::string op;                      // "conv2d", "copy"
  std::string device;                  // "vta", "cpu", "gpu"
  std::optional<Cycles> cycles = {};   // of programs, where the device has time
  double seconds = 0;                  // of these at the device's clock, of the processor as measured
  Bytes bytes = {};                    // of programs what crossed the bus, else of all operands
  uint64_t useful = 0, padded = 0;     // multiplications, of programs
  std::optional<uint64_t> bound = {};  // cycles that no schedule takes fewer than, and what says so
  std::string binds = {};
  double start = 0;                           // seconds since the first step began, as `latency_seconds` has it
  std::optional<driver::RunResult> run = {};  // of programs
  std::optional<Traffic> least = {};          // of programs: bytes that would do
};

struct NetworkMeasurement {
  std::vector<LayerMeasurement> layers;  // the network's steps
  std::vector<Tensor> outputs;
  Cycles accelerator_cycles = {};
  double accelerator_seconds = 0, processor_seconds = 0;  // the latter of functions, a GPU's too
  // From the first step to the last, where each begins as soon as what it takes is there and its device is free.
  double latency_seconds = 0;
  bool has_cycles = false;
  double clock_mhz = 0;  // of these, where there are any
};

// Runs the network once on these inputs, on a GPU once before; `done` is told how many steps are. Throws Error as the
// executor does.
NetworkMeasurement measure_network(driver::NetworkExecutor& executor, const NetworkInputs& inputs,
                                   const std::function<void(size_t)>& done = nullptr);

}  // namespace vantage::workload
