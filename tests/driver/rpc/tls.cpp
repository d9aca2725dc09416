#include "tests/driver/rpc/tls.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <csignal>

#include "base/error.h"
#include "base/process.h"

namespace vantage::test {

namespace {

std::unique_ptr<ssl_st, void (*)(ssl_st*)> client() {
  static SSL_CTX* const context = [] {
    ::signal(SIGPIPE, SIG_IGN);  // of OpenSSL, when the other side has closed
    return ::SSL_CTX_new(::TLS_client_method());
  }();
  std::unique_ptr<ssl_st, void (*)(ssl_st*)> tls(::SSL_new(context), ::SSL_free);
  constexpr unsigned char kHttp2[] = {2, 'h', '2'};
  ::SSL_set_alpn_protos(tls.get(), kHttp2, sizeof kHttp2);
  ::SSL_set_connect_state(tls.get());
  return tls;
}

}  // namespace

rpc::TlsFiles certificate(const TemporaryFolder& folder, const std::string& name, const std::string& subject) {
  const auto cert = folder.path() / (name + ".crt"), key = folder.path() / (name + ".key");
  run_tool({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            key.string(), "-out", cert.string(), "-days", "2", "-subj", "/CN=" + name, "-addext",
            "subjectAltName=" + subject},
           folder.path(), "openssl");
  return {cert, key, {}};
}

std::string client_hello() {
  const auto tls = client();
  BIO* const sent = ::BIO_new(::BIO_s_mem());
  ::SSL_set_bio(tls.get(), ::BIO_new(::BIO_s_mem()), sent);  // which are its own from here on
  ::SSL_do_handshake(tls.get());
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(sent, &bytes);
  return {bytes, static_cast<size_t>(size)};
}

TlsAttacker::TlsAttacker(int port) : connection_(port), tls_(client()) {
  ::SSL_set_fd(tls_.get(), connection_.socket());
  if (::SSL_do_handshake(tls_.get()) != 1) fail("there was no handshake");
}

bool TlsAttacker::send(const std::string& bytes) {
  return ::SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0;
}

}  // namespace vantage::test
