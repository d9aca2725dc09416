#include "sim/systemc/systemc_machine.h"

#include <memory>

#include "base/file.h"
#include "base/temporary.h"
#include "hw/isa/codec.h"
#include "sim/functional/scratchpads.h"
#include "sim/profile/timeline.h"
#include "sim/profile/waves.h"
#include "sim/systemc/simulation.h"

namespace vantage::sim {

namespace {

// A file that runs are written into: a Timeline or Waves.
template <typename Record>
struct Recording {
  Recording(const isa::Config& config, const std::filesystem::path& path) : record(config), file(path) {}

  Record record;
  NewFile file;
};

class SystemCMachine : public Machine {
 public:
  SystemCMachine(const isa::Config& config, const SystemCOptions& options)
      : config_(config), codec_(config), scratchpads_(config), memory_(options.memory) {
    if (!options.timeline.empty()) timeline_ = std::make_unique<Recording<Timeline>>(config, options.timeline);
    if (!options.vcd.empty()) waves_ = std::make_unique<Recording<Waves>>(config, options.vcd);
  }

  const isa::Config& config() const override { return config_; }
  void reset() override { scratchpads_.clear(); }
  std::vector<isa::MicroOp> micro_ops() const override { return scratchpads_.uops(); }

  RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) override {
    image_bytes(dram, image);
    Executor executor(config_, scratchpads_, dram);
    const bool records = timeline_ != nullptr || waves_ != nullptr;
    RunOptions recorded = options;
    recorded.record_retirement = options.record_retirement || records;
    const systemc::Simulation::Turn turn(simulation_);
    systemc::Core& core = turn.core();
    RunResult result = core.run({config_, codec_, executor, dram, image, recorded, records},
                                [&] { turn.memory().restart(memory_, config_.bus_width()); });
    if (!records) return result;
    std::vector<BusBurst> bursts;
    for (const systemc::BurstRecord& burst : core.bursts()) {
      bursts.push_back({Cycles(burst.first.number()), Cycles(burst.last.number()), config_.bus_width() * burst.beats,
                        burst.is_write});
    }
    const RecordedRun run{result, core.insns(), core.work(), bursts};
    if (timeline_) timeline_->record.add(run);
    if (waves_) waves_->record.add(run);
    if (!options.record_retirement) result.retired.clear();
    return result;
  }

  void finish_trace() override {
    if (timeline_) end(timeline_, timeline_->record.json());
    if (waves_) end(waves_, waves_->record.vcd());
  }

 private:
  template <typename Record>
  static void end(std::unique_ptr<Recording<Record>>& recording, const std::string& text) {
    write_file(recording->file.path(), text);
    recording->file.commit();
    recording.reset();
  }

  systemc::Simulation& simulation_ = systemc::Simulation::of_process();
  isa::Config config_;
  isa::Codec codec_;
  Scratchpads scratchpads_;
  MemoryTiming memory_;
  std::unique_ptr<Recording<Timeline>> timeline_;
  std::unique_ptr<Recording<Waves>> waves_;
};

}  // namespace

std::unique_ptr<Machine> make_systemc_machine(const isa::Config& config, const SystemCOptions& options) {
  return std::make_unique<SystemCMachine>(config, options);
}

}  // namespace vantage::sim
