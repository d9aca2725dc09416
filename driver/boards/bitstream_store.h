// Which bitstreams there are (bitstreams/manifest.json), and which of them this machine has: files in a folder of the
// cache, fetched, built or brought along. The manifest is {"bitstreams": [...]}, each as in bitstream_entry.h.
//
// Thread safety: none.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "driver/boards/bitstream.h"
#include "driver/boards/bitstream_entry.h"
#include "driver/boards/bitstream_verification.h"
#include "hw/fpga/board.h"
#include "hw/isa/config.h"

namespace vantage::boards {

class BitstreamStore {
 public:
  using Progress = std::function<void(const std::string&)>;

  // Reads the manifest, and the notes in `folder` of what was built: each stands for a recipe of the manifest, or for a
  // bitstream of its own. Only those count that have the folder's seal (base/cache_seal.h), which build() gives them.
  // Throws Error for the manifest; what is wrong with notes is in warnings().
  BitstreamStore(const std::filesystem::path& manifest, std::filesystem::path folder);

  const std::vector<BitstreamEntry>& entries() const { return entries_; }
  // One line for each note that was passed over.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Throws Error that suggests a near name.
  const BitstreamEntry& find(const std::string& name) const;
  std::filesystem::path file(const BitstreamEntry& entry) const { return folder_ / (entry.name + ".bit"); }

  // The file is read once, and what was read is what is handed out. One that read_trusted_file refuses
  // (base/trusted_file.h) is damaged.
  BitstreamCheck check(const BitstreamEntry& entry) const;
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
  void add(const BitstreamEntry& entry);
  void add_note(const std::filesystem::path& note);
  bool is_fetched(const std::string& name) const;

  const std::filesystem::path folder_;
  std::vector<BitstreamEntry> entries_;
  std::vector<std::string> warnings_;
};

}  // namespace vantage::boards
