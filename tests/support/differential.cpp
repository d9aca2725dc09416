#include "tests/support/differential.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/oracle/scalar_interpreter.h"
#include "tests/support/temporary.h"

namespace vantage::test {

namespace {

std::vector<std::byte> oracle_memory(const RandomProgram& program, isa::Counters& counters, core::Activity& activity,
                                     bool& finished) {
  DramImage image = image_of(program);
  oracle::ScalarInterpreter oracle(program.config);
  finished = oracle.run(image.bytes, RandomProgram::kInsnAddress, image.insn_count);
  counters = oracle.counters();
  activity = oracle.activity();
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
                                      std::optional<uint64_t> interleaving_seed, sim::RunResult* report) {
  isa::Counters counters;
  core::Activity activity;
  bool finished = false;
  const auto expected = oracle_memory(program, counters, activity, finished);
  if (!finished) return "the oracle finds a deadlock";

  sim::Dram dram{Bytes(RandomProgram::kDramBytes)};
  const DramImage image = image_of(program);
  dram.write(Bytes(0), image.bytes);
  sim::RunOptions options;
  options.interleaving_seed = interleaving_seed;
  options.record_retirement = report != nullptr;
  const auto machine = make(program.config);
  const auto result = machine->run(dram, {Bytes(RandomProgram::kInsnAddress), image.insn_count}, options);
  if (report != nullptr) *report = result;
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
  if (result.activity) {  // of machines that count it
    for (const core::ActivityInfo& info : core::kActivity) {
      if (activity.*info.value == (*result.activity).*info.value) continue;
      return fmt::format("{}: expected {}, got {}", info.name, activity.*info.value, (*result.activity).*info.value);
    }
  }
  if (!result.warnings.empty()) return "the machine warns: " + result.warnings.front();
  return std::nullopt;
}

std::optional<std::string> time_difference(const sim::RunResult& expected, const sim::RunResult& got) {
  std::optional<std::string> first;
  const auto compare = [&](const std::string& what, Cycles want, Cycles have) {
    if (!first && want != have) first = fmt::format("{}: expected {}, got {}", what, want.count(), have.count());
  };
  const size_t records = std::min(expected.retired.size(), got.retired.size());
  for (size_t i = 0; i < records; ++i) {
    const sim::RetireRecord& want = expected.retired[i];
    const sim::RetireRecord& have = got.retired[i];
    if (!first && want.insn != have.insn) {
      first = fmt::format("retired as number {}: expected instruction {} in cycle {}, got {} in {}", i, want.insn,
                          want.end.count(), have.insn, have.end.count());
    }
    compare(fmt::format("dispatch of instruction {}", want.insn), want.issue, have.issue);
    compare(fmt::format("start of instruction {}", want.insn), want.start, have.start);
    compare(fmt::format("end of instruction {}", want.insn), want.end, have.end);
  }
  compare("retired instructions", Cycles(expected.retired.size()), Cycles(got.retired.size()));
  compare("cycles", *expected.cycles, *got.cycles);
  for (const isa::Stage stage : isa::kAllStages) {
    const sim::StageCycles& want = expected.stages[static_cast<size_t>(stage)];
    const sim::StageCycles& have = got.stages[static_cast<size_t>(stage)];
    compare(fmt::format("{} busy", name(stage)), want.busy, have.busy);
    compare(fmt::format("{} token wait", name(stage)), want.token_wait, have.token_wait);
    compare(fmt::format("{} memory wait", name(stage)), want.memory_wait, have.memory_wait);
    compare(fmt::format("{} idle", name(stage)), want.idle, have.idle);
  }
  return first;
}

std::optional<std::string> time_difference(const RandomProgram& program, const MakeMachine& expected,
                                           const MakeMachine& got) {
  sim::RunResult first, second;
  if (auto found = difference(program, expected, std::nullopt, &first)) return found;
  if (auto found = difference(program, got, std::nullopt, &second)) return "the second machine: " + *found;
  return time_difference(first, second);
}

std::optional<std::string> check_program(const RandomProgram& program, const Check& check, const std::string& name) {
  if (!check(program)) return std::nullopt;
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
    return check(candidate).has_value();
  };
  const RandomProgram small = shrink(program, fails);
  isa::Counters counters;
  core::Activity activity;
  bool finished = false;
  const auto expected = oracle_memory(small, counters, activity, finished);
  const auto folder = binary_dir() / "failures";
  std::filesystem::create_directories(folder);
  std::filesystem::remove_all(folder / name);
  save_bundle(bundle_of(small, name, expected), folder / name);
  return fmt::format("{}; {} instructions reproduce it: vantage replay {}",
                     check(small).value_or("gone after shrinking"), small.insns.size(), (folder / name).string());
}

}  // namespace vantage::test
