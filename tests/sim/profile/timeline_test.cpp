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

TEST_CASE("a timeline has an arrow for each token that engines gave each other", "[unit]") {
  const Traced t = traced(2);
  const auto starts = events(t, "s"), ends = events(t, "f");
  // Of the five pops of a run one is FINISH's, which has no engine.
  REQUIRE(starts.size() == 8);
  REQUIRE(ends.size() == starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    INFO(starts[i].dump() << ends[i].dump());
    CHECK(starts[i]["id"] == i);
    CHECK(ends[i]["id"] == i);
    CHECK(ends[i]["bp"] == "e");
    CHECK(starts[i]["name"] == ends[i]["name"]);
    CHECK(starts[i]["ts"].get<double>() < ends[i]["ts"].get<double>());
    // Each lies within a slice of its track.
    for (const Json& event : {starts[i], ends[i]}) {
      int within = 0;
      for (const Json& slice : events(t, "X")) {
        const double begin = slice["ts"], at = event["ts"];
        within += slice["tid"] == event["tid"] && begin <= at && at + 1e-6 < begin + slice["dur"].get<double>() ? 1 : 0;
      }
      CHECK(within == 1);
    }
  }
}

TEST_CASE("a timeline counts what the scratchpads hold", "[unit]") {
  const Traced t = traced(1);
  std::map<std::string, std::pair<double, double>> counters;  // the most, the last
  for (const Json& event : events(t, "C")) {
    const double value = event["args"]["value"];
    auto& [most, last] = counters[event["name"].get<std::string>()];
    most = std::max(most, value);
    last = value;
  }
  for (const auto& [name, most] : std::map<std::string, double>{
           {"uop entries held", 4}, {"wgt entries held", 1}}) {  // all micro-ops have the first
    INFO(name);
    CHECK(counters.at(name).first == most);
    CHECK(counters.at(name).second == 0);
  }
}

TEST_CASE("a timeline has one slice for each instruction with an engine, named by what it is", "[unit]") {
  const Traced t = traced(1);
  std::map<uint64_t, Json> slices;
  for (const char* phase : {"X", "i"}) {
    for (const Json& slice : events(t, phase)) {
      CHECK(slices.emplace(slice["args"]["insn"].get<uint64_t>(), slice).second);
    }
  }
  REQUIRE(slices.size() == t.result.retired.size());
  const std::vector<std::string> names = {"load.uop", "load.inp", "load.wgt", "gemm",
                                          "alu.add",  "store",    "load.inp", "finish"};
  const std::map<std::string, int> tracks = {{"load.uop", 2}, {"load.inp", 1}, {"load.wgt", 1}, {"gemm", 3},
                                             {"alu.add", 4},  {"store", 5},    {"finish", 6}};
  for (const sim::RetireRecord& record : t.result.retired) {
    const Json& slice = slices.at(record.insn);
    const Json& args = slice["args"];
    INFO(slice.dump());
    CHECK(slice["name"] == names.at(record.insn));
    CHECK(slice["tid"] == tracks.at(names.at(record.insn)));
    CHECK(args["dispatched"] == record.issue.count());
    CHECK(args["issued"] == record.start.count());
    CHECK(args["retired"] == record.end.count());
    CHECK(slice["cat"] == std::string(name(record.stage)));
    CHECK_THAT(disassemble(t.insns[record.insn]), ContainsSubstring(args["assembly"].get<std::string>()));
    // What the engine does lies between issue and retirement
    const double began = args["began"].get<double>(), ended = args["ended"].get<double>();
    CHECK(began >= args["issued"].get<double>());
    CHECK(ended >= began);
    CHECK(ended <= args["retired"].get<double>());
    // Microseconds at 100 MHz
    CHECK(slice["ts"].get<double>() == Approx(began / 100));
    if (slice["ph"] == "X") CHECK(slice["dur"].get<double>() == Approx((ended - began + 1) / 100));
  }
  // A step a cycle from the one after issue on; an ALU step that reads nothing else takes one as well
  const Json& gemm = slices.at(3)["args"];
  CHECK(gemm["began"].get<uint64_t>() == gemm["issued"].get<uint64_t>() + 1);
  CHECK(gemm["ended"].get<uint64_t>() - gemm["began"].get<uint64_t>() + 1 == t.result.counters.gemm_counter);
}

TEST_CASE("an engine works on one instruction at a time, and every track has a name", "[unit]") {
  const Traced t = traced(3);
  std::map<int, double> ends;
  std::map<int, std::string> names;
  for (const Json& event : events(t, "M")) {
    if (event["name"] == "thread_name") names[event["tid"].get<int>()] = event["args"]["name"].get<std::string>();
  }
  CHECK(names ==
        std::map<int, std::string>{
            {1, "load DMA"}, {2, "compute DMA"}, {3, "GEMM core"}, {4, "ALU"}, {5, "store"}, {6, "no engine"}});
  std::vector<Json> slices = events(t, "X");
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Json& a, const Json& b) { return a["ts"].get<double>() < b["ts"].get<double>(); });
  for (const Json& slice : slices) {
    const int thread = slice["tid"].get<int>();
    CHECK(slice["ts"].get<double>() >= ends[thread] - 1e-6);
    ends[thread] = slice["ts"].get<double>() + slice["dur"].get<double>();
  }
  // A run begins where the one before ended
  CHECK(slices.size() + events(t, "i").size() == 3 * t.result.retired.size());
  CHECK(ends.size() == 5);
}

TEST_CASE("what has ended and waits for older instructions is counted apart", "[unit]") {
  const Traced t = traced(1);
  double most = 0, last = 1;
  for (const Json& event : events(t, "C")) {
    if (event["name"] != "store done") continue;
    last = event["args"]["value"].get<double>();
    most = std::max(most, last);
  }
  CHECK(most == 1);  // its response is on the way
  CHECK(last == 0);
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

TEST_CASE("waves hold the counts of queues, the work of engines and the bus in their cycles", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "run.vcd";
  const auto config = isa::Config::vta_default();
  test::TextMachine m(sim::make_systemc_machine(config, {test::memory_setting("m64"), {}, path}));
  sim::RunOptions options;
  options.record_retirement = true;
  const auto result = m.run_raw(kProgram, options);
  REQUIRE(result.ok());
  m.machine().finish_trace();
  CHECK(m.run_raw(kProgram, options).cycles == result.cycles);

  std::istringstream vcd(read_file(path, Bytes(1 << 24)));
  constexpr uint64_t kPicosecondsPerCycle = 10'000;
  std::map<std::string, std::string> names;                                   // by code
  std::map<std::string, std::vector<std::pair<uint64_t, uint64_t>>> changes;  // by name: cycle, value
  std::string line, scope;
  uint64_t cycle = 0;
  while (std::getline(vcd, line)) {
    std::istringstream words(line);
    std::string word, type, width, id, name;
    words >> word;
    if (word == "$scope") words >> type >> scope;
    if (word == "$var" && words >> type >> width >> id >> name) names[id] = scope + "." + name;
    if (word.starts_with("#")) cycle = std::stoull(word.substr(1)) / kPicosecondsPerCycle;
    if (word.starts_with("b") && words >> id) {
      changes[names.at(id)].push_back({cycle, std::stoull(word.substr(1), nullptr, 2)});
    } else if (word.starts_with("0") || word.starts_with("1")) {
      changes[names.at(word.substr(1))].push_back({cycle, word.front() - '0'});
    }
  }
  CHECK(cycle == result.cycles->count());
  std::map<uint32_t, sim::RetireRecord> records;
  for (const sim::RetireRecord& record : result.retired) records[record.insn] = record;
  using Changes = std::vector<std::pair<uint64_t, uint64_t>>;
  // The ALU's token until the store takes it
  CHECK(changes["queues.compute_to_store_tokens"] ==
        Changes{{0, 0}, {records[4].end.count(), 1}, {records[5].start.count(), 0}});
  const uint64_t first_step = records[3].start.count() + 1;
  CHECK(changes["GEMM_core.busy"] == Changes{{0, 0}, {first_step, 1}, {first_step + result.counters.gemm_counter, 0}});
  CHECK(changes["GEMM_core.insn"] == Changes{{0, 0}, {first_step, 3}});
  uint64_t written = 0;
  for (size_t i = 1; i + 1 < changes["bus.write_data"].size(); i += 2) {
    written += 8 * (changes["bus.write_data"][i + 1].first - changes["bus.write_data"][i].first);
  }
  CHECK(written == result.counters.out_store_nbytes);
}

}  // namespace vantage::test::sim_profile_timeline_test
