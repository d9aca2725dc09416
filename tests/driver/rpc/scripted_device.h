// A device whose machine does what a test says.
#pragma once

#include <atomic>
#include <functional>

#include "driver/device/kind.h"
#include "driver/simulators/simulator_device.h"

namespace vantage::test {

struct Script {
  std::function<void()> open = [] {};
  std::function<sim::RunResult()> run = [] { return sim::RunResult(); };
  std::function<void()> close = [] {};
};

class ScriptedMachine : public sim::Machine {
 public:
  ScriptedMachine(const isa::Config& config, Script script) : config_(config), script_(std::move(script)) {
    script_.open();
  }
  ~ScriptedMachine() override { script_.close(); }

  const isa::Config& config() const override { return config_; }
  sim::RunResult run(sim::Dram&, const sim::ProgramImage&, const sim::RunOptions&) override { return script_.run(); }
  void reset() override {}
  std::vector<isa::MicroOp> micro_ops() const override {
    return std::vector<isa::MicroOp>(config_.depth(isa::Memory::kUop).count());
  }

 private:
  const isa::Config config_;
  const Script script_;
};

inline driver::AcceleratorKind scripted(const Script& script) {
  return {
      .scheme = "scripted",
      .rest = "",
      .meaning = "does what a test says",
      .has_dram = true,
      .open = [script](const std::string& uri, const isa::Config& config, const driver::AcceleratorOptions& options) {
        return driver::make_simulator_device(uri, std::make_unique<ScriptedMachine>(config, script), *options.dram);
      }};
}

// Holds up whoever passes until it is opened; open with the object's end.
class Gate {
 public:
  ~Gate() { open(); }
  void pass() {
    reached_ = true;
    open_.wait(false);
  }
  bool reached() const { return reached_; }
  void open() {
    open_ = true;
    open_.notify_all();
  }

 private:
  std::atomic<bool> reached_ = false, open_ = false;
};

}  // namespace vantage::test
