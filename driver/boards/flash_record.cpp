#include "driver/boards/flash_record.h"

#include <cerrno>

#include "base/error.h"
#include "base/json_object.h"
#include "base/sha256.h"
#include "driver/boards/bitstream.h"

namespace vantage::boards {

namespace {

const std::filesystem::path kRecordFile = "/run/vantage/bitstream.json";

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
  const JsonObject object(json, std::string(source),
                          {"name", "board", "configuration", "config", "register_map", "sha256", "clock_mhz"});
  FlashRecord record;
  record.name = object.string("name");
  record.board = object.string("board");
  record.config = isa::Config::from_json(object.value("config"), fmt::format("{}: config", source));
  record.register_map = object.string("register_map");
  record.sha256 = object.string("sha256");
  if (!record.sha256.empty() && !is_sha256(record.sha256)) {
    object.refuse("sha256", "64 digits of lower-case hexadecimal, or nothing where the file is not known");
  }
  record.clock_mhz = object.number("clock_mhz", 0, kMostMegahertz);
  return record;
}

std::optional<FlashRecord> read_flash_record(System& system) {
  if (!system.exists(kRecordFile)) return std::nullopt;
  return FlashRecord::from_json(parse_json(read_whole(system, kRecordFile), kRecordFile.string()),
                                kRecordFile.string());
}

void write_flash_record(System& system, const FlashRecord& record) {
  put_file(system, kRecordFile, json_text(record.to_json()) + "\n");
}

void forget_flash_record(System& system) {
  if (!system.exists(kRecordFile)) return;
  if (system.remove(kRecordFile) != 0) fail("{}: cannot be removed: {}", kRecordFile.string(), text_of(errno));
}

}  // namespace vantage::boards
