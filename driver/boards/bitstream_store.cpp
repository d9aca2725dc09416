#include "driver/boards/bitstream_store.h"

#include <algorithm>
#include <cctype>

#include "base/cache_seal.h"
#include "base/cache_work.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/process.h"
#include "base/suggest.h"
#include "base/trusted_file.h"
#include "hw/fpga/vivado_project.h"
#include "hw/isa/config_name.h"

namespace vantage::boards {

namespace fs = std::filesystem;

namespace {

constexpr Bytes kLargestManifest{uint64_t{16} << 20};

// What of a note has the seal.
std::string sealed_text(const Json& entry) {
  return "bitstream " + entry.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// What a configuration's string does not say of it, where it is not what is usual: "-log_bus_width-7".
std::string beside_name(const isa::Config& config) {
  const isa::Config usual = isa::config_of_name(config.name());
  std::string text;
  for (const isa::ConfigKey& key : isa::config_keys()) {
    if (key.number == nullptr || config.keys().*key.number == usual.keys().*key.number) continue;
    std::string name = key.name;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    text += fmt::format("-{}-{}", name, config.keys().*key.number);
  }
  return text;
}

std::string build_command(const BitstreamEntry& entry) {
  return fmt::format("vantage bitstream build --board {} --config F", entry.boards.front());
}

}  // namespace

BitstreamStore::BitstreamStore(const fs::path& manifest, fs::path folder) : folder_(std::move(folder)) {
  const Json json = parse_json(read_file(manifest, kLargestManifest), manifest.string());
  for (const Json& entry : JsonObject(json, manifest.string(), {"bitstreams"}).array("bitstreams")) {
    add(BitstreamEntry::from_json(entry, manifest.string()));
  }
  std::vector<fs::path> notes;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    if (entry.path().extension() == ".json") notes.push_back(entry.path());
  }
  std::sort(notes.begin(), notes.end());
  for (const fs::path& note : notes) {
    try {
      add_note(note);
    } catch (const Error& error) {
      warnings_.push_back(
          fmt::format("{}; this note is passed over, build the bitstream again or remove it", error.what()));
    }
  }
}

// What is noted in the cache must not speak for what is fetched and compared with the manifest's hash.
void BitstreamStore::add_note(const fs::path& note) {
  const std::string where = note.string();
  const Json json = parse_json(read_trusted_file(note, kLargestManifest), where);
  const JsonObject object(json, where, {"entry", "seal"});
  if (!CacheSeal::holds(folder_, sealed_text(object.value("entry")), object.string("seal"))) {
    fail("{}: it has not the seal of what was built with this cache", where);
  }
  auto entry = BitstreamEntry::from_json(object.value("entry"), where);
  if (!entry.is_built()) {
    fail("{}: source is \"{}\", expected \"build\" of what was built here", note.string(), entry.source);
  }
  if (is_fetched(entry.name))
    fail("{}: {} is a bitstream that is fetched, as the manifest says", note.string(), entry.name);
  entry.built_here = true;
  add(entry);
}

bool BitstreamStore::is_fetched(const std::string& name) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const BitstreamEntry& entry) { return entry.name == name && !entry.is_built(); });
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

BitstreamCheck BitstreamStore::check(const BitstreamEntry& entry) const {
  if (!fs::exists(fs::symlink_status(file(entry)))) return {BitstreamState::kAbsent, "it is not on this machine", {}};
  try {
    return verify_bitstream(entry, read_trusted_file(file(entry), kLargestBitFile));
  } catch (const Error& error) {
    return {BitstreamState::kDamaged, error.what(), {}};
  }
}

Bitstream BitstreamStore::load(const BitstreamEntry& entry) const {
  BitstreamCheck found = check(entry);
  const std::string remedy =
      entry.is_built() ? build_command(entry) : fmt::format("vantage bitstream fetch {}", entry.name);
  if (found.state == BitstreamState::kAbsent) {
    fail("bitstream {} is not on this machine; get it with `{}`", entry.name, remedy);
  }
  if (found.state == BitstreamState::kDamaged) {
    fail("bitstream {}: {}; get it again with `{}`", entry.name, found.text, remedy);
  }
  return std::move(*found.bitstream);
}

Bitstream BitstreamStore::identify(Bitstream bitstream) const {
  for (const BitstreamEntry& entry : entries_) {
    if (entry.sha256 != bitstream.sha256) continue;
    bitstream.configuration = entry.configuration;
    bitstream.config = entry.config;
    bitstream.register_map = entry.register_map;
    bitstream.clock_mhz = entry.clock_mhz;
    bitstream.verified = true;
  }
  return bitstream;
}

Bitstream BitstreamStore::load_file(const fs::path& path) const {
  return identify(make_bitstream(path.string(), read_file(path, kLargestBitFile)));
}

void BitstreamStore::fetch(const BitstreamEntry& entry, const std::string& url, const Progress& progress) const {
  if (url == BitstreamEntry::kBuild) {
    fail("bitstream {} is built, not fetched: {}", entry.name, build_command(entry));
  }
  CacheWork work(file(entry), progress);
  const fs::path folder = work.new_folder(), fetched = folder / "fetched.bit";
  progress(fmt::format("fetching {}", entry.name));
  run_tool({"curl", "--fail", "--silent", "--show-error", "--location", "--max-time", "600", "--max-filesize",
            std::to_string(kLargestBitFile.count()), "--output", fetched.string(), "--url", url},
           folder, "curl");
  const BitstreamCheck found = verify_bitstream(entry, read_file(fetched, kLargestBitFile));
  if (!found.bitstream) {
    fail("what {} gave is not {}: {}; nothing was kept", url, entry.name, found.text);
  }
  work.remove_folder();
  write_trusted_file(file(entry), found.bitstream->contents);
}

BitstreamEntry BitstreamStore::build(const isa::Config& config, const fpga::Board& board, const Progress& progress) {
  // What fails tens of minutes later otherwise.
  if (config.clock_mhz() > kMostMegahertz) {
    fail("configuration {}: CLOCK_MHZ is {}, expected 1 to {} for a bitstream; lower it in the configuration",
         config.name(), config.clock_mhz(), kMostMegahertz);
  }
  fpga::require_vivado_project(board);
  const std::string name = fmt::format("vantage-{}-{}{}", board.name, config.name(), beside_name(config));
  if (is_fetched(name)) {
    fail("{} is fetched, as the manifest says, and not built: vantage bitstream fetch {}", name, name);
  }
  if (!have_program("vivado")) {
    fail(
        "the program vivado is missing: install Vivado, and have its settings64.sh read first; or take the project to "
        "a "
        "machine that has it: `vantage rtl export DIR` writes it, with --board and --config as here");
  }
  CacheWork work(folder_ / (name + ".bit"), progress);
  const fs::path project = work.new_folder();
  fpga::write_vivado_project(config, board, project);
  progress(fmt::format("Vivado builds {} for {}, which takes tens of minutes", config.name(), board.name));
  run_tool({"vivado", "-mode", "batch", "-nojournal", "-nolog", "-source", "vivado.tcl"}, project, "vivado");
  const std::string contents = read_file(project / fmt::format("vta-{}.bit", config.name()), kLargestBitFile);

  BitstreamEntry entry;
  entry.name = name;
  const Bitstream bitstream = make_bitstream(entry.name, contents);
  entry.boards = {board.name};
  entry.part = bitstream.file.part;
  entry.hardware_version = config.keys().hw_ver;
  entry.configuration = config.name();
  entry.config = config;
  entry.register_map = "vantage";
  entry.clock_mhz = config.clock_mhz();
  entry.source = BitstreamEntry::kBuild;
  entry.sha256 = bitstream.sha256;
  entry.bytes = Bytes(contents.size());
  entry.built_here = true;
  if (!same_part(entry.part, board.part)) {
    fail("Vivado made a bitstream for {}, expected {}", entry.part, board.part);
  }
  work.remove_folder();
  write_trusted_file(file(entry), contents);
  const Json note = {{"entry", entry.to_json()}, {"seal", CacheSeal(folder_).of(sealed_text(entry.to_json()))}};
  write_trusted_file(folder_ / (entry.name + ".json"), json_text(note) + "\n");
  add(entry);
  return entry;
}

}  // namespace vantage::boards
