#include "hw/fpga/sealed_json.h"

#include <fmt/format.h>

#include "base/cache_seal.h"
#include "base/trusted_file.h"

namespace vantage::fpga {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kLargestResult{1 << 22};
constexpr const char* kSeal = "seal";

// The name is part of it: a result in another's place is another's.
std::string sealed_text(const fs::path& path, const SealedKind& kind, const Json& json) {
  return fmt::format("{} {} {}", kind.name, path.filename().string(), json.dump());
}

}  // namespace

Json read_sealed_json(const fs::path& cache, const fs::path& path, const SealedKind& kind) {
  Json json = parse_json(read_trusted_file(path, kLargestResult), path.string());
  std::vector<std::string> keys = kind.keys;
  keys.emplace_back(kSeal);
  const std::string seal = JsonObject(json, path.string(), keys).string(kSeal);
  json.erase(kSeal);
  if (!CacheSeal::holds(cache, sealed_text(path, kind, json), seal)) {
    fail("{}: it has not the seal of what this cache's programs write", path.string());
  }
  return json;
}

void write_sealed_json(const fs::path& cache, const fs::path& path, const SealedKind& kind, Json json) {
  json[kSeal] = CacheSeal(cache).of(sealed_text(path, kind, json));
  write_trusted_file(path, json_text(json) + "\n");
}

}  // namespace vantage::fpga
