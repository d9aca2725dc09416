// One NVIDIA GPU as whoever holds it sees it: memory at its own addresses, and programs and calls of NVIDIA's libraries
// bound to them. It works until a kernel faults, and then never again.
//
// Thread safety: none; use a GPU from one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "driver/cuda/library_call.h"
#include "driver/device/time_evaluator.h"
#include "native/gpu_program.h"

namespace vantage::driver {

// A kernel touched what is not its own, or else ended in a way that takes everything on its GPU with it.
class GpuFault : public Error {
 public:
  using Error::Error;
};

struct GpuInfo {
  std::string name;    // "NVIDIA H100 80GB HBM3"
  int capability = 0;  // 90 for 9.0
  Bytes memory;
  Bytes l2_cache;
  Bytes block_shared;  // as much shared memory as a block may be given
  int multiprocessors = 0;
  int clock_khz = 0, memory_clock_khz = 0;  // at most; 0 where the driver does not tell
  int memory_bus_bits = 0;
  int driver_version = 0;  // the newest version of CUDA that the driver knows: 13000 for 13.0
};

// "sm_90"
std::string architecture_name(const GpuInfo& info);
// Of what cuDriverGetVersion says: "13.0".
std::string cuda_version(int version);

class Gpu {
 public:
  // A program, or a call, bound to addresses.
  struct Bound {
    uint64_t number = 0;
    // What runs: "machine code for sm_90", or why the driver had to make it from PTX; of a library its version, and
    // how it does it.
    std::string code;
  };

  // One of several calls: its number, and the earlier ones of them, counted from 0, that must have ended when it
  // begins.
  struct Joined {
    uint64_t number = 0;
    std::vector<size_t> after;
  };

  Gpu() = default;
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  virtual ~Gpu() = default;

  virtual const GpuInfo& info() const = 0;

  // Zeroed memory. Throws Error when there is not as much, with what was asked for and what is free.
  virtual uint64_t allocate(Bytes size) = 0;
  virtual void release(uint64_t address) = 0;
  virtual void write(uint64_t address, std::span<const std::byte> bytes) = 0;
  virtual void read(uint64_t address, std::span<std::byte> bytes) = 0;

  // Loads a program onto addresses of memory for its tensors, in order. Throws Error where the driver takes neither the
  // machine code nor the PTX, with what would help.
  virtual Bound bind(const native::GpuProgram& program, const std::vector<uint64_t>& tensors) = 0;
  // The same with a call of a library. Throws Error where there is no such library, where it does not do this, and
  // where the GPU has no room for what the call needs besides.
  virtual Bound bind(const LibraryCall& call, const std::vector<uint64_t>& tensors) = 0;
  // Calls that are bound as one that is bound: on a CUDA graph of all their launches, those beside each other that do
  // not need each other. They must stay bound until this one is no longer.
  virtual Bound join(const std::vector<Joined>& calls) = 0;
  virtual void unbind(uint64_t number) = 0;
  // Runs it and waits; the seconds that the GPU took, by its own clock. Throws GpuFault where a kernel faulted, Error
  // where one cannot be launched. `stop` ends a kernel only together with the process that holds the GPU: where that is
  // one of its own, this throws GpuFault soon after it was requested, and otherwise it is not looked at.
  virtual double run(uint64_t number, const std::stop_token& stop) = 0;
  // As time_evaluator, by the GPU's own clock: what a sample has is runs back to back.
  virtual Timing time(uint64_t number, const TimeOptions& options, const std::stop_token& stop) = 0;
};

}  // namespace vantage::driver
