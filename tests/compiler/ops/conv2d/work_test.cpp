// What convolutions must do at least, against all ways of loading small ones.
#include "compiler/ops/conv2d/vta_work.h"

#include <bit>

#include "tests/catch.h"

namespace vantage::test::ops_work_test {

using namespace vantage;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

// What is computed of operands that are there, by brute force. Bits of pixels: [n][ic][height][width]; of weights:
// [oc][ic][kh][kw].
struct Loaded {
  Conv2dShape shape;  // channels in tiles
  uint32_t pixels, weights;

  bool is_zero(int64_t y, int64_t x) const { return y < 0 || x < 0 || y >= shape.height || x >= shape.width; }
  bool has_pixel(int64_t n, int64_t c, int64_t y, int64_t x) const {
    return ((pixels >> (((n * shape.in_channels + c) * shape.height + y) * shape.width + x)) & 1) != 0;
  }
  bool has_weight(int64_t o, int64_t c, int64_t ky, int64_t kx) const {
    return ((weights >> (((o * shape.in_channels + c) * shape.kernel_h + ky) * shape.kernel_w + kx)) & 1) != 0;
  }
  // Products with zeros around the image are none, and nothing waits for them; results without products are not
  // counted.
  std::pair<int64_t, int64_t> products_and_results() const {
    int64_t products = 0, results = 0;
    for (int64_t i = 0; i < shape.batch * shape.out_channels; ++i) {
      const int64_t n = i / shape.out_channels, o = i % shape.out_channels;
      for (int64_t y = 0; y < shape.out_height(); ++y) {
        for (int64_t x = 0; x < shape.out_width(); ++x) {
          bool is_whole = true, has_products = false;
          for (int64_t c = 0; c < shape.in_channels; ++c) {
            for (int64_t k = 0; k < shape.kernel_h * shape.kernel_w; ++k) {
              const int64_t ky = k / shape.kernel_w, kx = k % shape.kernel_w;
              const int64_t at_y = y * shape.stride.rows + ky * shape.dilation.rows - shape.pad.top;
              const int64_t at_x = x * shape.stride.columns + kx * shape.dilation.columns - shape.pad.left;
              if (is_zero(at_y, at_x)) continue;
              has_products = true;
              const bool has = has_weight(o, c, ky, kx) && has_pixel(n, c, at_y, at_x);
              products += has ? 1 : 0;
              is_whole = is_whole && has;
            }
          }
          results += has_products && is_whole ? 1 : 0;
        }
      }
    }
    return {products, results};
  }
};

}  // namespace

TEST_CASE("no choice of what is loaded first reaches further than a layer's work says", "[unit]") {
  const std::vector<Conv2dShape> shapes = {
      {1, 1, 2, 2, 3, 1, 1, 1, 0},
      {1, 2, 1, 3, 2, 1, 1, 1, 0},
      {1, 3, 1, 2, 2, 1, 1, 1, 0},
      {1, 1, 2, 3, 1, 2, 2, 1, 0},
      {1, 1, 2, 2, 1, 2, 2, 1, 1},
      {1, 1, 1, 3, 2, 1, 3, 1, 1},
      {1, 1, 2, 2, 1, 3, 3, 1, 1},
      {1, 2, 1, 3, 1, 1, 1, 2, 0},
      {1, 2, 1, 2, 2, 1, 2, 1, 1},
      {1, 1, 2, 3, 1, 2, 2, {1, 2}, {0, 1, 1, 0}},
      {1, 1, 1, 4, 2, 1, 2, 1, {0, 1, 0, 0}, {1, 2}},
      {1, 1, 3, 2, 1, 2, 1, 1, 0, 2},
      {1, 1, 1, 5, 1, 1, 3, 2, {0, 2, 0, 2}},
      {1, 1, 2, 2, 1, 2, 2, 1, 2},
      {1, 2, 1, 2, 1, 1, 2, 2, {0, 1, 0, 1}},
      {1, 1, 2, 2, 1, 3, 1, 3, {1, 0, 1, 0}},
      {2, 1, 1, 3, 2, 1, 1, 1, 0},
      {2, 1, 2, 2, 1, 2, 2, 1, 1},
      {3, 1, 1, 2, 2, 1, 2, 1, {0, 1, 0, 0}},
  };
  const auto bytes = [](isa::Memory memory) { return static_cast<int64_t>(kConfig.element_size(memory).count()); };
  const auto bus = static_cast<int64_t>(kConfig.bus_width().count());
  for (const Conv2dShape& tiles : shapes) {
    Conv2dShape shape = tiles;
    shape.in_channels *= kConfig.block_in();
    shape.out_channels *= kConfig.block_out();
    const vta::Work work = ops::vta_conv2d_work(shape, {}, kConfig);
    REQUIRE(!work.reach.empty());
    CHECK(work.reach.back().beats == work.read_beats);
    const int64_t pixels = tiles.batch * tiles.in_channels * tiles.height * tiles.width;
    const int64_t weights = tiles.out_channels * tiles.in_channels * tiles.kernel_h * tiles.kernel_w;
    REQUIRE(pixels + weights <= 14);
    const auto [all_products, all_results] = Loaded{tiles, UINT32_MAX, UINT32_MAX}.products_and_results();
    CHECK(work.gemm_steps == all_products);
    CHECK(work.results == all_results);
    for (uint32_t p = 0; p < 1U << pixels; ++p) {
      for (uint32_t w = 0; w < 1U << weights; ++w) {
        const int64_t loaded =
            std::popcount(p) * bytes(isa::Memory::kInp) + std::popcount(w) * bytes(isa::Memory::kWgt);
        const auto [products, results] = Loaded{tiles, p, w}.products_and_results();
        for (const vta::Work::Reach& reach : work.reach) {
          if (loaded > (reach.beats - 1) * bus) continue;
          REQUIRE(products <= reach.gemm_steps);
          REQUIRE(results <= reach.results);
        }
      }
    }
  }
}

TEST_CASE("a kernel that lies on padding everywhere has no work", "[unit]") {
  const Conv2dShape shape = {1, 16, 1, 2, 16, 1, 2, 2, {1, 0, 1, 0}};
  const vta::Work work = ops::vta_conv2d_work(shape, {}, kConfig);
  CHECK(work.gemm_steps == 0);
  CHECK(work.results == 0);
  CHECK(work.reach.empty());
  CHECK(vta::bound_of(work, kConfig, {}).gemm == 0);
}

}  // namespace vantage::test::ops_work_test
