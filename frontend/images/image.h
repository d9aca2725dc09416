// Pictures from files, and as inputs of networks.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor/tensor.h"

namespace vantage::images {

// A PNG or a JPEG file (by libpng and libjpeg-turbo) as float32 [channel][row][column] from 0 to 1, of 1 channel, its
// brightness, or 3: red, green, blue. What is transparent lies before black. Throws Error, naming the file, for what is
// neither, is damaged, or has more than 2^26 pixels.
Tensor read_image(const std::filesystem::path& path, int channels);
// The same of a file's bytes; `source` begins every message.
Tensor parse_image(std::string_view bytes, const std::string& source, int channels);

// What a network makes of a pixel before its first layer: (pixel - mean) / deviation, by channel. Empty: the pixel.
struct Normalization {
  std::vector<double> mean = {}, deviation = {};
};

// The largest part around the middle that has the shape's proportions, at the shape's size [1, channels, rows,
// columns]: every pixel is the mean of those that it covers, weighted by a triangle two pixels of the coarser grid
// wide, so that small pictures are interpolated and large ones do not alias. REQUIRES: as many channels.
Tensor as_input(const Tensor& image, const Tensor::Shape& shape, const Normalization& normalization);

}  // namespace vantage::images
