#include "driver/runtime/executor.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/suggest.h"
#include "hw/isa/packed_lanes.h"

namespace vantage::driver {

using Kind = NetworkStep::Kind;

NetworkExecutor::NetworkExecutor(std::shared_ptr<const Network> network, std::vector<native::Function> functions,
                                 Processor& processor, Accelerator* accelerator)
    : network_(std::move(network)), processor_(processor), accelerator_(accelerator) {
  check_network(*network_, network_->name);
  VANTAGE_CHECK(functions.size() == network_->functions.size());
  if (!network_->programs.empty()) {
    if (accelerator_ == nullptr) fail("{} has programs, but there is no accelerator to run them", network_->name);
    if (!(accelerator_->config() == *network_->config)) {
      fail("{} is compiled for {}, but {} is {}: its {}", network_->name, network_->config->name(), accelerator_->uri(),
           accelerator_->config().name(), isa::difference(accelerator_->config(), *network_->config));
    }
  }
  place_tensors();
  load_steps(functions);
}

void NetworkExecutor::place_tensors() {
  for (const uint64_t bytes : network_->host_slots) host_slots_.push_back(processor_.allocate(Bytes(bytes)));
  for (const uint64_t bytes : network_->accelerator_slots)
    device_slots_.push_back(accelerator_->allocate(Bytes(bytes)));
  // Buffers that are pointed to stay where they are.
  device_constants_.reserve(network_->tensors.size());
  on_host_.resize(network_->tensors.size());
  on_device_.resize(network_->tensors.size());
  for (size_t i = 0; i < network_->tensors.size(); ++i) {
    const NetworkTensor& t = tensor(i);
    if (t.place == Place::kAccelerator) {
      if (t.constant) {
        device_constants_.push_back(accelerator_->allocate(Bytes(t.bytes)));
        device_constants_.back().write_constant(
            pack_lanes(*t.constant, network_->config->lane_bits(*t.memory), Bytes(t.bytes)));
      }
      on_device_[i] = t.constant ? &device_constants_.back() : &device_slots_[t.slot];
    } else if (!t.constant) {
      auto* memory = reinterpret_cast<std::byte*>(host_slots_[t.slot].address().count());  // NOLINT: the host's
      on_host_[i] = Tensor::borrow(t.type.dtype, t.type.shape, {memory, t.type.bytes()});
    }
  }
}

void NetworkExecutor::load_steps(const std::vector<native::Function>& functions) {
  std::vector<DLTensor> described;
  for (size_t i = 0; i < network_->tensors.size(); ++i) {
    described.push_back(tensor(i).place == Place::kHost ? host_tensor(i).dl() : DLTensor{});
  }
  described_ = std::move(described);
  for (const NetworkStep& step : network_->steps) {
    std::unique_ptr<Loaded> loaded;
    try {
      if (step.kind == Kind::kFunction) {
        std::vector<const DLTensor*> arguments;
        for (const size_t operand : step.operands) arguments.push_back(&described_[operand]);
        loaded = processor_.load(functions[step.code], arguments);
      } else if (step.kind == Kind::kProgram) {
        std::vector<const Buffer*> tensors;
        for (const size_t operand : step.operands) tensors.push_back(on_device_[operand]);
        loaded = accelerator_->load(network_->programs[step.code], tensors);
      }
    } catch (const Error& error) {
      fail("{}: {}", step.name, error.what());
    }
    loaded_.push_back(std::move(loaded));
  }
}

const Tensor& NetworkExecutor::host_tensor(size_t index) const {
  return tensor(index).constant ? *tensor(index).constant : on_host_[index];
}

void NetworkExecutor::set_input(std::string_view name, const Tensor& value) {
  std::vector<std::string> names;
  for (const size_t input : network_->inputs) {
    const NetworkTensor& t = tensor(input);
    names.push_back(t.name);
    if (t.name != name) continue;
    if (type_of(value) != t.type) fail("input {} is {}, expected {}", name, describe(value), describe(t.type));
    const Tensor dense = value.is_dense() ? Tensor() : value.reshaped(value.shape());
    const auto bytes = (value.is_dense() ? value : dense).bytes();
    std::copy(bytes.begin(), bytes.end(), on_host_[input].bytes().begin());
    return;
  }
  fail("{} has no input {}{}", network_->name, name, did_you_mean(name, names));
}

void NetworkExecutor::copy(const NetworkStep& step) {
  const size_t from = step.operands[0], to = step.operands[1];
  if (step.kind == Kind::kUpload) {
    const NetworkTensor& there = tensor(to);
    device_slots_[there.slot].write(
        pack_lanes(host_tensor(from), network_->config->lane_bits(*there.memory), Bytes(there.bytes)));
  } else {
    const Tensor read = value(from);
    std::copy(read.bytes().begin(), read.bytes().end(), on_host_[to].bytes().begin());
  }
}

void NetworkExecutor::run(const StepDone& done, const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  for (size_t i = 0; i < network_->steps.size(); ++i) {
    const NetworkStep& step = network_->steps[i];
    StepRun run{.step = i};
    const Clock::time_point begin = Clock::now();
    if (loaded_[i] == nullptr) {
      copy(step);
    } else {
      // A processor's call has no instructions to count or to record.
      RunOptions call;
      call.stop = options.stop;
      run.result = loaded_[i]->run(step.kind == Kind::kProgram ? options : call);
      if (!run.result.ok()) fail("{}: the run ended with {}", step.name, failure(run.result));
    }
    run.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (done) done(run);
  }
}

Timing NetworkExecutor::time(const TimeOptions& options) {
  return time_evaluator([this] { run(); }, options);
}

Tensor NetworkExecutor::output(size_t number) const {
  return value(network_->outputs.at(number));
}

Tensor NetworkExecutor::output(std::string_view name) const {
  std::vector<std::string> names;
  for (const size_t number : network_->outputs) {
    if (tensor(number).name == name) return value(number);
    names.push_back(tensor(number).name);
  }
  fail("{} has no output {}{}", network_->name, name, did_you_mean(name, names));
}

Tensor NetworkExecutor::value(size_t index) const {
  const NetworkTensor& t = tensor(index);
  if (t.place == Place::kHost) return host_tensor(index);
  std::vector<std::byte> bytes(on_device_[index]->size().count());
  on_device_[index]->read(bytes);
  return unpack_lanes(bytes, t.type, network_->config->lane_bits(*t.memory));
}

}  // namespace vantage::driver
