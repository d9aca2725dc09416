// A compiled model as one file: the network, its programs and constants, and its functions for one or more kinds of
// processors or of GPUs. Format "vantage-model/1": docs/model-format.md.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "native/gpu_program.h"
#include "native/library.h"
#include "network/network.h"

namespace vantage {

// A network's functions for GPUs of one architecture, in order: one at least.
using GpuFunctions = std::vector<native::GpuProgram>;

struct ModelArchive {
  Network network;
  std::string graph;                        // its text before it was compiled, for people
  std::vector<native::LibraryImage> code;   // the network's functions, by kind of processor
  std::vector<GpuFunctions> gpu_code = {};  // and by architecture of GPU

  // For processors of this kind (native::this_architecture()); throws Error, beginning with `source`, that lists those
  // that there are. Of a network without functions: nothing.
  const native::LibraryImage* code_for(std::string_view architecture, const std::string& source) const;
  // For a GPU of this architecture, without a letter behind it ("sm_90"): machine code of its own, else that of its
  // generation, else what its driver can make other machine code from. Throws Error, likewise, where there is none.
  const GpuFunctions& gpu_code_for(std::string_view architecture, const std::string& source) const;
};

// Whether these are the first bytes of what may be an archive of a model.
bool is_model_archive(std::string_view bytes);

// The file appears complete or not at all. Throws Error when it cannot be written.
void save_model(const ModelArchive& model, const std::filesystem::path& path);

// Throws Error, naming the file and what is wrong, unless every file in it is what was saved (the SHA-256 of each
// stands in the archive) and the network can be run (check_network()). It has code, so it is refused where another user
// than this one and root may have written it (base/trusted_file.h).
ModelArchive load_model(const std::filesystem::path& path);

}  // namespace vantage
