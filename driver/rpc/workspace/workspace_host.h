// The other side of workspace_process.h: answers a server's requests for one session until the server closes.
#pragma once

#include "driver/rpc/workspace/workspace.h"

namespace vantage::rpc {

// The files that such a process is started with: requests and replies; the numbers of requests to stop; bytes.
inline constexpr int kChannelFile = 3;
inline constexpr int kControlFile = 4;
inline constexpr int kPieceFile = 5;
// Those that it is given are at least this in the server, so that none is in the way of another.
inline constexpr int kLeastFile = kPieceFile + 1;

// Answers from `workspace`. Returns when the server has gone, or ends the process in the middle of a request then.
void host_workspace(Workspace& workspace);

}  // namespace vantage::rpc
