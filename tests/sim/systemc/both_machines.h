// Programs on the RTL and on the SystemC model side by side, which must report the same of every cycle.
#pragma once

#include <fmt/format.h>

#include "sim/systemc/systemc_machine.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/differential.h"
#include "tests/support/text_machine.h"

namespace vantage::test {

inline std::unique_ptr<sim::Machine> systemc_machine(const isa::Config& config, const std::string& memory = "m64") {
  return sim::make_systemc_machine(config, {memory_setting(memory), {}, {}});
}

class BothMachines {
 public:
  explicit BothMachines(const std::string& memory, const isa::Config& config = isa::Config::vta_default())
      : rtl_(rtl_machine(config, memory)), systemc_(systemc_machine(config, memory)) {}

  void uop(uint64_t index, const isa::MicroOp& uop) {
    rtl_.poke_uop(index, uop);
    systemc_.poke_uop(index, uop);
  }

  // Runs the lines on both; a program that fails must do so in the same cycle with the same message.
  sim::RunResult run(const std::string& lines) {
    sim::RunOptions options;
    options.record_retirement = true;
    const auto expected = rtl_.run(lines, options);
    auto got = systemc_.run(lines, options);
    INFO(lines);
    CHECK(got.message == expected.message);
    const auto differs = time_difference(expected, got);
    INFO(differs.value_or(""));
    CHECK(!differs);
    life_.assign(got.retired.size(), {});
    for (const sim::RetireRecord& record : got.retired) {
      if (record.insn < life_.size()) life_[record.insn] = record;
    }
    return got;
  }

  // Of instruction i of the last run: when it was dispatched, issued and retired.
  uint64_t dispatched(size_t i) const { return life_.at(i).issue.count(); }
  uint64_t start(size_t i) const { return life_.at(i).start.count(); }
  uint64_t end(size_t i) const { return life_.at(i).end.count(); }

 private:
  TextMachine rtl_, systemc_;
  std::vector<sim::RetireRecord> life_;
};

}  // namespace vantage::test
