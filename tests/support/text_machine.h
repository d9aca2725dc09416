// A machine, the functional one unless another is given, that runs assembly text: for tests of single instructions.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "base/json.h"
#include "hw/isa/codec.h"
#include "hw/program/assembly.h"
#include "sim/functional/functional_machine.h"

namespace vantage::test {

class TextMachine {
 public:
  explicit TextMachine(const isa::Config& config = isa::Config::vta_default())
      : TextMachine(sim::make_functional_machine(config)) {}
  explicit TextMachine(std::unique_ptr<sim::Machine> machine)
      : config_(machine->config()), machine_(std::move(machine)) {}

  // Runs the lines (addresses absolute, FINISH appended) from instruction memory at kInsnAddress.
  sim::RunResult run(const std::string& lines, const sim::RunOptions& options = {}) {
    return run_raw(lines + "\nfinish\n", options);
  }
  sim::RunResult run_raw(const std::string& lines, const sim::RunOptions& options = {}) {
    const Program program = assemble(".config " + config_.to_json().dump() + "\n" + lines, "test");
    const isa::Codec codec(config_);
    uint64_t at = kInsnAddress;
    for (const isa::Insn& insn : program.insns) {
      isa::store_words(codec.encode(insn), dram_.range(Bytes(at), Bytes(16)).first<16>());
      at += isa::kInsnBytes;
    }
    return machine_->run(dram_, {Bytes(kInsnAddress), program.insns.size()}, options);
  }

  // The same, stopped from another thread some time after the first instruction has retired.
  sim::RunResult run_stopped(const std::string& lines) {
    std::stop_source stop;
    std::atomic<bool> begun = false;
    sim::RunOptions options;
    options.stop = stop.get_token();
    options.progress = [&](uint64_t, uint64_t) { begun = true; };
    const std::jthread stopper([&](const std::stop_token& ended) {
      while (!begun && !ended.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      stop.request_stop();
    });
    return run(lines, options);
  }

  // One value of `size` bytes, little-endian, at a byte address.
  void poke(uint64_t address, int64_t value, int size) {
    for (int i = 0; i < size; ++i) dram_.data()[address + i] = static_cast<std::byte>(value >> (8 * i));
  }
  int64_t peek(uint64_t address) const { return static_cast<int8_t>(dram_.data()[address]); }
  void poke_uop(uint64_t element, const isa::MicroOp& uop) { poke(element * 4, isa::Codec(config_).encode(uop), 4); }

  const isa::Config& config() const { return config_; }
  sim::Machine& machine() { return *machine_; }

  static constexpr uint64_t kInsnAddress = 1 << 20;

 private:
  isa::Config config_;
  sim::Dram dram_{Bytes(1 << 21)};
  std::unique_ptr<sim::Machine> machine_;
};

}  // namespace vantage::test
