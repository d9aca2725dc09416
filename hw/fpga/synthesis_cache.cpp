#include "hw/fpga/synthesis_cache.h"

#include <fmt/format.h>

#include "base/cache_seal.h"
#include "base/error.h"
#include "base/json_object.h"
#include "base/trusted_file.h"
#include "hw/fpga/timing/timing_json.h"

namespace vantage::fpga {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kLargestResult{1 << 20};

Json to_json(const Synthesis& s) {
  Json json = {{"luts", s.used.luts},
               {"flip_flops", s.used.flip_flops},
               {"dsps", s.used.dsps},
               {"block_rams", s.used.block_rams},
               {"seconds", s.seconds}};
  if (s.timing) json["timing"] = to_json(*s.timing);
  return json;
}

Synthesis from_json(const JsonObject& object) {
  constexpr double kLongest = 1e9;
  Synthesis s;
  s.used.luts = object.natural("luts", 0, UINT32_MAX);
  s.used.flip_flops = object.natural("flip_flops", 0, UINT32_MAX);
  s.used.dsps = object.natural("dsps", 0, UINT32_MAX);
  s.used.block_rams = object.natural("block_rams", 0, UINT32_MAX);
  s.seconds = object.number("seconds", 0, kLongest);
  if (object.has("timing")) {
    s.timing = timing_from_json(object.object("timing", {"worst_ns", "ends_by_ns", "paths"}));
  }
  return s;
}

// The name is part of it: a result in another's place is another's.
std::string sealed_text(const fs::path& path, const Synthesis& result) {
  return fmt::format("synthesis {} {}", path.filename().string(), to_json(result).dump());
}

}  // namespace

std::optional<Synthesis> kept_result(const fs::path& cache, const fs::path& path,
                                     const std::function<void(const std::string&)>& tell) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    const Json json = parse_json(read_trusted_file(path, kLargestResult), path.string());
    const JsonObject object(json, path.string(),
                            {"luts", "flip_flops", "dsps", "block_rams", "seconds", "timing", "seal"});
    const Synthesis result = from_json(object);
    if (CacheSeal::holds(cache, sealed_text(path, result), object.string("seal"))) return result;
    fail("{}: it has not the seal of what this cache's programs write", path.string());
  } catch (const Error& error) {
    if (tell) tell(fmt::format("a kept result is not used ({})", error.what()));
    return std::nullopt;
  }
}

void keep_result(const fs::path& cache, const fs::path& path, const Synthesis& result) {
  Json json = to_json(result);
  json["seal"] = CacheSeal(cache).of(sealed_text(path, result));
  write_trusted_file(path, json_text(json) + "\n");
}

}  // namespace vantage::fpga
