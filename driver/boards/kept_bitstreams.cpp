#include "driver/boards/kept_bitstreams.h"

#include "base/error.h"
#include "base/json.h"

namespace vantage::boards {

namespace {

namespace fs = std::filesystem;

// The bitstreams by their hash, and the records of the two in one file, so that both change at once.
const fs::path kFolder = "/var/lib/vantage/bitstreams";
const fs::path kRecords = kFolder / "records.json";

fs::path file_of(const std::string& sha256) {
  return kFolder / (sha256 + ".bit");
}

std::string records(System& system) {
  return system.exists(kRecords) ? read_whole(system, kRecords) : "{}";
}

std::optional<FlashRecord> record(const std::string& text, const char* which) {
  const Json json = parse_json(text, kRecords.string());
  if (!json.is_object() || !json.contains(which)) return std::nullopt;
  FlashRecord record = FlashRecord::from_json(json[which], kRecords.string());
  // It names the file that is kept.
  if (record.sha256.empty()) {
    fail("{}: sha256 is \"\", expected 64 digits of lower-case hexadecimal; remove {}", kRecords.string(),
         kFolder.string());
  }
  return record;
}

std::optional<KeptBitstream> kept(System& system, const char* which) {
  const auto known = record(records(system), which);
  if (!known) return std::nullopt;
  const fs::path file = file_of(known->sha256);
  Bitstream bitstream = make_bitstream(known->name, read_whole(system, file));
  if (bitstream.sha256 != known->sha256) {
    fail("{}: has SHA-256 {}, expected the one that it is named by; remove {}", file.string(), bitstream.sha256,
         kFolder.string());
  }
  bitstream.configuration = known->config.name();
  bitstream.config = known->config;
  bitstream.register_map = known->register_map;
  bitstream.verified = true;
  return KeptBitstream{std::move(bitstream), *known};
}

// The current one is now this, or not known; the previous is what was current.
void put_first(System& system, const std::optional<FlashRecord>& now) {
  // What is damaged, or another version's, is written anew.
  const auto known = [text = records(system)](const char* which) -> std::optional<FlashRecord> {
    try {
      return record(text, which);
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  const auto current = known("current");
  const auto previous = known("previous");
  const auto is = [](const std::optional<FlashRecord>& a, const std::optional<FlashRecord>& b) {
    return a && b && a->sha256 == b->sha256;
  };
  const auto before = current && !is(current, now) ? current : previous;
  Json json = Json::object();
  if (now) json["current"] = now->to_json();
  if (before) json["previous"] = before->to_json();
  put_file(system, kRecords, json_text(json) + "\n");
  // What was the way back until now, unless it still is.
  if (previous && !is(previous, now) && !is(previous, before)) system.remove(file_of(previous->sha256));
}

}  // namespace

std::optional<KeptBitstream> current_bitstream(System& system) {
  return kept(system, "current");
}

std::optional<KeptBitstream> previous_bitstream(System& system) {
  return kept(system, "previous");
}

void keep_bitstream(System& system, const Bitstream& bitstream, const FlashRecord& now) {
  put_file(system, file_of(bitstream.sha256), bitstream.contents);
  put_first(system, now);
}

void set_aside_current(System& system) {
  put_first(system, std::nullopt);
}

}  // namespace vantage::boards
