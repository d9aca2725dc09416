#include "tests/hw/rtl/core_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "hw/isa/codec.h"
#include "hw/isa/register_map.h"
#include "hw/isa/rtl_package.h"
#include "hw/rtl/sources.h"
#include "tests/oracle/scalar_interpreter.h"

namespace vantage::test {

namespace {

std::filesystem::path benches() {
  return source_dir() / "tests" / "hw" / "rtl" / "benches";
}

}  // namespace

CoreBench::CoreBench(const isa::Config& config, bool unknown) {
  rtl::write_sources(config, folder_.path());
  std::vector<std::string> options;
  if (unknown) {
    // In place of the RTL's own
    write_file(folder_.path() / "vta_assert.svh", read_file(benches() / "unknowns" / "vta_assert.svh", Bytes(1 << 16)));
    options.push_back("-DSYNTHESIS");  // for vta_ram
  }
  compile(options, rtl::module_files());
}

CoreBench::CoreBench(const isa::Config& config, const std::string& netlist) {
  write_file(folder_.path() / "vta_pkg.sv", isa::rtl_package(config));
  write_file(folder_.path() / "netlist.v", netlist);
  compile({}, {"vta_pkg.sv", "netlist.v"});
}

void CoreBench::compile(const std::vector<std::string>& options, const std::vector<std::string>& files) {
  std::vector<std::string> argv = {"iverilog", "-g2012", "-I.", "-I" + benches().string(), "-s", "vta_bench"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.insert(argv.end(), {"-o", "bench.vvp"});
  argv.insert(argv.end(), files.begin(), files.end());
  argv.push_back((benches() / "vta_bench.sv").string());
  run_tool(argv, folder_.path(), "iverilog");
}

std::optional<CoreBench::Outcome> CoreBench::run(const Program& program, uint64_t seed, std::string& said) {
  VANTAGE_CHECK(program.memory.size() == kDramBytes);
  std::string text;
  for (const char byte : program.memory) text += fmt::format("{:02x}\n", static_cast<unsigned char>(byte));
  write_file(folder_.path() / "program.hex", text);
  const auto out = folder_.path() / "memory.out";
  std::filesystem::remove(out);
  const auto log = folder_.path() / "log";
  run_process({"vvp", "-n", "bench.vvp", "+program=program.hex", fmt::format("+address={}", program.address),
               fmt::format("+insns={}", program.insns), fmt::format("+seed={}", seed)},
              folder_.path(), log, "iverilog");
  said = read_file(log, Bytes(1 << 24));
  if (!std::filesystem::exists(out)) return std::nullopt;

  Outcome outcome;
  std::istringstream lines(said);
  uint32_t offset = 0;
  uint64_t value = 0;
  while (lines >> std::hex >> offset >> value) outcome.registers[offset] = value;
  // Icarus groups the bytes below comments with their addresses.
  std::istringstream words(read_file(out, Bytes(1 << 24)));
  for (std::string word; words >> word;) {
    if (word.size() == 2 && word != "//") outcome.memory.push_back(word);
  }
  VANTAGE_CHECK(outcome.memory.size() == kDramBytes);
  return outcome;
}

CoreBench::Program bench_program(const Bundle& bundle) {
  return {bundle.initial_bytes(Bytes(0), Bytes(CoreBench::kDramBytes)), bundle.insn_address.count(), bundle.insn_count};
}

BenchProgram bench_program(const RandomProgram& random) {
  const isa::Codec codec(random.config);
  isa::Load zeros;
  zeros.transfer.memory = isa::Memory::kUop;
  zeros.transfer.dram_base = RandomProgram::kDramBytes / isa::kMicroOpBytes;  // behind all that the program has
  zeros.transfer.y_size = 1;
  zeros.transfer.x_size = static_cast<uint32_t>(random.config.depth(isa::Memory::kUop).count());
  zeros.transfer.x_stride = zeros.transfer.x_size;

  // No token orders it: the compute stage works in order.
  const DramImage image = image_of(random);
  std::vector<std::byte> bytes = image.bytes;
  bytes.resize(CoreBench::kDramBytes);
  const auto insns = std::span(bytes).subspan(RandomProgram::kInsnAddress);
  std::copy_n(image.bytes.begin() + RandomProgram::kInsnAddress, image.insn_count * isa::kInsnBytes,
              insns.begin() + isa::kInsnBytes);
  isa::store_words(codec.encode(zeros), insns.first<isa::kInsnBytes>());

  const auto text = [&] { return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
  BenchProgram result{{text(), RandomProgram::kInsnAddress, image.insn_count + 1}, {}, {}};
  oracle::ScalarInterpreter oracle(random.config);
  VANTAGE_CHECK(oracle.run(bytes, RandomProgram::kInsnAddress, image.insn_count + 1));
  result.expected = text();
  for (const isa::CounterInfo& info : isa::kCounters) {
    result.counters.emplace(info.name, oracle.counters().*info.value);
  }
  return result;
}

std::optional<std::string> difference(const CoreBench::Outcome& outcome, const std::vector<MemorySegment>& expected,
                                      const std::map<std::string, uint64_t>& counters, bool unknown) {
  const auto value = [&](std::string_view name) { return outcome.registers.at(isa::register_offset(name)); };
  if (value("STATUS") != (isa::kStatusIdle.mask() | isa::kStatusDone.mask())) {
    return fmt::format("STATUS is {:#x}, ERROR_CAUSE {}, ERROR_INSN {}", value("STATUS"), value("ERROR_CAUSE"),
                       value("ERROR_INSN"));
  }
  for (const MemorySegment& segment : expected) {
    for (uint64_t i = 0; i < segment.bytes.size(); ++i) {
      const std::string& got = outcome.memory[segment.address.count() + i];
      const auto byte = fmt::format("{:02x}", static_cast<unsigned char>(segment.bytes[i]));
      if (unknown && got.find_first_of("xX") != std::string::npos) continue;
      if (got != byte)
        return fmt::format("byte {} of memory: expected {}, got {}", segment.address.count() + i, byte, got);
    }
  }
  for (const auto& [name, count] : counters) {
    const uint64_t got = value(isa::register_name(name));
    if (got != count) return fmt::format("{}: expected {}, got {}", name, count, got);
  }
  return std::nullopt;
}

}  // namespace vantage::test
