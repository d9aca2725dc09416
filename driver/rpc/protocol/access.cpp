#include "driver/rpc/protocol/access.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"

namespace vantage::rpc {

namespace {

constexpr Bytes kLargestPem{1 << 20};

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

Owned<BIO> reader(const std::string& text) {
  return {::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), [](BIO* bio) { ::BIO_free(bio); }};
}

// gRPC would take anything, and then answer nobody.
struct Pem {
  std::string text;
  Owned<X509> certificate{nullptr, ::X509_free};
};

Pem read_certificates(const std::filesystem::path& path) {
  if (path.empty()) return {};
  Pem read{read_file(path, kLargestPem)};
  read.certificate.reset(::PEM_read_bio_X509(reader(read.text).get(), nullptr, nullptr, nullptr));
  if (read.certificate == nullptr) fail("{}: holds no certificate (PEM)", path.string());
  return read;
}

// The text of the key of such a certificate.
std::string read_key(const TlsFiles& files, const Pem& certificates) {
  if (files.key.empty()) return {};
  const std::string text = read_file(files.key, kLargestPem);
  const auto no_passphrase = [](char*, int, int, void*) { return -1; };
  const Owned<EVP_PKEY> key(::PEM_read_bio_PrivateKey(reader(text).get(), nullptr, no_passphrase, nullptr),
                            ::EVP_PKEY_free);
  if (key == nullptr) fail("{}: holds no private key (PEM, without a passphrase)", files.key.string());
  if (::X509_check_private_key(certificates.certificate.get(), key.get()) != 1) {
    fail("{}: is the key of another certificate than {}", files.key.string(), files.certificate.string());
  }
  return text;
}

void require_pair(const TlsFiles& files) {
  if (files.certificate.empty() == files.key.empty()) return;
  fail("TLS: a certificate and its key belong together; {} was given alone",
       (files.key.empty() ? files.certificate : files.key).string());
}

}  // namespace

std::shared_ptr<grpc::ServerCredentials> server_credentials(const TlsFiles& files) {
  if (files.empty()) return grpc::InsecureServerCredentials();
  require_pair(files);
  if (files.certificate.empty()) fail("TLS: a server needs a certificate and its key");
  grpc::SslServerCredentialsOptions options(files.authority.empty()
                                                ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                                : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = read_certificates(files.authority).text;
  const Pem certificates = read_certificates(files.certificate);
  options.pem_key_cert_pairs.push_back({read_key(files, certificates), certificates.text});
  return grpc::SslServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> channel_credentials(const TlsFiles& files) {
  require_pair(files);
  const Pem certificates = read_certificates(files.certificate);
  return grpc::SslCredentials(
      {read_certificates(files.authority).text, read_key(files, certificates), certificates.text});
}

void require_token(const std::string& token, const std::string& where) {
  const auto wrong = std::ranges::find_if(token, [](unsigned char c) { return c < ' ' || c > '~'; });
  if (wrong == token.end()) return;
  fail(
      "{}: the token has {} as its character {}, and calls carry printable ASCII alone; `openssl rand -hex 32` makes "
      "one that they can",
      where,
      *wrong == '\n' || *wrong == '\r' ? "the end of a line"
                                       : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(*wrong)),
      wrong - token.begin() + 1);
}

void add_token(grpc::ClientContext& call, const std::string& token) {
  if (!token.empty()) call.AddMetadata(kTokenHeader, std::string(kTokenScheme) + token);
}

void keep_grpc_quiet() {
  // What is wrong with a message is in its call's status; here anyone could fill the log with it.
  google::protobuf::SetLogHandler(nullptr);
  if (std::getenv("GRPC_VERBOSITY") == nullptr) gpr_set_log_function([](gpr_log_func_args*) {});
}

}  // namespace vantage::rpc
