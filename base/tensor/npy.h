// NumPy's .npy files (format versions 1 and 2, little-endian, C order) as tensors of any rank.
//
// Types are those that DType and NumPy share: bool, int8 to int64, uint8 to uint32, float16 to float64. What is read
// takes no more memory than the file has bytes, whatever its header promises.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/tensor/tensor.h"

namespace vantage {

// Throws Error naming the file when it cannot be read, is no .npy file, is truncated or longer than its header says, or
// has another element type than `expected`, if that is given.
Tensor read_npy(const std::filesystem::path& path, std::optional<DType> expected = {});

// Parses the bytes of such a file; `source` begins every message.
Tensor parse_npy(std::string_view bytes, std::string_view source, std::optional<DType> expected = {});

// Writes the file atomically. Throws Error when it cannot be written, or for a type that NumPy lacks.
void write_npy(const std::filesystem::path& path, const Tensor& tensor);

}  // namespace vantage
