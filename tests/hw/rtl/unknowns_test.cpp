// The core under Icarus from power-on, with every register and memory unknown until it is written: nothing unknown
// reaches what others act on (benches/vta_bench.sv says what that is), no assertion is ever unknown, and the results
// are the expected ones. Verilator, which has no unknown values, cannot show this.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "base/file.h"
#include "base/process.h"
#include "hw/isa/register_map.h"
#include "hw/program/bundle.h"
#include "hw/rtl/sources.h"
#include "tests/catch.h"
#include "tests/oracle/scalar_interpreter.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/effort.h"
#include "tests/support/random_program.h"

namespace vantage::test::hw_rtl_unknowns_test {

using namespace vantage;

namespace {

constexpr uint64_t kDramBytes = 1 << 18;  // the bench's

std::filesystem::path benches() {
  return test::source_dir() / "tests" / "hw" / "rtl" / "benches";
}

struct Outcome {
  std::vector<std::string> memory;         // bytes in hexadecimal, x where a bit is unknown
  std::map<uint32_t, uint64_t> registers;  // 32 bits each, by offset
};

// The bench, compiled for a configuration.
class Bench {
 public:
  explicit Bench(const isa::Config& config) {
    rtl::write_sources(config, folder_.path());
    // In place of the RTL's own
    write_file(folder_.path() / "vta_assert.svh", read_file(benches() / "unknowns" / "vta_assert.svh", Bytes(1 << 16)));
    // With SYNTHESIS, block RAM has no initial contents.
    std::vector<std::string> argv = {"iverilog", "-g2012",    "-DSYNTHESIS", "-I.",      "-I" + benches().string(),
                                     "-s",       "vta_bench", "-o",          "bench.vvp"};
    for (const std::string& file : rtl::module_files()) argv.push_back(file);
    argv.push_back((benches() / "vta_bench.sv").string());
    run_tool(argv, folder_.path(), "iverilog");
  }

  // Nothing when something unknown was found, or the run did not end: then `said` is why.
  std::optional<Outcome> run(std::string memory, uint64_t address, uint64_t insns, uint64_t seed, std::string& said) {
    memory.resize(kDramBytes);
    std::string text;
    for (const char byte : memory) text += fmt::format("{:02x}\n", static_cast<unsigned char>(byte));
    write_file(folder_.path() / "program.hex", text);
    std::filesystem::remove(folder_.path() / "memory.out");
    const auto log = folder_.path() / "log";
    run_process({"vvp", "-n", "bench.vvp", "+program=program.hex", fmt::format("+address={}", address),
                 fmt::format("+insns={}", insns), fmt::format("+seed={}", seed)},
                folder_.path(), log, "iverilog");
    said = read_file(log, Bytes(1 << 24));
    if (!std::filesystem::exists(folder_.path() / "memory.out")) return std::nullopt;

    Outcome outcome;
    std::istringstream lines(said);
    uint32_t offset = 0;
    uint64_t value = 0;
    while (lines >> std::hex >> offset >> value) outcome.registers[offset] = value;
    std::istringstream out(read_file(folder_.path() / "memory.out", Bytes(1 << 24)));
    for (std::string word; out >> word;) {
      if (word.size() == 2 && word != "//") outcome.memory.push_back(word);
    }
    return outcome;
  }

 private:
  test::TemporaryFolder folder_;
};

void check_registers(const Outcome& outcome, const std::map<std::string, uint64_t>& counters) {
  CHECK(outcome.registers.at(isa::register_offset("STATUS")) == (isa::kStatusIdle.mask() | isa::kStatusDone.mask()));
  CHECK(outcome.registers.at(isa::register_offset("ERROR_CAUSE")) == 0);
  for (const auto& [name, value] : counters) {
    INFO(name);
    CHECK(outcome.registers.at(isa::register_offset(isa::register_name(name))) == value);
  }
}

}  // namespace

TEST_CASE("recorded programs leave nothing unknown behind", "[unit]") {
  for (const char* name : {"gemm_8x8_threads", "gemm_batch4", "gemm_int4"}) {
    INFO(name);
    const Bundle bundle = load_bundle(test::source_dir() / "tests" / "data" / "bundles" / name);
    std::string said;
    const auto outcome = Bench(bundle.config)
                             .run(bundle.initial_bytes(Bytes(0), Bytes(kDramBytes)), bundle.insn_address.count(),
                                  bundle.insn_count, 1, said);
    INFO(said);
    REQUIRE(outcome);
    REQUIRE(outcome->memory.size() == kDramBytes);
    for (const MemorySegment& segment : bundle.expect) {
      std::string expected, got;
      for (uint64_t i = 0; i < segment.bytes.size(); ++i) {
        expected += fmt::format("{:02x}", static_cast<unsigned char>(segment.bytes[i]));
        got += outcome->memory[segment.address.count() + i];
      }
      CHECK(got == expected);
    }
    check_registers(*outcome, bundle.counters);
  }
}

// They read scratchpads that they never wrote, which hold zeros on an FPGA; what follows from those is data, and
// unknown here. Micro-ops say where to read and write: these are zeros from memory.
TEST_CASE("random programs let nothing unknown but data leave the core", "[unit]") {
  for (const auto& [name, config] : test::rtl_configs()) {
    if (name != "1x1" && name != "4x4_bus512" && name != "i16w16a16_bus256") continue;
    Bench bench(config);
    for (uint64_t seed = 1; seed <= test::seeds(1); ++seed) {
      INFO(name << ", seed " << seed);
      test::RandomProgram program = test::random_program(config, seed, 40);
      constexpr uint64_t kZeros = RandomProgram::kDramBytes;  // what lies behind the program
      isa::Load zeros;
      zeros.transfer.memory = isa::Memory::kUop;
      zeros.transfer.dram_base = kZeros / isa::kMicroOpBytes;
      zeros.transfer.y_size = 1;
      zeros.transfer.x_size = zeros.transfer.x_stride = static_cast<uint32_t>(config.depth(isa::Memory::kUop).count());
      test::DramImage image = test::image_of(program);
      // Before all else, and waited for by nobody: the compute stage works in order
      std::vector<std::byte> insns(isa::kInsnBytes * (image.insn_count + 1));
      isa::store_words(isa::Codec(config).encode(zeros), std::span(insns).first<isa::kInsnBytes>());
      const auto begin = image.bytes.begin() + RandomProgram::kInsnAddress;
      std::copy_n(begin, image.insn_count * isa::kInsnBytes, insns.begin() + isa::kInsnBytes);
      std::copy(insns.begin(), insns.end(), begin);
      image.bytes.resize(kDramBytes);

      std::string said;
      const auto outcome = bench.run({reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()},
                                     RandomProgram::kInsnAddress, image.insn_count + 1, seed, said);
      INFO(said);
      REQUIRE(outcome);
      oracle::ScalarInterpreter oracle(config);
      REQUIRE(oracle.run(image.bytes, RandomProgram::kInsnAddress, image.insn_count + 1));
      uint64_t unknown = 0;
      for (uint64_t at = 0; at < kDramBytes; ++at) {
        const std::string& got = outcome->memory[at];
        if (got.find('x') != std::string::npos) {
          ++unknown;
        } else if (got != fmt::format("{:02x}", static_cast<unsigned>(image.bytes[at]))) {
          FAIL_CHECK("byte " << at << " of memory: " << got);
        }
      }
      CHECK(unknown < RandomProgram::kInsnAddress / 2);
      std::map<std::string, uint64_t> counters;
      for (const isa::CounterInfo& info : isa::kCounters) {
        counters.emplace(info.name, oracle.counters().*info.value);
      }
      check_registers(*outcome, counters);
    }
  }
}

}  // namespace vantage::test::hw_rtl_unknowns_test
