#include "driver/rpc/access.h"

#include <grpc/support/log.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"

namespace vantage::rpc {

namespace {

constexpr Bytes kLargestPem{1 << 20};
constexpr size_t kShortestToken = 16;
constexpr const char* kHeader = "authorization";
constexpr std::string_view kScheme = "Bearer ";

std::string pem(const std::filesystem::path& path) {
  return path.empty() ? "" : read_file(path, kLargestPem);
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
  options.pem_root_certs = pem(files.authority);
  options.pem_key_cert_pairs.push_back({pem(files.key), pem(files.certificate)});
  return grpc::SslServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> channel_credentials(const TlsFiles& files) {
  require_pair(files);
  return grpc::SslCredentials({pem(files.authority), pem(files.key), pem(files.certificate)});
}

std::string read_token(const std::filesystem::path& path) {
  std::string token = read_file(path, kLargestPem);
  token.resize(std::min(token.find_first_of("\r\n"), token.size()));
  if (token.size() < kShortestToken) {
    fail("{}: the token has {} characters, expected at least {}; `openssl rand -hex 32` makes one", path.string(),
         token.size(), kShortestToken);
  }
  return token;
}

bool carries_token(const grpc::ServerContext& call, const std::string& token) {
  if (token.empty()) return true;
  const auto header = call.client_metadata().find(kHeader);
  if (header == call.client_metadata().end()) return false;
  std::string_view got(header->second.data(), header->second.size());
  if (!got.starts_with(kScheme)) return false;
  got.remove_prefix(kScheme.size());
  return got.size() == token.size() && CRYPTO_memcmp(got.data(), token.data(), token.size()) == 0;
}

void add_token(grpc::ClientContext& call, const std::string& token) {
  if (!token.empty()) call.AddMetadata(kHeader, std::string(kScheme) + token);
}

void keep_grpc_quiet() {
  if (std::getenv("GRPC_VERBOSITY") == nullptr) gpr_set_log_function([](gpr_log_func_args*) {});
}

bool is_loopback(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.starts_with("127.") || host == "unix";
}

}  // namespace vantage::rpc
