// The other side of shared_process.h: one device, whose sessions come with their files over a socket.
#pragma once

#include <functional>
#include <memory>

#include "driver/rpc/workspace/workspace_host.h"

namespace vantage::rpc {

// Returns when the server has gone, and every session has ended.
void host_shared(int socket, const std::function<std::unique_ptr<Workspace>()>& start, const HostOptions& options);

}  // namespace vantage::rpc
