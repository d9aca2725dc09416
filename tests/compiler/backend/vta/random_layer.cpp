#include "tests/compiler/backend/vta/random_layer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/math.h"
#include "compiler/ops/conv2d/vta_timeline.h"

namespace vantage::test {

namespace {

using ops::Epilogue;
using ops::VtaConv2dTiling;

bool fits(const RandomLayer& r) {
  const Conv2dShape& s = r.layer.shape;
  const VtaConv2dTiling& t = r.layer.tiling;
  const bool has_kernel = s.kernel_h <= s.height + 2 * s.pad && s.kernel_w <= s.width + 2 * s.pad;
  const bool has_choices = (!t.picks_pixels || s.skips_pixels()) && (!t.bias_resident || r.layer.epilogue.bias) &&
                           (!t.weights_shared || (t.channels_outside && !t.weights_resident));
  // A row of zeros at the left and right, and a step between rows, are limited by their fields.
  const bool has_fields = s.pad <= 15;
  return has_kernel && has_choices && has_fields && ops::fits(s, r.layer.epilogue, t, r.config);
}

// Gives the layer a tiling that fits; false when none is found soon.
bool draw_tiling(std::mt19937_64& random, RandomLayer& r) {
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const Conv2dShape& s = r.layer.shape;
  for (int attempt = 0; attempt < 20; ++attempt) {
    VtaConv2dTiling& t = r.layer.tiling;
    t.n = pick(1, ceil_div(s.batch, r.config.batch()));
    t.oc = pick(1, ceil_div(s.out_channels, r.config.block_out()));
    t.ic = pick(1, ceil_div(s.in_channels, r.config.block_in()));
    t.h = pick(1, s.out_height());
    t.w = pick(1, s.out_width());
    t.threads = static_cast<int>(pick(1, 3));
    for (bool* flag : {&t.channels_outside, &t.threads_in_turn, &t.double_buffer, &t.input_resident,
                       &t.weights_resident, &t.weights_shared, &t.bias_resident, &t.picks_pixels}) {
      *flag = pick(0, 1) == 0;
    }
    if (fits(r)) return true;
  }
  return false;
}

}  // namespace

isa::Config random_byte_config(std::mt19937_64& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  while (true) {
    Json json = isa::Config::vta_default().to_json();
    json["LOG_BATCH"] = pick(0, 2);
    json["LOG_BLOCK_IN"] = json["LOG_BLOCK"] = pick(1, 4);
    json["LOG_BLOCK_OUT"] = pick(1, 4);
    json["LOG_INP_WIDTH"] = pick(3, 4);
    json["LOG_WGT_WIDTH"] = pick(3, 4);
    json["LOG_UOP_BUFF_SIZE"] = pick(5, 12);
    json["LOG_INP_BUFF_SIZE"] = pick(10, 13);
    json["LOG_WGT_BUFF_SIZE"] = pick(11, 14);
    json["LOG_ACC_BUFF_SIZE"] = pick(11, 14);
    try {
      return isa::Config::from_json(json, "random");
    } catch (const Error&) {
      // An element wider than its scratchpad; draw again.
    }
  }
}

RandomLayer random_layer(std::mt19937_64& random, const isa::Config& config) {
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  while (true) {
    RandomLayer r{config, {}};
    Conv2dShape& s = r.layer.shape;
    s.batch = pick(0, 2) == 0 ? pick(1, 3 * config.batch()) : config.batch();
    s.in_channels = pick(1, 4 * config.block_in());
    s.out_channels = pick(1, 4 * config.block_out());
    if (pick(0, 3) != 0) {
      s.height = pick(1, 9);
      s.width = pick(1, 9);
      s.kernel_h = pick(1, 3);
      s.kernel_w = pick(0, 2) != 0 ? s.kernel_h : pick(1, 3);
      s.stride = pick(1, 3);
      s.pad = pick(0, 2);
    }
    r.layer.epilogue = {pick(0, 1) == 0, static_cast<int>(pick(0, 8)), static_cast<int>(pick(-100, 0)),
                        static_cast<int>(pick(1, 127))};
    if (s.kernel_h > s.height + 2 * s.pad || s.kernel_w > s.width + 2 * s.pad) continue;
    if (draw_tiling(random, r)) return r;
  }
}

std::optional<VtaConv2dTiling> random_tiling(std::mt19937_64& random, const RandomLayer& layer) {
  RandomLayer r = layer;
  return draw_tiling(random, r) ? std::optional(r.layer.tiling) : std::nullopt;
}

std::vector<RandomLayer> smaller(const RandomLayer& layer) {
  std::vector<RandomLayer> all;
  const auto add = [&](const auto& change) {
    RandomLayer r = layer;
    change(r.layer);
    const bool changed = !(r.layer.shape == layer.layer.shape) || !(r.layer.tiling == layer.layer.tiling) ||
                         to_text(r) != to_text(layer);
    if (changed && fits(r)) all.push_back(r);
  };
  for (auto side : {&Conv2dShape::batch, &Conv2dShape::in_channels, &Conv2dShape::out_channels, &Conv2dShape::height,
                    &Conv2dShape::width, &Conv2dShape::kernel_h, &Conv2dShape::kernel_w, &Conv2dShape::stride}) {
    add([&](ops::Layer& l) { l.shape.*side = std::max<int64_t>(1, l.shape.*side / 2); });
    add([&](ops::Layer& l) { l.shape.*side = std::max<int64_t>(1, l.shape.*side - 1); });
  }
  add([](ops::Layer& l) { l.shape.pad = 0; });
  for (auto side :
       {&VtaConv2dTiling::n, &VtaConv2dTiling::oc, &VtaConv2dTiling::h, &VtaConv2dTiling::w, &VtaConv2dTiling::ic}) {
    add([&](ops::Layer& l) { l.tiling.*side = std::max<int64_t>(1, l.tiling.*side / 2); });
  }
  add([](ops::Layer& l) { l.tiling.threads = std::max(1, l.tiling.threads - 1); });
  for (auto flag :
       {&VtaConv2dTiling::channels_outside, &VtaConv2dTiling::threads_in_turn, &VtaConv2dTiling::double_buffer,
        &VtaConv2dTiling::input_resident, &VtaConv2dTiling::weights_resident, &VtaConv2dTiling::weights_shared,
        &VtaConv2dTiling::bias_resident, &VtaConv2dTiling::picks_pixels}) {
    add([&](ops::Layer& l) { l.tiling.*flag = false; });
  }
  add([](ops::Layer& l) { l.epilogue.bias = l.tiling.bias_resident = false; });
  add([](ops::Layer& l) { l.epilogue.shift = 0; });
  return all;
}

std::string to_text(const RandomLayer& r) {
  const Conv2dShape& s = r.layer.shape;
  const Epilogue& e = r.layer.epilogue;
  const VtaConv2dTiling& t = r.layer.tiling;
  return fmt::format(
      "{}\n.shape = {{{}, {}, {}, {}, {}, {}, {}, {}, {}}},\n.epilogue = {{{}, {}, {}, {}}},\n"
      ".tiling = {{.n = {}, .oc = {}, .h = {}, .w = {}, .ic = {}, .channels_outside = {}, .threads = {}, "
      ".threads_in_turn = {}, .double_buffer = {}, .input_resident = {}, .weights_resident = {}, .weights_shared = {}, "
      ".picks_pixels = {}, .bias_resident = {}}}\n",
      r.config.to_json().dump(), s.batch, s.in_channels, s.height, s.width, s.out_channels, s.kernel_h, s.kernel_w,
      s.stride, s.pad, e.bias, e.shift, e.clip_min, e.clip_max, t.n, t.oc, t.h, t.w, t.ic, t.channels_outside,
      t.threads, t.threads_in_turn, t.double_buffer, t.input_resident, t.weights_resident, t.weights_shared,
      t.picks_pixels, t.bias_resident);
}

}  // namespace vantage::test
