#include "sim/rtl/rtl_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "base/error.h"
#include "hw/isa/codec.h"
#include "hw/isa/disassemble.h"
#include "hw/isa/legality.h"
#include "hw/isa/register_map.h"
#include "hw/isa/tokens.h"
#include "sim/profile/retired_work.h"
#include "sim/rtl/rtl_core.h"

namespace vantage::sim {

using namespace isa;

namespace {

// Every so many cycles a run looks whether it is to stop.
constexpr uint64_t kStopInterval = 4096;

// One program on the core.
class Run {
 public:
  // `uops` is the micro-op scratchpad, followed as its loads retire.
  Run(RtlCore& core, const isa::Config& config, const Codec& codec, std::vector<MicroOp>& uops, Dram& dram,
      const ProgramImage& image, const RunOptions& options, Cycles hang_after)
      : core_(core),
        config_(config),
        codec_(codec),
        uops_(uops),
        dram_(dram),
        image_(image),
        options_(options),
        hang_after_(hang_after.count()),
        deadline_(hang_after_) {
    const auto bytes = image_bytes(dram, image);
    program_.assign(bytes.begin(),
                    bytes.begin() + static_cast<ptrdiff_t>(std::min(bytes.size(), kMaxInsns * kInsnBytes)));
  }

  RunResult run() {
    RtlRegisters registers(core_, dram_);
    write_register(registers, "INSN_ADDRESS", static_cast<uint32_t>(image_.insn_address.count()));
    write_register(registers, "INSN_COUNT", static_cast<uint32_t>(std::min<uint64_t>(image_.insn_count, UINT32_MAX)));
    write_register(registers, "MEMORY_LAST", static_cast<uint32_t>(dram_.size().count() - 1));
    const bool is_watched = options_.max_cycles <= UINT32_MAX;
    write_register(registers, "WATCHDOG", is_watched ? static_cast<uint32_t>(options_.max_cycles) : 0);
    write_register(registers, "IRQ_ENABLE", kIrqEnableEnd.mask());
    write_register(registers, "CONTROL", kControlStart.mask());
    const core::Activity before = core_.activity();
    while (!core_.interrupt() && result_.status == RunStatus::kDone) {
      now_ = core_.now();
      const unsigned trace = core_.cycle(dram_);
      if (trace != 0 || core_.memory_active()) expect_event_within(hang_after_);
      if (core_.beat_read()) follow_fetch(*core_.beat_read());
      if (trace != 0) follow(trace);
      if (now_ % kStopInterval == 0 && options_.stop.stop_requested()) {
        result_.status = RunStatus::kStopped;
        result_.message = fmt::format("the run was stopped in cycle {}", now_);
      }
      if (now_ > deadline_) {
        throw InternalError(fmt::format("the core has done nothing for {} cycles, in cycle {}", hang_after_, now_));
      }
    }
    if (result_.status == RunStatus::kDone) {
      read_outcome(registers, FaultContext{config_, codec_, dram_.size(), program_, uops_}, result_);
      if (result_.status == RunStatus::kTimedOut) result_.message = timed_out_message(options_);
      count_activity(before);
    } else {  // given up: what was counted until then
      read_counters(registers, result_);
      abort(registers);
    }
    return std::move(result_);
  }

  // As they were fetched, up to the first FINISH, or to what is no instruction.
  std::vector<Insn> insns() const {
    std::vector<Insn> insns;
    for (uint32_t i = 0; size_t{i + 1} * kInsnBytes <= program_.size(); ++i) {
      const Decoded decoded = codec_.decode(words_of(program_, i));
      if (!decoded.insn) break;
      insns.push_back(*decoded.insn);
      if (std::holds_alternative<Finish>(insns.back())) break;
    }
    return insns;
  }

 private:
  // What of it was done since `before`. Of a run that fails also what an instruction did that did not end.
  void count_activity(const core::Activity& before) {
    core::Activity activity = core_.activity();
    for (const core::ActivityInfo& info : core::kActivity) activity.*info.value -= before.*info.value;
    activity.insns = retired_;
    result_.activity = activity;
  }

  // Ends the run as a driver does, once memory has answered.
  void abort(RtlRegisters& registers) {
    write_register(registers, "CONTROL", kControlAbort.mask());
    for (uint64_t cycles = 0; !core_.interrupt(); ++cycles) {
      if (cycles > hang_after_) throw InternalError("the core does not end a run that was aborted");
      core_.cycle(dram_);
    }
    write_register(registers, "STATUS", kStatusDone.mask() | kStatusError.mask());
  }

  // Instructions are what memory holds when they are fetched, which a store may have changed since the run began. What
  // is read of them after their dispatch is data. A load of instructions that are fetched and not yet dispatched, after
  // a store to them, is taken for their fetch: nothing outside the core can tell.
  void follow_fetch(const AxiPort::Beat& beat) {
    const uint64_t base = image_.insn_address.count();
    const uint64_t begin = std::max(beat.address, base + uint64_t{dispatched_} * kInsnBytes);
    const uint64_t end = std::min(beat.address + beat.bytes.size(), base + program_.size());
    if (begin >= end) return;
    std::copy_n(beat.bytes.begin() + static_cast<ptrdiff_t>(begin - beat.address), end - begin,
                program_.begin() + static_cast<ptrdiff_t>(begin - base));
  }

  // trace: {retire, issue, dispatch}, three stages each.
  void follow(unsigned trace) {
    for (Stage s : kAllStages) {
      const unsigned bit = static_cast<unsigned>(s);
      // A store of nothing is issued and retires in one cycle, so later events come last.
      if ((trace >> bit) & 1) dispatched(s);
      if ((trace >> (3 + bit)) & 1) issued(s);
      if ((trace >> (6 + bit)) & 1) retired(s);
    }
  }

  struct Life {
    uint32_t insn;
    uint64_t dispatch, issue;
  };

  void dispatched(Stage s) { waiting_[static_cast<size_t>(s)].push_back({dispatched_++, now_, 0}); }

  void issued(Stage s) {
    auto& waiting = waiting_[static_cast<size_t>(s)];
    VANTAGE_CHECK(!waiting.empty());
    waiting.front().issue = now_;
    running_[static_cast<size_t>(s)].push_back(waiting.front());
    waiting.pop_front();
    if (s == Stage::kCompute) count_steps(running_[1].back().insn);
  }

  void retired(Stage s) {
    auto& running = running_[static_cast<size_t>(s)];
    VANTAGE_CHECK(!running.empty());
    const Life life = running.front();
    running.pop_front();
    ++retired_;
    if (s == Stage::kCompute) follow_uops(life.insn);
    if (options_.progress) options_.progress(retired_, dispatched_);
    if (options_.record_retirement) {
      result_.retired.push_back({life.insn, s, Cycles(life.dispatch), Cycles(life.issue), Cycles(now_)});
    }
  }

  // A load of micro-ops has ended: the scratchpad now holds what memory does.
  void follow_uops(uint32_t insn) {
    const Decoded decoded = codec_.decode(words_of(program_, insn));
    const auto* load = decoded.insn ? std::get_if<Load>(&*decoded.insn) : nullptr;
    if (load == nullptr || load->transfer.memory != Memory::kUop || load->transfer.moves_nothing()) return;
    const Transfer& t = load->transfer;
    // The core may have been given another instruction; see follow_fetch.
    if (check(*load, config_, dram_.size())) return;
    const auto bytes =
        dram_.range(Bytes(uint64_t{t.dram_base} * kMicroOpBytes), Bytes(uint64_t{t.x_size} * kMicroOpBytes));
    for (uint32_t i = 0; i < t.x_size; ++i) {
      uops_[t.sram_base + i] =
          codec_.decode_uop(load_u32(bytes.subspan(size_t{i} * kMicroOpBytes).first<kMicroOpBytes>()));
    }
  }

  void count_steps(uint32_t index) {
    const Decoded decoded = codec_.decode(words_of(program_, index));
    if (!decoded.insn) return;
    uint64_t steps = 0;
    if (const auto* gemm = std::get_if<Gemm>(&*decoded.insn)) steps = gemm->loop.steps();
    if (const auto* alu = std::get_if<Alu>(&*decoded.insn)) steps = alu->loop.steps();
    // Steps go on without any other event; one takes at most two cycles
    expect_event_within(hang_after_ + 2 * steps);
    if (steps <= options_.max_steps - steps_) {
      steps_ += steps;
      return;
    }
    result_.status = RunStatus::kStepLimit;
    result_.message = fmt::format("instruction {}: {}: the run would exceed its limit of {} steps", index,
                                  disassemble(*decoded.insn), options_.max_steps);
  }

  void expect_event_within(uint64_t cycles) { deadline_ = std::max(deadline_, now_ + cycles); }

  RtlCore& core_;
  const isa::Config& config_;
  const Codec& codec_;
  std::vector<MicroOp>& uops_;
  Dram& dram_;
  const ProgramImage& image_;
  const RunOptions& options_;
  const uint64_t hang_after_;
  std::vector<std::byte> program_;  // as it was fetched so far, the rest as it was at the start
  uint64_t now_ = 0;
  uint64_t deadline_;
  uint32_t dispatched_ = 0;
  uint64_t retired_ = 0;
  uint64_t steps_ = 0;
  std::array<std::deque<Life>, kAllStages.size()> waiting_, running_;
  RunResult result_;
};

class RtlMachine : public Machine {
 public:
  RtlMachine(const isa::Config& config, const RtlLibrary& library, const RtlOptions& options)
      : config_(config),
        codec_(config),
        core_(config, library, options),
        uops_(no_uops()),
        observer_(options.observer),
        hang_after_(options.hang_after) {}

  const isa::Config& config() const override { return config_; }
  std::vector<MicroOp> micro_ops() const override { return uops_; }

  void finish_trace() override { core_.finish_waves(); }

  void reset() override {
    core_.power_on();
    uops_ = no_uops();
  }

  RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) override {
    RunOptions observed = options;
    observed.record_retirement |= observer_ != nullptr;
    Run run(core_, config_, codec_, uops_, dram, image, observed, hang_after_);
    RunResult result = run.run();
    if (!observer_) return result;
    if (result.cycles) {
      const std::vector<Insn> insns = run.insns();
      observer_({result, insns, retired_work(insns, result.retired), {}});
    }
    if (!options.record_retirement) result.retired.clear();
    return result;
  }

 private:
  std::vector<MicroOp> no_uops() const { return std::vector<MicroOp>(config_.depth(Memory::kUop).count()); }

  isa::Config config_;
  Codec codec_;
  RtlCore core_;
  std::vector<MicroOp> uops_;
  RunObserver observer_;
  Cycles hang_after_;
};

}  // namespace

std::unique_ptr<Machine> make_rtl_machine(const isa::Config& config, const RtlLibrary& library,
                                          const RtlOptions& options) {
  return std::make_unique<RtlMachine>(config, library, options);
}

}  // namespace vantage::sim
