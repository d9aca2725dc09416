// The project's manifest of bitstreams, with what this machine has of it. Warns on stderr of notes that are damaged.
#pragma once

#include "driver/boards/bitstream_store.h"

namespace vantage::cli {

boards::BitstreamStore bitstream_store();

// Where they lie.
std::filesystem::path bitstream_manifest();
std::filesystem::path bitstream_folder();

}  // namespace vantage::cli
