#include "examples/support/run_on_cpu.h"

#include <algorithm>
#include <memory>

#include "base/tensor/random.h"
#include "compiler/backend/cpu/jit.h"
#include "driver/processor/resident_tensor.h"

namespace vantage::examples {

Arrays small_numbers(const ir::PrimFunc& function, uint64_t seed) {
  std::mt19937_64 random(seed);
  Arrays arrays;
  for (const ir::Buffer& buffer : function.buffers()) {
    std::vector<int64_t> shape;
    for (const ir::Expr& size : buffer->shape) shape.push_back(*ir::as_int(size));
    fill(arrays.emplace_back(buffer->dtype, shape), random, 0, 4);
  }
  return arrays;
}

CpuRun run_on_cpu(const ir::PrimFunc& function, const Arrays& arrays, int threads, int runs) {
  const auto cpu = driver::Processor::open("cpu:", threads);
  std::vector<std::unique_ptr<driver::ResidentTensor>> tensors;
  std::vector<const DLTensor*> arguments;
  for (size_t i = 0; i < arrays.size(); ++i) {
    tensors.push_back(std::make_unique<driver::ResidentTensor>(*cpu, arrays[i]));
    arguments.push_back(tensors.back()->tensor());
  }
  const auto loaded = cpu->load(cpu::jit(function), arguments);
  const auto timing = loaded->time({.number = 1, .repeat = runs, .min_ms = 0});
  CpuRun result{arrays, timing.min() * 1e3};
  for (size_t i = 0; i < arrays.size(); ++i) result.arrays[i] = tensors[i]->read();
  return result;
}

}  // namespace vantage::examples
