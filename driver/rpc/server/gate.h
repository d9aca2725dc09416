// Between a server's sockets and gRPC: what comes in is counted, and limited before anyone has said who he is.
//
// A connection is silent until its first byte, then a stranger until a call of it was answered (with the token, where
// there is one), then known. Of the silent and of the strangers there are only so many, for so long, and strangers send
// only so much: the oldest make room for the newest. gRPC gets a connection with its first byte. One that sends calls
// only to have them refused, or to take them back, is closed, known or not.
//
// gRPC's own listener ends for good when it runs out of file descriptors; this one goes on.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "driver/rpc/server/listener.h"
#include "driver/rpc/server/refusals.h"

namespace vantage::rpc {

struct GateLimits {
  size_t connections = 512;  // in all
  size_t silent = 128;
  size_t strangers = 128;
  double silent_seconds = 5;
  double stranger_seconds = 10;
  uint64_t stranger_bytes = 96 << 10;  // more than HTTP/2 lets a call send before it is answered
  size_t offences = 200;               // of one connection, in a second
};

class Gate {
 public:
  // Both are called in the gate's own thread. What takes a connected socket over, by a number of its own; and what is
  // told once this connection has ended.
  using Take = std::function<void(uint64_t number, int socket)>;
  using Gone = std::function<void(uint64_t number)>;

  Gate(const std::string& listen, GateLimits limits, Refusals& refusals);
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate();

  const Listener& listener() const { return listener_; }
  // Lets connections in from now on.
  void open(Take take, Gone gone);
  // Lets no more in. Those that are there stay.
  void close();

  // What calls say of their connection, by what gRPC calls its peer: that there is one; it is known from now on; or it
  // was refused, or taken back before anyone could answer.
  void called(const std::string& grpc_peer);
  void known(const std::string& grpc_peer);
  void offence(const std::string& grpc_peer);

  size_t connections() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kSilent, kStranger, kKnown };
  struct Connection {
    int socket;  // of our own: gRPC has another for the same
    State state;
    Clock::time_point since;
    std::string peer;
    bool has_called = false;
    size_t offences = 0;
    Clock::time_point offences_since;
  };
  using Connections = std::unordered_map<uint64_t, Connection>;  // by number, in the order in which they came

  void run();
  void accept(int listening);
  void hear(uint64_t number, uint32_t events);
  void tell_of_ended();
  // Ends what has been silent or strange for too long.
  void look();
  // These REQUIRE the lock.
  void add(int socket);
  void change(uint64_t number, State state);
  // Tells of one that has said something and leaves before anyone could answer a call of it.
  void tell_of_handshake(const Connection& connection);
  // Ends a stranger that has sent too much.
  void weigh(uint64_t number);
  // Ends the connection; `why` is for the log.
  void end(uint64_t number, const std::string& why);
  void forget(uint64_t number);
  // The oldest of this state; 0: none.
  uint64_t oldest(State state) const;

  const GateLimits limits_;
  Refusals& refusals_;
  Listener listener_;
  Take take_;
  Gone gone_;
  int epoll_, wake_;
  int spare_;                 // a file descriptor to accept with, once there is no other
  mutable std::mutex mutex_;  // of what follows
  Connections connections_;
  std::map<std::string, uint64_t> by_peer_;
  uint64_t next_;
  std::vector<uint64_t> ended_;  // which nobody has been told of
  std::map<State, std::set<uint64_t>> of_state_;
  std::thread thread_;
};

}  // namespace vantage::rpc
