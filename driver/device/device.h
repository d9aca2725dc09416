// A device: memory that the host can fill and read, and something that runs programs on it. Opened by URI.
//
// Thread safety: none; use a device from one thread at a time. Buffers must not outlive their device.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/spec/config.h"
#include "hw/spec/units.h"
#include "sim/machine.h"
#include "sim/memory/memory_timing.h"

namespace vantage::driver {

using sim::ProgramImage;
using sim::RunOptions;
using sim::RunResult;

class Device;

// What a device may be told when it is opened. A device refuses what means nothing to it.
struct DeviceOptions {
  std::optional<sim::MemoryTiming> memory;  // of a device with time; M64 by default
  std::filesystem::path trace;              // a file to record what happens inside, until finish_trace(); empty: none
  std::filesystem::path vcd;                // the same for what is in the queues
  // Called with what begins, when opening takes seconds.
  std::function<void(const std::string&)> progress;
};

// Device memory, released with the object. Movable, not copyable.
class Buffer {
 public:
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  Bytes address() const { return address_; }
  Bytes size() const { return size_; }

  // Copies host bytes in, or the buffer's bytes out, from its start. Throw Error when they do not fit.
  void write(std::span<const std::byte> bytes);
  void read(std::span<std::byte> bytes) const;

 private:
  friend class Device;  // Device::allocate makes them
  Buffer(Device& device, Bytes address, Bytes size) : device_(&device), address_(address), size_(size) {}

  Device* device_;  // null once moved from
  Bytes address_;
  Bytes size_;
};

class Device {
 public:
  // Opens `uri` ("fsim:") for accelerators of this configuration, with zeroed memory and scratchpads. Throws Error
  // for a scheme that is not known, with the ones that are, and for an option that the device does not have.
  static std::unique_ptr<Device> open(std::string_view uri, const spec::Config& config,
                                      const DeviceOptions& options = {});

  virtual ~Device() = default;

  virtual const std::string& uri() const = 0;
  virtual const spec::Config& config() const = 0;
  virtual Bytes memory_size() const = 0;

  // A buffer aligned for any element of the configuration. Throws Error when memory is full.
  Buffer allocate(Bytes size) { return Buffer(*this, allocate_bytes(size), size); }

  // Copies to and from device memory. Throw Error when the range ends past it.
  virtual void write(Bytes address, std::span<const std::byte> bytes) = 0;
  virtual void read(Bytes address, std::span<std::byte> bytes) const = 0;

  // Runs encoded instructions that lie in device memory.
  virtual RunResult run(const ProgramImage& image, const RunOptions& options) = 0;

  // The micro-op scratchpad as the last run left it.
  virtual std::vector<isa::MicroOp> micro_ops() const = 0;

  // Puts DeviceOptions::trace in place; see sim::Machine::finish_trace.
  virtual void finish_trace() = 0;

  // As just opened: memory and scratchpads zero. Buffers keep their addresses.
  virtual void reset() = 0;

 protected:
  friend class Buffer;
  virtual Bytes allocate_bytes(Bytes size) = 0;
  virtual void release_bytes(Bytes address, Bytes size) = 0;
};

// The kinds of device there are: scheme and one line each, for help and messages.
struct DeviceKind {
  std::string scheme;  // "fsim"
  std::string meaning;
};
const std::vector<DeviceKind>& device_kinds();

}  // namespace vantage::driver
