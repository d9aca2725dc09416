#include "hw/memory/memory_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/math.h"
#include "hw/isa/config.h"

namespace vantage {

namespace {

constexpr uint64_t kMaxCycles = 1'000'000;
constexpr uint64_t kMaxBursts = 4096;
constexpr double kMaxNanoseconds = 1e9;
constexpr double kMinGigabytes = 0.001, kMaxGigabytes = 10'000;
// What a decimal fraction may be off as it is read; what is finer than a megabyte or a picosecond is rounded to a
// slower memory.
constexpr double kReadingError = 1e-12;
constexpr const char* kBytesPerCycle = "bytes_per_cycle";
constexpr const char* kGigabytes = "gbytes_per_s";

// One key of a JSON object: how it is written and read. The only list of the keys. A time has a second key, with "_ns"
// behind its name.
template <typename Settings>
struct Key {
  std::string name;
  uint64_t min, max;
  bool power_of_two;
  bool is_time;
  std::function<uint64_t(const Settings&)> get;
  std::function<void(Settings&, uint64_t)> set;

  std::string in_nanoseconds() const { return name + "_ns"; }
};

template <typename Settings, typename Unit>
Key<Settings> key(std::string name, Quantity<Unit> Settings::*member, uint64_t min, uint64_t max,
                  bool power_of_two = false) {
  return {std::move(name),
          min,
          max,
          power_of_two,
          std::is_same_v<Quantity<Unit>, Cycles>,
          [member](const Settings& s) { return (s.*member).count(); },
          [member](Settings& s, uint64_t value) { s.*member = Quantity<Unit>(value); }};
}
template <typename Settings>
Key<Settings> key(std::string name, uint64_t Settings::*member, uint64_t min, uint64_t max, bool power_of_two = false) {
  return {std::move(name),
          min,
          max,
          power_of_two,
          false,
          [member](const Settings& s) { return s.*member; },
          [member](Settings& s, uint64_t value) { s.*member = value; }};
}

const std::vector<Key<MemoryTiming>>& timing_keys() {
  using M = MemoryTiming;
  static const std::vector<Key<M>> kKeys = {
      key("read_latency", &M::read_latency, 0, kMaxCycles), key("write_latency", &M::write_latency, 0, kMaxCycles),
      key("max_reads", &M::max_reads, 0, kMaxBursts),       key("max_writes", &M::max_writes, 0, kMaxBursts),
      key("max_jitter", &M::max_jitter, 0, kMaxCycles),     key("jitter_seed", &M::jitter_seed, 0, UINT64_MAX),
  };
  return kKeys;
}

const std::vector<Key<BankTiming>>& bank_keys() {
  using B = BankTiming;
  static const std::vector<Key<B>> kKeys = {
      key("banks", &B::banks, 1, 64, true),         key("row_size", &B::row_size, 64, uint64_t{1} << 20, true),
      key("activate", &B::activate, 0, kMaxCycles), key("precharge", &B::precharge, 0, kMaxCycles),
      key("column", &B::column, 0, kMaxCycles),     key("refresh_interval", &B::refresh_interval, 0, UINT32_MAX),
      key("refresh", &B::refresh, 0, kMaxCycles),
  };
  return kKeys;
}

template <typename Settings>
std::vector<std::string> key_names(const std::vector<Key<Settings>>& keys) {
  std::vector<std::string> list;
  for (const auto& k : keys) {
    list.push_back(k.name);
    if (k.is_time) list.push_back(k.in_nanoseconds());
  }
  return list;
}

// Two keys that say the same in different units.
void refuse_both(const JsonObject& json, const std::string& cycles, const std::string& absolute) {
  if (!json.has(cycles) || !json.has(absolute)) return;
  fail(
      "{}: {} is {} and {} is {}, which say the same twice; keep {} for a memory that is as fast at any CLOCK_MHZ, or "
      "{}",
      json.where(), cycles, json_excerpt(json.value(cycles)), absolute, json_excerpt(json.value(absolute)), absolute,
      cycles);
}

uint64_t power_of_two(const JsonObject& json, const std::string& name, uint64_t min, uint64_t max) {
  const Json& value = json.value(name);
  const bool is_power = value.is_number_unsigned() && std::has_single_bit(value.get<uint64_t>());
  if (!is_power || value.get<uint64_t>() < min || value.get<uint64_t>() > max) {
    json.refuse(name, fmt::format("a power of two from {} to {}", min, max));
  }
  return value.get<uint64_t>();
}

// A time that is given in nanoseconds, in whole cycles that are no shorter. Picoseconds, so that 7.5 ns are exactly
// that.
uint64_t cycles_of(const JsonObject& json, const std::string& name, int clock_mhz, uint64_t max) {
  const double given = std::ceil(1000 * json.number(name, 0, kMaxNanoseconds) * (1 - kReadingError));
  const auto picoseconds = static_cast<uint64_t>(given);
  constexpr uint64_t kPicosecondMegahertz = 1'000'000;
  const uint64_t cycles = ceil_div(picoseconds * static_cast<uint64_t>(clock_mhz), kPicosecondMegahertz);
  if (cycles > max) {
    fail("{}: {} is {}, which is {} cycles at {} MHz; expected at most {} cycles", json.where(), name,
         json_excerpt(json.value(name)), cycles, clock_mhz, max);
  }
  return cycles;
}

template <typename Settings>
void read_keys(const std::vector<Key<Settings>>& keys, const JsonObject& json, int clock_mhz, Settings& settings) {
  for (const auto& k : keys) {
    if (k.is_time) refuse_both(json, k.name, k.in_nanoseconds());
    if (k.is_time && json.has(k.in_nanoseconds())) {
      k.set(settings, cycles_of(json, k.in_nanoseconds(), clock_mhz, k.max));
    } else if (json.has(k.name)) {
      k.set(settings, k.power_of_two ? power_of_two(json, k.name, k.min, k.max) : json.natural(k.name, k.min, k.max));
    }
  }
}

// Megabytes a second by megahertz are bytes a cycle, so a fraction of whole numbers says any rate exactly.
MemoryRate read_rate(const JsonObject& json, int clock_mhz) {
  refuse_both(json, kBytesPerCycle, kGigabytes);
  if (json.has(kBytesPerCycle)) return {power_of_two(json, kBytesPerCycle, 1, isa::kMaxBeat.count()), 1};
  if (!json.has(kGigabytes)) return {};
  const double gigabytes = json.number(kGigabytes, kMinGigabytes, kMaxGigabytes);
  const double megabytes = std::floor(1000 * gigabytes * (1 + kReadingError));
  return {static_cast<uint64_t>(megabytes), static_cast<uint64_t>(clock_mhz)};
}

// A time as it is given: "refresh is 10", or "refresh_ns is 100, 10 cycles at 100 MHz".
std::string as_given(const JsonObject& json, const std::string& name, Cycles cycles, int clock_mhz) {
  const std::string absolute = name + "_ns";
  if (!json.has(absolute)) return fmt::format("{} is {}", name, cycles.count());
  return fmt::format("{} is {}, {} cycles at {} MHz", absolute, json_excerpt(json.value(absolute)), cycles.count(),
                     clock_mhz);
}

BankTiming read_banks(const JsonObject& json, int clock_mhz) {
  BankTiming banks;
  read_keys(bank_keys(), json, clock_mhz, banks);
  const std::string refresh = as_given(json, "refresh", banks.refresh, clock_mhz);
  if (banks.refresh_interval.count() == 0 && banks.refresh.count() != 0) {
    fail("{}: {}, but without refresh_interval there is none; give both or neither", json.where(), refresh);
  }
  if (banks.refresh.count() == 0 && banks.refresh_interval.count() != 0) {
    fail("{}: {}, but without refresh nothing happens then; give both or neither", json.where(),
         as_given(json, "refresh_interval", banks.refresh_interval, clock_mhz));
  }
  if (banks.refresh_interval.count() != 0 && banks.refresh >= banks.refresh_interval) {
    fail("{}: {}, which must be less than refresh_interval, {}", json.where(), refresh, banks.refresh_interval.count());
  }
  return banks;
}

}  // namespace

MemoryTiming MemoryTiming::load(const std::filesystem::path& path, int clock_mhz) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string(), clock_mhz);
}

MemoryTiming MemoryTiming::parse(std::string_view json_text, std::string_view source, int clock_mhz) {
  VANTAGE_CHECK(clock_mhz > 0);
  const Json json = parse_json(json_text, source);
  std::vector<std::string> known = {"name", "source", kBytesPerCycle, kGigabytes, "banks"};
  for (std::string& name : key_names(timing_keys())) known.push_back(std::move(name));
  const JsonObject object(json, std::string(source), std::move(known));
  MemoryTiming timing;
  timing.name = object.line("name");
  timing.source = object.optional("source", &JsonObject::line).value_or("");
  timing.rate = read_rate(object, clock_mhz);
  read_keys(timing_keys(), object, clock_mhz, timing);
  if (object.has("banks")) timing.banks = read_banks(object.object("banks", key_names(bank_keys())), clock_mhz);
  return timing;
}

Json MemoryTiming::to_json() const {
  Json json = {{"name", name}};
  if (!source.empty()) json["source"] = source;
  if (rate.bytes != 0 && rate.cycles == 1 && rate.bytes <= isa::kMaxBeat.count() && std::has_single_bit(rate.bytes)) {
    json[kBytesPerCycle] = rate.bytes;
  } else if (rate.bytes != 0) {
    json[kGigabytes] = static_cast<double>(rate.bytes) / 1000;
  }
  for (const auto& k : timing_keys()) json[k.name] = k.get(*this);
  if (banks) {
    json["banks"] = Json::object();
    for (const auto& k : bank_keys()) json["banks"][k.name] = k.get(*banks);
  }
  return json;
}

std::vector<MemoryTiming::Time> MemoryTiming::times() const {
  std::vector<Time> list;
  for (const auto& k : timing_keys()) {
    if (k.is_time) list.push_back({k.name, Cycles(k.get(*this))});
  }
  if (!banks) return list;
  for (const auto& k : bank_keys()) {
    if (k.is_time) list.push_back({"banks." + k.name, Cycles(k.get(*banks))});
  }
  return list;
}

double MemoryTiming::gbytes_per_s(Bytes beat, double clock_mhz) const {
  const double bus = static_cast<double>(beat.count());
  const double own = static_cast<double>(rate.bytes) / static_cast<double>(rate.cycles);
  return (rate.bytes == 0 ? bus : std::min(bus, own)) * clock_mhz / 1000;
}

double nanoseconds(Cycles cycles, int clock_mhz) {
  return 1000.0 * static_cast<double>(cycles.count()) / clock_mhz;
}

}  // namespace vantage
