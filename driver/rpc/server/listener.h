// The sockets on which a server listens.
#pragma once

#include <string>
#include <vector>

namespace vantage::rpc {

class Listener {
 public:
  // HOST:PORT, with an IPv6 address in brackets; port 0 takes any that is free. Throws Error when it is no such
  // address, or cannot be had, as when another server has it.
  explicit Listener(const std::string& address);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  // One for each address that the host has. They do not block.
  const std::vector<int>& sockets() const { return sockets_; }
  // Whoever connects from now on is refused.
  void close();
  // Host and port that clients reach; of all addresses of this machine, by its name.
  std::string reachable() const;

 private:
  std::string host_;
  int port_ = 0;
  std::vector<int> sockets_;
};

// Whether only this machine reaches HOST:PORT: all addresses that the host has are of the loopback interface. Throws
// Error when it is no such address.
bool is_loopback(const std::string& address);

// Who is at the other end of a connected socket: "192.0.2.1:40001", "[::1]:40001".
std::string peer_of(int socket);
// The same from what gRPC says of a call: "ipv4:192.0.2.1:40001".
std::string peer_of(const std::string& grpc_peer);

}  // namespace vantage::rpc
