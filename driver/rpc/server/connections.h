// The connections of a server that gRPC answers.
//
// Thread safety: add() and remove() are one thread's; clear() may be called from another.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "driver/rpc/server/connection_server.h"

namespace vantage::rpc {

class Connections {
 public:
  // Throws Error when no connection could be served.
  explicit Connections(ConnectionParts parts);
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  ~Connections();  // like clear()

  void add(uint64_t number, int socket);
  // Its calls end, in a thread of their own: some take a while.
  void remove(uint64_t number);
  // Ends all, and waits for them.
  void clear();

 private:
  struct Ending {
    std::atomic<bool> done = false;
    std::thread thread;
  };
  // REQUIRES: the lock is held.
  void end(std::unique_ptr<ConnectionServer> server);

  const ConnectionParts parts_;
  std::mutex mutex_;  // of what follows
  std::unordered_map<uint64_t, std::unique_ptr<ConnectionServer>> servers_;
  std::list<Ending> endings_;
  bool closed_ = false;
};

}  // namespace vantage::rpc
