#include "hw/fpga/synthesis_cache.h"

#include <fmt/format.h>

#include "base/cache_seal.h"
#include "base/error.h"
#include "base/json_object.h"
#include "base/trusted_file.h"

namespace vantage::fpga {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kLargestResult{1 << 12};

Json to_json(const Resources& r) {
  return {{"luts", r.luts},
          {"flip_flops", r.flip_flops},
          {"dsps", r.dsps},
          {"block_rams", r.block_rams},
          {"seconds", r.seconds}};
}

Resources from_json(const JsonObject& object) {
  constexpr double kLongest = 1e9;
  Resources r;
  r.luts = object.natural("luts", 0, UINT32_MAX);
  r.flip_flops = object.natural("flip_flops", 0, UINT32_MAX);
  r.dsps = object.natural("dsps", 0, UINT32_MAX);
  r.block_rams = object.natural("block_rams", 0, UINT32_MAX);
  r.seconds = object.number("seconds", 0, kLongest);
  return r;
}

// The name is part of it: a result in another's place is another's.
std::string sealed_text(const fs::path& path, const Resources& result) {
  return fmt::format("synthesis {} {}", path.filename().string(), to_json(result).dump());
}

}  // namespace

std::optional<Resources> kept_result(const fs::path& cache, const fs::path& path,
                                     const std::function<void(const std::string&)>& tell) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    const Json json = parse_json(read_trusted_file(path, kLargestResult), path.string());
    const JsonObject object(json, path.string(), {"luts", "flip_flops", "dsps", "block_rams", "seconds", "seal"});
    const Resources result = from_json(object);
    if (CacheSeal::holds(cache, sealed_text(path, result), object.string("seal"))) return result;
    fail("{}: it has not the seal of what this cache's programs write", path.string());
  } catch (const Error& error) {
    if (tell) tell(fmt::format("a kept result is not used ({})", error.what()));
    return std::nullopt;
  }
}

void keep_result(const fs::path& cache, const fs::path& path, const Resources& result) {
  Json json = to_json(result);
  json["seal"] = CacheSeal(cache).of(sealed_text(path, result));
  write_trusted_file(path, json_text(json) + "\n");
}

}  // namespace vantage::fpga
