#include "driver/rpc/server/identities.h"

#include <unistd.h>

#include <array>

#include "base/process.h"
#include "driver/rpc/server/listener.h"
#include "tests/catch.h"
#include "tests/driver/rpc/test_server.h"
#include "tests/driver/rpc/tls.h"
#include "tests/support/variable.h"

namespace vantage::test::driver_rpc_access_test {

using namespace vantage;
using namespace vantage::test;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

rpc::Identities one(const std::string& token) {
  return rpc::Identities({{"owner", token}});
}

}  // namespace

TEST_CASE("a token opens a server, a wrong one or none does not", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.identities = one("correct horse battery"); });
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
    o.identities = one("0123456789abcdef");
  });
  CHECK_THAT(ERROR_OF(TestServer({"fsim"}, [&](rpc::ServerOptions& o) { o.listen = "nonsense"; })),
             ContainsSubstring("'nonsense' is no address to listen on"));
}

TEST_CASE("a server on all addresses of its machine is reached by the machine's name", "[unit]") {
  std::array<char, 256> name{};
  REQUIRE(::gethostname(name.data(), name.size() - 1) == 0);
  for (const char* address : {"0.0.0.0:0", "[::]:0"}) {
    TestServer server({"fsim"}, [&](rpc::ServerOptions& o) {
      o.listen = address;
      o.identities = one("0123456789abcdef");
    });
    CHECK_THAT(server.server().address(), Catch::Matchers::StartsWith(std::string(name.data()) + ":"));
  }
}

TEST_CASE("two servers do not share an address", "[unit]") {
  TestServer first;
  CHECK_THAT(ERROR_OF(TestServer({"fsim"}, [&](rpc::ServerOptions& o) { o.listen = first.server().address(); })),
             ContainsSubstring("cannot be listened on"));
}

TEST_CASE("tokens are read from a file, one for each name", "[unit]") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) { return rpc::Identities::read(folder.file("tokens", text)); };
  CHECK(read("0123456789abcdef\n").size() == 1);
  CHECK(read("# of the farm\nann 0123456789abcdef\n\nbob fedcba9876543210\n").size() == 2);
  CHECK_THAT(ERROR_OF(read("secret\n")),
             ContainsSubstring("tokens:1: the token has 6 characters, expected at least 16"));
  CHECK_THAT(ERROR_OF(read("\nann secret\n")), ContainsSubstring("tokens:2: the token has 6 characters"));
  CHECK_THAT(ERROR_OF(read("ann 0123456789abcdef bob\n")),
             ContainsSubstring("tokens:1: 3 words, expected a name and a"));
  CHECK_THAT(ERROR_OF(read("ann 0123456789abcdef\nann fedcba9876543210\n")),
             ContainsSubstring("tokens:2: ann has a token already"));
  CHECK_THAT(ERROR_OF(read("ann 0123456789abcdef\nbob 0123456789abcdef\n")),
             ContainsSubstring("tokens:2: the token of ann again"));
  CHECK_THAT(ERROR_OF(read("ann 0123456789abcdef\nfedcba9876543210\n")),
             ContainsSubstring("2 tokens, of which 1 have no name; write a name before each"));
  CHECK_THAT(ERROR_OF(read("# nothing\n")), ContainsSubstring("tokens: has no token"));
  CHECK_THAT(ERROR_OF(rpc::Identities::read(folder.path() / "none")), ContainsSubstring("none"));
}

TEST_CASE("a token that no call can carry is refused by both sides", "[unit]") {
  const TestServer server;
  for (const char* wrong :
       {"0123456789abcdef\n", "0123456789abcdef\r", "0123\t456789abcdef", "\x01", "0123456789abcd\xc3\xa9"}) {
    const Variable token("VANTAGE_TOKEN", wrong);
    CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("VANTAGE_TOKEN: the token has"));
  }
  {
    const Variable token("VANTAGE_TOKEN", "0123456789abcdef\n");
    CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("the end of a line as its character 17"));
  }
  const TemporaryFolder folder;
  CHECK_THAT(ERROR_OF(rpc::Identities::read(folder.file("tokens",
                                                        "\xef\xbb\xbf"
                                                        "0123456789abcdef\n"))),
             ContainsSubstring("tokens:1: the token has byte 0xef as its character 1"));
}

TEST_CASE("a proxy for pages of the Web is not asked for a server", "[unit]") {
  const TestServer server;
  const Variable proxy("http_proxy", "http://127.0.0.1:1"), grpc_proxy("grpc_proxy", "http://127.0.0.1:1");
  CHECK(server.open()->memory_size() > Bytes(0));
}

TEST_CASE("TLS: files that hold something else are refused by both sides", "[unit]") {
  const TemporaryFolder folder;
  const rpc::TlsFiles a = certificate(folder, "a"), b = certificate(folder, "b");
  const auto text = folder.file("text", "finish\n");
  run_tool({"openssl", "pkey", "-in", a.key.string(), "-aes128", "-passout", "pass:word", "-out",
            (folder.path() / "locked").string()},
           folder.path(), "openssl");
  const struct {
    rpc::TlsFiles files;
    const char* said;
  } cases[] = {
      {{text, a.key, {}}, "text: holds no certificate (PEM)"},
      {{a.certificate, text, {}}, "text: holds no private key (PEM, without a passphrase)"},
      {{a.certificate, folder.path() / "locked", {}}, "locked: holds no private key (PEM, without a passphrase)"},
      {{a.key, a.certificate, {}}, "a.key: holds no certificate (PEM)"},
      {{a.certificate, b.key, {}}, "b.key: is the key of another certificate than "},
      {{a.certificate, a.key, text}, "text: holds no certificate (PEM)"},
  };
  for (const auto& [files, said] : cases) {
    CAPTURE(said);
    CHECK_THAT(ERROR_OF(rpc::server_credentials(files)), ContainsSubstring(said));
    CHECK_THAT(ERROR_OF(rpc::channel_credentials(files)), ContainsSubstring(said));
  }
}

TEST_CASE("what is no address is not listened on, and only loopback goes without a token", "[unit]") {
  for (const char* address : {"127.0.0.1", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:9o91", ":9091", "::1:9091",
                              "127.0.0.1:", "[::1:9091"}) {
    CHECK_THAT(ERROR_OF(rpc::is_loopback(address)),
               ContainsSubstring("expected HOST:PORT") || ContainsSubstring("expected a number from 0 to 65535"));
  }
  CHECK(rpc::is_loopback("127.8.9.1:0"));
  CHECK(rpc::is_loopback("[::1]:80"));
  CHECK(rpc::is_loopback("localhost:0"));
  CHECK_FALSE(rpc::is_loopback("127.0.0.1.example.com:0"));
  CHECK_FALSE(rpc::is_loopback("0.0.0.0:0"));
  CHECK_FALSE(rpc::is_loopback("[::]:0"));
}

TEST_CASE("health checks answer anyone, reflection only who has a token", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.identities = one("correct horse battery"); });
  const RawReply reply = call_with_bytes(server, "/grpc.health.v1.Health/Check", "");
  REQUIRE(reply.status.ok());
  // HealthCheckResponse: field 1, status, is 1, SERVING
  CHECK(reply.bytes == "\x08\x01");
  // ServerReflectionRequest: field 7, list_services, is ""
  const std::string method = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  CHECK(call_with_bytes(server, method, std::string("\x3a\x00", 2)).status.error_code() == grpc::StatusCode::CANCELLED);
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
  CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("certificate is not of an authority that this system trusts"));
  CHECK(eventually([&] { return server.logged("left without a call; do both sides use TLS"); }));
  {
    const Variable authority("VANTAGE_TLS_CA", stranger.certificate);
    CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("is not of " + stranger.certificate.string()));
  }
  const Variable authority("VANTAGE_TLS_CA", ours.certificate);
  const auto wants_certificate = ContainsSubstring("one with --tls-client-ca wants a certificate that it knows");
  CHECK_THAT(ERROR_OF(server.open()), wants_certificate);
  {
    const Variable cert("VANTAGE_TLS_CERT", stranger.certificate), key("VANTAGE_TLS_KEY", stranger.key);
    CHECK_THAT(ERROR_OF(server.open()), wants_certificate);
  }
  const Variable cert("VANTAGE_TLS_CERT", client.certificate);
  CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("a certificate and its key belong together"));
  const Variable key("VANTAGE_TLS_KEY", client.key);
  CHECK(server.open()->memory_size() > Bytes(0));
  // The same port without TLS
  CHECK_THAT(ERROR_OF(driver::open_accelerator("rpc" + server.uri().substr(4), kConfig)),
             ContainsSubstring("one with --tls-cert wants rpcs://"));
}

TEST_CASE("TLS: a server without it, and one of another name", "[unit]") {
  const TemporaryFolder folder;
  const TestServer open;
  CHECK_THAT(ERROR_OF(driver::open_accelerator("rpcs" + open.uri().substr(3), kConfig)),
             ContainsSubstring("does not speak TLS") && ContainsSubstring("use rpc://"));
  const rpc::TlsFiles elsewhere = certificate(folder, "elsewhere", "DNS:elsewhere.example");
  const TestServer named({"fsim"}, [&](rpc::ServerOptions& o) { o.tls = elsewhere; });
  const Variable authority("VANTAGE_TLS_CA", elsewhere.certificate);
  CHECK_THAT(ERROR_OF(named.open()), ContainsSubstring("certificate is for another name"));
}

}  // namespace vantage::test::driver_rpc_access_test
