// The one SystemC simulation of a process: a core bound to the shared model of memory.
//
// SystemC has one kernel for a process, which elaborates modules once and never takes them back. So there is one core
// with one memory, made when it is first asked for and set up anew for every run. The whole process shares it because
// it shares SystemC; nothing else of a simulation keeps state between runs. It is never destroyed, as SystemC's own
// statics may be gone before.
//
// Thread safety: full. Whoever uses the modules holds a Turn.
#pragma once

#include <mutex>

#include "sim/systemc/core.h"
#include "sim/systemc/memory_target.h"

namespace vantage::systemc {

class Simulation {
 public:
  static Simulation& of_process();

  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // The right to use core and memory. Taking one waits until nobody else has it; a thread must not take two.
  class Turn {
   public:
    explicit Turn(Simulation& simulation) : simulation_(simulation), lock_(simulation.mutex_) {}

    Core& core() const { return simulation_.core_; }
    MemoryTarget& memory() const { return simulation_.memory_; }

   private:
    Simulation& simulation_;
    std::lock_guard<std::mutex> lock_;
  };

 private:
  Simulation();

  std::mutex mutex_;
  Core core_{"core"};
  MemoryTarget memory_{"memory", core_.clock(), core_.guard()};
};

}  // namespace vantage::systemc
