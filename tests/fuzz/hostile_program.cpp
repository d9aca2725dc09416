#include "tests/fuzz/hostile_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/program/verifier.h"
#include "tests/support/random_config.h"

namespace vantage::test {

namespace {

constexpr uint64_t kInsnAddress = 12 << 10;
constexpr uint64_t kDramBytes = 16 << 10;
constexpr size_t kMaxInsns = (kDramBytes - kInsnAddress) / isa::kInsnBytes;

}  // namespace

HostileMachine::HostileMachine(uint64_t seed)
    : config_(random_config(seed)),
      codec_(config_),
      dram_(Bytes(kDramBytes)),
      machine_(sim::make_functional_machine(config_)) {
  const RandomProgram legal = random_program(config_, seed, 40);
  for (const isa::Insn& insn : with_tokens(legal)) legal_words_.push_back(codec_.encode(insn));
  initial_.assign(legal.data.begin(), legal.data.begin() + kDramBytes);
  // The legal program's micro-ops lie further up; bring some into this smaller memory.
  std::copy_n(legal.data.end() - 4096, 4096, initial_.begin());
}

HostileMachine::Outcome HostileMachine::run(const std::vector<isa::Words>& words) {
  dram_.write(Bytes(0), initial_);
  auto out = dram_.range(Bytes(kInsnAddress), Bytes(words.size() * isa::kInsnBytes));
  for (const isa::Words& w : words) {
    isa::store_words(w, out.first<isa::kInsnBytes>());
    out = out.subspan(isa::kInsnBytes);
  }
  // What memory holds now, before the run changes it.
  const std::vector<std::byte> before(dram_.data(), dram_.data() + kDramBytes);
  const auto read = [&](uint64_t element) {
    const auto bytes = std::span<const std::byte>(before).subspan(element * isa::kMicroOpBytes);
    return codec_.decode_uop(isa::load_u32(bytes.first<isa::kMicroOpBytes>()));
  };
  VerifyOptions options;
  options.dram_size = Bytes(kDramBytes);
  const auto diagnostics = verify(words, config_, read, options);
  const bool sound = !has_errors(diagnostics);
  const bool certain = std::none_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
    return d.text.find("only while it runs") != std::string::npos;
  });

  machine_->reset();
  sim::RunOptions run_options;
  run_options.max_steps = 2000;
  const auto result = machine_->run(dram_, {Bytes(kInsnAddress), words.size()}, run_options);

  Outcome outcome{result.ok(), {}};
  const bool limited = result.status == sim::RunStatus::kStepLimit;
  if (sound && certain && !result.ok() && !limited) {
    outcome.disagreement = "the verifier passes what the machine refuses: " + result.message;
  }
  if (!sound && result.ok())
    outcome.disagreement = "the machine runs what the verifier refuses: " + to_text(diagnostics);
  if (!result.ok() && result.message.empty()) outcome.disagreement = "a failure without a message";
  return outcome;
}

std::vector<isa::Words> hostile_words(const HostileMachine& machine, std::mt19937_64& random) {
  const auto pick = [&](size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random); };
  const auto& legal = machine.legal_words();
  std::vector<isa::Words> words;
  const size_t start = pick(legal.size());
  const size_t count = 1 + pick(std::min<size_t>(30, kMaxInsns - 1));
  const int kind = static_cast<int>(pick(4));
  for (size_t i = 0; i < count; ++i) {
    if (kind == 0) {
      words.push_back({random(), random()});
      continue;
    }
    isa::Words w = legal[kind == 1 ? pick(legal.size()) : (start + i) % legal.size()];
    const size_t flips = pick(12) == 0 ? 1 + pick(3) : 0;
    for (size_t flip = 0; flip < flips; ++flip) w[pick(2)] ^= uint64_t{1} << pick(64);
    words.push_back(w);
  }
  if (pick(8) != 0) words.push_back({3, 0});  // FINISH
  return words;
}

}  // namespace vantage::test
