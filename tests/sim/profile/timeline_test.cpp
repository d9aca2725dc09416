// Timelines against what the machine reports of the same run.
#include "sim/profile/timeline.h"

#include <map>
#include <sstream>

#include "base/file.h"
#include "base/json.h"
#include "hw/isa/disassemble.h"
#include "hw/program/bundle.h"
#include "tests/sim/systemc/both_machines.h"

namespace vantage::test::sim_profile_timeline_test {

using namespace vantage;

namespace {

// Two loads, a GEMM and an ALU beside each other, a store; every queue is used.
const std::string kProgram =
    "load.uop sram=0 dram=0 y=1 x=4 stride=4\n"
    "load.inp sram=0 dram=64 y=2 x=8 stride=16 push=next\n"
    "load.wgt sram=0 dram=64 y=1 x=4 stride=4 push=next\n"
    "gemm uop=0:4 out=5 in=2 dst=0,0 src=0,0 wgt=0,0 pop=prev push=prev\n"
    "alu.add uop=0:1 out=1 in=4 dst=0,1 src=0,0 imm=1 pop=prev push=next\n"
    "store.out sram=0 dram=4096 y=1 x=16 stride=16 pop=prev push=prev\n"
    "load.inp sram=0 dram=64 y=1 x=2 stride=2 pop=next\n"
    "finish pop=next";

struct Traced {
  Json json;
  sim::RunResult result;
  std::vector<isa::Insn> insns;
};

Traced traced(int runs) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "trace.json";
  const auto config = isa::Config::vta_default();
  test::TextMachine m(sim::make_systemc_machine(config, {test::memory_setting("m64"), path, {}}));
  sim::RunOptions options;
  options.record_retirement = true;
  Traced t;
  for (int i = 0; i < runs; ++i) t.result = m.run_raw(kProgram, options);
  REQUIRE(t.result.ok());
  CHECK_FALSE(std::filesystem::exists(path));
  m.machine().finish_trace();
  t.json = parse_json(read_file(path, Bytes(1 << 24)), path.string());
  t.insns = assemble(".config " + config.to_json().dump() + "\n" + kProgram, "test").insns;
  return t;
}

std::vector<Json> events(const Traced& t, const std::string& phase) {
  std::vector<Json> found;
  for (const Json& event : t.json["traceEvents"]) {
    if (event["ph"] == phase) found.push_back(event);
  }
  return found;
}

}  // namespace

TEST_CASE("a timeline has one slice for each retire record, named by its assembly", "[unit]") {
  const Traced t = traced(1);
  std::map<uint64_t, Json> slices;
  for (const Json& slice : events(t, "X")) {
    const auto insn = slice["args"]["insn"].get<uint64_t>();
    CHECK(slices.emplace(insn, slice).second);
  }
  REQUIRE(slices.size() == t.result.retired.size());
  for (const sim::RetireRecord& record : t.result.retired) {
    const Json& slice = slices.at(record.insn);
    CHECK(slice["args"]["dispatched"] == record.issue.count());
    CHECK(slice["args"]["start"] == record.start.count());
    CHECK(slice["args"]["end"] == record.end.count());
    CHECK(slice["cat"] == std::string(name(record.stage)));
    CHECK_THAT(disassemble(t.insns[record.insn]), ContainsSubstring(slice["name"].get<std::string>()));
    // Microseconds at 100 MHz
    CHECK(slice["ts"].get<double>() == Approx(static_cast<double>(record.start.count()) / 100));
    CHECK(slice["dur"].get<double>() == Approx(static_cast<double>((record.end - record.start).count() + 1) / 100));
  }
}

TEST_CASE("slices of one track do not overlap, and every track has a name", "[unit]") {
  const Traced t = traced(3);
  std::map<int, double> ends;
  std::map<int, std::string> names;
  for (const Json& event : events(t, "M")) {
    if (event["name"] == "thread_name") names[event["tid"].get<int>()] = event["args"]["name"].get<std::string>();
  }
  for (const Json& slice : events(t, "X")) {
    const int thread = slice["tid"].get<int>();
    CHECK(slice["ts"].get<double>() >= ends[thread] - 1e-6);
    ends[thread] = slice["ts"].get<double>() + slice["dur"].get<double>();
    CHECK_THAT(names[thread], ContainsSubstring(slice["cat"].get<std::string>()));
  }
  // A run begins where the one before ended
  CHECK(events(t, "X").size() == 3 * t.result.retired.size());
  CHECK(ends.size() >= 4);
}

TEST_CASE("queues fill and empty, and the bus's bytes are the counters'", "[unit]") {
  const Traced t = traced(1);
  std::map<std::string, std::vector<std::pair<double, double>>> counters;
  for (const Json& event : events(t, "C")) {
    counters[event["name"].get<std::string>()].push_back(
        {event["ts"].get<double>(), event["args"]["value"].get<double>()});
  }
  for (const char* queue : {"load commands", "compute commands", "store commands", "load->compute tokens",
                            "compute->load tokens", "compute->store tokens", "store->compute tokens"}) {
    INFO(queue);
    REQUIRE(counters.count(queue) == 1);
    double largest = 0;
    for (const auto& [at, value] : counters[queue]) {
      CHECK(value >= 0);
      largest = std::max(largest, value);
    }
    CHECK(largest >= 1);
    CHECK(counters[queue].back().second == 0);
  }
  const auto bytes = [&](const std::string& counter) {
    double sum = 0;
    const auto& values = counters.at(counter);
    for (size_t i = 0; i + 1 < values.size(); ++i) {
      sum += values[i].second * 100 * (values[i + 1].first - values[i].first);
    }
    return sum;
  };
  const isa::Counters& c = t.result.counters;
  const auto loads = static_cast<double>(c.inp_load_nbytes + c.wgt_load_nbytes + c.uop_load_nbytes);
  CHECK(bytes("bus read bytes/cycle") == Approx(loads + static_cast<double>(t.insns.size() * isa::kInsnBytes)));
  CHECK(bytes("bus write bytes/cycle") == Approx(static_cast<double>(c.out_store_nbytes)));
}

TEST_CASE("the waves of queues hold their counts in the cycles of pushes and pops", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "queues.vcd";
  const auto config = isa::Config::vta_default();
  test::TextMachine m(sim::make_systemc_machine(config, {test::memory_setting("m64"), {}, path}));
  sim::RunOptions options;
  options.record_retirement = true;
  const auto result = m.run_raw(kProgram, options);
  REQUIRE(result.ok());
  m.machine().finish_trace();
  CHECK(m.run_raw(kProgram, options).cycles == result.cycles);

  std::istringstream vcd(read_file(path, Bytes(1 << 24)));
  std::string code, line;
  uint64_t time = 0, first = 0;
  std::vector<std::pair<uint64_t, uint64_t>> changes;  // cycle, count
  while (std::getline(vcd, line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "$var") {
      std::string type, width, id, name;
      words >> type >> width >> id >> name;
      if (name == "compute_to_store") code = id;
    } else if (word.starts_with("#")) {
      time = std::stoull(word.substr(1));
      if (first == 0) first = time;
    } else if (word.starts_with("b")) {
      std::string id;
      words >> id;
      if (id == code && !code.empty()) changes.push_back({time, std::stoull(word.substr(1), nullptr, 2)});
    }
  }
  // 0, then the ALU's token until the store takes it
  uint64_t pushed = 0, popped = 0;
  for (const sim::RetireRecord& record : result.retired) {
    if (record.insn == 4) pushed = record.end.count();
    if (record.insn == 5) popped = record.start.count();
  }
  constexpr uint64_t kPicosecondsPerCycle = 10'000;
  REQUIRE(changes.size() == 3);
  CHECK(changes[0].second == 0);
  CHECK(changes[1].second == 1);
  CHECK(changes[2].second == 0);
  CHECK(changes[2].first - changes[1].first == (popped - pushed) * kPicosecondsPerCycle);
}

}  // namespace vantage::test::sim_profile_timeline_test
