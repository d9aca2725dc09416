#include "driver/rpc/server/connection_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <unistd.h>

#include <chrono>
#include <utility>
#include <vector>

#include "base/error.h"
#include "driver/rpc/protocol/quota.h"
#include "driver/rpc/server/call_guard.h"

namespace vantage::rpc {

namespace {

// A client that vanished without a word is noticed after so long.
constexpr int kKeepaliveMilliseconds = 10'000;
constexpr int kKeepaliveTimeoutMilliseconds = 5'000;
// At once. Each waits in a thread.
constexpr int kCalls = 64;
constexpr int kSpareThreads = 8;
// Of all messages of the connection that are on their way.
constexpr size_t kMessageMemory = size_t{2} * kLargestMessage;

}  // namespace

ConnectionServer::ConnectionServer(const ConnectionParts& parts) {
  grpc::ServerBuilder builder;
  acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, parts.credentials);
  builder.RegisterService(&parts.service);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> guards;
  guards.push_back(std::make_unique<CallGuard>(parts.gate, parts.identities));
  builder.experimental().SetInterceptorCreators(std::move(guards));
  builder.SetMaxReceiveMessageSize(kLargestMessage);
  builder.SetMaxSendMessageSize(kLargestMessage);
  builder.SetResourceQuota(
      grpc::ResourceQuota("connection").Resize(kMessageMemory).SetMaxThreads(kCalls + kSpareThreads));
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MAX_POLLERS, 2);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMilliseconds);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMilliseconds);
  // Also while neither side has anything to say, and clients may do the same.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kKeepaliveMilliseconds / 2);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kCalls);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) fail("gRPC cannot serve; is TLS's certificate one, and the key its?");
}

ConnectionServer::ConnectionServer(const ConnectionParts& parts, int socket) : ConnectionServer(parts) {
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
  connection.fd = socket;
  acceptor_->HandleNewConnection(&connection);
}

ConnectionServer::~ConnectionServer() {
  server_->Shutdown(std::chrono::system_clock::now());
}

void ConnectionServer::require_possible(const ConnectionParts& parts) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  const ConnectionServer trial(parts);
}

}  // namespace vantage::rpc
