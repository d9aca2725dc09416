// Programs on the netlist that synthesis makes of a core, gate by gate, and on its RTL, both under Icarus with memory
// that answers at the same moments. All of memory and every register, counters and cycles among them, must be equal,
// and memory and the counters of docs/isa.md must be what the oracle says. Registers of the netlist begin unknown, and
// nothing unknown may leave it but data of memories that the program never wrote. (Verilator makes 40 MB of C++ of the
// smallest netlist, which compiles for longer than all of this takes, and has no unknown values.)
//
//   gate_level_soak --programs 12
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>

#include "base/cache.h"
#include "base/json.h"
#include "hw/isa/codec.h"
#include "tests/hw/fpga/gate_level/gate_level_netlist.h"
#include "tests/hw/rtl/core_bench.h"
#include "tests/sim/rtl/rtl_test.h"

using namespace vantage;

namespace {

// The least core that has all that the netlist of a large one has: block RAMs of both sizes, memories in lookup tables,
// multipliers that two columns share, elements of several to a beat and of several beats.
isa::Config small_config() {
  return test::changed("8x8", {{"LOG_BLOCK", 2},
                               {"LOG_BLOCK_IN", 2},
                               {"LOG_BLOCK_OUT", 2},
                               {"LOG_UOP_BUFF_SIZE", 12},
                               {"LOG_INP_BUFF_SIZE", 12},
                               {"LOG_WGT_BUFF_SIZE", 14},
                               {"LOG_ACC_BUFF_SIZE", 15}});
}

isa::Config config_named(const std::string& name) {
  if (name == "small") return small_config();
  for (const test::NamedConfig& named : test::rtl_configs()) {
    if (named.name == name) return named.config;
  }
  return test::shipped_config(name);
}

// A random program whose instructions keep to a corner of the scratchpads, so that they meet each other's results:
// drawn for shallow ones, with micro-ops encoded anew. Every other one has its results in the other half of the
// accumulators.
test::RandomProgram dense_program(const isa::Config& config, uint64_t seed, size_t insns) {
  Json json = config.to_json();
  const isa::Codec to(config);
  for (const auto& [key, memory] :
       {std::pair{"LOG_UOP_BUFF_SIZE", isa::Memory::kUop}, std::pair{"LOG_INP_BUFF_SIZE", isa::Memory::kInp},
        std::pair{"LOG_WGT_BUFF_SIZE", isa::Memory::kWgt}, std::pair{"LOG_ACC_BUFF_SIZE", isa::Memory::kAcc}}) {
    // 32 elements, if there are as many
    const auto depth = static_cast<int>(std::bit_width(config.depth(memory).count())) - 1;
    json[key] = json.at(key).get<int>() - std::max(0, depth - 5);
  }
  const isa::Config shallow = isa::Config::from_json(json, "shallow");
  const isa::Codec from(shallow);
  test::RandomProgram program = test::random_program(shallow, seed, insns);
  program.config = config;
  const uint64_t half = config.depth(isa::Memory::kAcc).count() / 2;
  const auto shift =
      static_cast<uint32_t>(seed % 2 == 1 && half >= shallow.depth(isa::Memory::kAcc).count() ? half : 0);
  // The last quarter of data holds the micro-ops (tests/support/random_program.cpp).
  for (size_t at = program.data.size() / 4 * 3; at < program.data.size(); at += isa::kMicroOpBytes) {
    const auto bytes = std::span(program.data).subspan(at).first<isa::kMicroOpBytes>();
    isa::MicroOp uop = from.decode_uop(isa::load_u32(bytes));
    uop.dst += shift;
    isa::store_u32(to.encode(uop), bytes);
  }
  for (isa::Insn& insn : program.insns) {
    isa::Transfer* transfer = nullptr;
    if (auto* load = std::get_if<isa::Load>(&insn)) transfer = &load->transfer;
    if (auto* store = std::get_if<isa::Store>(&insn)) transfer = &store->transfer;
    if (transfer == nullptr) continue;
    const isa::Memory m = transfer->memory;
    if (m == isa::Memory::kAcc || m == isa::Memory::kAcc8 || m == isa::Memory::kOut) transfer->sram_base += shift;
  }
  return program;
}

// What is wrong with the netlist's run, or nothing.
std::optional<std::string> check(test::CoreBench& netlist, test::CoreBench& rtl, const test::BenchProgram& program,
                                 uint64_t seed) {
  std::string said;
  const auto got = netlist.run(program.program, seed, said);
  if (!got) return "the netlist: " + said;
  const auto expected = rtl.run(program.program, seed, said);
  if (!expected) return "the RTL: " + said;
  if (const auto found = test::difference(*expected, {{Bytes(0), program.expected}}, program.counters, false)) {
    return "the RTL: " + *found;
  }
  if (const auto found = test::difference(*got, {{Bytes(0), program.expected}}, program.counters, true)) return found;
  for (const auto& [offset, value] : expected->registers) {
    if (got->registers.at(offset) != value) {
      return fmt::format("register {:#05x}: expected {}, got {}", offset, value, got->registers.at(offset));
    }
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t programs = 12;
  uint64_t seed = 1;
  size_t insns = 30;
  std::string name = "small";
  test::NetlistOptions options;
  CLI::App app{"random programs on the netlist of a core and on its RTL"};
  app.add_option("--programs", programs, "how many")->capture_default_str();
  app.add_option("--seed", seed, "of the first; each program has the next")->capture_default_str();
  app.add_option("--insns", insns, "instructions of each, FINISH not counted")->capture_default_str();
  app.add_option("--config", name, "small, or a configuration of configs/accelerators or of the tests")
      ->capture_default_str();
  app.add_flag("--as-yosys-maps", options.as_yosys_maps,
               "leave block RAMs as Yosys maps them: version 0.23 stores wrong bits in some, which programs show");
  CLI11_PARSE(app, argc, argv);

  options.cache = default_cache();
  options.progress = [](const std::string& what) { fmt::print(stderr, "{}\n", what); };
  const isa::Config config = config_named(name);
  test::CoreBench netlist(config, test::gate_level_netlist(config, options));
  test::CoreBench rtl(config, false);
  for (uint64_t number = seed; number < seed + programs; ++number) {
    const auto program = test::bench_program(dense_program(config, number, insns));
    if (const auto found = check(netlist, rtl, program, number)) {
      fmt::print(stderr, "seed {} on the netlist of {}: {}\n", number, name, *found);
      return 1;
    }
  }
  fmt::print(
      "{} programs of {} instructions from seed {} on the netlist of {}: memory, registers and cycles as the RTL's\n",
      programs, insns, seed, config.name());
  return 0;
}
