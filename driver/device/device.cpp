#include "driver/device/device.h"

#include <utility>

#include "base/error.h"

namespace vantage::driver {

Buffer::Buffer(Buffer&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)), address_(other.address_), size_(other.size_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  std::swap(size_, other.size_);
  return *this;
}

Buffer::~Buffer() {
  if (device_ != nullptr) device_->release_bytes(address_, size_);
}

void Buffer::write(std::span<const std::byte> bytes) {
  if (bytes.size() > size_.count()) fail("{} bytes do not fit a buffer of {}", bytes.size(), size_.count());
  device_->write(address_, bytes);
}

void Buffer::write_constant(std::span<const std::byte> bytes) {
  if (bytes.size() > size_.count()) fail("{} bytes do not fit a buffer of {}", bytes.size(), size_.count());
  device_->write_constant(address_, bytes);
}

void Buffer::read(std::span<std::byte> bytes) const {
  if (bytes.size() > size_.count()) fail("a buffer of {} bytes cannot give {}", size_.count(), bytes.size());
  device_->read(address_, bytes);
}

}  // namespace vantage::driver
