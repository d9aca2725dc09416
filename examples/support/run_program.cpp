#include "examples/support/run_program.h"

#include <algorithm>
#include <random>

#include "compiler/tir/interpreter/interpreter.h"
#include "driver/device/executable.h"
#include "driver/open/open.h"
#include "hw/spec/error.h"

namespace vantage::examples {

sim::RunResult run_program(const Program& program, Tensors& tensors, const std::string& uri) {
  const auto device = driver::open_accelerator(uri, program.config);
  std::map<std::string, driver::Buffer> buffers;
  std::map<std::string, const driver::Buffer*> pointers;
  for (const Tensor& tensor : program.tensors) {
    const auto bytes = tensors.at(tensor.name).bytes();
    auto& buffer = buffers.emplace(tensor.name, device->allocate(Bytes(bytes.size()))).first->second;
    buffer.write({bytes.begin(), bytes.end()});
    pointers[tensor.name] = &buffer;
  }
  driver::Executable executable(*device, program, pointers);
  sim::RunResult result = executable.run();
  if (!result.ok()) fail("the run ended with {}", failure(result));
  for (const Tensor& tensor : program.tensors) {
    if (tensor.role != TensorRole::kOutput) continue;
    const auto bytes = tensors.at(tensor.name).bytes();
    std::vector<std::byte> got(bytes.size());
    buffers.at(tensor.name).read(got);
    std::copy(got.begin(), got.end(), bytes.begin());
  }
  return result;
}

Tensors interpreted(const tir::PrimFunc& function, Tensors tensors) {
  std::vector<tir::Argument> arguments;
  for (const tir::Buffer& buffer : function.buffers()) arguments.emplace_back(&tensors.at(buffer->name));
  tir::interpret(function, arguments);
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
    if (const auto difference = tir::difference(array, tensors.at(name))) {
      fmt::print(stderr, "error: {} is wrong: {}\n", name, *difference);
      return 1;
    }
  }
  fmt::print("{}\n", success);
  return 0;
}

Tensors random_tensors(const tir::PrimFunc& function, int64_t low, int64_t high) {
  std::mt19937_64 random(1);
  Tensors tensors;
  for (const tir::Buffer& buffer : function.buffers()) {
    std::vector<int64_t> shape;
    for (const tir::Expr& size : buffer->shape) shape.push_back(*tir::as_int(size));
    tir::Array& array = tensors.emplace(buffer->name, tir::Array(buffer->dtype, shape)).first->second;
    array.fill(random, low, high);
  }
  return tensors;
}

}  // namespace vantage::examples
