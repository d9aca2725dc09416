// IDX files, the format of the MNIST images and labels (unsigned bytes only), gzipped or not.
#pragma once

#include <filesystem>

#include "compiler/ops/tile_layout.h"

namespace vantage::cli {

// One row per item: images flattened row by row, labels as a single column. Throws Error naming the file when it is
// damaged or holds other than unsigned bytes.
ops::Matrix read_idx(const std::filesystem::path& path);
ops::Matrix parse_idx(std::string_view bytes, std::string_view source);

}  // namespace vantage::cli
