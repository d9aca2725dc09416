// Notes on blocks and allocations that passes act on.
#pragma once

#include <string_view>

namespace vantage::passes {

// What the block writes, and later the allocated buffer, is to have so many places.
inline constexpr std::string_view kDoubleBufferNote = "double_buffer";
// So many iterations of the loop are under way at a time: what they bring to shared memory, ahead of its use.
inline constexpr std::string_view kPipelineNote = "pipeline_stages";
// Dimension, factor and offset of Schedule::storage_align.
inline constexpr std::string_view kAlignAxisNote = "storage_align_axis";
inline constexpr std::string_view kAlignFactorNote = "storage_align_factor";
inline constexpr std::string_view kAlignOffsetNote = "storage_align_offset";

}  // namespace vantage::passes
