// The core at its pins: registers, and what only a memory that fails can show.
#include "sim/rtl/rtl_core.h"

#include "hw/spec/assembly.h"
#include "hw/spec/codec.h"
#include "hw/spec/registers.h"
#include "hw/spec/rtl_package.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"

using namespace vantage;
using sim::Dram;
using sim::RtlCore;

namespace {

constexpr uint32_t kDone = 1u << 2;
constexpr uint32_t kError = 1u << 3;

RtlCore core() {
  const auto config = spec::Config::vta_default();
  return {config, test::rtl_library(config), {test::memory_setting("m1"), {}}};
}

void put_program(Dram& dram, uint64_t address, const std::string& lines) {
  const auto config = spec::Config::vta_default();
  const Program program = assemble(".config " + config.to_json().dump() + "\n" + lines, "test");
  const isa::Codec codec(config);
  for (const isa::Insn& insn : program.insns) {
    isa::store_words(codec.encode(insn), dram.range(Bytes(address), Bytes(16)).first<16>());
    address += isa::kInsnBytes;
  }
}

// Runs to the end; the STATUS that it leaves.
uint32_t run(RtlCore& core, Dram& dram, uint32_t address, uint32_t count, uint32_t memory_last) {
  core.write(dram, "INSN_ADDRESS", address);
  core.write(dram, "INSN_COUNT", count);
  core.write(dram, "MEMORY_LAST", memory_last);
  core.write(dram, "IRQ_ENABLE", 1);
  core.write(dram, "CONTROL", 1);
  for (int i = 0; i < 100000 && !core.interrupt(); ++i) core.cycle(dram);
  REQUIRE(core.interrupt());
  const uint32_t status = core.read(dram, "STATUS");
  core.write(dram, "STATUS", kDone | kError);
  return status;
}

}  // namespace

TEST_CASE("registers say what the core is, and keep what is written", "[unit]") {
  RtlCore c = core();
  Dram dram{Bytes(1 << 16)};
  CHECK(c.read(dram, "VERSION") == spec::kVersion);
  CHECK(c.read_wide(dram, "CONFIG_HASH") == spec::hardware_hash(spec::Config::vta_default()));
  CHECK(c.read(dram, "MEMORY_LAST") == 0xffffffff);
  CHECK(c.read(dram, "STATUS") == 1);
  for (const char* name : {"INSN_ADDRESS", "INSN_COUNT", "MEMORY_LAST"}) {
    c.write(dram, name, 0x12345670);
    CHECK(c.read(dram, name) == 0x12345670);
  }
  const uint64_t before = c.read_wide(dram, "FREE_CYCLES");
  c.cycle(dram);
  CHECK(c.read_wide(dram, "FREE_CYCLES") > before);
}

TEST_CASE("a memory that answers with an error ends the run with its cause, and the next run works", "[unit]") {
  RtlCore c = core();
  Dram dram{Bytes(1 << 16)};
  constexpr uint32_t kEverything = 0xffffffff;  // the core may ask for what the memory does not have
  put_program(dram, 0, "load.inp sram=0 dram=65536 y=1 x=1 stride=1\nfinish");
  put_program(dram, 256, "store.out sram=0 dram=65536 y=1 x=1 stride=1\nfinish");
  put_program(dram, 512, "store.out sram=0 dram=64 y=1 x=1 stride=1\nfinish");

  CHECK((run(c, dram, 0, 2, kEverything) & (kDone | kError)) == kError);
  CHECK(c.read(dram, "ERROR_CAUSE") == static_cast<uint32_t>(spec::ErrorCause::kReadError));
  CHECK((run(c, dram, 256, 2, kEverything) & (kDone | kError)) == kError);
  CHECK(c.read(dram, "ERROR_CAUSE") == static_cast<uint32_t>(spec::ErrorCause::kWriteError));
  CHECK((run(c, dram, 1 << 20, 2, kEverything) & (kDone | kError)) == kError);  // no instructions there
  CHECK(c.read(dram, "ERROR_CAUSE") == static_cast<uint32_t>(spec::ErrorCause::kReadError));
  CHECK((run(c, dram, 512, 2, kEverything) & (kDone | kError)) == kDone);
  CHECK(c.read(dram, "ERROR_CAUSE") == 0);
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
