#include "driver/boards/bitstream_store.h"

#include <algorithm>
#include <cctype>

#include "base/cache.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/process.h"
#include "base/sha256.h"
#include "base/suggest.h"
#include "base/temporary.h"
#include "hw/fpga/vivado_project.h"

namespace vantage::boards {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kLargestManifest{uint64_t{16} << 20};
constexpr Bytes kLargestFile{uint64_t{64} << 20};
constexpr const char* kBuild = "build";

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

std::string_view name(BitstreamStore::State state) {
  switch (state) {
    case BitstreamStore::State::kAbsent: return "absent";
    case BitstreamStore::State::kVerified: return "verified";
    case BitstreamStore::State::kUnverified: return "unverified";
    case BitstreamStore::State::kDamaged: return "damaged";
  }
  return "?";
}

Json BitstreamEntry::to_json() const {
  return {{"name", name},
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
}

BitstreamEntry BitstreamEntry::from_json(const Json& json, std::string_view source) {
  const std::vector<std::string> keys = JsonObject(BitstreamEntry().to_json(), "").keys();
  BitstreamEntry entry;
  entry.name = plain_name(JsonObject(json, std::string(source), keys));
  const JsonObject object(json, fmt::format("{}: {}", source, entry.name), keys);
  entry.boards = object.strings("boards");
  if (entry.boards.empty()) fail("{}: boards is empty, expected at least one name", object.where());
  entry.part = object.string("part");
  entry.hardware_version = object.string("hardware_version");
  entry.configuration = object.string("configuration");
  entry.register_map = object.string("register_map");
  entry.clock_mhz = object.number("clock_mhz", 1, kMostMegahertz);
  entry.source = object.string("source");
  entry.sha256 = object.nullable("sha256", &JsonObject::string);
  if (entry.sha256 && !is_sha256(*entry.sha256)) {
    object.refuse("sha256", "64 digits of lower-case hexadecimal, or null");
  }
  const auto bytes = object.nullable("bytes", &JsonObject::natural, uint64_t{0}, kLargestFile.count());
  if (bytes) entry.bytes = Bytes(*bytes);
  entry.licence = object.nullable("licence", &JsonObject::string);
  return entry;
}

BitstreamStore::BitstreamStore(const fs::path& manifest, fs::path folder) : folder_(std::move(folder)) {
  const Json json = parse_json(read_file(manifest, kLargestManifest), manifest.string());
  for (const Json& entry : JsonObject(json, manifest.string()).array("bitstreams")) {
    add(BitstreamEntry::from_json(entry, manifest.string()));
  }
  std::vector<fs::path> notes;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    if (entry.path().extension() == ".json") notes.push_back(entry.path());
  }
  std::sort(notes.begin(), notes.end());
  for (const fs::path& note : notes) {
    auto entry = BitstreamEntry::from_json(parse_json(read_file(note, kLargestManifest), note.string()), note.string());
    entry.built_here = true;
    add(entry);
  }
}

void BitstreamStore::add(const BitstreamEntry& entry) {
  const auto same = [&](const BitstreamEntry& other) { return other.name == entry.name; };
  const auto found = std::find_if(entries_.begin(), entries_.end(), same);
  if (found == entries_.end()) {
    entries_.push_back(entry);
  } else if (entry.built_here) {
    *found = entry;  // what was built here of a recipe in the manifest
  } else {
    fail("the manifest has two bitstreams of the name {}", entry.name);
  }
}

const BitstreamEntry& BitstreamStore::find(const std::string& wanted) const {
  std::vector<std::string> names;
  for (const BitstreamEntry& entry : entries_) {
    if (entry.name == wanted) return entry;
    names.push_back(entry.name);
  }
  fail("there is no bitstream {}{}", wanted, did_you_mean(wanted, names));
}

BitstreamStore::Check BitstreamStore::check(const BitstreamEntry& entry) const {
  return check(entry, file(entry));
}

BitstreamStore::Check BitstreamStore::check(const BitstreamEntry& entry, const fs::path& path) const {
  if (!fs::exists(path)) return {State::kAbsent, "it is not on this machine"};
  try {
    const Bitstream bitstream = make_bitstream(path.string(), read_file(path, kLargestFile));
    if (entry.sha256 && *entry.sha256 != bitstream.sha256) {
      return {State::kDamaged, fmt::format("its SHA-256 is {}, expected {}", bitstream.sha256, *entry.sha256)};
    }
    if (entry.bytes && entry.bytes->count() != bitstream.contents.size()) {
      return {State::kDamaged,
              fmt::format("it has {} bytes, expected {}", bitstream.contents.size(), entry.bytes->count())};
    }
    if (!same_part(bitstream.file.part, entry.part)) {
      return {State::kDamaged, fmt::format("it is for part {}, expected {}", bitstream.file.part, entry.part)};
    }
    if (!entry.sha256) {
      return {State::kUnverified, fmt::format("the manifest has no hash to compare with; it is {}", bitstream.sha256)};
    }
    return {State::kVerified, ""};
  } catch (const Error& error) {
    return {State::kDamaged, error.what()};
  }
}

Bitstream BitstreamStore::load(const BitstreamEntry& entry) const {
  const Check found = check(entry);
  const std::string remedy = entry.source == kBuild
                                 ? fmt::format("vantage bitstream build --board {}", entry.boards.front())
                                 : fmt::format("vantage bitstream fetch {}", entry.name);
  if (found.state == State::kAbsent) fail("bitstream {} is not on this machine; get it with `{}`", entry.name, remedy);
  if (found.state == State::kDamaged) {
    fail("bitstream {}: {}; get it again with `{}`", entry.name, found.text, remedy);
  }
  Bitstream bitstream = make_bitstream(entry.name, read_file(file(entry), kLargestFile));
  bitstream.configuration = entry.configuration;
  bitstream.register_map = entry.register_map;
  bitstream.clock_mhz = entry.clock_mhz;
  bitstream.verified = found.state == State::kVerified;
  return bitstream;
}

Bitstream BitstreamStore::identify(Bitstream bitstream) const {
  for (const BitstreamEntry& entry : entries_) {
    if (entry.sha256 != bitstream.sha256) continue;
    bitstream.configuration = entry.configuration;
    bitstream.register_map = entry.register_map;
    bitstream.clock_mhz = entry.clock_mhz;
    bitstream.verified = true;
  }
  return bitstream;
}

Bitstream BitstreamStore::load_file(const fs::path& path) const {
  return identify(make_bitstream(path.string(), read_file(path, kLargestFile)));
}

void BitstreamStore::fetch(const BitstreamEntry& entry, const std::string& url, const Progress& progress) const {
  if (url == kBuild) {
    fail("bitstream {} is built, not fetched: vantage bitstream build --board {}", entry.name, entry.boards.front());
  }
  make_cache_folder(folder_);
  NewFile target(file(entry));
  progress(fmt::format("fetching {}", entry.name));
  run_tool({"curl", "--fail", "--silent", "--show-error", "--location", "--max-time", "600", "--max-filesize",
            std::to_string(kLargestFile.count()), "--output", target.path().string(), "--url", url},
           folder_, "curl");
  const Check found = check(entry, target.path());
  if (found.state != State::kVerified && found.state != State::kUnverified) {
    fail("what {} gave is not {}: {}; nothing was kept", url, entry.name, found.text);
  }
  target.commit();
}

BitstreamEntry BitstreamStore::build(const isa::Config& config, const fpga::Board& board, const Progress& progress) {
  if (!have_program("vivado")) {
    fail(
        "the program vivado is missing: install Vivado, and have its settings64.sh read first; or take the project to "
        "a "
        "machine that has it: vantage rtl export DIR --board {}",
        board.name);
  }
  make_cache_folder(folder_);
  const TemporaryDirectory project(folder_ / "project");
  fpga::write_vivado_project(config, board, project.path());
  progress(fmt::format("Vivado builds {} for {}, which takes tens of minutes", config.name(), board.name));
  run_tool({"vivado", "-mode", "batch", "-nojournal", "-nolog", "-source", "vivado.tcl"}, project.path(), "vivado");
  const std::string contents = read_file(project.path() / fmt::format("vta-{}.bit", config.name()), kLargestFile);

  BitstreamEntry entry;
  entry.name = fmt::format("vantage-{}-{}", board.name, config.name());
  const Bitstream bitstream = make_bitstream(entry.name, contents);
  entry.boards = {board.name};
  entry.part = bitstream.file.part;
  entry.hardware_version = config.keys().hw_ver;
  entry.configuration = config.name();
  entry.register_map = "vantage";
  entry.clock_mhz = config.clock_mhz();
  entry.source = kBuild;
  entry.sha256 = bitstream.sha256;
  entry.bytes = Bytes(contents.size());
  entry.built_here = true;
  if (!same_part(entry.part, board.part)) {
    fail("Vivado made a bitstream for {}, expected {}", entry.part, board.part);
  }
  write_file(file(entry), contents);
  write_file(folder_ / (entry.name + ".json"), json_text(entry.to_json()) + "\n");
  add(entry);
  return entry;
}

}  // namespace vantage::boards
