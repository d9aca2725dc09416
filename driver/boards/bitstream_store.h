// Which bitstreams there are (bitstreams/manifest.json), and which of them this machine has: files in a folder of the
// cache, fetched, built or brought along.
//
// The manifest is {"bitstreams": [{name, boards, part, hardware_version, configuration, register_map, source, sha256,
// bytes, licence}]}. `source` is a URL, or "build" for what `vantage bitstream build` makes. `sha256`, `bytes` and
// `licence` may be null: not known. A bitstream is verified when its hash is the manifest's, or it was built here.
//
// Thread safety: none.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "base/units.h"
#include "driver/boards/bitstream.h"
#include "hw/fpga/board.h"
#include "hw/isa/config.h"

namespace vantage::boards {

struct BitstreamEntry {
  std::string name;  // letters, digits, and . _ - between them: also a file's name
  std::vector<std::string> boards;
  std::string part;  // as .bit files name it
  std::string hardware_version;
  std::string configuration;
  std::string register_map;
  double clock_mhz = 0;  // that it was made for
  std::string source;
  std::optional<std::string> sha256;
  std::optional<Bytes> bytes;
  std::optional<std::string> licence;
  bool built_here = false;

  Json to_json() const;
  // Throws Error that names `source`, the key, the value and what would be right.
  static BitstreamEntry from_json(const Json& json, std::string_view source);
};

class BitstreamStore {
 public:
  enum class State {
    kAbsent,      // not on this machine
    kVerified,    // it is what the manifest says, or what was built here
    kUnverified,  // it is a bitstream for its part, but no hash says which
    kDamaged,     // it is not what it should be
  };
  struct Check {
    State state;
    std::string text;  // what is wrong; empty when it is verified
  };
  using Progress = std::function<void(const std::string&)>;

  // Reads the manifest, and what was built in `folder`. Throws Error.
  BitstreamStore(const std::filesystem::path& manifest, std::filesystem::path folder);

  const std::vector<BitstreamEntry>& entries() const { return entries_; }
  // Throws Error that suggests a near name.
  const BitstreamEntry& find(const std::string& name) const;
  std::filesystem::path file(const BitstreamEntry& entry) const { return folder_ / (entry.name + ".bit"); }

  Check check(const BitstreamEntry& entry) const;
  // With all that the entry says of it. Throws Error when it is absent, with the command to get it, or damaged.
  Bitstream load(const BitstreamEntry& entry) const;
  // The same bitstream with what an entry of its hash says of it, if there is one.
  Bitstream identify(Bitstream bitstream) const;
  // Any .bit file, identified. Throws Error.
  Bitstream load_file(const std::filesystem::path& path) const;

  // Brings it from its source, or from another URL. Throws Error when it is not what the manifest says.
  void fetch(const BitstreamEntry& entry, const std::string& url, const Progress& progress) const;
  // Makes one of a configuration for a board with Vivado, and notes it. Throws Error.
  BitstreamEntry build(const isa::Config& config, const fpga::Board& board, const Progress& progress);

 private:
  Check check(const BitstreamEntry& entry, const std::filesystem::path& path) const;
  void add(const BitstreamEntry& entry);

  const std::filesystem::path folder_;
  std::vector<BitstreamEntry> entries_;
};

std::string_view name(BitstreamStore::State state);  // "absent", "verified", ...

}  // namespace vantage::boards
