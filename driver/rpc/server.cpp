#include "driver/rpc/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <unistd.h>

#include <array>

#include "base/error.h"

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

// What clients are to write for a host that is listened on: of all addresses of this machine, its name.
std::string reachable_host(const std::string& host) {
  std::array<char, 256> name{};
  if ((host != "0.0.0.0" && host != "[::]") || ::gethostname(name.data(), name.size() - 1) != 0) return host;
  return name.data();
}

void require_allowed(const std::vector<std::unique_ptr<Offer>>& offers, const ServerOptions& options) {
  if (offers.empty()) fail("a server needs a device to offer");
  if (options.token.empty() && !is_loopback(options.listen)) {
    fail("{} is reached from other machines, so callers need a token; give one with --token-file", options.listen);
  }
}

}  // namespace

Server::Server(std::vector<std::unique_ptr<Offer>> offers, ServerOptions options)
    : offers_((require_allowed(offers, options), std::move(offers))),
      contents_(options.contents, options.limits.content),
      service_(offers_, contents_, options.limits, options.token, options.log) {
  keep_grpc_quiet();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(options.listen, server_credentials(options.tls), &port);
  builder.RegisterService(&service_);
  builder.SetMaxReceiveMessageSize(kLargestMessage);
  builder.SetMaxSendMessageSize(kLargestMessage);
  builder.SetResourceQuota(
      grpc::ResourceQuota("vantage").Resize(kMessageMemory).SetMaxThreads(most_threads(options.limits)));
  // An address that another server has is an error, not shared.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMilliseconds);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMilliseconds);
  // Also while neither side has anything to say, and clients may do the same.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kKeepaliveMilliseconds / 2);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kCallsOfConnection);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr || port == 0) {
    fail("{}: cannot be listened on; is another server running, or TLS's certificate not one?", options.listen);
  }
  address_ = fmt::format("{}:{}", reachable_host(options.listen.substr(0, options.listen.rfind(':'))), port);
}

Server::~Server() {
  stop();
}

void Server::stop() {
  service_.close();
  server_->Shutdown(std::chrono::system_clock::now() + kStopWithin);
}

void Server::wait() {
  server_->Wait();
}

}  // namespace vantage::rpc
