// A device that all sessions of a server share, in a process of its own: what the device needs, such as root's rights
// on a board, the server need not have.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "driver/boards/flash_job.h"
#include "driver/rpc/workspace/workspace.h"

namespace vantage::rpc {

// What the process is started with, as arguments of `vantage-workspace`.
struct SharedDevice {
  std::string uri;
  std::filesystem::path boards;      // the folder with the descriptions of boards
  std::filesystem::path manifest;    // of bitstreams,
  std::filesystem::path bitstreams;  // and the folder with those that are kept
  bool allow_flash = false;
  bool allow_unverified = false;

  std::vector<std::string> arguments() const;
  // Throws InternalError for what arguments() does not give.
  static SharedDevice parse(const std::vector<std::string>& arguments);
};

class SharedProcess {
 public:
  // Starts `program` (workspace_main.cpp). Throws ServerError when it cannot be started.
  SharedProcess(const std::filesystem::path& program, const SharedDevice& device);
  SharedProcess(const SharedProcess&) = delete;
  SharedProcess& operator=(const SharedProcess&) = delete;
  ~SharedProcess();  // asks it to end

  // A session's, which begins with open(). Throws SessionOver when the process is gone.
  std::unique_ptr<Workspace> start();
  // Puts a bitstream on the board, telling each step; throws Error.
  void flash(const boards::FlashJob& job, const std::function<void(const std::string&)>& step,
             const std::stop_token& stop);

 private:
  std::mutex mutex_;
  int socket_;
};

}  // namespace vantage::rpc
