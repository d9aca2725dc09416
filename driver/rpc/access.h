// Who may call a server, and over what: TLS and a token.
#pragma once

#include <grpcpp/grpcpp.h>

#include <filesystem>
#include <memory>
#include <string>

namespace vantage::rpc {

// PEM files. A server has a certificate and a key; with an authority it asks clients for a certificate of theirs that
// this signed. A client has an authority that signed the server's certificate, and a certificate and key if the server
// asks for one. All empty: no TLS.
struct TlsFiles {
  std::filesystem::path certificate, key, authority;

  bool empty() const { return certificate.empty() && key.empty() && authority.empty(); }
};

// Both throw Error for a file that cannot be read, and a certificate without its key.
std::shared_ptr<grpc::ServerCredentials> server_credentials(const TlsFiles& files);
std::shared_ptr<grpc::ChannelCredentials> channel_credentials(const TlsFiles& files);

// The first line of the file. Throws Error when it cannot be read or has fewer than 16 characters.
std::string read_token(const std::filesystem::path& path);

// Whether a call carries this token, compared in a time that does not depend on it. True when the token is empty.
bool carries_token(const grpc::ServerContext& call, const std::string& token);
void add_token(grpc::ClientContext& call, const std::string& token);

// Keeps gRPC from writing to standard error, unless GRPC_VERBOSITY in the environment asks for it: what matters of it
// is in the statuses of calls.
void keep_grpc_quiet();

// Whether only this machine reaches the address HOST:PORT.
bool is_loopback(const std::string& address);

}  // namespace vantage::rpc
