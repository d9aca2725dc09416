#include "driver/boards/run_protocol.h"

#include <array>
#include <charconv>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/suggest.h"
#include "hw/isa/register_map.h"

namespace vantage::boards {

namespace {

using Write = RunProtocol::Write;
using Condition = RunProtocol::Condition;

constexpr uint32_t kLargestWindow = 1 << 20;

constexpr std::array<std::pair<std::string_view, RunProtocol::Symbol>, 3> kSymbols = {{
    {"insn_address", RunProtocol::Symbol::kInsnAddress},
    {"insn_count", RunProtocol::Symbol::kInsnCount},
    {"memory_last", RunProtocol::Symbol::kMemoryLast},
}};

uint32_t number(const Json& json, std::string_view what) {
  if (json.is_number_unsigned() && json.get<uint64_t>() <= UINT32_MAX) return json.get<uint32_t>();
  if (json.is_string()) {
    const auto text = json.get<std::string>();
    uint32_t value = 0;
    const char* last = text.data() + text.size();
    if (text.size() > 2 && text.starts_with("0x")) {
      const auto [end, error] = std::from_chars(text.data() + 2, last, value, 16);
      if (end == last && error == std::errc()) return value;
    }
  }
  fail("{} is {}, expected a 32-bit number, or one as \"0x1c\"", what, json_excerpt(json));
}

// One map's registers, and what refers to them.
class Parser {
 public:
  Parser(const JsonObject& json, RunProtocol& map) : json_(json), map_(map) {}

  void registers() {
    const Json& registers = json_.value("registers");
    if (registers == "core") {
      map_.is_core = true;
      for (const isa::Register& r : isa::all_registers()) add(std::string(r.name), r.offset);
    } else if (registers.is_object()) {
      for (const auto& [name, offset] : registers.items()) {
        add(name, number(offset, fmt::format("{}: registers: {}", json_.where(), name)));
      }
    } else {
      json_.refuse("registers", "\"core\" or an object of names and offsets");
    }
  }

  std::vector<Write> writes(const std::string& key) const {
    std::vector<Write> list;
    if (!json_.has(key)) return list;
    for (const Json& entry : json_.array(key)) {
      const Json& value = second(key, entry);
      list.push_back({offset(key, entry), this->value(key, value)});
    }
    return list;
  }

  std::optional<Condition> condition(const std::string& key) const {
    if (!json_.has(key)) return std::nullopt;
    const Json& entry = json_.value(key);
    const uint32_t bits = number(second(key, entry), fmt::format("{}: {}", json_.where(), key));
    if (bits == 0) fail("{}: {} names no bits, so it would always hold", json_.where(), key);
    return Condition{offset(key, entry), bits};
  }

 private:
  void add(const std::string& name, uint32_t offset) {
    if (offset % 4 != 0 || offset >= map_.bytes.count()) {
      fail("{}: registers: {} is at 0x{:x}, expected a multiple of 4 below 0x{:x}", json_.where(), name, offset,
           map_.bytes.count());
    }
    map_.registers[name] = offset;
  }

  const Json& second(const std::string& key, const Json& entry) const {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string()) {
      fail("{}: {} holds {}, expected [register, value]", json_.where(), key, json_excerpt(entry));
    }
    return entry[1];
  }

  uint32_t offset(const std::string& key, const Json& entry) const {
    const auto name = entry[0].get<std::string>();
    const auto found = map_.registers.find(name);
    if (found != map_.registers.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [other, unused] : map_.registers) known.push_back(other);
    fail("{}: {} names the register '{}', which the map does not have{}", json_.where(), key, name,
         did_you_mean(name, known));
  }

  std::variant<uint32_t, RunProtocol::Symbol> value(const std::string& key, const Json& json) const {
    for (const auto& [name, symbol] : kSymbols) {
      if (json == name) return symbol;
    }
    return number(json, fmt::format("{}: {}: the value", json_.where(), key));
  }

  const JsonObject& json_;
  RunProtocol& map_;
};

}  // namespace

RunProtocol RunProtocol::load(const std::filesystem::path& path) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string());
}

RunProtocol RunProtocol::parse(std::string_view json_text, std::string_view source) {
  const Json json = parse_json(json_text, source);
  const JsonObject object(
      json, std::string(source),
      {"name", "meaning", "registers", "bytes", "start", "idle", "done", "error", "clear", "interrupt", "abort"});
  RunProtocol map;
  map.name = object.string("name");
  map.meaning = object.string("meaning");
  const uint32_t bytes = number(object.value("bytes"), fmt::format("{}: bytes", source));
  if (bytes == 0 || bytes > kLargestWindow) {
    fail("{}: bytes is {}, expected 1 to {}", source, bytes, kLargestWindow);
  }
  map.bytes = Bytes(bytes);
  Parser parser(object, map);
  parser.registers();
  map.start = parser.writes("start");
  if (map.start.empty()) fail("{}: start is missing or empty, so no run would begin", source);
  const auto done = parser.condition("done");
  if (!done) fail("{}: done is missing, so no run would end", source);
  map.done = *done;
  map.error = parser.condition("error");
  map.idle = parser.condition("idle");
  map.clear = parser.writes("clear");
  map.interrupt = parser.writes("interrupt");
  map.abort = parser.writes("abort");
  if (!map.abort.empty() && !map.idle) fail("{}: abort needs idle, which shows that the run has ended", source);
  return map;
}

}  // namespace vantage::boards
