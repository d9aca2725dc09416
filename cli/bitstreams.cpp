#include "cli/bitstreams.h"

#include "base/cache.h"
#include "cli/options.h"

namespace vantage::cli {

boards::BitstreamStore bitstream_store() {
  return {project_root() / "bitstreams" / "manifest.json", default_cache() / "bitstreams"};
}

}  // namespace vantage::cli
