// IDX files, the format of the MNIST images and labels (unsigned bytes only), gzipped or not.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/tensor/tensor.h"

namespace vantage {

// int16, which holds the unsigned bytes, of the file's own shape: [items][rows][columns] of images, [items] of labels.
// Throws Error naming the file when it is damaged or holds other than unsigned bytes. What is read takes no more memory
// than a few times what the file's header promises and unpacks to.
Tensor read_idx(const std::filesystem::path& path);
Tensor parse_idx(std::string_view bytes, std::string_view source);

}  // namespace vantage
