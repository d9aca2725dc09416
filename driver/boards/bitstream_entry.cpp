#include "driver/boards/bitstream_entry.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/json_object.h"
#include "base/sha256.h"
#include "driver/boards/bitstream.h"

namespace vantage::boards {

namespace {

// A name that is also a file's.
std::string plain_name(const JsonObject& json) {
  std::string text = json.string("name");
  const auto ok = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("._-").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (text.empty() || text.front() == '.' || text.size() > 200 || !std::all_of(text.begin(), text.end(), ok)) {
    json.refuse("name", "letters, digits and . _ - only");
  }
  return text;
}

Json or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

}  // namespace

bool BitstreamEntry::may_be_of(const isa::Config& other) const {
  return config ? isa::hardware_difference(*config, other).empty() : configuration == other.name();
}

Json BitstreamEntry::to_json() const {
  Json json = {{"name", name},
               {"boards", boards},
               {"part", part},
               {"hardware_version", hardware_version},
               {"configuration", configuration},
               {"register_map", register_map},
               {"clock_mhz", clock_mhz},
               {"source", source},
               {"sha256", or_null(sha256)},
               {"bytes", bytes ? Json(bytes->count()) : Json()},
               {"licence", or_null(licence)}};
  if (config) json["config"] = config->to_json();
  return json;
}

BitstreamEntry BitstreamEntry::from_json(const Json& json, std::string_view source) {
  const Json every_key = BitstreamEntry().to_json();
  std::vector<std::string> keys = JsonObject(every_key, "").keys();
  keys.emplace_back("config");
  BitstreamEntry entry;
  entry.name = plain_name(JsonObject(json, std::string(source), keys));
  const JsonObject object(json, fmt::format("{}: {}", source, entry.name), keys);
  entry.boards = object.strings("boards");
  if (entry.boards.empty()) fail("{}: boards is empty, expected at least one name", object.where());
  entry.part = object.string("part");
  entry.hardware_version = object.string("hardware_version");
  entry.configuration = object.string("configuration");
  if (object.has("config")) {
    entry.config = isa::Config::from_json(object.value("config"), fmt::format("{}: config", object.where()));
    if (entry.config->name() != entry.configuration) {
      object.refuse("configuration", fmt::format("{}, as config says", entry.config->name()));
    }
  }
  entry.register_map = object.string("register_map");
  entry.clock_mhz = object.number("clock_mhz", 1, kMostMegahertz);
  entry.source = object.string("source");
  entry.sha256 = object.nullable("sha256", &JsonObject::string);
  if (entry.sha256 && !is_sha256(*entry.sha256)) {
    object.refuse("sha256", "64 digits of lower-case hexadecimal, or null");
  }
  const auto bytes = object.nullable("bytes", &JsonObject::natural, uint64_t{0}, kLargestBitFile.count());
  if (bytes) entry.bytes = Bytes(*bytes);
  entry.licence = object.nullable("licence", &JsonObject::string);
  return entry;
}

}  // namespace vantage::boards
