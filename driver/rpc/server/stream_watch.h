// Uploads and downloads whose client moves nothing for too long: cancelled, so that they do not hold a thread, and an
// upload its content, for ever.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <list>
#include <mutex>

namespace vantage::rpc {

class StreamWatch {
 public:
  explicit StreamWatch(double idle_seconds) : idle_seconds_(idle_seconds) {}

  // Gives what `move` gives, which waits for a client to send the next piece or to take it. Throws CallCancelled when
  // that took too long.
  bool wait(grpc::ServerContext& call, const std::function<bool()>& move);

  // To be called a few times a second: cancels what has waited for too long.
  void look();
  // Cancels what waits, and lets nothing wait any more: then wait() throws SessionOver.
  void close();

 private:
  struct Waiting {
    grpc::ServerContext* call;
    std::chrono::steady_clock::time_point since;
    bool cancelled = false;
  };

  const double idle_seconds_;
  std::mutex mutex_;
  std::list<Waiting> waiting_;
  bool closed_ = false;
};

}  // namespace vantage::rpc
