#include "driver/rpc/server/identities.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "driver/rpc/protocol/access.h"

namespace vantage::rpc {

namespace {

constexpr Bytes kLargestFile{1 << 20};
constexpr size_t kShortestToken = 16;

}  // namespace

Identities Identities::read(const std::filesystem::path& path) {
  std::vector<Identity> list;
  std::istringstream file(read_file(path, kLargestFile));
  size_t number = 0, nameless = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::istringstream words(line);
    std::vector<std::string> word;
    for (std::string next; words >> next;) word.push_back(next);
    if (word.empty() || word.front().starts_with('#')) continue;
    if (word.size() > 2) {
      fail("{}:{}: {} words, expected a name and a token, or a token alone", path.string(), number, word.size());
    }
    const Identity identity = word.size() == 2 ? Identity{word[0], word[1]} : Identity{"owner", word[0]};
    nameless += word.size() == 1 ? 1 : 0;
    if (identity.token.size() < kShortestToken) {
      fail("{}:{}: the token has {} characters, expected at least {}; `openssl rand -hex 32` makes one", path.string(),
           number, identity.token.size(), kShortestToken);
    }
    require_token(identity.token, fmt::format("{}:{}", path.string(), number));
    for (const Identity& other : list) {
      if (other.token == identity.token) fail("{}:{}: the token of {} again", path.string(), number, other.name);
      if (other.name == identity.name && nameless == 0) {
        fail("{}:{}: {} has a token already; give each name one", path.string(), number, identity.name);
      }
    }
    list.push_back(identity);
  }
  if (list.empty()) fail("{}: has no token; `openssl rand -hex 32` makes one", path.string());
  if (nameless > 0 && list.size() > 1) {
    fail("{}: {} tokens, of which {} have no name; write a name before each", path.string(), list.size(), nameless);
  }
  return Identities(std::move(list));
}

const std::string* Identities::of(const grpc::ServerContextBase& call) const {
  static const std::string kAnyone = "anyone";
  if (list_.empty()) return &kAnyone;
  const auto header = call.client_metadata().find(kTokenHeader);
  if (header == call.client_metadata().end()) return nullptr;
  std::string_view got(header->second.data(), header->second.size());
  if (!got.starts_with(kTokenScheme)) return nullptr;
  got.remove_prefix(kTokenScheme.size());
  const std::string* found = nullptr;
  for (const Identity& identity : list_) {
    const bool same =
        got.size() == identity.token.size() && CRYPTO_memcmp(got.data(), identity.token.data(), got.size()) == 0;
    if (same) found = &identity.name;
  }
  return found;
}

}  // namespace vantage::rpc
