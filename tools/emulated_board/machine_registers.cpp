#include "tools/emulated_board/machine_registers.h"

#include <map>

#include "base/error.h"
#include "hw/isa/codec.h"
#include "hw/isa/register_map.h"
#include "hw/isa/rtl_package.h"
#include "hw/program/verifier.h"
#include "sim/outcome/outcome.h"

namespace vantage::emulated {

using namespace isa;
using isa::ErrorCause;
using isa::register_offset;

namespace {

class MachineRegisters : public Fabric {
 public:
  MachineRegisters(std::unique_ptr<sim::Machine> machine, sim::Dram& memory)
      : machine_(std::move(machine)), memory_(memory) {
    put("STATUS", isa::kStatusIdle.mask());
    put("VERSION", isa::kVersion);
    put("CONFIG_HASH", isa::hardware_hash(machine_->config()));
    put("MEMORY_LAST", UINT32_MAX);
  }

  uint32_t read(uint32_t offset) override {
    const auto word = words_.find(offset);
    return word == words_.end() ? 0 : word->second;
  }

  void write(uint32_t offset, uint32_t value) override {
    if (offset == register_offset("CONTROL")) {
      if ((value & isa::kControlStart.mask()) != 0) run();
    } else if (offset == register_offset("STATUS")) {
      words_[offset] &= ~(value & (isa::kStatusDone.mask() | isa::kStatusError.mask()));
    } else {
      for (const char* name : {"IRQ_ENABLE", "INSN_COUNT", "INSN_ADDRESS", "MEMORY_LAST", "WATCHDOG"}) {
        if (offset == register_offset(name)) words_[offset] = value;
      }
    }
  }

  void tick() override {}

  bool interrupt() const override {
    return (get("IRQ_ENABLE") & isa::kIrqEnableEnd.mask()) != 0 &&
           (get("STATUS") & (isa::kStatusDone.mask() | isa::kStatusError.mask())) != 0;
  }

 private:
  void put(std::string_view name, uint64_t value) {
    const isa::Register reg = isa::find_register(name);
    words_[reg.offset] = static_cast<uint32_t>(value);
    if (reg.bits == 64) words_[reg.offset + 4] = static_cast<uint32_t>(value >> 32);
  }
  uint32_t get(std::string_view name) const {
    const auto word = words_.find(register_offset(name));
    return word == words_.end() ? 0 : word->second;
  }

  void run() {
    const sim::ProgramImage image{Bytes(get("INSN_ADDRESS")), get("INSN_COUNT")};
    const auto [cause, insn] = find_error(image);
    sim::RunOptions options;
    if (const uint32_t watchdog = get("WATCHDOG"); watchdog != 0) options.max_cycles = watchdog;
    const sim::RunResult result = machine_->run(memory_, image, options);
    put("STATUS", isa::kStatusIdle.mask() | (result.ok() ? isa::kStatusDone.mask() : isa::kStatusError.mask()));
    const bool timed_out = result.status == sim::RunStatus::kTimedOut;
    put("ERROR_CAUSE", result.ok() ? 0 : static_cast<uint64_t>(timed_out ? ErrorCause::kTimedOut : cause));
    put("ERROR_INSN", result.ok() ? 0 : insn);
    put("CYCLES", result.cycles.value_or(Cycles(0)).count());
    for (const CounterInfo& info : kCounters) put(isa::register_name(info.name), result.counters.*info.value);
  }

  std::pair<ErrorCause, uint64_t> find_error(const sim::ProgramImage& image) const {
    const auto bytes = image_bytes(memory_, image);
    std::vector<Words> words;
    for (uint64_t i = 0; i < image.insn_count; ++i) {
      words.push_back(load_words(bytes.subspan(i * kInsnBytes).first<kInsnBytes>()));
    }
    const Codec codec(machine_->config());
    const auto micro_op = [&](uint64_t element) -> std::optional<MicroOp> {
      const auto at = memory_.range(Bytes(element * kMicroOpBytes), Bytes(kMicroOpBytes));
      return codec.decode_uop(load_u32(std::span<const std::byte>(at).first<kMicroOpBytes>()));
    };
    VerifyOptions options;
    options.dram_size = Bytes(uint64_t{get("MEMORY_LAST")} + 1);
    options.initial_uops = machine_->micro_ops();
    for (const Diagnostic& d : verify(words, machine_->config(), micro_op, options)) {
      if (d.severity != Diagnostic::Severity::kError) continue;
      if (d.insn) return {ErrorCause::kIllegal, *d.insn};
      return {d.text.starts_with("deadlock") ? ErrorCause::kDeadlock : ErrorCause::kNoFinish, 0};
    }
    return {ErrorCause::kNone, 0};
  }

  const std::unique_ptr<sim::Machine> machine_;
  sim::Dram& memory_;
  std::map<uint32_t, uint32_t> words_;  // by offset
};

}  // namespace

std::unique_ptr<Fabric> machine_registers(std::unique_ptr<sim::Machine> machine, sim::Dram& memory) {
  return std::make_unique<MachineRegisters>(std::move(machine), memory);
}

}  // namespace vantage::emulated
