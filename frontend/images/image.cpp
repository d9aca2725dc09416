#include "frontend/images/image.h"

#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/file.h"

namespace vantage::images {

namespace {

constexpr Bytes kLargestFile{uint64_t{256} << 20};
constexpr uint64_t kMostPixels = uint64_t{1} << 26;

// Rows of bytes, `channels` of each pixel beside each other.
struct Pixels {
  int64_t rows = 0, columns = 0;
  std::vector<unsigned char> bytes;
};

void require_size(const std::string& source, uint64_t rows, uint64_t columns) {
  if (rows * columns > kMostPixels) {
    fail("{}: has {} x {} pixels; pictures may have up to {}", source, columns, rows, kMostPixels);
  }
}

Pixels read_png(const std::string& source, std::string_view file, int channels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, decltype(&png_image_free)> freed(&image, png_image_free);
  if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0) {
    fail("{}: is no picture: {}", source, image.message);
  }
  require_size(source, image.height, image.width);
  image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  Pixels pixels{image.height, image.width, std::vector<unsigned char>(PNG_IMAGE_SIZE(image))};
  const png_color black{0, 0, 0};
  if (png_image_finish_read(&image, &black, pixels.bytes.data(), 0, nullptr) == 0) {
    fail("{}: is damaged: {}", source, image.message);
  }
  return pixels;
}

Pixels read_jpeg(const std::string& source, std::string_view file, int channels) {
  const std::unique_ptr<void, decltype(&tjDestroy)> reader(tjInitDecompress(), tjDestroy);
  VANTAGE_CHECK(reader != nullptr);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(file.data());
  int columns = 0, rows = 0, sampling = 0, colours = 0;
  if (tjDecompressHeader3(reader.get(), bytes, file.size(), &columns, &rows, &sampling, &colours) != 0) {
    fail("{}: is no picture: {}", source, tjGetErrorStr2(reader.get()));
  }
  // Of a file that ends within its header the library may say nothing.
  if (rows == 0 || columns == 0) fail("{}: is no picture: its header is cut off", source);
  require_size(source, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns));
  if (colours == TJCS_CMYK || colours == TJCS_YCCK) {
    fail("{}: has the colours of a print, CMYK; convert it to RGB or grey", source);
  }
  Pixels pixels{rows, columns, std::vector<unsigned char>(static_cast<size_t>(rows) * columns * channels)};
  if (tjDecompress2(reader.get(), bytes, file.size(), pixels.bytes.data(), columns, 0, rows,
                    channels == 1 ? TJPF_GRAY : TJPF_RGB, TJFLAG_ACCURATEDCT) != 0) {
    fail("{}: is damaged: {}", source, tjGetErrorStr2(reader.get()));
  }
  return pixels;
}

// Which of `from` elements, from `first` on, make one of `to`, and their shares, which sum to 1.
struct Window {
  int64_t first = 0;
  std::vector<float> shares;
};

std::vector<Window> windows(double begin, double length, int64_t from, int64_t to) {
  const double step = length / static_cast<double>(to), reach = std::max(1.0, step);
  std::vector<Window> all;
  for (int64_t i = 0; i < to; ++i) {
    const double centre = begin + (static_cast<double>(i) + 0.5) * step;
    Window window;
    window.first = std::clamp<int64_t>(static_cast<int64_t>(std::floor(centre - reach)), 0, from - 1);
    const auto last = std::clamp<int64_t>(static_cast<int64_t>(std::ceil(centre + reach)), window.first + 1, from);
    double sum = 0;
    for (int64_t e = window.first; e < last; ++e) {
      const double distance = std::abs(static_cast<double>(e) + 0.5 - centre) / reach;
      const double share = std::max(0.0, 1 - distance);
      window.shares.push_back(static_cast<float>(share));
      sum += share;
    }
    for (float& share : window.shares) share = static_cast<float>(share / sum);
    all.push_back(std::move(window));
  }
  return all;
}

}  // namespace

Tensor read_image(const std::filesystem::path& path, int channels) {
  return parse_image(read_file(path, kLargestFile), path.string(), channels);
}

Tensor parse_image(std::string_view file, const std::string& source, int channels) {
  VANTAGE_CHECK(channels == 1 || channels == 3);
  const bool is_png = file.starts_with("\x89PNG"), is_jpeg = file.starts_with("\xff\xd8");
  if (!is_png && !is_jpeg) fail("{}: is no picture; expected PNG or JPEG", source);
  const Pixels pixels = is_png ? read_png(source, file, channels) : read_jpeg(source, file, channels);
  Tensor image(kFloat32, {channels, pixels.rows, pixels.columns});
  const std::span<float> values = image.values<float>();
  const int64_t count = pixels.rows * pixels.columns;
  for (int64_t p = 0; p < count; ++p) {
    for (int64_t c = 0; c < channels; ++c) {
      values[static_cast<size_t>(c * count + p)] =
          static_cast<float>(pixels.bytes[static_cast<size_t>(p * channels + c)]) / 255.0F;
    }
  }
  return image;
}

Tensor as_input(const Tensor& image, const Tensor::Shape& shape, const Normalization& normalization) {
  VANTAGE_CHECK(shape.size() == 4 && shape[0] == 1 && shape[1] == image.extent(0));
  const int64_t channels = shape[1], rows = shape[2], columns = shape[3];
  const int64_t from_rows = image.extent(1), from_columns = image.extent(2);
  // The part that is taken, in the picture's pixels.
  const double scale = std::min(static_cast<double>(from_rows) / static_cast<double>(rows),
                                static_cast<double>(from_columns) / static_cast<double>(columns));
  const auto windows_of = [&](int64_t from, int64_t to) {
    const double length = scale * static_cast<double>(to);
    return windows((static_cast<double>(from) - length) / 2, length, from, to);
  };
  const std::vector<Window> down = windows_of(from_rows, rows), across = windows_of(from_columns, columns);
  const std::span<const float> pixels = image.values<float>();
  Tensor input(kFloat32, shape);
  const std::span<float> values = input.values<float>();
  std::vector<float> line(static_cast<size_t>(from_columns));
  size_t next = 0;
  for (int64_t c = 0; c < channels; ++c) {
    const auto mean = static_cast<float>(normalization.mean.empty() ? 0 : normalization.mean.at(c));
    const auto deviation = static_cast<float>(normalization.deviation.empty() ? 1 : normalization.deviation.at(c));
    for (const Window& vertical : down) {
      std::fill(line.begin(), line.end(), 0.0F);
      for (size_t i = 0; i < vertical.shares.size(); ++i) {
        const int64_t row = c * from_rows + vertical.first + static_cast<int64_t>(i);
        const auto from = pixels.subspan(static_cast<size_t>(row * from_columns), line.size());
        for (size_t x = 0; x < line.size(); ++x) line[x] += vertical.shares[i] * from[x];
      }
      for (const Window& horizontal : across) {
        float sum = 0;
        for (size_t i = 0; i < horizontal.shares.size(); ++i) {
          sum += horizontal.shares[i] * line[static_cast<size_t>(horizontal.first) + i];
        }
        values[next++] = (sum - mean) / deviation;
      }
    }
  }
  return input;
}

}  // namespace vantage::images
