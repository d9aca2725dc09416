#include "driver/rpc/server/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/error.h"
#include "driver/rpc/server/call_guard.h"

namespace vantage::rpc {

namespace {

// A client that vanished without a word is noticed after so long.
constexpr int kKeepaliveMilliseconds = 10'000;
constexpr int kKeepaliveTimeoutMilliseconds = 5'000;
constexpr int kCallsOfConnection = 64;
constexpr auto kStopWithin = std::chrono::seconds(5);
// Of all messages that are on their way in.
constexpr size_t kMessageMemory = size_t{1} << 30;
// Beside those of sessions: for lists, health checks, and sessions that are refused.
constexpr size_t kSpareThreads = 16;

// A session's stream and each of its calls have a thread of their own.
int most_threads(const Quota& limits) {
  return static_cast<int>(limits.sessions * (1 + limits.calls) + kSpareThreads);
}

void require_allowed(const std::vector<Offer>& offers, const ServerOptions& options) {
  if (offers.empty()) fail("a server needs a device to offer");
  if (!options.identities.empty()) return;
  if (!is_loopback(options.listen)) {
    fail("{} is reached from other machines, so callers need a token; give one with --token-file", options.listen);
  }
  for (const Offer& offer : offers) {
    if (offer.flash) {
      fail("whoever flashes '{}' holds this machine, and other users of it reach {} too, so callers need a token; give "
           "one with --token-file",
           offer.name, options.listen);
    }
  }
}

std::vector<std::unique_ptr<OfferedDevice>> offered(std::vector<Offer> offers) {
  std::vector<std::unique_ptr<OfferedDevice>> devices;
  for (Offer& offer : offers) devices.push_back(std::make_unique<OfferedDevice>(std::move(offer)));
  return devices;
}

// A connection takes two file descriptors here, a session some for its process, and all of them must be had.
GateLimits within_files(GateLimits limits, const Quota& quota) {
  constexpr size_t kOthers = 96;
  constexpr size_t kOfSession = 4;
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const size_t taken = kOthers + kOfSession * quota.sessions;
  const size_t left = files.rlim_cur > taken ? (files.rlim_cur - taken) / 2 : 0;
  limits.connections = std::clamp<size_t>(left, 16, limits.connections);
  limits.silent = std::min(limits.silent, limits.connections / 4);
  limits.strangers = std::min(limits.strangers, limits.connections / 4);
  return limits;
}

}  // namespace

Server::Server(std::vector<Offer> offers, ServerOptions options)
    : devices_((require_allowed(offers, options), offered(std::move(offers)))),
      identities_(std::move(options.identities)),
      refusals_(options.log),
      audit_(options.audit),
      contents_(options.contents, options.limits.content),
      gate_(options.listen, within_files(options.gate, options.limits), refusals_),
      service_({devices_, contents_, identities_, gate_, refusals_, audit_}, options.limits, options.log) {
  keep_grpc_quiet();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, server_credentials(options.tls));
  builder.RegisterService(&service_);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> guards;
  guards.push_back(std::make_unique<CallGuard>(gate_, identities_));
  builder.experimental().SetInterceptorCreators(std::move(guards));
  builder.SetMaxReceiveMessageSize(kLargestMessage);
  builder.SetMaxSendMessageSize(kLargestMessage);
  builder.SetResourceQuota(
      grpc::ResourceQuota("vantage").Resize(kMessageMemory).SetMaxThreads(most_threads(options.limits)));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMilliseconds);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMilliseconds);
  // Also while neither side has anything to say, and clients may do the same.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kKeepaliveMilliseconds / 2);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kCallsOfConnection);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) fail("{}: gRPC cannot serve it; is TLS's certificate one, and the key its?", options.listen);
  gate_.open([this](int socket) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
    connection.fd = socket;
    acceptor_->HandleNewConnection(&connection);
  });
}

Server::~Server() {
  stop();
}

void Server::stop() {
  gate_.close();
  service_.close();
  server_->Shutdown(std::chrono::system_clock::now() + kStopWithin);
}

void Server::wait() {
  server_->Wait();
}

}  // namespace vantage::rpc
