// What tiles of a layer need of the input, against a count of every place.
#include "compiler/ops/conv2d/vta_tiles.h"

#include <random>

#include "tests/catch.h"

namespace vantage::test::ops_tiles_test {

using namespace vantage;

namespace {

struct Axis {
  int64_t size, before, kernel, stride, dilation;

  // Of results [first, first + count): elements of the kernel that lie on a pixel.
  int64_t pixels(int64_t first, int64_t count) const {
    int64_t all = 0;
    for (int64_t result = first; result < first + count; ++result) {
      for (int64_t k = 0; k < kernel; ++k) {
        const int64_t at = result * stride + k * dilation - before;
        all += at >= 0 && at < size ? 1 : 0;
      }
    }
    return all;
  }
};

}  // namespace

TEST_CASE("the kernel's elements on pixels are counted by tile, and all together", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  const isa::Config config = isa::Config::vta_default();
  for (int round = 0; round < 2000; ++round) {
    const Conv2dShape shape = {1,
                               16,
                               pick(1, 9),
                               pick(1, 9),
                               16,
                               pick(1, 4),
                               pick(1, 4),
                               {pick(1, 3), pick(1, 3)},
                               {pick(0, 4), pick(0, 4), pick(0, 4), pick(0, 4)},
                               {pick(1, 3), pick(1, 3)}};
    if (shape.out_height() < 1 || shape.out_width() < 1) continue;
    ops::VtaConv2dPart part{.tiling = {.h = pick(1, 4), .w = pick(1, 4)}};
    part.h.begin = pick(0, shape.out_height() - 1);
    const ops::TiledLayer layer(shape, part, config);
    const Axis rows = {shape.height, shape.pad.top, shape.kernel_h, shape.stride.rows, shape.dilation.rows};
    const Axis columns = {shape.width, shape.pad.left, shape.kernel_w, shape.stride.columns, shape.dilation.columns};
    CAPTURE(round, part.h.begin, part.tiling.h, part.tiling.w);
    for (int64_t i = 0; i < layer.h.count(); ++i) {
      REQUIRE(layer.pixels_down(i) == rows.pixels(part.h.begin + i * part.tiling.h, layer.h.extent(i)));
    }
    for (int64_t i = 0; i < layer.w.count(); ++i) {
      REQUIRE(layer.pixels_across(i) == columns.pixels(i * part.tiling.w, layer.w.extent(i)));
    }
    REQUIRE(layer.pixels() == rows.pixels(part.h.begin, layer.h.size) * columns.pixels(0, layer.w.size));
  }
}

}  // namespace vantage::test::ops_tiles_test
