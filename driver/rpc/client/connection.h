// A client's side of a server: the channel, and calls on it whose failures are Errors.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/units.h"
#include "driver/device/server_address.h"
#include "driver/rpc/protocol/access.h"
#include "driver/rpc/protocol/vantage.grpc.pb.h"

namespace vantage::rpc {

// Where a client's token and certificates are: the environment's VANTAGE_TOKEN, VANTAGE_TLS_CA, VANTAGE_TLS_CERT,
// VANTAGE_TLS_KEY.
struct ClientAccess {
  std::string token;
  TlsFiles tls;

  static ClientAccess from_environment();  // throws Error for a token that no call can carry
};

class Connection {
 public:
  explicit Connection(driver::ServerAddress address, ClientAccess access = ClientAccess::from_environment());

  v1::Devices::Stub& stub() { return *stub_; }
  const driver::ServerAddress& address() const { return address_; }
  void set_session(std::string key) { session_ = std::move(key); }

  // A context that says who calls; without an end in time, for what takes as long as it takes.
  std::unique_ptr<grpc::ClientContext> context() const;
  // For a call that is given up when the server has not answered in minutes: in those, others' runs come to their ends.
  std::unique_ptr<grpc::ClientContext> quick_context(Bytes moved = Bytes(0)) const;
  // Throws Error that says what to do, unless the status is OK; driver::Unreachable where no other call would do
  // better.
  void require(const grpc::Status& status) const;

  // A call that is one message each way, and quick.
  template <typename Request, typename Reply>
  Reply call(grpc::Status (v1::Devices::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
             const Request& request) {
    Reply reply;
    const auto calling = quick_context();
    require((stub_.get()->*method)(calling.get(), request, &reply));
    return reply;
  }
  // The same for what takes its time, cancelled when `stop` is requested: then there is no reply.
  template <typename Request, typename Reply>
  std::optional<Reply> call(grpc::Status (v1::Devices::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                            const Request& request, const std::stop_token& stop) {
    Reply reply;
    const auto calling = context();
    const std::stop_callback cancel(stop, [&] { calling->TryCancel(); });
    const grpc::Status status = (stub_.get()->*method)(calling.get(), request, &reply);
    if (stop.stop_requested()) return std::nullopt;
    require(status);
    return reply;
  }

 private:
  const driver::ServerAddress address_;
  const ClientAccess access_;
  std::unique_ptr<v1::Devices::Stub> stub_;
  std::string session_;
};

// What a server offers. Throws Error when none answers.
std::vector<v1::OfferedDevice> list_devices(const std::string& uri);

}  // namespace vantage::rpc
