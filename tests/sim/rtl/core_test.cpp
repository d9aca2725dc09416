// The core at its pins: registers, and what only a memory that fails can show.
#include "sim/rtl/rtl_core.h"

#include "base/json.h"
#include "hw/isa/codec.h"
#include "hw/isa/register_map.h"
#include "hw/isa/rtl_package.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"

namespace vantage::test::sim_rtl_core_test {

using namespace vantage;
using sim::Dram;
using sim::RtlCore;
using sim::RtlRegisters;

namespace {

constexpr uint32_t kDone = isa::kStatusDone.mask();
constexpr uint32_t kError = isa::kStatusError.mask();

RtlCore core() {
  const auto config = isa::Config::vta_default();
  return {config, test::rtl_library(config), {test::memory_setting("m1"), {}}};
}

void put_program(Dram& dram, uint64_t address, const std::string& lines) {
  const auto config = isa::Config::vta_default();
  const Program program = assemble(".config " + config.to_json().dump() + "\n" + lines, "test");
  const isa::Codec codec(config);
  for (const isa::Insn& insn : program.insns) {
    isa::store_words(codec.encode(insn), dram.range(Bytes(address), Bytes(16)).first<16>());
    address += isa::kInsnBytes;
  }
}

// Runs to the end; the STATUS that it leaves.
uint64_t run(RtlCore& core, Dram& dram, uint32_t address, uint32_t count, uint32_t memory_last) {
  RtlRegisters registers(core, dram);
  write_register(registers, "INSN_ADDRESS", address);
  write_register(registers, "INSN_COUNT", count);
  write_register(registers, "MEMORY_LAST", memory_last);
  write_register(registers, "IRQ_ENABLE", isa::kIrqEnableEnd.mask());
  write_register(registers, "CONTROL", isa::kControlStart.mask());
  for (int i = 0; i < 100000 && !core.interrupt(); ++i) core.cycle(dram);
  REQUIRE(core.interrupt());
  const uint64_t status = read_register(registers, "STATUS");
  write_register(registers, "STATUS", kDone | kError);
  return status;
}

}  // namespace

TEST_CASE("registers say what the core is, and keep what is written", "[unit]") {
  RtlCore c = core();
  Dram dram{Bytes(1 << 16)};
  RtlRegisters registers(c, dram);
  CHECK(read_register(registers, "VERSION") == isa::kVersion);
  CHECK(read_register(registers, "CONFIG_HASH") == isa::hardware_hash(isa::Config::vta_default()));
  CHECK(read_register(registers, "MEMORY_LAST") == 0xffffffff);
  CHECK(read_register(registers, "STATUS") == isa::kStatusIdle.mask());
  for (const char* name : {"INSN_ADDRESS", "INSN_COUNT", "MEMORY_LAST"}) {
    write_register(registers, name, 0x12345670);
    CHECK(read_register(registers, name) == 0x12345670);
  }
  const uint64_t before = read_register(registers, "FREE_CYCLES");
  c.cycle(dram);
  CHECK(read_register(registers, "FREE_CYCLES") > before);
}

TEST_CASE("a memory that answers with an error ends the run with its cause, and the next run works", "[unit]") {
  RtlCore c = core();
  Dram dram{Bytes(1 << 16)};
  RtlRegisters registers(c, dram);
  constexpr uint32_t kEverything = 0xffffffff;  // the core may ask for what the memory does not have
  put_program(dram, 0, "load.inp sram=0 dram=65536 y=1 x=1 stride=1\nfinish");
  put_program(dram, 256, "store.out sram=0 dram=65536 y=1 x=1 stride=1\nfinish");
  put_program(dram, 512, "store.out sram=0 dram=64 y=1 x=1 stride=1\nfinish");

  CHECK((run(c, dram, 0, 2, kEverything) & (kDone | kError)) == kError);
  CHECK(read_register(registers, "ERROR_CAUSE") == static_cast<uint32_t>(isa::ErrorCause::kReadError));
  CHECK((run(c, dram, 256, 2, kEverything) & (kDone | kError)) == kError);
  CHECK(read_register(registers, "ERROR_CAUSE") == static_cast<uint32_t>(isa::ErrorCause::kWriteError));
  CHECK((run(c, dram, 1 << 20, 2, kEverything) & (kDone | kError)) == kError);  // no instructions there
  CHECK(read_register(registers, "ERROR_CAUSE") == static_cast<uint32_t>(isa::ErrorCause::kReadError));
  CHECK((run(c, dram, 512, 2, kEverything) & (kDone | kError)) == kDone);
  CHECK(read_register(registers, "ERROR_CAUSE") == 0);
}

TEST_CASE("instructions that are never reached may lie where no memory is", "[unit]") {
  RtlCore c = core();
  Dram dram{Bytes(1 << 16)};
  // FINISH is among the memory's last; fetch asks for what would follow, too
  for (const uint32_t from_end : {1, 2, 8, 20}) {
    const uint32_t address = (1u << 16) - 16 * from_end;
    std::string lines;
    for (uint32_t i = 1; i < from_end; ++i) lines += "store.out sram=0 dram=64 y=1 x=1 stride=1\n";
    put_program(dram, address, lines + "finish");
    INFO(from_end);
    CHECK((run(c, dram, address, 64, 0xffffffff) & (kDone | kError)) == kDone);
  }
}

}  // namespace vantage::test::sim_rtl_core_test
