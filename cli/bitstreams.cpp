#include "cli/bitstreams.h"

#include "cli/options.h"
#include "hw/spec/cache.h"

namespace vantage::cli {

boards::BitstreamStore bitstream_store() {
  return {project_root() / "bitstreams" / "manifest.json", default_cache() / "bitstreams"};
}

}  // namespace vantage::cli
