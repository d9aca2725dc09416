// A server of devices, as `vantage serve` runs it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/rpc/access.h"
#include "driver/rpc/offer.h"
#include "driver/rpc/quota.h"
#include "driver/rpc/service.h"

namespace vantage::rpc {

struct ServerOptions {
  std::string listen = "127.0.0.1:9091";  // HOST:PORT; port 0: any that is free
  std::string token;                      // what callers must carry; empty: nothing
  TlsFiles tls;
  Quota limits;
  std::filesystem::path contents;  // the folder of the content store
  ServerLog log = [](const std::string&) {};
};

class Server {
 public:
  // Listens. Throws Error without an offer, when the address cannot be had, or is reached from other machines and there
  // is no token.
  Server(std::vector<std::unique_ptr<Offer>> offers, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();  // like stop()

  // Host and port that clients reach; of a server on all addresses of its machine, by the machine's name.
  const std::string& address() const { return address_; }

  // Ends all sessions and waits for the last call. Any thread may call it.
  void stop();
  // Returns once the server has been stopped.
  void wait();

 private:
  std::vector<std::unique_ptr<Offer>> offers_;
  ContentStore contents_;
  Service service_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

}  // namespace vantage::rpc
