#include "sim/published/published_timing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/suggest.h"
#include "hw/isa/config_name.h"

namespace vantage::sim {

namespace {

constexpr std::string_view kEnding = ".json";
// Of a row, a beat or a step: the dearest LOAD is far from what a count of thousandths holds.
constexpr double kMostCycles = 1e4;
// Of a cache, in bytes: a line holds some beats, and all lines are kept in memory.
constexpr uint64_t kLargestCache = uint64_t{1} << 26, kSmallestLine = 16, kLargestLine = 256;
constexpr int kMostMegahertz = 10'000;

struct TimeKey {
  const char* name;
  Millicycles PublishedTiming::*member;
};
using T = PublishedTiming;
constexpr std::array kTimes = {
    TimeKey{"gemm_step", &T::gemm_step}, TimeKey{"alu_step", &T::alu_step},   TimeKey{"load_row", &T::load_row},
    TimeKey{"store_row", &T::store_row}, TimeKey{"inp_beat", &T::inp_beat},   TimeKey{"wgt_beat", &T::wgt_beat},
    TimeKey{"acc_beat", &T::acc_beat},   TimeKey{"out_beat", &T::out_beat},   TimeKey{"uop", &T::uop},
    TimeKey{"zero", &T::zero},           TimeKey{"host_insn", &T::host_insn},
};

Millicycles time(const JsonObject& json, std::string_view key) {
  return Millicycles(static_cast<uint64_t>(std::llround(1000 * json.number(key, 0, kMostCycles))));
}

uint64_t power_of_two(const JsonObject& json, std::string_view key, uint64_t min, uint64_t max) {
  const uint64_t value = json.natural(key, min, max);
  if (!std::has_single_bit(value)) json.refuse(key, fmt::format("a power of two from {} to {}", min, max));
  return value;
}

CacheTiming read_cache(const JsonObject& json) {
  CacheTiming cache;
  cache.size = Bytes(power_of_two(json, "size", kSmallestLine, kLargestCache));
  cache.line = Bytes(power_of_two(json, "line", kSmallestLine, kLargestLine));
  cache.ways = power_of_two(json, "ways", 1, 64);
  cache.missed_beat = time(json, "missed_beat");
  if (cache.size.count() < cache.line.count() * cache.ways) {
    json.refuse("size", fmt::format("room for a line of {} bytes in each of {} ways", cache.line.count(), cache.ways));
  }
  return cache;
}

}  // namespace

PublishedTiming PublishedTiming::find(const std::string& file_or_name) {
  for (const EmbeddedFile& file : published_descriptions()) {
    if (file.name == file_or_name + std::string(kEnding)) return parse(file.text, "configs/machines/" + file.name);
  }
  if (std::filesystem::is_regular_file(file_or_name)) return load(file_or_name);
  fail("{}: no such file, and no published machine of that name{}", file_or_name,
       did_you_mean(file_or_name, published_names()));
}

std::vector<std::string> published_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : published_descriptions()) {
    names.push_back(file.name.substr(0, file.name.size() - kEnding.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

PublishedTiming PublishedTiming::load(const std::filesystem::path& path) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string());
}

PublishedTiming PublishedTiming::parse(std::string_view json_text, std::string_view source) {
  const Json json = parse_json(json_text, source);
  std::vector<std::string> known = {"name", "meaning", "source", "config", "clock_mhz", "cache"};
  for (const TimeKey& key : kTimes) known.emplace_back(key.name);
  const JsonObject object(json, std::string(source), std::move(known));
  PublishedTiming timing;
  timing.where = source;
  timing.name = object.string("name");
  timing.meaning = object.string("meaning");
  timing.source = object.string("source");
  timing.config = object.string("config");
  try {
    isa::config_of_name(timing.config);
  } catch (const Error& error) {
    fail("{}: config: {}", source, error.what());
  }
  timing.clock_mhz = object.integer("clock_mhz", 1, kMostMegahertz);
  for (const TimeKey& key : kTimes) timing.*key.member = time(object, key.name);
  if (object.has("cache")) timing.cache = read_cache(object.object("cache", {"size", "line", "ways", "missed_beat"}));
  return timing;
}

void PublishedTiming::require(const isa::Config& given) const {
  const isa::Config built = isa::config_of_name(config);
  if (given.name() != built.name()) {
    fail("{} is of configuration {}, not {}: there is one build of it, whose time says nothing of others", where,
         built.name(), given.name());
  }
  if (given.clock_mhz() != clock_mhz) {
    fail("{} was measured at {} MHz, and CLOCK_MHZ is {}; set it to {}", where, clock_mhz, given.clock_mhz(),
         clock_mhz);
  }
  if (given.bus_width() != built.bus_width()) {
    fail("{} has a bus of {} bytes, and the configuration one of {}; set LOG_BUS_WIDTH to {}", where,
         built.bus_width().count(), given.bus_width().count(), std::countr_zero(8 * built.bus_width().count()));
  }
}

}  // namespace vantage::sim
