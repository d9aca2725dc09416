// The core is reset by itself while reads and writes are under way.
#include <random>

#include "base/json.h"
#include "hw/isa/codec.h"
#include "hw/isa/register_map.h"
#include "hw/program/assembly.h"
#include "sim/rtl/rtl_core.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::sim_rtl_reset_test {

using namespace vantage;
using sim::Dram;
using sim::RtlCore;
using sim::RtlRegisters;

namespace {

constexpr uint32_t kInsnAddress = 4096;
constexpr uint64_t kIn = 8192, kOut = 12288;  // bytes
constexpr uint64_t kRows = 4, kColumns = 9, kStride = 100;
constexpr std::byte kUntouched{0xee};

// Loads by both stages, in bursts of their own, and stores of what the compute stage loaded, in as many.
const std::string kProgram =
    "load.inp sram=0 dram=0 y=4 x=1 stride=100\n"
    "load.inp sram=0 dram=1024 y=4 x=1 stride=100\n"
    "load.uop sram=0 dram=0 y=1 x=4 stride=4\n"
    "load.acc sram=0 dram=2048 y=1 x=36 stride=36\n"
    "alu.add uop=0:1 out=36 in=1 dst=1,0 src=0,0 imm=5 push=next\n"
    "store.out sram=0 dram=12288 y=4 x=9 stride=100 pop=prev\n"
    "finish";

uint32_t put_program(const isa::Config& config, Dram& dram) {
  const Program program = assemble(".config " + config.to_json().dump() + "\n" + kProgram, "test");
  const isa::Codec codec(config);
  uint64_t address = kInsnAddress;
  for (const isa::Insn& insn : program.insns) {
    isa::store_words(codec.encode(insn), dram.range(Bytes(address), Bytes(16)).first<16>());
    address += isa::kInsnBytes;
  }
  return static_cast<uint32_t>(program.insns.size());
}

void start(RtlCore& core, Dram& dram, uint32_t insns) {
  RtlRegisters registers(core, dram);
  write_register(registers, "INSN_ADDRESS", kInsnAddress);
  write_register(registers, "INSN_COUNT", insns);
  write_register(registers, "IRQ_ENABLE", isa::kIrqEnableEnd.mask());
  write_register(registers, "CONTROL", isa::kControlStart.mask());
}

}  // namespace

TEST_CASE("a core that is reset by itself ends its bursts and takes no beat of before for one of after", "[property]") {
  // One multiplier, and room for what the program stores: a core that is built in seconds
  const isa::Config config = test::changed("8x8", {{"LOG_BLOCK", 0},
                                                   {"LOG_BLOCK_IN", 0},
                                                   {"LOG_BLOCK_OUT", 0},
                                                   {"LOG_UOP_BUFF_SIZE", 5},
                                                   {"LOG_INP_BUFF_SIZE", 4},
                                                   {"LOG_WGT_BUFF_SIZE", 4},
                                                   {"LOG_ACC_BUFF_SIZE", 8}});
  std::mt19937_64 random = test::generator(1);
  int mid_store = 0;
  for (int round = 0; round < test::rounds(200); ++round) {
    Dram dram{Bytes(1 << 16)};
    const uint32_t insns = put_program(config, dram);
    const auto draw = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
    const auto fill = [&](unsigned char value) {
      for (uint64_t i = 0; i < kRows * kColumns; ++i) {
        dram.data()[kIn + i * sizeof(int32_t)] = std::byte(static_cast<unsigned char>(value + i));
      }
    };
    const auto stored = [&](uint64_t row, uint64_t column) { return dram.data()[kOut + row * kStride + column]; };
    const auto expected = [&](unsigned char value, uint64_t row, uint64_t column) {
      return std::byte(static_cast<unsigned char>(value + row * kColumns + column + 5));
    };
    std::fill_n(dram.data() + kOut, kRows * kStride, kUntouched);
    const auto before = static_cast<unsigned char>(draw(80)), after = static_cast<unsigned char>(draw(80));
    fill(before);
    sim::RtlOptions options{test::memory_setting(round % 2 == 0 ? "m64" : "m1"), {}};
    if (round % 4 >= 2) options.back_pressure = static_cast<uint64_t>(round);
    RtlCore core(config, test::rtl_library(config), options);
    start(core, dram, insns);
    const unsigned run = draw(400), held = 1 + draw(20);
    INFO(round << ": reset in cycle " << run << " for " << held << " cycles");
    for (unsigned i = 0; i < run && !core.interrupt(); ++i) core.cycle(dram);
    core.reset_core(dram, held);
    for (unsigned i = draw(20); i > 0; --i) core.cycle(dram);
    int written = 0;
    for (uint64_t row = 0; row < kRows; ++row) {
      for (uint64_t column = 0; column < kColumns; ++column) {
        if (stored(row, column) == kUntouched) continue;
        CHECK(stored(row, column) == expected(before, row, column));
        ++written;
      }
    }
    if (written > 0 && written < static_cast<int>(kRows * kColumns)) ++mid_store;
    fill(after);
    start(core, dram, insns);
    for (int i = 0; i < 100'000 && !core.interrupt(); ++i) core.cycle(dram);
    REQUIRE(core.interrupt());
    RtlRegisters registers(core, dram);
    CHECK((read_register(registers, "STATUS") & isa::kStatusError.mask()) == 0);
    for (uint64_t row = 0; row < kRows; ++row) {
      for (uint64_t column = 0; column < kColumns; ++column) CHECK(stored(row, column) == expected(after, row, column));
      // The stride's gaps: beats without strobes write nothing
      for (uint64_t gap = kColumns; gap < kStride; ++gap) CHECK(stored(row, gap) == kUntouched);
    }
  }
  CHECK(mid_store > 0);
}

}  // namespace vantage::test::sim_rtl_reset_test
