// The fingerprint that files are told apart by.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace vantage {

// SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

// Bytes as lower-case hexadecimal digits.
std::string hexadecimal(std::span<const unsigned char> bytes);

// Whether a text is one, as above.
bool is_sha256(std::string_view text);

// The same of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  void update(std::string_view bytes);
  // Of all so far. Nothing may be added afterwards.
  std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace vantage
