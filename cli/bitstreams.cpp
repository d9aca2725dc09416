#include "cli/bitstreams.h"

#include <fmt/format.h>

#include "base/cache.h"
#include "base/installation.h"
#include "base/one_line.h"
#include "cli/output.h"

namespace vantage::cli {

boards::BitstreamStore bitstream_store() {
  boards::BitstreamStore store(bitstream_manifest(), bitstream_folder());
  for (const std::string& warning : store.warnings()) print_error("warning: {}\n", one_line(warning));
  return store;
}

std::filesystem::path bitstream_manifest() {
  return data_folder() / "bitstreams" / "manifest.json";
}

std::filesystem::path bitstream_folder() {
  return default_cache() / "bitstreams";
}

}  // namespace vantage::cli
