// A session's device, memory and programs in a process of its own: what crashes it, or fills its memory, costs one
// session, and what does not stop when it is asked to can be ended.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "driver/rpc/workspace/channel.h"
#include "driver/rpc/workspace/shared_piece.h"
#include "driver/rpc/workspace/workspace.h"

namespace vantage::rpc {

class WorkspaceProcess : public Workspace {
 public:
  // Starts `program` (workspace_main.cpp). Throws Error when it cannot be started.
  explicit WorkspaceProcess(const std::filesystem::path& program);
  ~WorkspaceProcess() override;  // ends the process

  Bytes open(const v1::OpenRequest& request, const std::function<void(const std::string&)>& progress,
             const std::stop_token& stop) override;
  v1::WorkspaceReply call(const v1::WorkspaceRequest& request, const std::stop_token& stop) override;
  void write(Bytes address, std::span<const std::byte> bytes, const std::stop_token& stop) override;
  void read(Bytes address, std::span<std::byte> bytes, const std::stop_token& stop) override;
  Bytes resident() const override;
  bool end() override;
  bool is_gone() const override;

  pid_t pid() const { return pid_; }

 private:
  v1::WorkspaceReply answer(v1::WorkspaceRequest request, const std::function<void(const std::string&)>& progress,
                            const std::stop_token& stop);
  // What to say once the process is gone.
  std::string how_it_ended();

  struct Ends;  // of what the processes share
  WorkspaceProcess(const std::filesystem::path& program, Ends&& ends);

  Channel channel_;
  const int control_;  // numbers of requests to stop go in; its end ends the process
  SharedPiece piece_;
  const pid_t pid_;
  uint64_t next_number_ = 1;
  std::atomic<bool> ended_ = false;
  std::string ending_;  // how, once that is known
};

}  // namespace vantage::rpc
