// A server outlives what anyone can send to it who has no token: its clients go on, and new ones come in.
#include "tests/driver/rpc/attacks.h"

#include "tests/catch.h"
#include "tests/driver/rpc/bystander.h"
#include "tests/driver/rpc/test_server.h"
#include "tests/driver/rpc/tls.h"
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

// With a token that attackers do not have, or without one, which makes everyone a client; over TLS or not.
class Attacked {
 public:
  explicit Attacked(bool has_token, const rpc::TlsFiles& tls = {})
      : authority_("VANTAGE_TLS_CA", tls.certificate),
        server_({"fsim"},
                [&](rpc::ServerOptions& o) {
                  o.tls = tls;
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
  const Variable authority_;
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

TEST_CASE("handshakes of TLS that stop anywhere, or lead nowhere, make room for others", "[unit]") {
  const TemporaryFolder folder;
  Attacked attacked(true, certificate(folder, "server"));
  const std::string hello = client_hello();
  std::string wrong = hello;
  wrong[hello.size() / 2] ^= 0x55;
  for (const std::string& bytes :
       {hello, hello.substr(0, 5), hello.substr(0, hello.size() - 1), wrong, hello + hello, http2_preface()}) {
    open_and_drop(attacked.port(), 100, 50, bytes);
    std::vector<Attacker> held;
    for (int i = 0; i < 60; ++i) held.emplace_back(attacked.port()).send(bytes);
    attacked.serves();
  }
  // Who gets through it is a stranger still.
  for (int i = 0; i < 200; ++i) TlsAttacker(attacked.port()).send(http2_preface());
  attacked.serves();
  std::vector<TlsAttacker> held;
  for (int i = 0; i < 60; ++i) {
    std::string bytes = http2_preface();
    for (uint32_t stream = 1; stream < 128; stream += 2) bytes += http2_call(stream, kPaths.front(), false);
    held.emplace_back(attacked.port()).send(bytes);
  }
  attacked.serves();
  CHECK(attacked.server().logged("made room for a new connection"));
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
