// Builds a Verilated core for a configuration, once: libraries are kept in a cache by configuration and by the text of
// everything of ours that goes into them, so a changed source or flag is a new library and never a stale one. The
// versions of Verilator and the compiler are not part of it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hw/isa/config.h"
#include "sim/rtl/model_library.h"

namespace vantage::sim {

// A change of the RTL's text: `from`, which occurs once in the file of that name, becomes `to`.
struct SourceEdit {
  std::string file, from, to;
};

struct ModelBuild {
  // Holds the libraries; made when it is missing.
  std::filesystem::path cache;
  // A slower model that can record waves.
  bool waves = false;
  // Called with what begins ("verilating", "compiling") when there is something to build.
  std::function<void(const std::string&)> progress = {};
  // For tests that want to see a fault: made in a copy of the sources, in this order. A model of its own.
  std::vector<SourceEdit> edits = {};
  // A slower model that counts which lines and branches run (RtlLibrary::write_coverage).
  bool coverage = false;
};

// Where the library of `config` is, or would be. Costs no more than hashing the sources.
std::filesystem::path model_path(const isa::Config& config, const ModelBuild& build);

// Loads it, built first if need be: what is in its place and is damaged, or was not put there by this user's programs,
// is never loaded but built anew, and `progress` is told why. One process builds a library, others wait for it; a build
// that was interrupted leaves nothing behind that would be taken for a library. Throws Error with the end of the tool's
// output when a tool fails, or with its package when it is missing. InternalError when an edit does not fit the
// sources.
RtlLibrary build_model(const isa::Config& config, const ModelBuild& build);

}  // namespace vantage::sim
