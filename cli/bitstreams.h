// The project's manifest of bitstreams, with what this machine has of it.
#pragma once

#include "driver/boards/bitstream_store.h"

namespace vantage::cli {

boards::BitstreamStore bitstream_store();

}  // namespace vantage::cli
