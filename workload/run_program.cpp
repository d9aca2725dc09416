#include "workload/run_program.h"

#include "base/error.h"
#include "driver/runtime/recorder.h"

namespace vantage::workload {

ProgramRun run_program(driver::Accelerator& device, const Program& program, const std::string& name,
                       const std::map<std::string, std::span<const std::byte>>& inputs,
                       const ProgramRunOptions& options) {
  std::map<std::string, driver::Buffer> buffers;
  std::map<std::string, const driver::Buffer*> tensors;
  for (const ProgramTensor& tensor : program.tensors) {
    const Bytes size = program.symbol_size(program.tensor_index(tensor.name));
    auto& buffer = buffers.emplace(tensor.name, device.allocate(size)).first->second;
    tensors[tensor.name] = &buffer;
    const auto given = inputs.find(tensor.name);
    if (given == inputs.end()) {
      if (tensor.role == TensorRole::kInput) buffer.write(std::vector<std::byte>(size.count()));
      continue;
    }
    if (given->second.size() > size.count()) {
      fail("{}: {} bytes are given for the tensor {}, which has {}", name, given->second.size(), tensor.name,
           size.count());
    }
    std::vector<std::byte> bytes(size.count());
    std::copy(given->second.begin(), given->second.end(), bytes.begin());
    buffer.write(bytes);
  }
  for (const auto& [tensor, bytes] : inputs) {
    if (!buffers.contains(tensor)) fail("{}: the program has no tensor {}", name, tensor);
  }
  const auto loaded = device.load(program, tensors);
  ProgramRun run;
  if (options.record.empty()) {
    run.result = loaded->run(options.run);
  } else {
    auto recorded = driver::run_and_record(device, *loaded, options.record, options.run);
    run.result = std::move(recorded.result);
    run.bundle = std::move(recorded.bundle);
  }
  if (!run.result.ok()) fail("{}: the run ended with {}", name, failure(run.result));
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.role != TensorRole::kOutput) continue;
    const driver::Buffer& buffer = buffers.at(tensor.name);
    auto& bytes = run.outputs[tensor.name];
    bytes.resize(buffer.size().count());
    buffer.read(bytes);
  }
  return run;
}

}  // namespace vantage::workload
