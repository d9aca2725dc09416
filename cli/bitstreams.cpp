#include "cli/bitstreams.h"

#include <fmt/format.h>

#include "base/cache.h"
#include "cli/one_line.h"
#include "cli/options.h"
#include "cli/output.h"

namespace vantage::cli {

boards::BitstreamStore bitstream_store() {
  boards::BitstreamStore store(project_root() / "bitstreams" / "manifest.json", default_cache() / "bitstreams");
  for (const std::string& warning : store.warnings()) print_error("warning: {}\n", one_line(warning));
  return store;
}

}  // namespace vantage::cli
