#include "sim/systemc/systemc_machine.h"

#include <memory>

#include "hw/isa/codec.h"
#include "sim/functional/scratchpads.h"
#include "sim/profile/recordings.h"
#include "sim/systemc/simulation.h"

namespace vantage::sim {

namespace {

class SystemCMachine : public Machine {
 public:
  SystemCMachine(const isa::Config& config, const SystemCOptions& options)
      : config_(config),
        codec_(config),
        scratchpads_(config),
        memory_(options.memory),
        recordings_(config, options.timeline, options.vcd, options.observer) {}

  const isa::Config& config() const override { return config_; }
  void reset() override { scratchpads_.clear(); }
  std::vector<isa::MicroOp> micro_ops() const override { return scratchpads_.uops(); }

  RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) override {
    image_bytes(dram, image);
    Executor executor(config_, scratchpads_, dram);
    const bool records = recordings_.wanted();
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
    recordings_.add({result, core.insns(), core.work(), bursts, core.busy(), core.token_waits(), core.uses()});
    if (!options.record_retirement) result.retired.clear();
    return result;
  }

  void finish_trace() override { recordings_.finish(); }

 private:
  systemc::Simulation& simulation_ = systemc::Simulation::of_process();
  isa::Config config_;
  isa::Codec codec_;
  Scratchpads scratchpads_;
  MemoryTiming memory_;
  Recordings recordings_;
};

}  // namespace

std::unique_ptr<Machine> make_systemc_machine(const isa::Config& config, const SystemCOptions& options) {
  return std::make_unique<SystemCMachine>(config, options);
}

}  // namespace vantage::sim
