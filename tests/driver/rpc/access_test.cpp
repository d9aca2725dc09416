#include "driver/rpc/access.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

#include "base/process.h"
#include "tests/catch.h"
#include "tests/driver/rpc/test_server.h"

namespace vantage::test::driver_rpc_access_test {

using namespace vantage;
using namespace vantage::test;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

// Set while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

// A certificate and its key, signed by themselves, for 127.0.0.1.
rpc::TlsFiles certificate(const TemporaryFolder& folder, const std::string& name) {
  const auto cert = folder.path() / (name + ".crt"), key = folder.path() / (name + ".key");
  run_tool({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            key.string(), "-out", cert.string(), "-days", "2", "-subj", "/CN=" + name, "-addext",
            "subjectAltName=IP:127.0.0.1"},
           folder.path(), "openssl");
  return {cert, key, {}};
}

}  // namespace

TEST_CASE("a token opens a server, a wrong one or none does not", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.token = "correct horse battery"; });
  const std::string refused =
      fmt::format("target '{}': the call carries no token, or a wrong one; put the server's token into VANTAGE_TOKEN",
                  server.uri());
  CHECK(ERROR_OF(server.open()) == refused);
  CHECK(ERROR_OF(rpc::list_devices(server.uri())) == refused);
  for (const std::string& wrong : {std::string("correct horse"), std::string("correct horse batterx"),
                                   std::string("correct horse battery "), std::string("")}) {
    const Variable token("VANTAGE_TOKEN", wrong);
    CHECK(ERROR_OF(server.open()) == refused);
  }
  const Variable token("VANTAGE_TOKEN", "correct horse battery");
  CHECK(server.open()->memory_size() > Bytes(0));
}

TEST_CASE("a server that others reach needs a token", "[unit]") {
  for (const char* address : {"0.0.0.0:0", "[::]:0", "192.0.2.1:0", "localhost.example:0"}) {
    CHECK_THAT(ERROR_OF(TestServer({"fsim"}, [&](rpc::ServerOptions& o) { o.listen = address; })),
               ContainsSubstring("is reached from other machines, so callers need a token"));
  }
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) {
    o.listen = "0.0.0.0:0";
    o.token = "0123456789abcdef";
  });
  CHECK_THAT(ERROR_OF(TestServer({"fsim"}, [&](rpc::ServerOptions& o) { o.listen = "nonsense"; })),
             ContainsSubstring("token") || ContainsSubstring("cannot be listened on"));
}

TEST_CASE("a server on all addresses of its machine is reached by the machine's name", "[unit]") {
  std::array<char, 256> name{};
  REQUIRE(::gethostname(name.data(), name.size() - 1) == 0);
  for (const char* address : {"0.0.0.0:0", "[::]:0"}) {
    TestServer server({"fsim"}, [&](rpc::ServerOptions& o) {
      o.listen = address;
      o.token = "0123456789abcdef";
    });
    CHECK_THAT(server.server().address(), Catch::Matchers::StartsWith(std::string(name.data()) + ":"));
  }
}

TEST_CASE("two servers do not share an address", "[unit]") {
  TestServer first;
  CHECK_THAT(ERROR_OF(TestServer({"fsim"}, [&](rpc::ServerOptions& o) { o.listen = first.server().address(); })),
             ContainsSubstring("cannot be listened on"));
}

TEST_CASE("a token is read from the first line of a file, and is no word", "[unit]") {
  const TemporaryFolder folder;
  CHECK(rpc::read_token(folder.file("good", "0123456789abcdef\nmore\n")) == "0123456789abcdef");
  CHECK_THAT(ERROR_OF(rpc::read_token(folder.file("short", "secret\n"))),
             ContainsSubstring("the token has 6 characters, expected at least 16"));
  CHECK_THAT(ERROR_OF(rpc::read_token(folder.path() / "none")), ContainsSubstring("none"));
}

TEST_CASE("health checks and reflection answer anyone", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.token = "correct horse battery"; });
  const RawReply reply = call_with_bytes(server, "/grpc.health.v1.Health/Check", "");
  REQUIRE(reply.status.ok());
  // HealthCheckResponse: field 1, status, is 1, SERVING
  CHECK(reply.bytes == "\x08\x01");
}

TEST_CASE("TLS: both sides are who they say, or there is no session", "[unit]") {
  const TemporaryFolder folder;
  const rpc::TlsFiles ours = certificate(folder, "server"), client = certificate(folder, "client");
  const rpc::TlsFiles stranger = certificate(folder, "stranger");
  const TestServer server({"fsim"}, [&](rpc::ServerOptions& o) {
    o.tls = ours;
    o.tls.authority = client.certificate;
  });
  CHECK(server.uri().starts_with("rpcs://"));
  CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("no server answers"));
  const Variable authority("VANTAGE_TLS_CA", ours.certificate);
  CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("no server answers"));
  {
    const Variable cert("VANTAGE_TLS_CERT", stranger.certificate), key("VANTAGE_TLS_KEY", stranger.key);
    CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("no server answers"));
  }
  const Variable cert("VANTAGE_TLS_CERT", client.certificate);
  CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("a certificate and its key belong together"));
  const Variable key("VANTAGE_TLS_KEY", client.key);
  CHECK(server.open()->memory_size() > Bytes(0));
  // The same port without TLS
  CHECK_THAT(ERROR_OF(driver::open_accelerator("rpc" + server.uri().substr(4), kConfig)),
             ContainsSubstring("no server answers"));
}

}  // namespace vantage::test::driver_rpc_access_test
