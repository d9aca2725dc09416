// How long a searched program may be before speed no longer counts.
#pragma once

#include <cstdint>

namespace vantage::ops {

// A search takes a tiling that makes at most so many instructions before any that makes more, however fast that would
// be: instructions come through the port that also loads data, and 2,000 of them are 32 KB. Programs are to stay below
// those 2,000; the searches count ahead of the passes that place micro-ops and merge transfers, so a twentieth is kept
// back for what they miss.
inline constexpr int64_t kShortProgram = 1900;

}  // namespace vantage::ops
