// A session's workspace in another process, as a server reaches it.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "driver/rpc/workspace/channel.h"
#include "driver/rpc/workspace/shared_piece.h"
#include "driver/rpc/workspace/workspace.h"

namespace vantage::rpc {

// What both processes have of a workspace: the ends of two pairs of sockets, and memory. Closed with the object, unless
// taken.
class LinkEnds {
 public:
  LinkEnds();  // throws std::system_error
  LinkEnds(const LinkEnds&) = delete;
  LinkEnds& operator=(const LinkEnds&) = delete;
  ~LinkEnds();

  enum End { kChannel, kItsChannel, kControl, kItsControl };
  int take(End end);

 private:
  std::array<int, 4> files_{-1, -1, -1, -1};
};

class WorkspaceLink : public Workspace {
 public:
  // The other process has the other ends, and the piece's file, once hand_over() was called.
  WorkspaceLink();
  ~WorkspaceLink() override;  // which the other process sees

  v1::OpenReply open(const v1::OpenRequest& request, const std::function<void(const std::string&)>& progress,
                     const std::stop_token& stop) override;
  v1::WorkspaceReply call(const v1::WorkspaceRequest& request, const std::stop_token& stop) override;
  void write(Bytes address, std::span<const std::byte> bytes, const std::stop_token& stop) override;
  void read(Bytes address, std::span<std::byte> bytes, const std::stop_token& stop) override;
  bool is_gone() const override { return gone_; }

  // What a workspace throws; `progress` is called with each step.
  v1::WorkspaceReply answer(v1::WorkspaceRequest request, const std::function<void(const std::string&)>& progress,
                            const std::stop_token& stop);

 protected:
  // Calls `take` with what the other process is to have, in the order of kChannelFile, kControlFile, kPieceFile.
  void hand_over(const std::function<void(const std::vector<int>& files)>& take);
  // How the other process ended, when it has: "it ended by signal 11, Segmentation fault".
  virtual std::string how_it_ended() { return "it ended"; }

 private:
  LinkEnds ends_;  // those of the other process, until it has them
  SharedPiece piece_;
  Channel channel_;
  const int control_;  // numbers of requests to stop go in; its end says that this is no more
  uint64_t next_number_ = 1;
  std::atomic<bool> gone_ = false;
};

}  // namespace vantage::rpc
