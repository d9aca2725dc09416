// A server outlives what anyone can send to it who has no token: its clients go on, and new ones come in.
#include "tests/driver/rpc/attacks.h"

#include "tests/catch.h"
#include "tests/driver/rpc/bystander.h"
#include "tests/driver/rpc/test_server.h"
#include "tests/support/variable.h"

namespace vantage::test::driver_rpc_attack_test {

using namespace vantage;
using namespace vantage::test;

namespace {

const std::string kToken = "0123456789abcdef";
// Of gRPC's services and ours, those that wait for their client, those that answer, and none.
const std::vector<std::string> kPaths = {
    "/vantage.v1.Devices/Launch",   "/vantage.v1.Devices/Write",
    "/vantage.v1.Devices/Flash",    "/vantage.v1.Devices/Attach",
    "/grpc.health.v1.Health/Watch", "/grpc.health.v1.Health/Check",
    "/no.such.Service/NoSuchCall",  "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"};

// With a token that attackers do not have, or without one, which makes everyone a client.
class Attacked {
 public:
  explicit Attacked(bool has_token)
      : server_({"fsim"},
                [&](rpc::ServerOptions& o) {
                  if (has_token) o.identities = rpc::Identities({{"owner", kToken}});
                  o.gate.connections = 48;  // as if this process might have few files
                  o.gate.silent = 16;
                  o.gate.strangers = 16;
                  o.gate.offences = 50;
                }),
        bystander_(server_) {}

  int port() { return port_of(server_.server().address()); }
  // Who was there goes on, and who comes gets in.
  void serves() {
    CHECK(bystander_.works());
    CHECK(Bystander(server_).works());
  }
  const TestServer& server() const { return server_; }

 private:
  const Variable token_{"VANTAGE_TOKEN", kToken};
  TestServer server_;
  Bystander bystander_;
};

}  // namespace

TEST_CASE("connections that say nothing, or nothing of use, make room for others", "[unit]") {
  for (const bool has_token : {true, false}) {
    Attacked attacked(has_token);
    for (const std::string& bytes : {std::string(), http2_preface(), std::string("GET / HTTP/1.1\r\n\r\n")}) {
      open_and_drop(attacked.port(), 200, 100, bytes);
      attacked.serves();
    }
    std::vector<Attacker> held;
    for (int i = 0; i < 100; ++i) held.emplace_back(attacked.port()).send(i % 2 == 0 ? "" : http2_preface());
    attacked.serves();
    CHECK(attacked.server().logged("made room for a new connection"));
  }
}

TEST_CASE("calls that never end hold no thread that others need", "[unit]") {
  for (const bool has_token : {true, false}) {
    Attacked attacked(has_token);
    for (const std::string& path : kPaths) {
      INFO(path);
      const auto held = hold_streams(attacked.port(), 12, 64, path);
      attacked.serves();
    }
  }
}

TEST_CASE("who takes back every call is closed", "[unit]") {
  for (const bool has_token : {true, false}) {
    Attacked attacked(has_token);
    for (const std::string& path : kPaths) {
      INFO(path);
      CHECK(rapid_reset(attacked.port(), 50'000, path) < 50'000);
      attacked.serves();
    }
  }
}

TEST_CASE("a stranger may not send much", "[unit]") {
  Attacked attacked(true);
  Attacker attacker(attacked.port());
  attacker.send(http2_preface() + http2_call(1, kPaths.front(), false));
  // Messages that gRPC would wait for the end of.
  const std::string data = std::string("\x00\x40\x00\x00\x00\x00\x00\x00\x01", 9) + std::string(0x4000, 'x');
  CHECK(eventually([&] { return !attacker.send(data) || !attacker.is_open(); }));
  attacked.serves();
}

}  // namespace vantage::test::driver_rpc_attack_test
