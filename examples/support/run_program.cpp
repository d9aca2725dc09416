#include "examples/support/run_program.h"

#include <algorithm>
#include <random>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "driver/open/open.h"
#include "workload/run_program.h"

namespace vantage::examples {

sim::RunResult run_program(const Program& program, Tensors& tensors, const std::string& uri) {
  const auto device = driver::open_accelerator(uri, program.config);
  std::map<std::string, std::span<const std::byte>> inputs;
  for (const auto& [name, tensor] : tensors) inputs[name] = tensor.bytes();
  auto run = workload::run_program(*device, program, "program", inputs);
  for (const auto& [name, bytes] : run.outputs) {
    Tensor& tensor = tensors.at(name);
    VANTAGE_CHECK(bytes.size() == tensor.bytes().size());
    std::copy(bytes.begin(), bytes.end(), tensor.bytes().begin());
  }
  return run.result;
}

Tensors interpreted(const ir::PrimFunc& function, Tensors tensors,
                    const decltype(ir::InterpreterOptions::externs)& externs) {
  std::vector<ir::Argument> arguments;
  for (const ir::Buffer& buffer : function.buffers()) arguments.emplace_back(&tensors.at(buffer->name));
  ir::InterpreterOptions options;
  options.externs = externs;
  ir::interpret(function, arguments, options);
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
    if (const auto difference = vantage::difference(array, tensors.at(name))) {
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
    vantage::Tensor& array = tensors.emplace(buffer->name, vantage::Tensor(buffer->dtype, shape)).first->second;
    fill(array, random, low, high);
  }
  return tensors;
}

}  // namespace vantage::examples
