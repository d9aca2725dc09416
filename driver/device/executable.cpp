#include "driver/device/executable.h"

#include "hw/spec/codec.h"
#include "hw/spec/error.h"
#include "hw/spec/link.h"
#include "hw/spec/verifier.h"

namespace vantage::driver {

namespace {

void require_sound(const Accelerator& device, const Program& program) {
  if (program.config != device.config()) {
    fail("the program was made for configuration {}, the device {} has {}; make it again with --config",
         program.config.name(), device.uri(), device.config().name());
  }
  VerifyOptions options;
  options.dram_size = device.memory_size();
  options.initial_uops = device.micro_ops();
  const auto diagnostics = verify(program, options);
  for (const Diagnostic& d : diagnostics) {
    if (d.severity == Diagnostic::Severity::kError) fail("the program is refused: {}", d.text);
  }
}

std::vector<const Buffer*> bind(const Program& program, const std::map<std::string, const Buffer*>& buffers) {
  std::vector<const Buffer*> bound;
  for (uint32_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor& tensor = program.tensors[i];
    const auto it = buffers.find(tensor.name);
    if (it == buffers.end()) fail("no buffer was given for the tensor {}", tensor.name);
    if (it->second->size() < program.symbol_size(i)) {
      fail("the tensor {} has {} bytes, its buffer {}", tensor.name, program.symbol_size(i).count(),
           it->second->size().count());
    }
    bound.push_back(it->second);
  }
  for (const auto& [name, buffer] : buffers) program.tensor_index(name);  // refuses a name that the program lacks
  return bound;
}

}  // namespace

Executable::Executable(Accelerator& device, const Program& program, const std::map<std::string, const Buffer*>& tensors)
    : device_(device),
      program_((require_sound(device, program), program)),
      tensors_(bind(program, tensors)),
      uops_(device.allocate(program.symbol_size(Relocation::kMicroOps))),
      insns_(device.allocate(Bytes(program.insns.size() * isa::kInsnBytes))) {
  Placement placement{uops_.address(), {}};
  for (const Buffer* tensor : tensors_) placement.tensors.push_back(tensor->address());

  const isa::Codec codec(program_.config);
  std::vector<std::byte> bytes(insns_.size().count());
  auto out = std::span(bytes);
  for (const isa::Insn& insn : link(program_, placement)) {
    isa::store_words(codec.encode(insn), out.first<isa::kInsnBytes>());
    out = out.subspan(isa::kInsnBytes);
  }
  insns_.write(bytes);

  bytes.assign(uops_.size().count(), std::byte{0});
  out = std::span(bytes);
  for (const isa::MicroOp& uop : program_.uops) {
    isa::store_u32(codec.encode(uop), out.first<isa::kMicroOpBytes>());
    out = out.subspan(isa::kMicroOpBytes);
  }
  uops_.write(bytes);
}

RunResult Executable::run(const RunOptions& options) {
  return device_.run(image(), options);
}

std::vector<Executable::Region> Executable::regions() const {
  std::vector<Region> regions;
  for (uint32_t i = 0; i < tensors_.size(); ++i) {
    const Tensor& tensor = program_.tensors[i];
    regions.push_back(
        {tensor.name, tensors_[i]->address(), program_.symbol_size(i), tensor.role == TensorRole::kOutput});
  }
  regions.push_back({std::string(kMicroOpSymbol), uops_.address(), uops_.size(), false});
  regions.push_back({"instructions", insns_.address(), insns_.size(), false});
  return regions;
}

}  // namespace vantage::driver
