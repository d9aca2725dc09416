#include "driver/rpc/client/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>

#include "base/error.h"
#include "driver/device/unreachable.h"
#include "driver/rpc/protocol/quota.h"

namespace vantage::rpc {

namespace {

constexpr int kClientKeepaliveMilliseconds = 20'000;
// What is quick on a slow network, or behind a run of someone else: so long, and as long again for so many bytes.
constexpr std::chrono::seconds kQuick{150};
constexpr uint64_t kQuickBytes = uint64_t{64} << 20;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Of a server that is not to be asked again.
template <typename... T>
[[noreturn]] void fail_for_good(fmt::format_string<T...> format, T&&... arguments) {
  throw driver::Unreachable(fmt::format(format, std::forward<T>(arguments)...));
}

// Why there is no connection, and what to do: gRPC has texts for that, and no codes.
std::string no_connection(const std::string& said, bool tls) {
  // Of whichever library for TLS: one says it in small letters with spaces, another CERTIFICATE_VERIFY_FAILED.
  std::string plain = said;
  std::ranges::transform(plain, plain.begin(),
                         [](unsigned char c) { return static_cast<char>(c == '_' ? ' ' : std::tolower(c)); });
  const auto says = [&](const char* text) { return plain.find(text) != std::string::npos; };
  if (says("certificate verify failed")) {
    const std::string authority = variable("VANTAGE_TLS_CA");
    return fmt::format(
        "the server's certificate is not of {} ({}); put the file of the authority that it is of into "
        "VANTAGE_TLS_CA",
        authority.empty() ? "an authority that this system trusts" : authority, said);
  }
  if (says("hostname verification") || says("not in peer certificate")) {
    return fmt::format("the server's certificate is for another name ({}); call the server as its certificate does",
                       said);
  }
  if (says("wrong version number")) {
    return fmt::format("what answers there does not speak TLS ({}); use rpc:// if it is a server without --tls-cert",
                       said);
  }
  if (says("socket closed") || says("connection reset")) {
    return tls ? fmt::format(
                     "the server closed the connection ({}); one with --tls-client-ca wants a certificate that "
                     "it knows, in VANTAGE_TLS_CERT and VANTAGE_TLS_KEY",
                     said)
               : fmt::format("the server closed the connection ({}); one with --tls-cert wants rpcs://", said);
  }
  return fmt::format("no server answers ({}); is `vantage serve` running there, and is it the port it says?", said);
}

}  // namespace

ClientAccess ClientAccess::from_environment() {
  const std::string token = variable("VANTAGE_TOKEN");
  require_token(token, "VANTAGE_TOKEN");
  return {token, {variable("VANTAGE_TLS_CERT"), variable("VANTAGE_TLS_KEY"), variable("VANTAGE_TLS_CA")}};
}

Connection::Connection(driver::ServerAddress address, ClientAccess access)
    : address_(std::move(address)), access_(std::move(access)) {
  keep_grpc_quiet();
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kLargestMessage);
  arguments.SetMaxSendMessageSize(kLargestMessage);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kClientKeepaliveMilliseconds);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // Two clients in one process have a connection each: one that is cut does not take the other with it.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // A proxy for pages of the Web would be given the token, and asked even for this machine.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const auto credentials = address_.tls ? channel_credentials(access_.tls) : grpc::InsecureChannelCredentials();
  stub_ = v1::Devices::NewStub(grpc::CreateCustomChannel(address_.host_and_port, credentials, arguments));
}

std::unique_ptr<grpc::ClientContext> Connection::context() const {
  auto context = std::make_unique<grpc::ClientContext>();
  add_token(*context, access_.token);
  if (!session_.empty()) context->AddMetadata("vantage-session", session_);
  return context;
}

std::unique_ptr<grpc::ClientContext> Connection::quick_context(Bytes moved) const {
  auto context = this->context();
  context->set_deadline(std::chrono::system_clock::now() + kQuick * static_cast<int>(1 + moved.count() / kQuickBytes));
  return context;
}

void Connection::require(const grpc::Status& status) const {
  const std::string& said = status.error_message();
  switch (status.error_code()) {
    case grpc::StatusCode::OK: return;
    case grpc::StatusCode::UNAVAILABLE:
      // What was there once is gone.
      if (!session_.empty()) fail_for_good("target '{}': no server answers any longer ({})", address_.uri, said);
      fail_for_good("target '{}': {}", address_.uri, no_connection(said, address_.tls));
    case grpc::StatusCode::UNAUTHENTICATED:
      fail_for_good("target '{}': {}; put the server's token into VANTAGE_TOKEN", address_.uri, said);
    case grpc::StatusCode::UNIMPLEMENTED:
      fail("target '{}': the server lacks a call ({}); both sides should be of one version", address_.uri, said);
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      fail_for_good("target '{}': the server did not answer in time ({}); is it overloaded, or no `vantage serve`?",
                    address_.uri, said);
    case grpc::StatusCode::RESOURCE_EXHAUSTED: throw driver::Busy(fmt::format("target '{}': {}", address_.uri, said));
    case grpc::StatusCode::INTERNAL: fail("target '{}': the server failed: {}", address_.uri, said);
    default: fail("target '{}': {}", address_.uri, said);
  }
}

std::vector<v1::OfferedDevice> list_devices(const std::string& uri) {
  Connection connection{driver::ServerAddress(uri)};
  const v1::ListReply reply = connection.call(&v1::Devices::Stub::List, v1::ListRequest());
  return {reply.devices().begin(), reply.devices().end()};
}

}  // namespace vantage::rpc
