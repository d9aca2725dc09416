#include "sim/functional/functional_machine.h"

#include <fmt/format.h>

#include <array>
#include <random>

#include "base/error.h"
#include "hw/isa/codec.h"
#include "hw/isa/command_queues.h"
#include "hw/isa/disassemble.h"
#include "hw/isa/tokens.h"
#include "sim/functional/executor.h"
#include "sim/functional/scratchpads.h"

namespace vantage::sim {

using namespace isa;

namespace {

// One program's way through the stages.
class Run {
 public:
  Run(const isa::Config& config, Scratchpads& scratchpads, Dram& dram, std::vector<Insn> insns,
      const RunOptions& options)
      : executor_(config, scratchpads, dram), insns_(std::move(insns)), options_(options), queues_(insns_) {
    if (options.interleaving_seed) random_.emplace(*options.interleaving_seed);
  }

  RunResult run() {
    step_through();
    result_.counters = executor_.counters();
    result_.activity = executor_.activity();
    return std::move(result_);
  }

 private:
  void step_through() {
    while (!queues_.empty()) {
      const auto chosen = choose_stage();
      if (!chosen) {
        // Hardware checks an instruction before it waits for its tokens.
        for (Stage s : kAllStages) {
          if (const auto head = queues_.head(s); head && !is_legal(*head)) return;
        }
        stop(RunStatus::kDeadlock, deadlock_message(find_deadlock(queues_, tokens_, insns_), insns_));
        return;
      }
      if (!execute(*queues_.head(*chosen))) return;
      retire(*chosen);
    }
    if (const std::string left = tokens_.leftover(); !left.empty()) {
      result_.warnings.push_back(fmt::format("tokens are left over at FINISH: {}", left));
    }
  }

  // A stage whose next instruction may start: the earliest in program order, or any when a seed was given.
  std::optional<Stage> choose_stage() {
    std::array<Stage, kAllStages.size()> ready{};
    size_t count = 0;
    for (Stage s : kAllStages) {
      const auto head = queues_.head(s);
      if (head && !tokens_.blocked_on(insns_[*head])) ready[count++] = s;
    }
    if (count == 0) return std::nullopt;
    if (random_) return ready[std::uniform_int_distribution<size_t>(0, count - 1)(*random_)];
    return *std::min_element(ready.begin(), ready.begin() + count,
                             [&](Stage a, Stage b) { return queues_.head(a) < queues_.head(b); });
  }

  void retire(Stage s) {
    const size_t index = *queues_.head(s);
    tokens_.push_for(insns_[index]);
    queues_.issue(s);
    ++retired_;
    if (options_.progress) options_.progress(retired_, insns_.size());
    if (options_.record_retirement) result_.retired.push_back({static_cast<uint32_t>(index), s, {}, {}, {}});
  }

  // False, with the result's status set, when docs/isa.md refuses the instruction.
  bool is_legal(size_t index) {
    const Illegal illegal = executor_.refuse(insns_[index]);
    if (!illegal) return true;
    stop(RunStatus::kRefused, fmt::format("instruction {}: {}: {}", index, disassemble(insns_[index]), *illegal));
    return false;
  }

  // False, with the result's status set, when the instruction cannot run.
  bool execute(size_t index) {
    const Insn& insn = insns_[index];
    if (!is_legal(index)) return false;
    if (!within_step_limit(insn)) {
      stop(RunStatus::kStepLimit, fmt::format("instruction {}: {}: the run would exceed its limit of {} steps", index,
                                              disassemble(insn), options_.max_steps));
      return false;
    }
    if (!within_cycle_limit(insn)) {
      stop(RunStatus::kTimedOut, timed_out_message(options_));
      return false;
    }
    tokens_.pop_for(insn);
    if (executor_.perform(insn, options_.stop)) return true;
    stop(RunStatus::kStopped, fmt::format("instruction {}: {}: the run was stopped", index, disassemble(insn)));
    return false;
  }

  bool within_step_limit(const Insn& insn) {
    const uint64_t more = steps(insn);
    if (more > options_.max_steps - steps_) return false;
    steps_ += more;
    return true;
  }

  // Whether the GEMM core and the ALU, which makes resets as well, could be done by then with a step a cycle.
  bool within_cycle_limit(const Insn& insn) {
    const auto* gemm = std::get_if<Gemm>(&insn);
    uint64_t& least = gemm != nullptr && !gemm->reset ? gemm_cycles_ : alu_cycles_;
    least += steps(insn);
    return least <= options_.max_cycles;
  }

  void stop(RunStatus status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
  }

  Executor executor_;
  std::vector<Insn> insns_;
  const RunOptions& options_;
  std::optional<std::mt19937_64> random_;
  CommandQueues queues_;
  TokenCounts tokens_;
  size_t retired_ = 0;
  uint64_t steps_ = 0;
  uint64_t gemm_cycles_ = 0, alu_cycles_ = 0;  // at least
  RunResult result_;
};

class FunctionalMachine : public Machine {
 public:
  explicit FunctionalMachine(const isa::Config& config) : config_(config), codec_(config), scratchpads_(config) {}

  const isa::Config& config() const override { return config_; }
  void reset() override { scratchpads_.clear(); }
  std::vector<MicroOp> micro_ops() const override { return scratchpads_.uops(); }

  RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) override {
    const auto bytes = image_bytes(dram, image);
    std::vector<Insn> insns;
    for (size_t count = fetched(bytes); insns.size() < count;) {
      const Words words = load_words(bytes.subspan(insns.size() * kInsnBytes).first<kInsnBytes>());
      Decoded decoded = codec_.decode(words);
      if (!decoded.insn) {
        return refused(
            fmt::format("instruction {}: 0x{:016x} 0x{:016x}: {}", insns.size(), words[0], words[1], decoded.error));
      }
      insns.push_back(*decoded.insn);
    }
    if (insns.empty()) {
      return refused(fmt::format("the program has no FINISH among its first {} instructions: it would never be done",
                                 std::min<uint64_t>(image.insn_count, kMaxInsns)));
    }
    return Run(config_, scratchpads_, dram, std::move(insns), options).run();
  }

 private:
  // Instructions up to the first FINISH, after which nothing is fetched; 0 without one among the first kMaxInsns.
  size_t fetched(std::span<const std::byte> bytes) const {
    const Field& opcode = codec_.layout().field(Format::kTransfer, FieldId::kOpcode);
    for (size_t i = 0; i < std::min(bytes.size() / kInsnBytes, kMaxInsns); ++i) {
      const Words words = load_words(bytes.subspan(i * kInsnBytes).first<kInsnBytes>());
      if (get(words, opcode) == static_cast<uint64_t>(Opcode::kFinish)) return i + 1;
    }
    return 0;
  }

  static RunResult refused(std::string message) {
    RunResult result;
    result.status = RunStatus::kRefused;
    result.message = std::move(message);
    return result;
  }

  isa::Config config_;
  Codec codec_;
  Scratchpads scratchpads_;
};

}  // namespace

std::unique_ptr<Machine> make_functional_machine(const isa::Config& config) {
  return std::make_unique<FunctionalMachine>(config);
}

}  // namespace vantage::sim
