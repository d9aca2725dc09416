// A Verilated core with memory at its AXI4 port, driven at its pins as hardware is: clock, reset, registers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/temporary.h"
#include "hw/isa/config.h"
#include "sim/memory/dram.h"
#include "sim/outcome/outcome.h"
#include "sim/rtl/axi_checker.h"
#include "sim/rtl/axi_port.h"
#include "sim/rtl/model_library.h"
#include "sim/rtl/rtl_machine.h"

namespace vantage::sim {

class RtlCore {
 public:
  // Throws Error like RtlModel.
  RtlCore(const isa::Config& config, RtlLibrary library, RtlOptions options);

  // A new instance, as after power-on: scratchpads are cleared, waves begin anew.
  void power_on();
  // Ends the recording of waves, if there is one, and puts the file in place. Throws Error when it was not written
  // whole.
  void finish_waves();
  // The reset lines of core and port: control state and registers, not scratchpads. The memory forgets what was under
  // way.
  void reset();
  // The core's alone, for so many cycles: the memory goes on with what it was asked for.
  void reset_core(Dram& dram, unsigned cycles);

  // One clock cycle, of core and memory. Returns the core's trace pins: {retire, issue, dispatch}, three stages each.
  // Throws AxiViolation when the core or the memory breaks a rule of AXI4 in it; so do write() and read().
  unsigned cycle(Dram& dram);
  // What memories and ALU have done since power_on(); no instructions, which are seen in the trace.
  core::Activity activity() const { return model_->activity(); }
  uint64_t now() const { return now_; }                  // cycles since the last start
  bool memory_active() const { return memory_active_; }  // something passed between core and memory in the last cycle
  const std::optional<AxiPort::Beat>& beat_read() const { return port_.beat_read(); }  // in the last cycle
  bool interrupt() const { return pins_.irq != 0; }

  // Registers by offset in bytes; each access takes a few cycles. With a write of START time begins at 0, and the
  // core starts in that cycle.
  void write(Dram& dram, uint32_t offset, uint32_t value);
  uint32_t read(Dram& dram, uint32_t offset);

 private:
  void clock();

  uint64_t config_hash_;
  RtlLibrary library_;
  RtlOptions options_;
  AxiPort port_;
  AxiChecker checker_;
  std::optional<RtlModel> model_;
  vantage_rtl_pins pins_{};
  std::unique_ptr<NewFile> waves_;  // while they are recorded
  uint64_t now_ = 0;
  bool memory_active_ = false;
};

// A core's registers, each access of which takes cycles of it and of a memory. Both must outlive this.
class RtlRegisters : public CoreRegisters {
 public:
  RtlRegisters(RtlCore& core, Dram& dram) : core_(core), dram_(dram) {}
  uint32_t read(uint32_t offset) override { return core_.read(dram_, offset); }
  void write(uint32_t offset, uint32_t value) override { core_.write(dram_, offset, value); }

 private:
  RtlCore& core_;
  Dram& dram_;
};

}  // namespace vantage::sim
