#include "sim/rtl/model_cache.h"

#include "base/cache_seal.h"
#include "base/error.h"
#include "base/json_object.h"
#include "base/sha256.h"
#include "base/trusted_file.h"

namespace vantage::sim {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kLargestModel{uint64_t{1} << 30};
constexpr Bytes kLargestNote{1 << 12};

fs::path note_of(const fs::path& path) {
  return fs::path(path) += ".json";
}

// The name is part of it: a model in another's place is another's.
std::string sealed_text(const fs::path& path, const std::string& sha256) {
  return fmt::format("model {} {}", path.filename().string(), sha256);
}

}  // namespace

RtlLibrary load_kept_model(const fs::path& cache, const fs::path& path) {
  const fs::path note_path = note_of(path);
  const Json json = parse_json(read_trusted_file(note_path, kLargestNote), note_path.string());
  const JsonObject note(json, note_path.string(), {"sha256", "seal"});
  const std::string expected = note.string("sha256");
  if (!CacheSeal::holds(cache, sealed_text(path, expected), note.string("seal"))) {
    fail("{}: it has not the seal of what this cache's programs write", note_path.string());
  }
  const std::string bytes = read_trusted_file(path, kLargestModel);
  const std::string found = sha256(bytes);
  if (found != expected) fail("{}: damaged: its SHA-256 is {}, expected {}", path.string(), found, expected);
  return {bytes, found, path};
}

void keep_model(const fs::path& cache, const fs::path& path, std::string_view bytes) {
  const std::string hash = sha256(bytes);
  write_trusted_file(path, bytes);
  write_trusted_file(note_of(path),
                     json_text({{"sha256", hash}, {"seal", CacheSeal(cache).of(sealed_text(path, hash))}}) + "\n");
}

}  // namespace vantage::sim
