// A server of devices, as `vantage serve` runs it.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "driver/rpc/protocol/access.h"
#include "driver/rpc/server/connections.h"
#include "driver/rpc/server/service.h"

namespace vantage::rpc {

struct ServerOptions {
  std::string listen = "127.0.0.1:9091";  // HOST:PORT; port 0: any that is free
  Identities identities;                  // who may call; none: anyone
  TlsFiles tls;
  Quota limits;
  GateLimits gate;
  std::filesystem::path contents;  // the folder of the content store
  std::filesystem::path audit;     // a file of who did what; empty: none
  ServerLog log = [](const std::string&) {};
};

class Server {
 public:
  // Listens. Throws Error without an offer, when the address cannot be had, or is reached from other machines and there
  // is no token.
  Server(std::vector<Offer> offers, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();  // like stop()

  // Host and port that clients reach; of a server on all addresses of its machine, by the machine's name.
  std::string address() const { return gate_.listener().reachable(); }
  std::string metrics() const { return service_.metrics(); }

  // Ends all sessions and waits for the last call. Any thread may call it.
  void stop();
  // Returns once the server has been stopped.
  void wait();

 private:
  std::vector<std::unique_ptr<OfferedDevice>> devices_;
  const Identities identities_;
  Refusals refusals_;
  AuditLog audit_;
  ContentStore contents_;
  Gate gate_;
  Service service_;
  Connections connections_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace vantage::rpc
