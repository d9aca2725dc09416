#include "hw/rtl/sources.h"

#include "base/file.h"
#include "hw/isa/rtl_package.h"

namespace vantage::rtl {

void write_sources(const isa::Config& config, const std::filesystem::path& folder) {
  for (const EmbeddedFile& source : sources()) write_file(folder / source.name, source.text);
  write_file(folder / "vta_pkg.sv", isa::rtl_package(config));
}

std::vector<std::string> module_files() {
  std::vector<std::string> files = {"vta_pkg.sv"};
  for (const EmbeddedFile& source : sources()) {
    if (source.name.ends_with(".sv")) files.push_back(source.name);
  }
  return files;
}

}  // namespace vantage::rtl
