// A Verilated core with memory at its AXI4 port, driven at its pins as hardware is: clock, reset, registers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "hw/spec/config.h"
#include "hw/spec/file.h"
#include "sim/memory/dram.h"
#include "sim/rtl/axi_port.h"
#include "sim/rtl/model_library.h"
#include "sim/rtl/rtl_machine.h"

namespace vantage::sim {

class RtlCore {
 public:
  // Throws Error like RtlModel.
  RtlCore(const spec::Config& config, std::filesystem::path library, RtlOptions options);

  // A new instance, as after power-on: scratchpads are cleared, waves begin anew.
  void power_on();
  // Ends the recording of waves, if there is one, and puts the file in place. Throws Error when it was not written
  // whole.
  void finish_waves();
  // The reset line: control state and registers, not scratchpads.
  void reset();

  // One clock cycle, of core and memory. Returns the core's trace pins: {retire, issue, dispatch}, three stages each.
  unsigned cycle(Dram& dram);
  uint64_t now() const { return now_; }                  // cycles since the last write to a register
  bool memory_active() const { return memory_active_; }  // something passed between core and memory in the last cycle
  bool interrupt() const { return pins_.irq != 0; }

  // Registers by name; each access takes a few cycles. After a write time begins at 0, and with a write to CONTROL the
  // core starts in that cycle. `value` and results are 32 bits, those of read_wide 64.
  void write(Dram& dram, std::string_view name, uint32_t value);
  uint32_t read(Dram& dram, std::string_view name);
  uint64_t read_wide(Dram& dram, std::string_view name);

 private:
  uint32_t read_word(Dram& dram, uint32_t offset);

  uint64_t config_hash_;
  std::filesystem::path library_;
  RtlOptions options_;
  AxiPort port_;
  std::optional<RtlModel> model_;
  vantage_rtl_pins pins_{};
  std::unique_ptr<NewFile> waves_;  // while they are recorded
  uint64_t now_ = 0;
  bool memory_active_ = false;
};

}  // namespace vantage::sim
