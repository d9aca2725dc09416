// Over what a server is called: TLS, and a token with every call.
#pragma once

#include <grpcpp/grpcpp.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace vantage::rpc {

// PEM files. A server has a certificate and a key; with an authority it asks clients for a certificate of theirs that
// this signed. A client has an authority that signed the server's certificate, and a certificate and key if the server
// asks for one. All empty: no TLS.
struct TlsFiles {
  std::filesystem::path certificate, key, authority;

  bool empty() const { return certificate.empty() && key.empty() && authority.empty(); }
};

// Both throw Error for a file that cannot be read or holds something else, and for a certificate without its key, or
// with another one's.
std::shared_ptr<grpc::ServerCredentials> server_credentials(const TlsFiles& files);
std::shared_ptr<grpc::ChannelCredentials> channel_credentials(const TlsFiles& files);

// The metadata in which a call carries its token: "Bearer TOKEN".
inline constexpr const char* kTokenHeader = "authorization";
inline constexpr std::string_view kTokenScheme = "Bearer ";
// Throws Error, which begins with `where`, unless calls can carry the token: it is printable ASCII.
void require_token(const std::string& token, const std::string& where);
void add_token(grpc::ClientContext& call, const std::string& token);

// Keeps gRPC from writing to standard error, unless GRPC_VERBOSITY in the environment asks for it: what matters of it
// is in the statuses of calls.
void keep_grpc_quiet();

}  // namespace vantage::rpc
