#include "examples/support/gpu_kernel.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <random>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/backend/cuda/program.h"
#include "driver/cuda/gpu_tensor.h"
#include "examples/support/run_program.h"
#include "workload/wrong_element.h"

namespace vantage::examples {

bool computes_the_same(const ir::PrimFunc& function, const ir::PrimFunc& kernel, int64_t low, int64_t high) {
  const Tensors inputs = random_tensors(function, low, high);
  const Tensors expected = interpreted(function, inputs);
  const Tensors result = interpreted(kernel, inputs, cuda::externs());
  if (const auto difference = vantage::difference(expected.at("B"), result.at("B"))) {
    fmt::print(stderr, "error: {}\n", *difference);
    return false;
  }
  fmt::print("The kernel computes the same, and no two threads race.\n\n");
  return true;
}

void show_use(const cuda::Kernel& kernel, const cuda::KernelCode& code, const std::vector<std::string>& architectures) {
  int64_t threads = 1;
  for (const ir::Expr& extent : kernel.block) threads *= *ir::as_int(extent);
  try {
    for (const std::string& name : architectures) {
      const cuda::GpuCode binary = cuda::Nvrtc::load()->compile(cuda::write_source({code}), kernel.name, {name});
      const cuda::KernelUse& use = binary.kernels.front();
      const cuda::Occupancy occupancy =
          cuda::occupancy(cuda::find_architecture(name), {threads, use.registers, code.shared_bytes});
      fmt::print(stderr, "{}: {} registers, {} bytes of spills, {} bytes of shared memory, {} of {} warps\n", name,
                 use.registers, use.spill_store_bytes + use.spill_load_bytes, code.shared_bytes, occupancy.warps,
                 occupancy.most_warps);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "not compiled for GPUs: {}\n", error.what());
  }
}

bool show_time(const ir::PrimFunc& scheduled, const workload::ImagesInnermost& layer) {
  if (!driver::why_no_cuda().empty()) return true;
  const auto gpu = driver::Cuda::open("cuda:");
  native::GpuProgram program;
  try {
    program = cuda::compile(scheduled, {.architecture = cuda::architecture_of(gpu->info().capability).name},
                            *cuda::Nvrtc::load());
  } catch (const Error& error) {
    fmt::print(stderr, "Convolution: not on this GPU: {}\n", error.what());
    return true;
  }
  try {
    std::map<std::string, vantage::Tensor> values;
    std::map<std::string, std::unique_ptr<driver::GpuTensor>> tensors;
    std::vector<const DLTensor*> pointers;
    std::mt19937_64 random(1);
    for (const native::Parameter& parameter : program.signature.parameters) {
      vantage::Tensor::Shape shape;
      for (const std::string& size : parameter.shape) shape.push_back(std::stoll(size));
      vantage::Tensor& tensor = values.try_emplace(parameter.name, dtype_of(parameter.dtype), shape).first->second;
      fill(tensor, random);
      pointers.push_back((tensors[parameter.name] = std::make_unique<driver::GpuTensor>(*gpu, tensor))->tensor());
    }
    const auto loaded = gpu->load(program, pointers);
    loaded->run();
    const auto expected = [&](int64_t element) {
      return workload::conv2d_element(layer, values.at("A"), values.at("W"), element);
    };
    if (const auto wrong = workload::wrong_element(tensors.at("B")->read(), expected)) fail("the GPU's {}", *wrong);
    const double seconds = loaded->time({.number = 1, .repeat = 10, .min_ms = 5}).median();
    fmt::print(stderr, "Convolution: {:.3f} ms on {}, {:.1f} TFLOP/s; the result is right\n", seconds * 1e3,
               gpu->info().name, static_cast<double>(layer.operations()) / seconds * 1e-12);
    return true;
  } catch (const Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return false;
  }
}

}  // namespace vantage::examples
