#include "examples/support/run_program.h"

#include <algorithm>
#include <random>

#include "base/error.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "driver/device/executable.h"
#include "driver/open/open.h"

namespace vantage::examples {

sim::RunResult run_program(const Program& program, Tensors& tensors, const std::string& uri) {
  const auto device = driver::open_accelerator(uri, program.config);
  std::map<std::string, driver::Buffer> buffers;
  std::map<std::string, const driver::Buffer*> pointers;
  for (const ProgramTensor& tensor : program.tensors) {
    const auto bytes = tensors.at(tensor.name).bytes();
    auto& buffer = buffers.emplace(tensor.name, device->allocate(Bytes(bytes.size()))).first->second;
    buffer.write({bytes.begin(), bytes.end()});
    pointers[tensor.name] = &buffer;
  }
  driver::Executable executable(*device, program, pointers);
  sim::RunResult result = executable.run();
  if (!result.ok()) fail("the run ended with {}", failure(result));
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.role != TensorRole::kOutput) continue;
    const auto bytes = tensors.at(tensor.name).bytes();
    std::vector<std::byte> got(bytes.size());
    buffers.at(tensor.name).read(got);
    std::copy(got.begin(), got.end(), bytes.begin());
  }
  return result;
}

Tensors interpreted(const ir::PrimFunc& function, Tensors tensors) {
  std::vector<ir::Argument> arguments;
  for (const ir::Buffer& buffer : function.buffers()) arguments.emplace_back(&tensors.at(buffer->name));
  ir::interpret(function, arguments);
  return tensors;
}

int check_and_report(const Program& program, Tensors tensors, const Tensors& expected, const std::string& uri,
                     const std::string& success) {
  const sim::RunResult result = run_program(program, tensors, uri);
  for (const isa::CounterInfo& info : isa::kCounters) {
    fmt::print("{:>18} {}\n", info.name, result.counters.*info.value);
  }
  if (result.cycles) fmt::print("{:>18} {}\n", "cycles", result.cycles->count());
  for (const auto& [name, array] : expected) {
    if (const auto difference = ir::difference(array, tensors.at(name))) {
      fmt::print(stderr, "error: {} is wrong: {}\n", name, *difference);
      return 1;
    }
  }
  fmt::print("{}\n", success);
  return 0;
}

Tensors random_tensors(const ir::PrimFunc& function, int64_t low, int64_t high) {
  std::mt19937_64 random(1);
  Tensors tensors;
  for (const ir::Buffer& buffer : function.buffers()) {
    std::vector<int64_t> shape;
    for (const ir::Expr& size : buffer->shape) shape.push_back(*ir::as_int(size));
    ir::Array& array = tensors.emplace(buffer->name, ir::Array(buffer->dtype, shape)).first->second;
    array.fill(random, low, high);
  }
  return tensors;
}

}  // namespace vantage::examples
