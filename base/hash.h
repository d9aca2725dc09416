// FNV-1a, 64 bits: names for things by their content, where nobody means harm.
#pragma once

#include <cstdint>
#include <string_view>

namespace vantage {

constexpr uint64_t kFnv1aStart = 0xcbf29ce484222325;

// Continues a hash, so that pieces may be added one after another.
constexpr uint64_t fnv1a(std::string_view text, uint64_t hash = kFnv1aStart) {
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace vantage
