// Faults at the core's AXI4 port, each made in the text of the RTL: the checker must see it, and as what it is. CI
// builds two of these cores, VANTAGE_TEST_EFFORT=10 all of them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/rtl/axi_rules.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/effort.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_rtl_axi_mutant_test {

using namespace vantage;
using sim::AxiRule;
using test::TextMachine;

namespace {

// Four rows of one element, each a burst of its own, and a load that crosses 4 KB.
const std::string kStore = "store.out sram=0 dram=4100 y=4 x=1 stride=100\n";
const std::string kLoadAcross4Kb = "load.uop sram=0 dram=1022 y=1 x=4 stride=4\n";

// More than 16 bursts, faster than a memory answers.
std::string many_loads() {
  std::string lines;
  for (int i = 0; i < 12; ++i) lines += "load.inp sram=0 dram=256 y=4 x=1 stride=100\n";
  return lines;
}

// One multiplier, and room for a few elements: a core that is built in seconds.
isa::Config small_config() {
  return test::changed("8x8", {{"LOG_BLOCK", 0},
                               {"LOG_BLOCK_IN", 0},
                               {"LOG_BLOCK_OUT", 0},
                               {"LOG_UOP_BUFF_SIZE", 5},
                               {"LOG_INP_BUFF_SIZE", 4},
                               {"LOG_WGT_BUFF_SIZE", 4},
                               {"LOG_ACC_BUFF_SIZE", 6}});
}

struct Mutant {
  std::string name;
  std::vector<sim::SourceEdit> edits;
  AxiRule rule;
  std::string program;
  uint64_t most_reads = 16;  // that memory has under way
  bool back_pressure = false;
};

std::vector<Mutant> mutants() {
  return {
      {"VALID falls while a channel waits and another word comes",
       {{"vta_spill.sv", "assign valid_o = shown_q;", "assign valid_o = shown_q && !spilt_q;"}},
       AxiRule::kValidStays,
       many_loads(),
       1},
      {"data do not wait for their address",
       {{"vta_axi_write.sv", "(beat_valid_i || drain_q) && addressed && data_ready;",
         "(beat_valid_i || drain_q) && data_ready;"}},
       AxiRule::kDataAhead,
       kStore,
       16,
       true},
      {"what is shown changes while it waits",
       {{"vta_spill.sv", "if (moves)    data_q ", "if (1'b1)     data_q "}},
       AxiRule::kPayloadStays,
       many_loads(),
       1},
      {"bursts are one beat longer than the data",
       {{"vta_axi_write.sv", ".data_i ({burst_addr_i, burst_len_i}),",
         ".data_i ({burst_addr_i, burst_len_i + 1'b1}),"}},
       AxiRule::kWlast,
       kStore},
      {"WLAST marks bursts of an even number of beats only",
       {{"vta_axi_write.sv", ".data_i ({last, drain_q ?", ".data_i ({last && len[0], drain_q ?"}},
       AxiRule::kWlast,
       "store.out sram=0 dram=4222 y=1 x=4 stride=4\n"},
      {"bursts are cut after 16 beats, wherever they began",
       {{"vta_burst.sv", "assign row_last = beat_q[BeatW-1:LenW] == end_q[BeatW-1:LenW];",
         "assign row_last = end_q - beat_q < BeatW'(vta_pkg::BurstBeats);"},
        {"vta_burst.sv", "(row_last ? end_q[LenW-1:0] : LenW'(vta_pkg::BurstBeats - 1)) - beat_q[LenW-1:0];",
         "row_last ? LenW'(end_q - beat_q) : LenW'(vta_pkg::BurstBeats - 1);"},
        {"vta_burst.sv", "beat_q <= {beat_q[BeatW-1:LenW] + 1'b1, {LenW{1'b0}}};",
         "beat_q <= beat_q + BeatW'(vta_pkg::BurstBeats);"}},
       AxiRule::kBurst4Kb,
       kLoadAcross4Kb},
      {"LEN is the number of beats",
       {{"vta_axi_read.sv", "assign ar_len_o = 8'(shown_len);", "assign ar_len_o = 8'(shown_len) + 1'b1;"}},
       AxiRule::kBurstLength,
       many_loads()},
      {"strobes begin at the beat's first byte",
       {{"vta_store_pack.sv", "- 1'b1) << arriving_offset_q;", "- 1'b1);"}},
       AxiRule::kStrobes,
       "store.out sram=0 dram=4102 y=1 x=4 stride=4\n"},
      {"twice as many reads are under way",
       {{"vta_axi_read.sv", "parameter int Bursts = vta_pkg::ReadBursts",
         "parameter int Bursts = 2 * vta_pkg::ReadBursts"}},
       AxiRule::kReadsUnderWay,
       many_loads(),
       0},
      {"SIZE is half a beat",
       {{"vta.sv", "assign m_aw_size_o  = 3'(vta_pkg::BusLog);", "assign m_aw_size_o  = 3'(vta_pkg::BusLog - 1);"}},
       AxiRule::kBurstSize,
       kStore},
  };
}

// Runs the program, which is legal. Throws AxiViolation.
sim::RunResult run(const sim::RtlLibrary& library, const isa::Config& config, const Mutant& mutant,
                   std::optional<uint64_t> back_pressure) {
  sim::RtlOptions options;
  options.memory.max_reads = mutant.most_reads;
  options.back_pressure = back_pressure;
  return TextMachine(sim::make_rtl_machine(config, library, options)).run(mutant.program);
}

// Which rule the mutant breaks, with one of the first seeds if they matter.
std::optional<sim::AxiViolation> violation(const sim::RtlLibrary& library, const isa::Config& config,
                                           const Mutant& mutant) {
  for (uint64_t seed = 1; seed <= (mutant.back_pressure ? 50 : 1); ++seed) {
    try {
      run(library, config, mutant, mutant.back_pressure ? std::optional(seed) : std::nullopt);
    } catch (const sim::AxiViolation& found) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a fault at the port is seen by the rule that it breaks", "[slow]") {
  const isa::Config config = small_config();
  const std::vector<Mutant> all = mutants();
  const auto sound = test::rtl_library(config);
  const size_t count = std::min(all.size(), static_cast<size_t>(test::rounds(2)));
  for (size_t i = 0; i < count; ++i) {
    const Mutant& mutant = all[i];
    INFO(mutant.name);
    // The core as it is runs the same program.
    CHECK(run(sound, config, mutant, std::nullopt).ok());
    const auto found = violation(sim::build_model(config, {default_cache(), false, {}, mutant.edits}), config, mutant);
    REQUIRE(found);
    INFO(found->what());
    CHECK(sim::info(found->rule()).name == sim::info(mutant.rule).name);
  }
}

TEST_CASE("an edit that does not fit the sources is refused", "[unit]") {
  const test::TemporaryFolder folder;
  const sim::ModelBuild build{folder.path(), false, {}, {{"vta_spill.sv", "no such text", ""}}};
  CHECK_THROWS_AS(sim::build_model(test::smallest_config(), build), InternalError);
}

}  // namespace vantage::test::sim_rtl_axi_mutant_test
