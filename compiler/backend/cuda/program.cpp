#include "compiler/backend/cuda/program.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "base/error.h"
#include "base/tensor/tensor.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/inputs.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/plan.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

class WrittenBuffers final : public Visitor {
 public:
  using Visitor::visit;
  std::set<const BufferNode*> found;

 protected:
  void visit_store(const Store& node) override {
    found.insert(node.buffer.get());
    Visitor::visit_store(node);
  }
  void visit_view(const View& node) override {
    if (node.touch != Touch::kRead) found.insert(node.buffer.get());
    Visitor::visit_view(node);
  }
};

native::Signature signature_of(const Module& module, const VarMap& values) {
  WrittenBuffers written;
  for (const Kernel& kernel : module.kernels) written.visit(kernel.body);
  Analyzer analyzer;
  const auto number = [&](const Buffer& buffer, const Expr& expr) {
    const Expr known = analyzer.simplify(substitute(expr, values));
    if (as_int(known) == nullptr) {
      fail("{}: {} of the buffer {} must be a number when it is compiled for a GPU; give {} a value", module.host.name,
           to_text(expr), buffer->name, to_text(known));
    }
    return to_text(known);
  };
  native::Signature signature{module.host.name, {}};
  for (const Buffer& buffer : module.host.buffers()) {
    native::Parameter p;
    p.name = buffer->name;
    p.dtype = dl_dtype(buffer->dtype);
    p.is_tensor = true;
    p.is_written = written.found.count(buffer.get()) > 0;
    p.alignment = std::max(buffer->alignment, static_cast<int>(kPointerAlignment));
    for (const Expr& size : buffer->shape) p.shape.push_back(number(buffer, size));
    for (const Expr& stride : buffer->all_strides()) p.strides.push_back(number(buffer, stride));
    signature.parameters.push_back(std::move(p));
  }
  return signature;
}

// As memory has a literal: a tensor's element is what a kernel's parameter of its type is.
uint64_t scalar_bytes(const Expr& literal) {
  Tensor element(literal.dtype(), {1});
  if (const auto* number = literal.as<FloatImm>()) {
    element.set_number(0, number->value);
  } else {
    const int64_t* integer = as_int(literal);
    VANTAGE_CHECK(integer != nullptr);
    element.set_integer(0, *integer);
  }
  uint64_t bytes = 0;
  std::memcpy(&bytes, element.bytes().data(), element.bytes().size());
  return bytes;
}

// Where the buffers of a function are: its parameters and temporaries.
using ArgumentsByBuffer = std::map<const BufferNode*, native::GpuArgument>;

ArgumentsByBuffer arguments_by_buffer(const Module& module, const Plan& plan) {
  using Kind = native::GpuArgument::Kind;
  ArgumentsByBuffer known;
  const std::vector<Buffer> buffers = module.host.buffers();
  for (size_t i = 0; i < buffers.size(); ++i) known[buffers[i].get()] = {Kind::kParameter, i};
  for (size_t i = 0; i < plan.temporaries.size(); ++i) {
    known[plan.temporaries[i].buffer.get()] = {Kind::kTemporary, i};
  }
  return known;
}

native::GpuTensorMap map_of(const TensorMap& map, const std::vector<int64_t>& shape,
                            const std::vector<int64_t>& strides, const ArgumentsByBuffer& known) {
  native::GpuTensorMap result{known.at(map.buffer.get()), dl_dtype(map.buffer->dtype), {}, {}, {}};
  for (size_t d = 0; d < shape.size(); ++d) {
    result.shape.push_back(static_cast<uint64_t>(shape[d]));
    result.strides.push_back(static_cast<uint64_t>(strides[d] * map.buffer->dtype.bytes()));
    result.box.push_back(static_cast<uint32_t>(map.box[d]));
  }
  return result;
}

native::GpuLaunch launch_of(const Kernel& kernel, const Launch& launch, const ArgumentsByBuffer& known,
                            std::vector<native::GpuTensorMap>& maps) {
  require_extents(kernel.name, launch.grid, launch.block);
  native::GpuLaunch result;
  result.kernel = static_cast<uint32_t>(launch.kernel);
  for (size_t d = 0; d < 3; ++d) {
    result.grid[d] = static_cast<uint32_t>(launch.grid[d]);
    result.block[d] = static_cast<uint32_t>(launch.block[d]);
  }
  size_t next_value = 0;
  for (const Param& param : kernel.params) {
    if (const auto* buffer = std::get_if<Buffer>(&param)) {
      result.arguments.push_back(known.at(buffer->get()));
    } else {
      result.arguments.push_back({native::GpuArgument::Kind::kScalar, scalar_bytes(launch.values[next_value++])});
    }
  }
  for (size_t i = 0; i < kernel.maps.size(); ++i) {
    result.arguments.push_back({native::GpuArgument::Kind::kTensorMap, maps.size()});
    maps.push_back(map_of(kernel.maps[i], launch.map_shapes[i], launch.map_strides[i], known));
  }
  return result;
}

// `uses`: what is known of the machine code.
void require_all_fit(const native::GpuProgram& program, const Architecture& architecture,
                     const std::vector<KernelUse>& uses = {}) {
  std::vector<int64_t> threads(program.kernels.size());
  for (const native::GpuLaunch& launch : program.launches) {
    const int64_t block = int64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    threads[launch.kernel] = std::max(threads[launch.kernel], block);
  }
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const native::GpuKernel& kernel = program.kernels[i];
    BlockNeeds needs{threads[i], 0, static_cast<int64_t>(kernel.shared_bytes)};
    for (const KernelUse& use : uses) {
      if (use.name == kernel.name) needs.registers = use.registers;
    }
    require_fits(architecture, kernel.name, needs);
  }
}

std::vector<KernelCode> codes_of(const Module& module, bool strict) {
  std::vector<KernelCode> codes;
  for (const Kernel& kernel : module.kernels) codes.push_back(write_kernel(kernel, strict));
  return codes;
}

native::GpuProgram without_code(const Module& module, const std::vector<KernelCode>& codes, const VarMap& values) {
  native::GpuProgram program;
  program.signature = signature_of(module, values);
  const std::set<const BufferNode*> inputs = inputs_of(module);
  for (const Buffer& buffer : module.host.buffers()) program.is_read.push_back(inputs.count(buffer.get()) > 0);
  for (size_t i = 0; i < codes.size(); ++i) {
    program.kernels.push_back(
        {module.kernels[i].name, static_cast<uint64_t>(codes[i].shared_bytes), codes[i].is_dynamic});
  }
  const Plan plan = plan_calls(module, values);
  for (const Temporary& temporary : plan.temporaries) {
    program.temporaries.push_back(static_cast<uint64_t>(temporary.bytes));
  }
  const ArgumentsByBuffer known = arguments_by_buffer(module, plan);
  for (const Launch& launch : plan.launches) {
    program.launches.push_back(launch_of(module.kernels[launch.kernel], launch, known, program.tensor_maps));
  }
  return program;
}

}  // namespace

native::GpuProgram plan_program(const Module& module, const VarMap& values) {
  return without_code(module, codes_of(module, false), values);
}

native::GpuProgram compile(const PrimFunc& scheduled, const CompileOptions& options, const Nvrtc& nvrtc,
                           const VarMap& values) {
  const Architecture architecture = nearest_architecture(options.architecture);
  const Module module = split_kernels(lower(scheduled));
  const std::vector<KernelCode> codes = codes_of(module, options.strict);
  native::GpuProgram program = without_code(module, codes, values);
  // Before what takes long.
  for (size_t i = 0; i < codes.size(); ++i) require_instructions(architecture, module.kernels[i].name, codes[i]);
  require_all_fit(program, architecture);
  program.architecture = options.architecture;
  program.toolkit = nvrtc.version();
  GpuCode code = nvrtc.compile(write_source(codes), module.host.name, options);
  program.cubin = std::move(code.cubin);
  program.ptx = std::move(code.ptx);
  require_all_fit(program, architecture, code.kernels);
  return program;
}

}  // namespace vantage::cuda
