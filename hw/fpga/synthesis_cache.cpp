#include "hw/fpga/synthesis_cache.h"

#include "base/json_object.h"
#include "hw/fpga/sealed_json.h"
#include "hw/fpga/timing/timing_json.h"

namespace vantage::fpga {

namespace fs = std::filesystem;

namespace {

SealedKind synthesis_kind() {
  return {"synthesis", {"luts", "flip_flops", "dsps", "block_rams", "seconds", "timing"}};
}

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

}  // namespace

std::optional<Synthesis> kept_result(const fs::path& cache, const fs::path& path,
                                     const std::function<void(const std::string&)>& tell) {
  return kept_json(cache, path, synthesis_kind(), tell, from_json);
}

void keep_result(const fs::path& cache, const fs::path& path, const Synthesis& result) {
  write_sealed_json(cache, path, synthesis_kind(), to_json(result));
}

}  // namespace vantage::fpga
