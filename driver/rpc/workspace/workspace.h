// What a session has of a device: its memory, its programs, and what is left of the quotas of both. In this process
// (local_workspace.h) or in one of its own (workspace_process.h).
//
// Thread safety: one thread at a time, but for resident(), end() and is_gone().
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

#include "base/units.h"
#include "driver/rpc/protocol/workspace.pb.h"

namespace vantage::rpc {

class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  virtual ~Workspace() = default;

  // Comes first: opens the device, and says what it is. Throws Error when there is none of this
  // configuration or memory setting. `progress` is called with what begins, when that takes seconds.
  virtual v1::OpenReply open(const v1::OpenRequest& request, const std::function<void(const std::string&)>& progress,
                             const std::stop_token& stop) = 0;

  // Answers one request, of those that are neither `open` nor a piece. What takes time ends early once `stop` is
  // requested, with whatever result. Throws Error for a range, an address or a program that the session does not have,
  // QuotaError when there is no room for another, and SessionOver when the process that had all of it is gone.
  virtual v1::WorkspaceReply call(const v1::WorkspaceRequest& request, const std::stop_token& stop) = 0;

  // The same for bytes of the device's memory.
  virtual void write(Bytes address, std::span<const std::byte> bytes, const std::stop_token& stop) = 0;
  virtual void read(Bytes address, std::span<std::byte> bytes, const std::stop_token& stop) = 0;

  // Memory of this machine that a process of its own takes; 0 where there is none.
  virtual Bytes resident() const { return Bytes(0); }
  // Ends a process of its own, whatever it does: what is under way throws SessionOver. False where there is none.
  virtual bool end() { return false; }
  // Whether such a process has ended.
  virtual bool is_gone() const { return false; }
};

}  // namespace vantage::rpc
