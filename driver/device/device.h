// A device: memory that the host can fill and read. What runs something on it is an Accelerator (accelerator.h) or a
// Processor (driver/processor/processor.h).
//
// Thread safety: none; use a device from one thread at a time. Buffers must not outlive their device.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"

namespace vantage::driver {

class Device;

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
  void write_constant(std::span<const std::byte> bytes);
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
  virtual ~Device() = default;

  virtual const std::string& uri() const = 0;
  virtual Bytes memory_size() const = 0;

  // A buffer aligned for any element that the device works with. Throws Error when memory is full.
  Buffer allocate(Bytes size) { return Buffer(*this, allocate_bytes(size), size); }

  // Copies to and from device memory. Throw Error when the range ends past it.
  virtual void write(Bytes address, std::span<const std::byte> bytes) = 0;
  // The same for bytes that are likely to be wanted again, such as weights: a device far away may keep them.
  virtual void write_constant(Bytes address, std::span<const std::byte> bytes) { write(address, bytes); }
  virtual void read(Bytes address, std::span<std::byte> bytes) const = 0;

 protected:
  friend class Buffer;
  virtual Bytes allocate_bytes(Bytes size) = 0;
  virtual void release_bytes(Bytes address, Bytes size) = 0;
};

// A kind of device, for help and messages.
struct DeviceKind {
  std::string uri;  // "fsim:", "rpc://HOST:PORT"
  std::string meaning;
  std::string why_not = {};  // it cannot be opened on this machine; empty where it can, or where only trying would tell
};

}  // namespace vantage::driver
