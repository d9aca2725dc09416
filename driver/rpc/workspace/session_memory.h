// What a session has allocated of a device, within its quotas.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <map>

#include "driver/device/device.h"
#include "driver/rpc/protocol/workspace.pb.h"

namespace vantage::rpc {

class SessionMemory {
 public:
  void set_limits(const v1::WorkspaceLimits& limits) { limits_ = limits; }

  // `beside`: bytes that count as the session's, too. Throws QuotaError when it has as many allocations, or as much
  // memory, as it may, and Error when the device has no room.
  v1::AllocateReply allocate(driver::Device& device, Bytes size, Bytes beside = {});
  // `require_unused` throws Error when something that is loaded needs the allocation. Throws Error when there is none.
  void release(Bytes address, const std::function<void(uint64_t)>& require_unused);

  // Null when there is none that begins at this address.
  const driver::Buffer* find(uint64_t address) const;
  Bytes held() const;

 private:
  v1::WorkspaceLimits limits_;
  std::map<uint64_t, driver::Buffer> buffers_;  // by address
};

}  // namespace vantage::rpc
