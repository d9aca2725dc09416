// The RTL's files, as they were when this library was built: they travel inside it, so that a core can be simulated,
// synthesized or exported wherever the tool runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/embedded_file.h"
#include "hw/isa/config.h"

namespace vantage::rtl {

// Modules, headers and lint waivers. vta_pkg.sv is not among them: it is generated for a configuration.
const EmbeddedFiles& sources();

// Writes them and the configuration's vta_pkg.sv into `folder`, which exists. Throws Error.
void write_sources(const isa::Config& config, const std::filesystem::path& folder);

// The modules in the order in which tools want them: vta_pkg.sv first.
std::vector<std::string> module_files();

}  // namespace vantage::rtl
