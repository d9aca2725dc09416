#include "hw/spec/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "hw/spec/error.h"

namespace vantage {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  unsigned int size = 0;
  const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  VANTAGE_CHECK(done == 1 && size == digest.size());
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace vantage
