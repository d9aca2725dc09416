// What tools found, as JSON in the cache (base/cache.h), each in a file with the seal of who put it there.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_object.h"

namespace vantage::fpga {

// Of what kind it is ("synthesis"), and the keys that it may have.
struct SealedKind {
  std::string name;
  std::vector<std::string> keys;
};

// Throws Error when the file is damaged, or was not put there by this cache's programs.
Json read_sealed_json(const std::filesystem::path& cache, const std::filesystem::path& path, const SealedKind& kind);

// Throws Error when it cannot be written.
void write_sealed_json(const std::filesystem::path& cache, const std::filesystem::path& path, const SealedKind& kind,
                       Json json);

// What the cache has under this name, as `parse` makes it of the object there. Nothing when there is none, and, told to
// `tell`, when it is damaged, was not put there by this cache's programs, or `parse` throws Error.
template <typename Parse>
auto kept_json(const std::filesystem::path& cache, const std::filesystem::path& path, const SealedKind& kind,
               const std::function<void(const std::string&)>& tell, Parse parse)
    -> std::optional<decltype(parse(std::declval<const JsonObject&>()))> {
  if (!std::filesystem::exists(path)) return std::nullopt;
  try {
    const Json json = read_sealed_json(cache, path, kind);
    return parse(JsonObject(json, path.string(), kind.keys));
  } catch (const Error& error) {
    if (tell) tell(std::string("a kept result is not used (") + error.what() + ")");
    return std::nullopt;
  }
}

}  // namespace vantage::fpga
