#include "tests/support/differential.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/oracle/scalar_interpreter.h"
#include "tests/support/temporary.h"

namespace vantage::test {

namespace {

std::vector<std::byte> oracle_memory(const RandomProgram& program, isa::Counters& counters, bool& finished) {
  DramImage image = image_of(program);
  oracle::ScalarInterpreter oracle(program.config);
  finished = oracle.run(image.bytes, RandomProgram::kInsnAddress, image.insn_count);
  counters = oracle.counters();
  return std::move(image.bytes);
}

// Drops instructions one after another for as long as the difference stays.
RandomProgram shrink(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails) {
  for (size_t chunk = std::max<size_t>(program.insns.size() / 2, 1); chunk > 0; chunk /= 2) {
    for (size_t at = 0; at + chunk <= program.insns.size();) {
      RandomProgram smaller = program;
      const auto first = smaller.insns.begin() + static_cast<ptrdiff_t>(at);
      smaller.insns.erase(first, first + static_cast<ptrdiff_t>(chunk));
      if (fails(smaller)) {
        program = std::move(smaller);
      } else {
        at += chunk;
      }
    }
  }
  return program;
}

}  // namespace

std::optional<std::string> difference(const RandomProgram& program, const MakeMachine& make,
                                      std::optional<uint64_t> interleaving_seed) {
  isa::Counters counters;
  bool finished = false;
  const auto expected = oracle_memory(program, counters, finished);
  if (!finished) return "the oracle finds a deadlock";

  sim::Dram dram{Bytes(RandomProgram::kDramBytes)};
  const DramImage image = image_of(program);
  dram.write(Bytes(0), image.bytes);
  sim::RunOptions options;
  options.interleaving_seed = interleaving_seed;
  const auto machine = make(program.config);
  const auto result = machine->run(dram, {Bytes(RandomProgram::kInsnAddress), image.insn_count}, options);
  if (!result.ok()) return fmt::format("the machine ends with {}: {}", sim::name(result.status), result.message);
  const auto [at, got] = std::mismatch(expected.begin(), expected.end(), dram.data());
  if (at != expected.end()) {
    return fmt::format("byte {} of memory: expected {}, got {}", at - expected.begin(), static_cast<int>(*at),
                       static_cast<int>(*got));
  }
  for (const isa::CounterInfo& info : isa::kCounters) {
    if (counters.*info.value != result.counters.*info.value) {
      return fmt::format("{}: expected {}, got {}", info.name, counters.*info.value, result.counters.*info.value);
    }
  }
  if (!result.warnings.empty()) return "the machine warns: " + result.warnings.front();
  return std::nullopt;
}

std::optional<std::string> check_program(const RandomProgram& program, const MakeMachine& make, const std::string& name,
                                         std::optional<uint64_t> interleaving_seed) {
  if (!difference(program, make, interleaving_seed)) return std::nullopt;
  // A program without some of its micro-op loads may be illegal; the oracle must not see one.
  const auto fails = [&](const RandomProgram& candidate) {
    const DramImage image = image_of(candidate);
    const auto read = [&](uint64_t element) {
      const auto bytes = std::span<const std::byte>(image.bytes).subspan(element * isa::kMicroOpBytes);
      return isa::Codec(candidate.config).decode_uop(isa::load_u32(bytes.first<isa::kMicroOpBytes>()));
    };
    VerifyOptions options;
    options.dram_size = Bytes(RandomProgram::kDramBytes);
    if (has_errors(verify(with_tokens(candidate), candidate.config, read, options))) return false;
    return difference(candidate, make, interleaving_seed).has_value();
  };
  const RandomProgram small = shrink(program, fails);
  isa::Counters counters;
  bool finished = false;
  const auto expected = oracle_memory(small, counters, finished);
  const auto folder = binary_dir() / "failures";
  std::filesystem::create_directories(folder);
  std::filesystem::remove_all(folder / name);
  save_bundle(bundle_of(small, name, expected), folder / name);
  return fmt::format("{}; {} instructions reproduce it: vantage replay {}",
                     difference(small, make, interleaving_seed).value_or("gone after shrinking"), small.insns.size(),
                     (folder / name).string());
}

}  // namespace vantage::test
