// A device that runs programs of an accelerator. driver/open/open.h opens one by URI.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>

#include "driver/device/loaded_program.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::boards {
class System;
}

namespace vantage::sim {
struct RecordedRun;
}

namespace vantage::driver {

// What an accelerator may be told when it is opened. One refuses what means nothing to it (driver/device/kind.h).
struct AcceleratorOptions {
  std::optional<MemoryTiming> memory;  // of a device with time; M64 by default
  std::filesystem::path trace;         // a file to record what happens inside, until finish_trace(); empty: none
  std::filesystem::path vcd;           // the same for what is in the queues
  // Size of a simulator's memory, by default all that 32-bit addresses name; or at most so much of a board's.
  std::optional<Bytes> dram;
  std::filesystem::path boards;  // the folder with the descriptions of boards
  // The system calls that reach this machine's board, where several things in one process do; null: its own.
  std::shared_ptr<boards::System> machine;
  // Told of every run of a machine that records what happens inside (AcceleratorKind::observes); others never call it.
  std::function<void(const sim::RecordedRun&)> observer;
  // Called with what begins, when opening takes seconds.
  std::function<void(const std::string&)> progress;
  // Called with a line that a device far away has to say; from another thread.
  std::function<void(const std::string&)> log;
};

class Accelerator : public Device {
 public:
  virtual const isa::Config& config() const = 0;

  // Runs encoded instructions that lie in device memory.
  virtual RunResult run(const ProgramImage& image, const RunOptions& options) = 0;

  // Whether its memory begins at address 0 and is all the caller's, so that an image may lie where it likes.
  virtual bool runs_images() const { return true; }

  // Makes a program ready to run: verified, placed, linked. `tensors` are the buffers of the program's, in its order,
  // on this device; they and the device must outlive the result. Throws Error when the program is for another
  // configuration, or when the verifier refuses it (its first message) whatever the scratchpads hold by then; what
  // depends on that is seen to when it runs. InternalError for more or fewer buffers than the program has tensors.
  // Throws Stopped (base/stop.h) soon after it is told to stop.
  std::unique_ptr<LoadedProgram> load(const Program& program, const std::vector<const Buffer*>& tensors,
                                      const std::stop_token& stop = {});
  // The same with buffers by the names of the tensors. Throws Error also when one is missing, too small, or not the
  // program's. A braced list of buffers alone would fit both of these: name them, or make a vector of them.
  std::unique_ptr<LoadedProgram> load(const Program& program, const std::map<std::string, const Buffer*>& tensors,
                                      const std::stop_token& stop = {});

  // The micro-op scratchpad as the last run left it.
  virtual std::vector<isa::MicroOp> micro_ops() const = 0;

  // Puts AcceleratorOptions::trace in place; see sim::Machine::finish_trace.
  virtual void finish_trace() = 0;

  // As just opened: memory and scratchpads zero. Buffers keep their addresses.
  virtual void reset() = 0;
  // The same for scratchpads alone.
  virtual void clear_scratchpads() = 0;

 protected:
  // What load() does on this device, by default load_into_memory(). There is a buffer for every tensor, in order.
  virtual std::unique_ptr<LoadedProgram> load_in_order(const Program& program,
                                                       const std::vector<const Buffer*>& tensors,
                                                       const std::stop_token& stop);
};

}  // namespace vantage::driver
