#include "driver/rpc/protocol/access.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include <cstdlib>

#include "base/error.h"
#include "base/file.h"

namespace vantage::rpc {

namespace {

constexpr Bytes kLargestPem{1 << 20};

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

void add_token(grpc::ClientContext& call, const std::string& token) {
  if (!token.empty()) call.AddMetadata(kTokenHeader, std::string(kTokenScheme) + token);
}

void keep_grpc_quiet() {
  // What is wrong with a message is in its call's status; here anyone could fill the log with it.
  google::protobuf::SetLogHandler(nullptr);
  if (std::getenv("GRPC_VERBOSITY") == nullptr) gpr_set_log_function([](gpr_log_func_args*) {});
}

}  // namespace vantage::rpc
