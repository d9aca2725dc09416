#include "sim/published/published_machine.h"

#include "base/stop.h"
#include "hw/isa/codec.h"
#include "sim/functional/functional_machine.h"
#include "sim/profile/recordings.h"
#include "sim/profile/retired_work.h"
#include "sim/published/event_model.h"

namespace vantage::sim {

namespace {

class PublishedMachine : public Machine {
 public:
  PublishedMachine(const isa::Config& config, PublishedOptions options)
      : functional_(make_functional_machine(config)),
        codec_(config),
        timing_(std::move(options.timing)),
        model_(functional_->config(), timing_),
        recordings_(config, options.timeline, options.vcd, options.observer) {}

  const isa::Config& config() const override { return functional_->config(); }
  std::vector<isa::MicroOp> micro_ops() const override { return functional_->micro_ops(); }
  void finish_trace() override { recordings_.finish(); }
  void reset() override {
    functional_->reset();
    model_.clear_cache();
  }

  RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) override {
    const std::vector<isa::Insn> insns = decoded(image_bytes(dram, image));
    RunOptions recorded = options;
    recorded.record_retirement = true;
    RunResult result = functional_->run(dram, image, recorded);
    result.activity.reset();  // that of our core; of theirs nobody says how its memories are used
    std::array<size_t, isa::kAllStages.size()> retired{};
    for (const RetireRecord& record : result.retired) ++retired[static_cast<size_t>(record.stage)];
    EventModel::Times times;
    try {
      times = model_.run(insns, retired, options.stop);
    } catch (const Stopped& stopped) {
      result.status = RunStatus::kStopped;
      result.message = stopped.what();
      return result;
    }
    result.cycles = whole(times.end);
    result.host_cycles = whole(timing_.host_insn * insns.size());
    result.stages = std::move(times.stages);
    result.retired = std::move(times.retired);
    if (result.ok() && result.cycles->count() > options.max_cycles) {
      result.status = RunStatus::kTimedOut;
      result.message = timed_out_message(options);
    }
    if (!result.ok()) result.failed_at = result.cycles;
    if (recordings_.wanted()) recordings_.add({result, insns, retired_work(insns, result.retired), {}});
    if (!options.record_retirement) result.retired.clear();
    return result;
  }

 private:
  // Up to the first FINISH, or to what is no instruction: the functional simulator says so.
  std::vector<isa::Insn> decoded(std::span<const std::byte> bytes) const {
    std::vector<isa::Insn> insns;
    for (; bytes.size() >= isa::kInsnBytes; bytes = bytes.subspan(isa::kInsnBytes)) {
      const auto insn = codec_.decode(isa::load_words(bytes.first<isa::kInsnBytes>())).insn;
      if (!insn) break;
      insns.push_back(*insn);
      if (std::holds_alternative<isa::Finish>(*insn)) break;
    }
    return insns;
  }

  std::unique_ptr<Machine> functional_;
  isa::Codec codec_;
  PublishedTiming timing_;
  EventModel model_;
  Recordings recordings_;
};

}  // namespace

std::unique_ptr<Machine> make_published_machine(const isa::Config& config, PublishedOptions options) {
  return std::make_unique<PublishedMachine>(config, std::move(options));
}

}  // namespace vantage::sim
