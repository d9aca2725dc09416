#include "sim/systemc/systemc_machine.h"

#include <mutex>

#include "hw/spec/codec.h"
#include "sim/functional/scratchpads.h"
#include "sim/systemc/core.h"
#include "sim/systemc/memory_target.h"

// SystemC's library wants this symbol; programs that use this file have a main of their own.
int sc_main(int, char*[]) {
  return 0;
}

namespace vantage::sim {

namespace {

// SystemC elaborates once for a process, and knows no second kernel: so there is one core with one memory, set up anew
// for every run. Never destroyed, as SystemC's own statics may be gone before.
struct Simulation {
  std::mutex mutex;
  systemc::Core core{"core"};
  systemc::MemoryTarget memory{"memory", core.clock()};

  Simulation() {
    core.port().read_socket.bind(memory.read_socket);
    core.port().write_socket.bind(memory.write_socket);
  }
  static Simulation& get() {
    static Simulation& simulation = *new Simulation;
    return simulation;
  }
};

class SystemCMachine : public Machine {
 public:
  SystemCMachine(const spec::Config& config, const SystemCOptions& options)
      : config_(config), codec_(config), scratchpads_(config), options_(options) {}

  const spec::Config& config() const override { return config_; }
  void reset() override { scratchpads_.clear(); }
  std::vector<isa::MicroOp> micro_ops() const override { return scratchpads_.uops(); }

  RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) override {
    image_bytes(dram, image);
    Executor executor(config_, scratchpads_, dram);
    Simulation& simulation = Simulation::get();
    const std::lock_guard lock(simulation.mutex);
    return simulation.core.run({config_, codec_, executor, dram, image, options},
                               [&] { simulation.memory.restart(options_.memory, config_.bus_width()); });
  }

 private:
  spec::Config config_;
  isa::Codec codec_;
  Scratchpads scratchpads_;
  SystemCOptions options_;
};

}  // namespace

std::unique_ptr<Machine> make_systemc_machine(const spec::Config& config, const SystemCOptions& options) {
  return std::make_unique<SystemCMachine>(config, options);
}

}  // namespace vantage::sim
