#include "driver/boards/flash_record.h"

#include <cerrno>

#include "base/error.h"
#include "base/json.h"

namespace vantage::boards {

namespace {

const std::filesystem::path kFile = "/run/vantage/bitstream.json";

}  // namespace

Json FlashRecord::to_json() const {
  return {{"name", name},
          {"board", board},
          {"configuration", config.name()},
          {"config", config.to_json()},
          {"register_map", register_map},
          {"sha256", sha256},
          {"clock_mhz", clock_mhz}};
}

FlashRecord FlashRecord::from_json(const Json& json, std::string_view source) {
  FlashRecord record;
  record.name = json_string(json, "name", source);
  record.board = json_string(json, "board", source);
  record.config = isa::Config::parse(json_member(json, "config", source).dump(), source);
  record.register_map = json_string(json, "register_map", source);
  record.sha256 = json_string(json, "sha256", source);
  const Json& clock = json_member(json, "clock_mhz", source);
  if (!clock.is_number()) fail("{}: clock_mhz is {}, expected a number", source, json_excerpt(clock));
  record.clock_mhz = clock.get<double>();
  return record;
}

std::optional<FlashRecord> read_flash_record(System& system) {
  if (!system.exists(kFile)) return std::nullopt;
  return FlashRecord::from_json(parse_json(read_whole(system, kFile), kFile.string()), kFile.string());
}

void write_flash_record(System& system, const FlashRecord& record) {
  replace_file(system, kFile, json_text(record.to_json()) + "\n");
}

void forget_flash_record(System& system) {
  if (!system.exists(kFile)) return;
  if (system.remove(kFile) != 0) fail("{}: cannot be removed: {}", kFile.string(), text_of(errno));
}

}  // namespace vantage::boards
