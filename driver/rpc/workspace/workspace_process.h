// A session's device, memory and programs in a process of its own: what crashes it, or fills its memory, costs one
// session, and what does not stop when it is asked to can be ended.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/rpc/workspace/workspace_link.h"

namespace vantage::rpc {

class WorkspaceProcess : public WorkspaceLink {
 public:
  // Starts `program` (workspace_main.cpp). Throws ServerError when it cannot be started.
  explicit WorkspaceProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments = {});
  ~WorkspaceProcess() override;  // ends the process

  Bytes resident() const override;
  bool end() override;
  bool is_gone() const override;

 protected:
  std::string how_it_ended() override;

 private:
  pid_t pid_ = 0;
  std::atomic<bool> ended_ = false;
  std::string ending_;  // how, once that is known
};

}  // namespace vantage::rpc
