// A server in this process, on a port of its own.
#pragma once

#include <mutex>

#include "driver/open/open.h"
#include "driver/rpc/client/connection.h"
#include "driver/rpc/server/server.h"
#include "hw/program/assembly.h"
#include "tests/driver/rpc/scripted_device.h"
#include "tests/support/temporary.h"

namespace vantage::test {

class TestServer {
 public:
  using Change = std::function<void(rpc::ServerOptions&)>;

  // Offers simulators of these schemes, or a device that does what a script says.
  explicit TestServer(const std::vector<std::string>& schemes = {"fsim"}, const Change& change = {});
  explicit TestServer(const Script& script, const Change& change = {});
  // As `vantage serve` does it: every session's device is in a process of its own.
  struct Processes {};
  explicit TestServer(Processes, const std::vector<std::string>& schemes = {"fsim"}, const Change& change = {});
  explicit TestServer(const std::shared_ptr<rpc::Offer>& offer, const Change& change = {});

  // "rpc://127.0.0.1:40001/fsim"; the first device without a name.
  std::string uri(const std::string& device = "") const;
  std::unique_ptr<driver::Accelerator> open(const isa::Config& config = isa::Config::vta_default()) const;
  rpc::Server& server() { return *server_; }
  bool logged(const std::string& text) const;
  // Sessions of the first device, as the server lists them.
  uint32_t sessions() const;
  const std::filesystem::path& contents() const { return folder_.path(); }

 private:
  TestServer(const Change& change, std::vector<rpc::Offer> offers);

  TemporaryFolder folder_;
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
  std::string scheme_ = "rpc";
  std::unique_ptr<rpc::Server> server_;
};

// A session as its messages are, for calls that no device makes.
class RawSession {
 public:
  explicit RawSession(const TestServer& server);
  ~RawSession();

  v1::Devices::Stub& stub() { return connection_.stub(); }
  std::unique_ptr<grpc::ClientContext> context() const { return connection_.context(); }

 private:
  rpc::Connection connection_;
  std::unique_ptr<grpc::ClientContext> attached_;
  std::unique_ptr<grpc::ClientReader<v1::SessionEvent>> events_;
};

// What a server answers to a call "/SERVICE/METHOD" whose message is these bytes, whatever they are.
struct RawReply {
  grpc::Status status;
  std::string bytes;
};
RawReply call_with_bytes(const TestServer& server, const std::string& method, const std::string& bytes);

// Of the default configuration: from the text of instructions, with tensors "in" of two accumulator elements and "out".
Program small_program(const std::string& instructions);
// Copies "in", cut to bytes, to "out".
Program copy_program();

// True once `condition` holds; false when it does not within some seconds.
bool eventually(const std::function<bool()>& condition);

}  // namespace vantage::test
