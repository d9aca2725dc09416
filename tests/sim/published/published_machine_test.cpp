// Published machines: the functional simulator's results, and times that follow from costs and tokens alone.
#include "sim/published/published_machine.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/file.h"
#include "base/json.h"
#include "base/stop.h"
#include "hw/isa/config_name.h"
#include "hw/isa/tokens.h"
#include "sim/published/event_model.h"
#include "tests/catch.h"
#include "tests/support/differential.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_published_published_machine_test {

using namespace vantage;
using isa::Memory;
using isa::Stage;
using sim::PublishedTiming;
using test::TextMachine;

namespace {

constexpr const char* kPynq = "pynq-z1-1x16";

isa::Config config_of(const std::string& name) {
  return isa::config_of_name(PublishedTiming::find(name).config);
}

std::unique_ptr<sim::Machine> machine(const std::string& name) {
  return sim::make_published_machine(config_of(name), {PublishedTiming::find(name), {}, {}});
}

uint64_t cycles(const std::string& lines, const std::string& name = kPynq) {
  TextMachine m(machine(name));
  const auto result = m.run(lines);
  INFO(lines << ": " << result.message);
  REQUIRE(result.ok());
  return result.cycles.value().count();
}

// The equations of docs/published.md, in cycles and read literally.
double cost(const isa::Insn& insn, const isa::Config& config, double wgt_rate) {
  const double row = 47.1, store_row = 30;
  if (const auto* load = std::get_if<isa::Load>(&insn)) {
    const isa::Transfer& t = load->transfer;
    if (t.x_size == 0 || t.y_size == 0) return 0;
    if (t.memory == Memory::kUop) return row + t.x_size;
    const double beats = std::ceil(static_cast<double>(t.x_size * config.element_size(t.memory).count()) / 8);
    const double zeros =
        (t.y_pad_0 + t.y_pad_1) * (t.x_pad_0 + t.x_size + t.x_pad_1) + t.y_size * (t.x_pad_0 + t.x_pad_1);
    return t.y_size * (row + beats * (t.memory == Memory::kWgt ? wgt_rate : 1)) + zeros;
  }
  if (const auto* store = std::get_if<isa::Store>(&insn)) {
    const isa::Transfer& t = store->transfer;
    if (t.x_size == 0 || t.y_size == 0) return 0;
    return t.y_size *
           (store_row + std::ceil(static_cast<double>(t.x_size * config.element_size(t.memory).count()) / 8));
  }
  return static_cast<double>(isa::steps(insn)) * (std::holds_alternative<isa::Alu>(insn) ? 2 : 1);
}

// When a program ends, as the longest way through what has to wait for what: of a token, the nth pop for the nth push.
double longest_way(const std::vector<isa::Insn>& insns, const isa::Config& config, double wgt_rate) {
  std::map<isa::TokenQueue, std::vector<size_t>> pushes, pops;
  std::vector<std::vector<size_t>> waits_for(insns.size());
  std::map<Stage, size_t> last;
  for (size_t i = 0; i < insns.size(); ++i) {
    const Stage stage = isa::stage(insns[i]);
    const isa::Deps& deps = isa::deps(insns[i]);
    if (last.contains(stage)) waits_for[i].push_back(last[stage]);
    last[stage] = i;
    if (const auto q = isa::push_prev_queue(stage); deps.push_prev && q) pushes[*q].push_back(i);
    if (const auto q = isa::push_next_queue(stage); deps.push_next && q) pushes[*q].push_back(i);
    if (const auto q = isa::pop_prev_queue(stage); deps.pop_prev && q) pops[*q].push_back(i);
    if (const auto q = isa::pop_next_queue(stage); deps.pop_next && q) pops[*q].push_back(i);
  }
  for (const auto& [queue, waiting] : pops) {
    for (size_t n = 0; n < waiting.size(); ++n) waits_for[waiting[n]].push_back(pushes[queue].at(n));
  }
  std::vector<double> ends(insns.size(), -1);
  const std::function<double(size_t)> end = [&](size_t i) {
    if (ends[i] >= 0) return ends[i];
    double start = 0;
    for (size_t before : waits_for[i]) start = std::max(start, end(before));
    return ends[i] = start + cost(insns[i], config, wgt_rate);
  };
  double all = 0;
  for (size_t i = 0; i < insns.size(); ++i) all = std::max(all, end(i));
  return all;
}

}  // namespace

TEST_CASE("every instruction takes what its equation says", "[unit]") {
  CHECK(cycles("load.inp sram=0 dram=0 y=2 x=8 stride=8") == 126);                // 2 (47.1 + 16)
  CHECK(cycles("load.inp sram=0 dram=0 y=2 x=8 stride=8 pad=1,0,1,1") == 140);    // + 10 + 4
  CHECK(cycles("load.wgt sram=0 dram=0 y=1 x=4 stride=4") == 320);                // 47.1 + 2.13 * 128
  CHECK(cycles("load.wgt sram=0 dram=0 y=1 x=4 stride=4", "pynq-z1-4x8") == 79);  // 47.1 + 4 * 8
  CHECK(cycles("load.acc sram=0 dram=0 y=1 x=4 stride=4") == 79);                 // 47.1 + 32
  CHECK(cycles("load.uop sram=0 dram=0 y=1 x=30 stride=30") == 77);               // 47.1 + 30
  CHECK(cycles("gemm.reset uop=0:2 out=3 in=5 dst=0,1 src=0,0 wgt=0,0") == 30);
  CHECK(cycles("gemm uop=0:2 out=3 in=5 dst=0,1 src=0,0 wgt=0,0") == 30);
  CHECK(cycles("alu.add uop=0:2 out=3 in=5 dst=0,1 src=0,0 imm=1") == 60);
  CHECK(cycles("store.out sram=0 dram=0 y=3 x=5 stride=5") == 120);  // 3 (30 + 10)
  CHECK(cycles("load.inp sram=0 dram=0 y=0 x=8 stride=8") == 0);
  CHECK(cycles("") == 0);
}

TEST_CASE("a stage works on one instruction at a time, stages beside each other, tokens come at the end", "[unit]") {
  const std::string load = "load.inp sram=0 dram=0 y=1 x=8 stride=8";  // 63.1
  const std::string gemm = "gemm uop=0:1 out=10 in=10 dst=0,0 src=0,0 wgt=0,0";
  CHECK(cycles(load + "\n" + load) == 126);
  CHECK(cycles(load + "\n" + gemm) == 100);
  CHECK(cycles(load + " push=next\n" + gemm + " pop=prev") == 163);
}

TEST_CASE("the host's time is apart, the stages' make up the run", "[unit]") {
  TextMachine m(machine(kPynq));
  sim::RunOptions options;
  options.record_retirement = true;
  const auto result = m.run(
      "load.inp sram=0 dram=0 y=1 x=8 stride=8 push=next\n"
      "gemm uop=0:1 out=10 in=10 dst=0,0 src=0,0 wgt=0,0 pop=prev push=next\n"
      "store.out sram=0 dram=0 y=1 x=1 stride=1 pop=prev",
      options);
  REQUIRE(result.ok());
  CHECK(result.cycles->count() == 195);       // 63.1 + 100 + 32
  CHECK(result.host_cycles->count() == 232);  // 4 * 57.9
  const auto& [load, compute, store] = std::tie(result.stages.at(0), result.stages.at(1), result.stages.at(2));
  CHECK(load.busy.count() == 16);
  CHECK(load.memory_wait.count() == 47);
  CHECK(compute.busy.count() == 100);
  CHECK(compute.token_wait.count() == 63);
  CHECK(store.token_wait.count() == 163);
  CHECK(store.busy.count() == 2);
  REQUIRE(result.retired.size() == 4);
  CHECK(result.retired[1].start.count() == 63);
  CHECK(result.retired[1].end.count() == 162);
}

TEST_CASE("random programs: results of the oracle, times of the longest way, however stages take turns", "[property]") {
  for (const auto& [name, wgt_rate] : {std::pair{kPynq, 2.13}, {"pynq-z1-4x8", 1.0}}) {
    const isa::Config config = config_of(name);
    for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
      const auto program = test::random_program(config, seed, 40);
      const auto failure = test::check_program(
          program,
          [&](const test::RandomProgram& p) -> std::optional<std::string> {
            std::optional<Cycles> first;
            for (const std::optional<uint64_t> turns : {std::optional<uint64_t>{}, {seed}, {seed + 1}}) {
              sim::RunResult result;
              const auto make = [&](const isa::Config&) { return machine(name); };
              if (const auto differs = test::difference(p, make, turns, &result)) return differs;
              if (!first) first = result.cycles;
              if (result.cycles != first) return "another order of turns takes another time";
              for (const sim::StageCycles& s : result.stages) {
                if (s.busy + s.token_wait + s.memory_wait + s.idle != *first)
                  return "a stage's cycles are not the run's";
              }
            }
            const double expected = longest_way(test::with_tokens(p), config, wgt_rate);
            if (std::abs(static_cast<double>(first->count()) - expected) <= 0.501) return std::nullopt;
            return fmt::format("{} cycles, but the longest way is {}", first->count(), expected);
          },
          fmt::format("published-{}-{}", name, seed));
      if (failure) FAIL(*failure);
    }
  }
}

TEST_CASE("a deadlock is the functional simulator's, and says when", "[unit]") {
  const std::string lines =
      "load.inp sram=0 dram=0 y=1 x=8 stride=8\n"
      "gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0 pop=prev";
  TextMachine functional, published(machine(kPynq));
  const auto expected = functional.run(lines), got = published.run(lines);
  CHECK(got.status == sim::RunStatus::kDeadlock);
  CHECK(got.message == expected.message);
  CHECK(got.failed_at->count() == 63);
  CHECK(published.run("gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0").ok());
}

TEST_CASE("a time that cannot be counted is an error, and a run that is stopped stops", "[unit]") {
  const isa::Config config = config_of(kPynq);
  auto timing = PublishedTiming::find(kPynq);
  timing.gemm_step = sim::Millicycles(uint64_t{1} << 50);
  isa::Gemm gemm;
  gemm.loop = {.uop_end = 1, .iter_out = 100, .iter_in = 100};
  const std::vector<isa::Insn> insns(8, gemm);
  std::array<size_t, isa::kAllStages.size()> all;
  all.fill(insns.size());
  CHECK_THAT(ERROR_OF(sim::EventModel(config, timing).run(insns, all)),
             ContainsSubstring("configs/machines/pynq-z1-1x16.json: the program takes longer than can be counted"));
  std::stop_source stop;
  stop.request_stop();
  timing = PublishedTiming::find(kPynq);
  CHECK_THROWS_AS(sim::EventModel(config, timing).run(insns, all, stop.get_token()), Stopped);
}

TEST_CASE("the cache makes the first load of a line longer, until a reset", "[unit]") {
  const std::string line = "load.inp sram=0 dram=0 y=1 x=8 stride=8";  // 128 bytes: 4 lines, 16 beats
  TextMachine m(machine("pynq-z1-1x16-cache"));
  CHECK(m.run(line).cycles->count() == 80);  // 63.1 + 16 * 1.06
  CHECK(m.run(line).cycles->count() == 63);
  m.machine().reset();
  CHECK(m.run(line).cycles->count() == 80);
  m.machine().reset();
  CHECK(m.run("load.inp sram=0 dram=0 y=1 x=1 stride=1").cycles->count() == 51);  // 49.1 + 2 * 1.06, half of a line
  CHECK(m.run("load.inp sram=0 dram=1 y=1 x=1 stride=1").cycles->count() == 49);  // the other half is there
  m.machine().reset();
  // What misses of weights cost is in the rate that was fitted.
  CHECK(m.run("load.wgt sram=0 dram=0 y=1 x=1 stride=1").cycles->count() == 115);  // 47.1 + 32 * 2.13
}

TEST_CASE("runs are recorded as those of systemc: are", "[unit]") {
  const test::TemporaryFolder folder;
  const auto trace = folder.path() / "t.json", vcd = folder.path() / "t.vcd";
  TextMachine m(sim::make_published_machine(config_of(kPynq), {PublishedTiming::find(kPynq), trace, vcd}));
  REQUIRE(m.run("load.inp sram=0 dram=0 y=1 x=8 stride=8 push=next\n"
                "gemm uop=0:1 out=1 in=9 dst=0,0 src=0,0 wgt=0,0 pop=prev")
              .ok());
  CHECK_FALSE(std::filesystem::exists(trace));
  m.machine().finish_trace();
  std::vector<std::string> names;
  const Json timeline = parse_json(read_file(trace, Bytes(1 << 20)), "trace");
  for (const Json& event : timeline["traceEvents"]) {
    if (event["ph"] == "X") names.push_back(event["name"]);
    if (event["ph"] == "C" && event["name"] != "load->compute tokens") CHECK(event["args"]["value"] == 0);
  }
  CHECK(names == std::vector<std::string>{"load.inp", "gemm"});
  CHECK_THAT(read_file(vcd, Bytes(1 << 20)), ContainsSubstring("$enddefinitions"));
}

}  // namespace vantage::test::sim_published_published_machine_test
