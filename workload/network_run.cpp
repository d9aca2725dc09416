#include "workload/network_run.h"

#include <algorithm>

namespace vantage::workload {

using Kind = NetworkStep::Kind;

namespace {

// When each device is free, and when each tensor is there.
class Schedule {
 public:
  explicit Schedule(const Network& network) : network_(network), ready_(network.tensors.size()) {}

  // Returns when the step begins.
  double add(const NetworkStep& step, double seconds) {
    double& free = step.kind == Kind::kProgram ? accelerator_ : processor_;
    double start = free;
    // What a step writes becomes ready with it; of what it reads all must be.
    for (const size_t operand : step.operands) start = std::max(start, ready_[operand]);
    free = start + seconds;
    for (const size_t operand : step.operands) {
      if (is_written(step, operand)) ready_[operand] = free;
    }
    return start;
  }
  double end() const { return std::max(accelerator_, processor_); }

 private:
  bool is_written(const NetworkStep& step, size_t operand) const {
    if (step.kind != Kind::kProgram) return operand == step.operands.back();
    const auto& tensors = network_.programs[step.code].tensors;
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (step.operands[i] == operand && tensors[i].role == TensorRole::kOutput) return true;
    }
    return false;
  }

  const Network& network_;
  std::vector<double> ready_;
  double accelerator_ = 0, processor_ = 0;
};

LayerMeasurement layer_of(const driver::NetworkExecutor& executor, const NetworkStep& step,
                          const driver::StepRun& run) {
  const Network& network = executor.network();
  LayerMeasurement layer;
  layer.name = step.name;
  layer.seconds = run.seconds;
  const bool is_program = step.kind == Kind::kProgram;
  layer.device = is_program ? "vta" : executor.is_on_gpu() ? "gpu" : "cpu";
  if (!is_program) {
    layer.op = step.kind == Kind::kFunction ? network.functions[step.code] : "copy";
    for (const size_t operand : step.operands) layer.bytes += Bytes(network.tensors[operand].bytes);
    return layer;
  }
  const ProgramEstimate& known = network.estimates[step.code];
  layer.op = known.op;
  layer.useful = known.useful;
  layer.padded = known.padded;
  layer.bound = known.bound;
  layer.binds = known.binds;
  const isa::Counters& c = run.result.counters;
  layer.bytes =
      Bytes(c.inp_load_nbytes + c.wgt_load_nbytes + c.acc_load_nbytes + c.uop_load_nbytes + c.out_store_nbytes);
  layer.cycles = run.result.cycles;
  layer.run = run.result;
  layer.least = least_traffic(network.programs[step.code]);
  if (layer.cycles) {
    layer.seconds = static_cast<double>(layer.cycles->count()) / (1e6 * sim::clock_mhz(*network.config, run.result));
  }
  return layer;
}

}  // namespace

NetworkMeasurement measure_network(driver::NetworkExecutor& executor, const NetworkInputs& inputs,
                                   const std::function<void(size_t)>& done) {
  const Network& network = executor.network();
  for (const auto& [name, value] : inputs) executor.set_input(name, value);
  // A GPU loads kernels as they first run.
  if (executor.is_on_gpu()) executor.run([](const driver::StepRun&) {});
  NetworkMeasurement all;
  Schedule schedule(network);
  executor.run([&](const driver::StepRun& run) {
    const NetworkStep& step = network.steps[run.step];
    LayerMeasurement layer = layer_of(executor, step, run);
    layer.start = schedule.add(step, layer.seconds);
    (step.kind == Kind::kProgram ? all.accelerator_seconds : all.processor_seconds) += layer.seconds;
    if (layer.cycles) {
      all.accelerator_cycles += *layer.cycles;
      all.has_cycles = true;
      all.clock_mhz = sim::clock_mhz(*network.config, run.result);
    }
    all.layers.push_back(std::move(layer));
    if (done) done(run.step + 1);
  });
  all.latency_seconds = schedule.end();
  for (size_t i = 0; i < network.outputs.size(); ++i) all.outputs.push_back(executor.output(i));
  return all;
}

}  // namespace vantage::workload
