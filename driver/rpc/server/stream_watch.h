// Uploads and downloads whose client moves too little for too long: cancelled, so that they do not hold a thread, and
// an upload its content, for ever.
//
// Thread safety: all members may be called from several threads at once; a stream is one thread's.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <list>
#include <mutex>

namespace vantage::rpc {

class StreamWatch {
 public:
  // Every piece of kPieceBytes may take so long, and the first as long again.
  explicit StreamWatch(double idle_seconds) : idle_seconds_(idle_seconds) {}

  // One call's. Small messages do not make it last longer: what was moved counts.
  class Stream {
   public:
    Stream(StreamWatch& watch, grpc::ServerContext& call) : watch_(watch), call_(call) {}

    // Gives what `move` gives, which waits for a client to send the next message or to take it. Throws CallCancelled
    // when that took too long, SessionOver once the server stops.
    bool wait(const std::function<bool()>& move);
    // So many bytes were moved.
    void moved(uint64_t bytes) { bytes_ += bytes; }

   private:
    StreamWatch& watch_;
    grpc::ServerContext& call_;
    uint64_t bytes_ = 0;
    double waited_ = 0;  // seconds, in all
  };

  // To be called a few times a second: cancels what has waited for too long.
  void look();
  // Cancels what waits, and lets nothing wait any more: then wait() throws SessionOver.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    grpc::ServerContext* call;
    Clock::time_point until;
    bool cancelled = false;
  };

  const double idle_seconds_;
  std::mutex mutex_;
  std::list<Waiting> waiting_;
  bool closed_ = false;
};

}  // namespace vantage::rpc
