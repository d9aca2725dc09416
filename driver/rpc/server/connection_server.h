// gRPC for one connection: its threads and its memory are its own, so that whatever comes on it takes them from no
// other.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>

#include "driver/rpc/server/gate.h"
#include "driver/rpc/server/identities.h"

namespace vantage::rpc {

// What every connection is answered by, all of which outlives it.
struct ConnectionParts {
  grpc::Service& service;
  std::shared_ptr<grpc::ServerCredentials> credentials;
  Gate& gate;
  const Identities& identities;
};

class ConnectionServer {
 public:
  // Takes the connected socket over. Throws Error when gRPC cannot serve, as with a certificate that is none.
  ConnectionServer(const ConnectionParts& parts, int socket);
  ConnectionServer(const ConnectionServer&) = delete;
  ConnectionServer& operator=(const ConnectionServer&) = delete;
  ~ConnectionServer();  // cancels its calls, and waits for their ends

  // Throws Error when no connection could be served.
  static void require_possible(const ConnectionParts& parts);

 private:
  explicit ConnectionServer(const ConnectionParts& parts);

  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace vantage::rpc
