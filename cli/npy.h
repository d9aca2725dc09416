// NumPy .npy files of integers (format versions 1 and 2, C order), as the workloads read and write them.
#pragma once

#include <filesystem>

#include "compiler/ops/tile_layout.h"

namespace vantage::cli {

enum class NpyType { kInt8, kInt32 };

// Reads an array of one dimension (as one row) or two. Throws Error naming the file when it is no .npy file, is
// truncated, has another element type than `type`, or another number of dimensions.
ops::Matrix read_npy(const std::filesystem::path& path, NpyType type);

// Parses the bytes of such a file; `source` begins every message.
ops::Matrix parse_npy(std::string_view bytes, NpyType type, std::string_view source);

// Writes a two-dimensional array, atomically. REQUIRES: every value fits `type`.
void write_npy(const std::filesystem::path& path, const ops::Matrix& matrix, NpyType type);

}  // namespace vantage::cli
