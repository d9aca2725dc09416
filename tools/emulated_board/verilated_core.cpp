#include "tools/emulated_board/verilated_core.h"

#include "sim/rtl/rtl_core.h"

namespace vantage::emulated {

namespace {

// In a tick, a core that has something to do runs so far: a millisecond at 100 MHz.
constexpr uint64_t kCyclesOfTick = 100'000;

class VerilatedCore : public Fabric {
 public:
  VerilatedCore(const isa::Config& config, const sim::RtlLibrary& library, const MemoryTiming& timing,
                sim::Dram& memory)
      : core_(config, library, {timing, {}}), memory_(memory), registers_(core_, memory) {}

  uint32_t read(uint32_t offset) override { return registers_.read(offset); }
  void write(uint32_t offset, uint32_t value) override { registers_.write(offset, value); }
  void tick() override {
    if ((sim::read_register(registers_, "STATUS") & isa::kStatusRunning.mask()) == 0) return;
    for (uint64_t i = 0; i < kCyclesOfTick && !core_.interrupt(); ++i) core_.cycle(memory_);
  }
  bool interrupt() const override { return core_.interrupt(); }

 private:
  sim::RtlCore core_;
  sim::Dram& memory_;
  sim::RtlRegisters registers_;
};

}  // namespace

std::unique_ptr<Fabric> verilated_core(const isa::Config& config, const sim::RtlLibrary& library,
                                       const MemoryTiming& timing, sim::Dram& memory) {
  return std::make_unique<VerilatedCore>(config, library, timing, memory);
}

}  // namespace vantage::emulated
