// Pictures: read as they were written, and brought to a network's size as plain loops over the formula do.
#include "frontend/images/image.h"

#include <png.h>
#include <turbojpeg.h>

#include <cmath>
#include <random>

#include "base/file.h"
#include "base/tensor/compare.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"

namespace vantage::test::frontend_image_test {

using namespace vantage;

namespace {

// Rows of red, green and blue.
std::vector<unsigned char> random_pixels(int rows, int columns, std::mt19937_64& random, bool smooth = false) {
  std::vector<unsigned char> bytes(static_cast<size_t>(rows) * columns * 3);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(smooth ? 128 + 100 * std::sin(static_cast<double>(i / 3) * 0.01) : random());
  }
  return bytes;
}

std::string png_of(const std::vector<unsigned char>& pixels, int rows, int columns) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(columns);
  image.height = static_cast<png_uint_32>(rows);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(size, '\0');
  REQUIRE(png_image_write_to_memory(&image, file.data(), &size, 0, pixels.data(), 0, nullptr) != 0);
  file.resize(size);
  return file;
}

std::string jpeg_of(const std::vector<unsigned char>& pixels, int rows, int columns, TJPF format = TJPF_RGB) {
  unsigned char* bytes = nullptr;
  unsigned long size = 0;  // NOLINT: the library's type
  tjhandle writer = tjInitCompress();
  REQUIRE(tjCompress2(writer, pixels.data(), columns, 0, rows, format, &bytes, &size, TJSAMP_444, 98, 0) == 0);
  std::string file(reinterpret_cast<const char*>(bytes), size);
  tjFree(bytes);
  tjDestroy(writer);
  return file;
}

Tensor tensor_of(const std::vector<unsigned char>& pixels, int rows, int columns) {
  Tensor tensor(kFloat32, {3, rows, columns});
  for (int64_t e = 0; e < tensor.size(); ++e) {
    const int64_t plane = int64_t{rows} * columns;
    tensor.set_number(e, pixels[static_cast<size_t>(e % plane * 3 + e / plane)] / 255.0F);
  }
  return tensor;
}

// The formula, pixel by pixel over the whole picture.
double plain(const Tensor& image, int64_t channel, double row, double column, double scale) {
  const double reach = std::max(1.0, scale);
  double sum = 0, shares = 0;
  for (int64_t y = 0; y < image.extent(1); ++y) {
    for (int64_t x = 0; x < image.extent(2); ++x) {
      const double down = 1 - std::abs(static_cast<double>(y) + 0.5 - row) / reach;
      const double across = 1 - std::abs(static_cast<double>(x) + 0.5 - column) / reach;
      if (down <= 0 || across <= 0) continue;
      sum += down * across * image.at({channel, y, x});
      shares += down * across;
    }
  }
  return sum / shares;
}

}  // namespace

TEST_CASE("pictures are read as they were written", "[unit]") {
  std::mt19937_64 random(1);
  const test::TemporaryFolder folder;
  const std::vector<unsigned char> pixels = random_pixels(7, 11, random);
  const auto png = folder.file("a.png", png_of(pixels, 7, 11));
  CHECK(images::read_image(png, 3) == tensor_of(pixels, 7, 11));
  CHECK(images::read_image(png, 1).shape() == Tensor::Shape{1, 7, 11});
  const std::vector<unsigned char> smooth = random_pixels(16, 24, random, true);
  const auto jpeg = folder.file("a.jpg", jpeg_of(smooth, 16, 24));
  CHECK(difference(tensor_of(smooth, 16, 24), images::read_image(jpeg, 3), {0, 0.02}).value_or("") == "");
  // Brightness is a channel of its own, between the colours.
  const Tensor grey = images::read_image(jpeg, 1);
  CHECK(grey.shape() == Tensor::Shape{1, 16, 24});
  CHECK(grey.at({0, 3, 3}) == Approx(images::read_image(jpeg, 3).at({1, 3, 3})).margin(0.02));
}

TEST_CASE("what is no picture is refused", "[unit]") {
  std::mt19937_64 random(1);
  const std::vector<unsigned char> pixels = random_pixels(40, 40, random);
  const std::string png = png_of(pixels, 40, 40), jpeg = jpeg_of(pixels, 40, 40);
  CHECK_THAT(ERROR_OF(images::parse_image("GIF89a", "a.gif", 3)),
             ContainsSubstring("a.gif: is no picture; expected PNG or JPEG"));
  CHECK_THAT(ERROR_OF(images::parse_image(png.substr(0, png.size() / 2), "a.png", 3)), ContainsSubstring("a.png: is "));
  CHECK_THAT(ERROR_OF(images::parse_image(png.substr(0, 20), "a.png", 3)), ContainsSubstring("a.png: is no picture: "));
  CHECK_THAT(ERROR_OF(images::parse_image(jpeg.substr(0, jpeg.size() - 100), "a.jpg", 3)),
             ContainsSubstring("a.jpg: is "));
  CHECK_THAT(ERROR_OF(images::parse_image(jpeg.substr(0, 20), "a.jpg", 3)),
             ContainsSubstring("a.jpg: is no picture: "));
  const std::string print = jpeg_of(std::vector<unsigned char>(4 * 16 * 16, 100), 16, 16, TJPF_CMYK);
  CHECK(ERROR_OF(images::parse_image(print, "a.jpg", 3)) ==
        "a.jpg: has the colours of a print, CMYK; convert it to RGB or grey");
  CHECK_THAT(ERROR_OF(images::read_image("/nowhere.png", 3)), ContainsSubstring("/nowhere.png"));
  // A header that names more pixels than any picture has.
  std::string large = png;
  large[16] = large[20] = 0x10;
  CHECK_THAT(ERROR_OF(images::parse_image(large, "a.png", 3)), ContainsSubstring("a.png: "));
}

TEST_CASE("a picture as an input is its middle, scaled by the formula", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(20); ++round) {
    const auto size = [&] { return static_cast<int>(1 + random() % 30); };
    const int rows = size(), columns = size();
    const int64_t to_rows = size(), to_columns = size();
    INFO(rows << "x" << columns << " to " << to_rows << "x" << to_columns);
    const Tensor image = tensor_of(random_pixels(rows, columns, random), rows, columns);
    const Tensor input = images::as_input(image, {1, 3, to_rows, to_columns}, {{0.5, 0.25, 0}, {2, 1, 0.5}});
    const double scale = std::min(rows / static_cast<double>(to_rows), columns / static_cast<double>(to_columns));
    const double mean[] = {0.5, 0.25, 0}, deviation[] = {2, 1, 0.5};
    for (int probe = 0; probe < 20; ++probe) {
      const auto c = static_cast<int64_t>(random() % 3), y = static_cast<int64_t>(random() % to_rows),
                 x = static_cast<int64_t>(random() % to_columns);
      const double row = rows / 2.0 + scale * (static_cast<double>(y) + 0.5 - to_rows / 2.0);
      const double column = columns / 2.0 + scale * (static_cast<double>(x) + 0.5 - to_columns / 2.0);
      const double expected = (plain(image, c, row, column, scale) - mean[c]) / deviation[c];
      CHECK(input.at({0, c, y, x}) == Approx(expected).margin(1e-4));
    }
  }
  const Tensor same = tensor_of(random_pixels(9, 9, random), 9, 9);
  CHECK(difference(same.reshaped({1, 3, 9, 9}), images::as_input(same, {1, 3, 9, 9}, {}), {0, 1e-6}).value_or("") ==
        "");
}

}  // namespace vantage::test::frontend_image_test
