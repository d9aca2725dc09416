#include "tests/compiler/backend/cuda/on_processor.h"

#include <dlfcn.h>

#include <bit>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "compiler/backend/cuda/plan.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/as_cpp.h"
#include "tests/compiler/backend/cuda/shim/tensor_map.h"

#ifdef __SANITIZE_ADDRESS__
// The search for leaks at the end of the program follows stacks, and stumbles over those of the kernels' threads now
// and then.
extern "C" int __lsan_is_turned_off() {  // NOLINT: the sanitizer's name
  return 1;
}
#endif

namespace vantage::test {

std::string source_of(const std::vector<cuda::Module>& modules, bool strict) {
  std::vector<cuda::KernelCode> kernels;
  for (const cuda::Module& module : modules) {
    for (const cuda::Kernel& kernel : module.kernels) kernels.push_back(cuda::write_kernel(kernel, strict));
  }
  return cuda::write_source(kernels);
}

std::string complaint(const cuda::Nvrtc& nvrtc, const std::string& source, const std::string& architecture) {
  try {
    const cuda::GpuCode binary = nvrtc.compile(source, "kernels", {architecture, true});
    size_t count = 0;
    for (size_t at = source.find("__global__"); at != std::string::npos; at = source.find("__global__", at + 1))
      ++count;
    if (!binary.losses.empty()) return fmt::format("{}: {}\n{}", architecture, binary.losses.front(), source);
    if (binary.kernels.size() == count && !binary.cubin.empty() && !binary.ptx.empty()) return "";
    return fmt::format("{}: {} kernels, expected {}", architecture, binary.kernels.size(), count);
  } catch (const ToolError& error) {
    return fmt::format("{}: {}\n{}\n{}", architecture, error.what(), error.output(), source);
  }
}

std::shared_ptr<const cuda::Nvrtc> nvrtc_if_here() {
  try {
    return cuda::Nvrtc::load();
  } catch (const Error& error) {
    WARN("not compiled for GPUs: " << error.what());
    return nullptr;
  }
}

OnProcessor::OnProcessor(const std::vector<cuda::Module>& modules, bool strict) : modules_(modules) {
  std::vector<std::string> kernels;
  for (const cuda::Module& module : modules) {
    for (const cuda::Kernel& kernel : module.kernels) kernels.push_back(cuda::write_kernel(kernel, strict).text);
  }
  write_file(folder_.path() / "kernels.cpp", as_cpp(kernels));
  try {
    run_tool(cpp_command(), folder_.path(), "g++");
  } catch (const ToolError& error) {
    fail("{}\n{}", error.what(), error.output());
  }
  library_ = dlopen((folder_.path() / "kernels.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) fail("kernels.so: {}", dlerror());
}

namespace {

// The bytes of a scalar, as a kernel's parameter has them.
int64_t bytes_of(const ir::Expr& literal) {
  if (const int64_t* integer = ir::as_int(literal)) return *integer;  // little-endian: a shorter one is its beginning
  const double number = literal.as<ir::FloatImm>()->value;
  if (literal.dtype() == kFloat16) return to_half(number);
  if (literal.dtype() == kBFloat16) return to_bfloat16(number);
  if (literal.dtype() == kFloat32) return std::bit_cast<int32_t>(static_cast<float>(number));
  return std::bit_cast<int64_t>(number);
}

ir::VarMap scalars_of(const ir::PrimFunc& function, const std::vector<Input>& inputs) {
  ir::VarMap values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto* var = std::get_if<ir::Var>(&function.params[i]);
    if (var == nullptr) continue;
    const auto* integer = std::get_if<int64_t>(&inputs[i]);
    values[var->get()] = integer != nullptr ? ir::make_int(var->dtype(), *integer)
                                            : ir::make_float(var->dtype(), std::get<double>(inputs[i]));
  }
  return values;
}

shim::TensorMap map_of(const cuda::TensorMap& map, const std::vector<int64_t>& shape,
                       const std::vector<int64_t>& strides, const void* address) {
  shim::TensorMap result{};
  result.address = address;
  result.rank = static_cast<uint32_t>(shape.size());
  result.element_bytes = static_cast<uint32_t>(map.buffer->dtype.bytes());
  for (size_t d = 0; d < shape.size(); ++d) {
    const size_t from = shape.size() - 1 - d;
    result.sizes[d] = static_cast<uint64_t>(shape[from]);
    result.strides[d] = static_cast<uint64_t>(strides[from]) * result.element_bytes;
    result.box[d] = static_cast<uint32_t>(map.box[from]);
  }
  return result;
}

}  // namespace

std::vector<Input> OnProcessor::run(size_t number, std::vector<Input> inputs) const {
  const cuda::Module& module = modules_[number];
  const cuda::Plan plan = cuda::plan_calls(module, scalars_of(module.host, inputs));
  std::map<const ir::BufferNode*, void*> memory;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto* buffer = std::get_if<ir::Buffer>(&module.host.params[i]);
    if (buffer != nullptr) memory[buffer->get()] = std::get<Tensor>(inputs[i]).dl().data;
  }
  std::vector<std::vector<std::max_align_t>> temporaries;
  for (const cuda::Temporary& temporary : plan.temporaries) {
    temporaries.emplace_back(static_cast<size_t>(temporary.bytes) / sizeof(std::max_align_t) + 1);
    memory[temporary.buffer.get()] = temporaries.back().data();
  }
  for (const cuda::Launch& launch : plan.launches) {
    const cuda::Kernel& kernel = module.kernels[launch.kernel];
    std::vector<int64_t> values;
    values.reserve(launch.values.size());
    std::vector<void*> arguments;
    for (const ir::Param& param : kernel.params) {
      if (const auto* buffer = std::get_if<ir::Buffer>(&param)) {
        arguments.push_back(&memory.at(buffer->get()));
      } else {
        values.push_back(bytes_of(launch.values[values.size()]));
        arguments.push_back(&values.back());
      }
    }
    std::vector<shim::TensorMap> maps;
    maps.reserve(kernel.maps.size());
    for (size_t i = 0; i < kernel.maps.size(); ++i) {
      maps.push_back(
          map_of(kernel.maps[i], launch.map_shapes[i], launch.map_strides[i], memory.at(kernel.maps[i].buffer.get())));
      arguments.push_back(&maps.back());
    }
    using Launcher = int (*)(const int*, const int*, void**);
    const auto launcher = reinterpret_cast<Launcher>(dlsym(library_, ("cuda_" + kernel.name).c_str()));
    if (launcher == nullptr) fail("{}: the library has no such kernel", kernel.name);
    int grid[3], block[3];
    for (size_t d = 0; d < 3; ++d) {
      grid[d] = static_cast<int>(launch.grid[d]);
      block[d] = static_cast<int>(launch.block[d]);
    }
    if (launcher(grid, block, arguments.data()) != 0) {
      fail("{}: threads of a block wait at a barrier that others do not come to", kernel.name);
    }
  }
  return inputs;
}

std::vector<Tensor> OnProcessor::run(size_t module, const std::vector<Tensor>& arrays) const {
  std::vector<Tensor> results;
  for (Input& result : run(module, std::vector<Input>(arrays.begin(), arrays.end()))) {
    results.push_back(std::move(std::get<Tensor>(result)));
  }
  return results;
}

}  // namespace vantage::test
