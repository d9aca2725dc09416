#include "sim/memory/memory_timing.h"

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "hw/isa/config.h"

namespace vantage::sim {

namespace {

constexpr uint64_t kMaxCycles = 1'000'000;
constexpr uint64_t kMaxBursts = 4096;

// One key of a JSON object: how it is written and read. The only list of the keys.
template <typename Settings>
struct Key {
  std::string name;
  uint64_t min, max;
  bool power_of_two;
  std::function<uint64_t(const Settings&)> get;
  std::function<void(Settings&, uint64_t)> set;
};

template <typename Settings, typename Unit>
Key<Settings> key(std::string name, Quantity<Unit> Settings::*member, uint64_t min, uint64_t max,
                  bool power_of_two = false) {
  return {std::move(name),
          min,
          max,
          power_of_two,
          [member](const Settings& s) { return (s.*member).count(); },
          [member](Settings& s, uint64_t value) { s.*member = Quantity<Unit>(value); }};
}
template <typename Settings>
Key<Settings> key(std::string name, uint64_t Settings::*member, uint64_t min, uint64_t max, bool power_of_two = false) {
  return {std::move(name),
          min,
          max,
          power_of_two,
          [member](const Settings& s) { return s.*member; },
          [member](Settings& s, uint64_t value) { s.*member = value; }};
}

const std::vector<Key<MemoryTiming>>& timing_keys() {
  using M = MemoryTiming;
  static const std::vector<Key<M>> kKeys = {
      key("read_latency", &M::read_latency, 0, kMaxCycles),
      key("write_latency", &M::write_latency, 0, kMaxCycles),
      key("bytes_per_cycle", &M::bytes_per_cycle, 1, isa::kMaxBeat.count(), true),
      key("max_reads", &M::max_reads, 0, kMaxBursts),
      key("max_writes", &M::max_writes, 0, kMaxBursts),
      key("max_jitter", &M::max_jitter, 0, kMaxCycles),
      key("jitter_seed", &M::jitter_seed, 0, UINT64_MAX),
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
  for (const auto& k : keys) list.push_back(k.name);
  return list;
}

template <typename Settings>
void read_keys(const std::vector<Key<Settings>>& keys, const JsonObject& json, Settings& settings) {
  for (const auto& k : keys) {
    if (!json.has(k.name)) continue;
    const Json& value = json.value(k.name);
    const bool is_power = value.is_number_unsigned() && std::has_single_bit(value.get<uint64_t>());
    if (k.power_of_two && (!is_power || value.get<uint64_t>() < k.min || value.get<uint64_t>() > k.max)) {
      json.refuse(k.name, fmt::format("a power of two from {} to {}", k.min, k.max));
    }
    k.set(settings, json.natural(k.name, k.min, k.max));
  }
}

BankTiming read_banks(const JsonObject& json) {
  BankTiming banks;
  read_keys(bank_keys(), json, banks);
  if (banks.refresh_interval.count() == 0 && banks.refresh.count() != 0) {
    fail("{}: refresh is {}, but without refresh_interval there is none; give both or neither", json.where(),
         banks.refresh.count());
  }
  if (banks.refresh_interval.count() != 0 && banks.refresh >= banks.refresh_interval) {
    fail("{}: refresh is {}, which must be less than refresh_interval, {}", json.where(), banks.refresh.count(),
         banks.refresh_interval.count());
  }
  return banks;
}

}  // namespace

MemoryTiming MemoryTiming::load(const std::filesystem::path& path) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string());
}

MemoryTiming MemoryTiming::parse(std::string_view json_text, std::string_view source) {
  const Json json = parse_json(json_text, source);
  std::vector<std::string> known = {"name", "banks"};
  for (std::string& name : key_names(timing_keys())) known.push_back(std::move(name));
  const JsonObject object(json, std::string(source), std::move(known));
  MemoryTiming timing;
  timing.name = object.string("name");
  if (timing.name.empty()) fail("{}: name is empty", source);
  read_keys(timing_keys(), object, timing);
  if (object.has("banks")) timing.banks = read_banks(object.object("banks", key_names(bank_keys())));
  return timing;
}

Json MemoryTiming::to_json() const {
  Json json = {{"name", name}};
  for (const auto& k : timing_keys()) {
    // A beat a cycle has no number of bytes: the key is left out
    if (k.name == "bytes_per_cycle" && bytes_per_cycle.count() == 0) continue;
    json[k.name] = k.get(*this);
  }
  if (banks) {
    json["banks"] = Json::object();
    for (const auto& k : bank_keys()) json["banks"][k.name] = k.get(*banks);
  }
  return json;
}

}  // namespace vantage::sim
