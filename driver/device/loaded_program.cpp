#include "driver/device/loaded_program.h"

#include "base/error.h"
#include "base/stop.h"
#include "driver/device/accelerator.h"
#include "hw/isa/codec.h"
#include "hw/isa/disassemble.h"
#include "hw/program/link.h"
#include "hw/program/verifier.h"

namespace vantage::driver {

namespace {

void require_sound(const Accelerator& device, const Program& program, const std::stop_token& stop) {
  if (const auto other = isa::hardware_difference(program.config, device.config()); !other.empty()) {
    fail("the program was made for configuration {}, the device {} has {}: its {}; make it again with --config",
         program.config.name(), device.uri(), device.config().name(), other);
  }
  VerifyOptions options;
  options.dram_size = device.memory_size();
  options.stop = stop;
  // What other runs leave in the scratchpad until this one begins is not known: zeros are the smallest indices there
  // are, so what is illegal with them always is. The rest the device sees to as it runs.
  for (const Diagnostic& d : verify(program, options)) {
    if (d.severity == Diagnostic::Severity::kError) fail("the program is refused: {}", d.text);
  }
}

class ProgramInMemory : public LoadedProgram {
 public:
  ProgramInMemory(Accelerator& device, const Program& program, const std::vector<const Buffer*>& tensors,
                  const std::stop_token& stop)
      : device_(device),
        uops_(device.allocate(program.symbol_size(Relocation::kMicroOps))),
        insns_(device.allocate(Bytes(program.insns.size() * isa::kInsnBytes))) {
    Placement placement{uops_.address(), {}};
    for (uint32_t i = 0; i < program.tensors.size(); ++i) {
      const ProgramTensor& tensor = program.tensors[i];
      placement.tensors.push_back(tensors[i]->address());
      regions_.push_back(
          {tensor.name, tensors[i]->address(), program.symbol_size(i), tensor.role == TensorRole::kOutput});
    }
    regions_.push_back({std::string(kMicroOpSymbol), uops_.address(), uops_.size()});
    regions_.push_back({"instructions", insns_.address(), insns_.size()});

    const isa::Codec codec(program.config);
    std::vector<std::byte> bytes(insns_.size().count());
    auto out = std::span(bytes);
    for (const isa::Insn& insn : link(program, placement, stop)) {
      require_going_on(stop);
      isa::store_words(codec.encode(insn), out.first<isa::kInsnBytes>());
      out = out.subspan(isa::kInsnBytes);
    }
    insns_.write(bytes);

    bytes.assign(uops_.size().count(), std::byte{0});
    out = std::span(bytes);
    for (const isa::MicroOp& uop : program.uops) {
      require_going_on(stop);
      isa::store_u32(codec.encode(uop), out.first<isa::kMicroOpBytes>());
      out = out.subspan(isa::kMicroOpBytes);
    }
    uops_.write(bytes);
  }

  RunResult run_once(const RunOptions& options) override { return device_.run(image(), options); }
  ProgramImage image() const override { return {insns_.address(), insns_.size().count() / isa::kInsnBytes}; }
  std::vector<Region> regions() const override { return regions_; }

 private:
  Accelerator& device_;
  Buffer uops_;
  Buffer insns_;
  std::vector<Region> regions_;
};

}  // namespace

void require_relocated(const Program& program, const std::stop_token& stop) {
  std::vector<bool> relocated(program.insns.size());
  for (const Relocation& relocation : program.relocations) relocated[relocation.insn] = true;
  for (size_t i = 0; i < program.insns.size(); ++i) {
    require_going_on(stop);
    const isa::Transfer* transfer = isa::transfer(program.insns[i]);
    if (transfer == nullptr || transfer->moves_nothing() || relocated[i]) continue;
    fail(
        "the program is refused: instruction {}: {}: it names a fixed place in memory, expected one in a tensor of the "
        "program's",
        i, disassemble(program.insns[i]));
  }
}

std::unique_ptr<LoadedProgram> load_into_memory(Accelerator& device, const Program& program,
                                                const std::vector<const Buffer*>& tensors,
                                                const std::stop_token& stop) {
  require_sound(device, program, stop);
  return std::make_unique<ProgramInMemory>(device, program, tensors, stop);
}

}  // namespace vantage::driver
