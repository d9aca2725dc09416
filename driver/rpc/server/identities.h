// Who may call a server: names, each with a token of its own. Turns and places are shared between names.
#pragma once

#include <grpcpp/grpcpp.h>

#include <filesystem>
#include <string>
#include <vector>

namespace vantage::rpc {

struct Identity {
  std::string name;
  std::string token;
};

class Identities {
 public:
  // Everyone may call, and is one: "anyone".
  Identities() = default;
  explicit Identities(std::vector<Identity> list) : list_(std::move(list)) {}
  // Lines of a name and a token, or one line of a token alone, whose name is "owner"; those that begin with # are
  // comments. Throws Error when the file cannot be read, for a line that is neither, for a name or a token that comes
  // twice, and for a token of fewer than 16 characters.
  static Identities read(const std::filesystem::path& path);

  bool empty() const { return list_.empty(); }
  size_t size() const { return list_.size(); }

  // The name of who makes a call; null for a stranger. Takes a time that does not depend on the tokens.
  const std::string* of(const grpc::ServerContextBase& call) const;

 private:
  std::vector<Identity> list_;
};

}  // namespace vantage::rpc
