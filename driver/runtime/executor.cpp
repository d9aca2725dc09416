#include "driver/runtime/executor.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/suggest.h"
#include "hw/isa/packed_lanes.h"

namespace vantage::driver {

using Kind = NetworkStep::Kind;

NetworkExecutor::NetworkExecutor(std::shared_ptr<const Network> network, FunctionDevice& functions,
                                 Accelerator* accelerator)
    : network_(std::move(network)), functions_(functions), accelerator_(accelerator) {
  prepare();
}

NetworkExecutor::NetworkExecutor(std::shared_ptr<const Network> network, std::vector<native::Function> functions,
                                 Processor& processor, Accelerator* accelerator)
    : network_(std::move(network)),
      own_functions_(functions_here(processor, std::move(functions))),
      functions_(*own_functions_),
      accelerator_(accelerator) {
  prepare();
}

void NetworkExecutor::prepare() {
  check_network(*network_, network_->name);
  if (!network_->programs.empty()) {
    if (is_on_gpu()) {
      fail("{} has programs of an accelerator, and its functions then run on a processor, not on {}", network_->name,
           functions_.device().uri());
    }
    if (accelerator_ == nullptr) fail("{} has programs, but there is no accelerator to run them", network_->name);
    if (!(accelerator_->config() == *network_->config)) {
      fail("{} is compiled for {}, but {} is {}: its {}", network_->name, network_->config->name(), accelerator_->uri(),
           accelerator_->config().name(), isa::difference(accelerator_->config(), *network_->config));
    }
  }
  place_tensors();
  load_steps();
}

void NetworkExecutor::place_tensors() {
  Device& host = functions_.device();
  for (const uint64_t bytes : network_->host_slots) host_slots_.push_back(host.allocate(Bytes(bytes)));
  for (const uint64_t bytes : network_->accelerator_slots) {
    device_slots_.push_back(accelerator_->allocate(Bytes(bytes)));
  }
  // Buffers that are pointed to stay where they are.
  device_constants_.reserve(network_->tensors.size());
  host_constants_.reserve(network_->tensors.size());
  described_.resize(network_->tensors.size());
  on_device_.resize(network_->tensors.size());
  for (size_t i = 0; i < network_->tensors.size(); ++i) {
    const NetworkTensor& t = tensor(i);
    if (t.place == Place::kHost) {
      place_on_host(i);
      continue;
    }
    if (t.constant) {
      device_constants_.push_back(accelerator_->allocate(Bytes(t.bytes)));
      device_constants_.back().write_constant(
          pack_lanes(*t.constant, network_->config->lane_bits(*t.memory), Bytes(t.bytes)));
    }
    on_device_[i] = t.constant ? &device_constants_.back() : &device_slots_[t.slot];
  }
}

// As functions are given it.
void NetworkExecutor::place_on_host(size_t index) {
  const NetworkTensor& t = tensor(index);
  const void* data = nullptr;
  if (!t.constant) {
    data = reinterpret_cast<void*>(host_slots_[t.slot].address().count());  // NOLINT: an address of the device's
  } else if (functions_.shares_host_memory()) {
    data = t.constant->bytes().data();
  } else {
    host_constants_.push_back(functions_.device().allocate(Bytes(std::max<uint64_t>(t.bytes, 1))));
    host_constants_.back().write_constant(t.constant->bytes());
    data = reinterpret_cast<void*>(host_constants_.back().address().count());  // NOLINT: likewise
  }
  DLTensor& described = described_[index];
  described.data = const_cast<void*>(data);  // NOLINT: what functions only read they leave as it is
  described.device = functions_.place();
  described.ndim = static_cast<int>(t.type.shape.size());
  described.dtype = dl_dtype(t.type.dtype);
  described.shape = const_cast<int64_t*>(t.type.shape.data());  // NOLINT: likewise
}

void NetworkExecutor::load_steps() {
  for (const NetworkStep& step : network_->steps) {
    std::unique_ptr<Loaded> loaded;
    try {
      if (step.kind == Kind::kFunction) {
        std::vector<const DLTensor*> arguments;
        for (const size_t operand : step.operands) arguments.push_back(&described_[operand]);
        loaded = functions_.load(step.code, arguments);
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
  std::vector<Loaded*> calls;
  for (const NetworkStep& step : network_->steps) {
    if (step.kind != Kind::kFunction) return;
    calls.push_back(loaded_[calls.size()].get());
  }
  if (!calls.empty()) whole_ = functions_.join(calls);
}

// What it holds now: where it lies if functions share this process's memory, else a copy.
Tensor NetworkExecutor::host_tensor(size_t index) const {
  const NetworkTensor& t = tensor(index);
  if (t.constant) return *t.constant;
  if (functions_.shares_host_memory()) {
    return Tensor::borrow(t.type.dtype, t.type.shape,
                          {static_cast<std::byte*>(described_[index].data), t.type.bytes()});
  }
  Tensor copy(t.type.dtype, t.type.shape);
  std::vector<std::byte> bytes(copy.bytes().size());
  functions_.device().read(host_slots_[t.slot].address(), bytes);
  std::copy(bytes.begin(), bytes.end(), copy.bytes().begin());
  return copy;
}

void NetworkExecutor::write_host(size_t index, std::span<const std::byte> bytes) {
  host_slots_[tensor(index).slot].write(bytes);
}

void NetworkExecutor::set_input(std::string_view name, const Tensor& value) {
  std::vector<std::string> names;
  for (const size_t input : network_->inputs) {
    const NetworkTensor& t = tensor(input);
    names.push_back(t.name);
    if (t.name != name) continue;
    if (type_of(value) != t.type) fail("input {} is {}, expected {}", name, describe(value), describe(t.type));
    const Tensor dense = value.is_dense() ? Tensor() : value.reshaped(value.shape());
    write_host(input, (value.is_dense() ? value : dense).bytes());
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
    write_host(to, value(from).bytes());
  }
}

void NetworkExecutor::run(const StepDone& done, const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  // A processor's call, or a GPU's, has no instructions to count or to record.
  RunOptions call;
  call.stop = options.stop;
  if (!done && whole_) {
    const RunResult result = whole_->run(call);
    if (!result.ok()) fail("{}: the run ended with {}", network_->name, failure(result));
    return;
  }
  for (size_t i = 0; i < network_->steps.size(); ++i) {
    const NetworkStep& step = network_->steps[i];
    StepRun run{.step = i};
    const Clock::time_point begin = Clock::now();
    if (loaded_[i] == nullptr) {
      copy(step);
    } else {
      run.result = loaded_[i]->run(step.kind == Kind::kProgram ? options : call);
      if (!run.result.ok()) fail("{}: the run ended with {}", step.name, failure(run.result));
    }
    // A function's time is what it takes where it runs, not the way there.
    run.seconds = run.result.seconds.value_or(std::chrono::duration<double>(Clock::now() - begin).count());
    if (done) done(run);
  }
}

Timing NetworkExecutor::time(const TimeOptions& options) {
  return whole_ ? whole_->time(options) : time_evaluator([this] { run(); }, options);
}

Tensor NetworkExecutor::output(size_t number) const {
  return value(network_->outputs.at(number));
}

Tensor NetworkExecutor::output(std::string_view name) const {
  const std::vector<std::string> names = output_names(*network_);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return output(static_cast<size_t>(found - names.begin()));
  fail("{} has no output {}{}", network_->name, name, did_you_mean(name, names));
}

Tensor NetworkExecutor::value(size_t index) const {
  const NetworkTensor& t = tensor(index);
  if (t.place == Place::kHost) {
    const Tensor there = host_tensor(index);
    return Tensor(there);  // a copy, which outlives what is there
  }
  std::vector<std::byte> bytes(on_device_[index]->size().count());
  on_device_[index]->read(bytes);
  return unpack_lanes(bytes, t.type, network_->config->lane_bits(*t.memory));
}

}  // namespace vantage::driver
