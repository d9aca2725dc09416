// The other side of workspace_process.h: answers a server's requests for one session until the server closes.
#pragma once

#include <functional>
#include <string>

#include "driver/boards/flash_job.h"
#include "driver/rpc/workspace/workspace.h"

namespace vantage::rpc {

// The files that such a process is started with: requests and replies; the numbers of requests to stop; bytes.
inline constexpr int kChannelFile = 3;
inline constexpr int kControlFile = 4;
inline constexpr int kPieceFile = 5;
// Those that it is given are at least this in the server, so that none is in the way of another.
inline constexpr int kLeastFile = kPieceFile + 1;

// The files of one session, which are closed with it.
struct HostFiles {
  int channel, control, piece;
};

// What else is done for a session.
struct HostOptions {
  std::function<void()> gone;  // called, in another thread, when the server has gone in the middle of a request
  boards::Flasher flash = {};  // empty: there is no board
};

// Answers from `workspace` until the server has gone.
void host_workspace(Workspace& workspace, const HostFiles& files, const HostOptions& options);

}  // namespace vantage::rpc
