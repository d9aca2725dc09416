#include "sim/systemc/systemc_machine.h"

#include <optional>
#include <utility>

#include "base/file.h"
#include "base/temporary.h"
#include "hw/isa/codec.h"
#include "sim/functional/scratchpads.h"
#include "sim/profile/timeline.h"
#include "sim/systemc/simulation.h"

namespace vantage::sim {

namespace {

// What is in the queues, as a VCD file, until finish().
class QueueWaves {
 public:
  QueueWaves(systemc::Core& core, const std::filesystem::path& path) : core_(core), file_(path) {
    trace_ = sc_core::sc_create_vcd_trace_file(file_.path().c_str());
    trace_->set_time_unit(1, sc_core::SC_PS);
    core_.trace_queues(trace_);
  }
  ~QueueWaves() { close(); }

  void finish() {
    close();
    // SystemC adds a suffix of its own, and writes nothing when no time has passed
    const std::filesystem::path written = file_.path().string() + ".vcd";
    if (!std::filesystem::exists(written)) return;
    std::filesystem::rename(written, file_.path());
    file_.commit();
  }

 private:
  void close() {
    if (trace_ == nullptr) return;
    core_.end_trace();
    sc_core::sc_close_vcd_trace_file(std::exchange(trace_, nullptr));
  }

  systemc::Core& core_;
  NewFile file_;
  sc_core::sc_trace_file* trace_;
};

class SystemCMachine : public Machine {
 public:
  SystemCMachine(const isa::Config& config, const SystemCOptions& options)
      : config_(config), codec_(config), scratchpads_(config), memory_(options.memory) {
    if (!options.timeline.empty()) {
      timeline_.emplace(config);
      timeline_file_ = std::make_unique<NewFile>(options.timeline);
    }
    if (!options.vcd.empty()) {
      const systemc::Simulation::Turn turn(simulation_);
      waves_ = std::make_unique<QueueWaves>(turn.core(), options.vcd);
    }
  }
  ~SystemCMachine() override {
    const systemc::Simulation::Turn turn(simulation_);
    waves_.reset();
  }

  const isa::Config& config() const override { return config_; }
  void reset() override { scratchpads_.clear(); }
  std::vector<isa::MicroOp> micro_ops() const override { return scratchpads_.uops(); }

  RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) override {
    image_bytes(dram, image);
    Executor executor(config_, scratchpads_, dram);
    RunOptions recorded = options;
    recorded.record_retirement = options.record_retirement || timeline_file_ != nullptr;
    const systemc::Simulation::Turn turn(simulation_);
    systemc::Core& core = turn.core();
    RunResult result = core.run({config_, codec_, executor, dram, image, recorded, timeline_file_ != nullptr},
                                [&] { turn.memory().restart(memory_, config_.bus_width()); });
    if (timeline_file_) {
      std::vector<BusBurst> bursts;
      for (const systemc::BurstRecord& burst : core.bursts()) {
        bursts.push_back({Cycles(burst.first.number()), Cycles(burst.last.number()), config_.bus_width() * burst.beats,
                          burst.is_write});
      }
      timeline_->add(result, core.insns(), bursts);
      if (!options.record_retirement) result.retired.clear();
    }
    return result;
  }

  void finish_trace() override {
    if (timeline_file_) {
      write_file(timeline_file_->path(), timeline_->json());
      timeline_file_->commit();
      timeline_file_.reset();
    }
    const systemc::Simulation::Turn turn(simulation_);
    if (waves_) waves_->finish();
    waves_.reset();
  }

 private:
  systemc::Simulation& simulation_ = systemc::Simulation::of_process();
  isa::Config config_;
  isa::Codec codec_;
  Scratchpads scratchpads_;
  MemoryTiming memory_;
  std::optional<Timeline> timeline_;
  std::unique_ptr<NewFile> timeline_file_;
  std::unique_ptr<QueueWaves> waves_;
};

}  // namespace

std::unique_ptr<Machine> make_systemc_machine(const isa::Config& config, const SystemCOptions& options) {
  return std::make_unique<SystemCMachine>(config, options);
}

}  // namespace vantage::sim
