#include "driver/rpc/workspace/session_memory.h"

#include <fmt/format.h>

#include "base/error.h"
#include "driver/rpc/protocol/errors.h"

namespace vantage::rpc {

v1::AllocateReply SessionMemory::allocate(driver::Device& device, Bytes size, Bytes beside) {
  if (buffers_.size() >= limits_.allocations()) {
    throw QuotaError(fmt::format("the session has {} allocations, which is as many as this server allows; release some",
                                 buffers_.size()));
  }
  // A device of the session's own has no more memory than this; a board, which is shared, may.
  const Bytes memory(limits_.memory_bytes());
  if (const Bytes all = held() + beside; size > memory || all > memory - size) {
    throw QuotaError(
        fmt::format("{} bytes on top of the session's {} are more than the {} that this server gives to one",
                    size.count(), all.count(), memory.count()));
  }
  driver::Buffer buffer = device.allocate(size);
  v1::AllocateReply reply;
  reply.set_address(buffer.address().count());
  buffers_.emplace(reply.address(), std::move(buffer));
  return reply;
}

void SessionMemory::release(Bytes address, const std::function<void(uint64_t)>& require_unused) {
  const auto buffer = buffers_.find(address.count());
  if (buffer == buffers_.end()) fail("there is no allocation at address {}", address.count());
  require_unused(address.count());
  buffers_.erase(buffer);
}

const driver::Buffer* SessionMemory::find(uint64_t address) const {
  const auto buffer = buffers_.find(address);
  return buffer == buffers_.end() ? nullptr : &buffer->second;
}

Bytes SessionMemory::held() const {
  Bytes sum;
  for (const auto& [address, buffer] : buffers_) sum += buffer.size();
  return sum;
}

}  // namespace vantage::rpc
