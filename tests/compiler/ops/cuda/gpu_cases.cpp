#include "tests/compiler/ops/cuda/gpu_cases.h"

#include "base/tensor/compare.h"
#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/printer.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/driver/cuda/on_gpu.h"

namespace vantage::test {

namespace {

std::string difference_of(const GpuCase& one, const std::vector<Tensor>& got) {
  for (size_t i = 0; i < got.size(); ++i) {
    if (const auto text = difference(one.expected[i], got[i], {0x1p-18, 0x1p-18})) return *text;
  }
  return "";
}

}  // namespace

RandomCall call_of(const std::string& name, const std::vector<TensorType>& inputs, Given given) {
  const ops::Operator& op = ops::find_operator(name);
  return {&op, {inputs, ops::Attributes(op.attributes, std::move(given))}, {}};
}

GpuCase case_of(std::string what, ir::PrimFunc function, size_t number, std::vector<Tensor> arrays,
                const std::string& architecture) {
  INFO(what);
  GpuCase result;
  result.what = std::move(what);
  function.name += fmt::format("_{}", number);
  ir::InterpreterOptions serial;
  serial.threads = false;
  result.expected = run(function, arrays, serial);
  result.arrays = std::move(arrays);
  // Copies beside the threads are made from sm_80 on.
  const std::string own = !architecture.empty() ? architecture : number % 3 == 0 ? "sm_80" : "sm_75";
  result.lowered = cuda::lower(ops::schedule_for_gpu(function, cuda::find_architecture(own)).function());
  return result;
}

std::vector<Tensor> arrays_of(const ir::PrimFunc& function, std::vector<Tensor> operands) {
  const std::vector<ir::Buffer> buffers = function.buffers();
  for (size_t i = operands.size(); i < buffers.size(); ++i) {
    Tensor::Shape shape;
    for (const ir::Expr& extent : buffers[i]->shape) shape.push_back(*ir::as_int(extent));
    operands.emplace_back(buffers[i]->dtype, std::move(shape));
  }
  return operands;
}

void check_cases(const std::vector<GpuCase>& cases, const cuda::Nvrtc* nvrtc,
                 const std::vector<std::string>& architectures) {
  std::vector<cuda::Module> modules;
  size_t kernels = 0;
  for (const GpuCase& one : cases) {
    INFO(one.what << "\n" << ir::to_text(one.lowered));
    ir::InterpreterOptions threads;
    threads.externs = cuda::externs();
    REQUIRE(difference_of(one, run(one.lowered, one.arrays, threads)) == "");
    modules.push_back(cuda::split_kernels(one.lowered));
    kernels += modules.back().kernels.size();
  }
  const OnProcessor processor(modules);
  const OnGpu gpu(modules);
  for (size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].what << "\n" << ir::to_text(cases[i].lowered) << source_of({modules[i]}));
    REQUIRE(difference_of(cases[i], processor.run(i, cases[i].arrays)) == "");
    if (const auto got = gpu.run(i, cases[i].arrays)) REQUIRE(difference_of(cases[i], *got) == "");
  }
  if (nvrtc == nullptr) return;
  for (const std::string& architecture : architectures) {
    INFO(architecture);
    CHECK(nvrtc->compile(source_of(modules), "kernels", {architecture, true}).kernels.size() == kernels);
  }
}

size_t Compiled::count(std::string_view what) const {
  size_t times = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

Compiled compiled(const RandomCall& call, const cuda::Nvrtc* nvrtc, const std::string& architecture) {
  const auto s = ops::schedule_for_gpu(formula_of(call), cuda::find_architecture(architecture));
  const cuda::Module module = cuda::split_kernels(cuda::lower(s.function()));
  Compiled result{source_of({module}), {}};
  if (nvrtc == nullptr) return result;
  result.code = nvrtc->compile(result.text, "kernels", {architecture, false});
  INFO(result.text);
  CHECK(result.code.kernels.size() == module.kernels.size());
  for (const cuda::KernelUse& kernel : result.code.kernels) {
    INFO(kernel.name << ": " << kernel.registers << " registers");
    CHECK(kernel.spill_store_bytes == 0);
    CHECK(kernel.spill_load_bytes == 0);
    CHECK(kernel.stack_bytes == 0);
    CHECK(kernel.registers <= 168);
  }
  return result;
}

}  // namespace vantage::test
