// Notes on blocks and allocations that passes act on.
#pragma once

#include <string_view>

namespace vantage::passes {

// What the block writes, and later the allocated buffer, is to have two places.
inline constexpr std::string_view kDoubleBufferNote = "double_buffer";
// Dimension, factor and offset of Schedule::storage_align.
inline constexpr std::string_view kAlignAxisNote = "storage_align_axis";
inline constexpr std::string_view kAlignFactorNote = "storage_align_factor";
inline constexpr std::string_view kAlignOffsetNote = "storage_align_offset";

}  // namespace vantage::passes
