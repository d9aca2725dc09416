#include "tests/compiler/backend/vta/random_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/json.h"
#include "base/math.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"

namespace vantage::test {

namespace {

using ops::Epilogue;
using ops::VtaConv2dTiling;

bool fits(const RandomLayer& r) {
  const Conv2dShape& s = r.layer.shape;
  // A row of zeros at the left and right, and a step between rows, are limited by their fields.
  if (s.reach_h() > s.padded_height() || s.reach_w() > s.padded_width()) return false;
  for (const ops::VtaConv2dPart& part : r.layer.mapping.parts) {
    const VtaConv2dTiling& t = part.tiling;
    if (t.weights_shared && (!t.channels_outside || t.weights_resident)) return false;
  }
  try {
    ops::check_mapping(r.layer.mapping, s, r.layer.epilogue, r.config, "random");
    return true;
  } catch (const Error&) {
    return false;
  }
}

int64_t drawn(std::mt19937_64& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

void draw_sides(std::mt19937_64& random, const RandomLayer& r, VtaConv2dTiling& t) {
  const Conv2dShape& s = r.layer.shape;
  t.n = drawn(random, 1, ceil_div(s.batch, r.config.batch()));
  t.oc = drawn(random, 1, ceil_div(s.out_channels, r.config.block_out()));
  t.ic = drawn(random, 1, ceil_div(s.in_channels, r.config.block_in()));
  t.h = drawn(random, 1, s.out_height());
  t.w = drawn(random, 1, s.out_width());
}

void draw_choices(std::mt19937_64& random, VtaConv2dTiling& t) {
  t.threads = static_cast<int>(drawn(random, 1, 3));
  for (int* places : {&t.chunk_places, &t.sum_places}) {
    *places = std::max(1, static_cast<int>(drawn(random, 0, 4)));
  }
  for (bool* flag : {&t.channels_outside, &t.threads_in_turn, &t.staggered, &t.input_resident, &t.weights_resident,
                     &t.weights_shared, &t.bias_resident, &t.picks_pixels}) {
    *flag = drawn(random, 0, 1) == 0;
  }
  if (t.threads == 1) t.threads_in_turn = t.staggered = t.weights_shared = false;
}

Epilogue random_epilogue(std::mt19937_64& random, const isa::Config& config) {
  const auto pick = [&](int64_t low, int64_t high) { return static_cast<int>(drawn(random, low, high)); };
  Epilogue e{pick(0, 1) == 0, pick(0, 8), pick(-100, 0), pick(1, 127)};
  if (pick(0, 2) != 0) return e;
  e.cut = pick(0, 1) * pick(0, 9);
  switch (pick(0, 2)) {
    case 0: e.multiplier = pick(0, 1) == 0 ? pick(-300, -1) : pick(1, 300); break;
    case 1: e.has_multipliers = true; break;
    default: break;
  }
  e.has_addend = config.lane_bits(isa::Memory::kOut) == 8 && pick(0, 2) != 0;
  if (e.has_addend) e.addend_factor = std::array{1, 1, 2, 64, 3, -5}[static_cast<size_t>(pick(0, 5))];
  return e;
}

// Gives the layer a tiling that fits; false when none is found soon.
bool draw_tiling(std::mt19937_64& random, RandomLayer& r) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    VtaConv2dTiling t;
    draw_sides(random, r, t);
    draw_choices(random, t);
    r.layer.mapping = t;
    if (fits(r)) return true;
  }
  return false;
}

// Cuts a part in two, if it can; half of the time the same threads go on.
void cut(std::mt19937_64& random, RandomLayer& r) {
  const Conv2dShape& s = r.layer.shape;
  const auto [span, size] = std::array<std::pair<ops::Span ops::VtaConv2dPart::*, int64_t>, 3>{{
      {&ops::VtaConv2dPart::n, ceil_div(s.batch, r.config.batch())},
      {&ops::VtaConv2dPart::oc, ceil_div(s.out_channels, r.config.block_out())},
      {&ops::VtaConv2dPart::h, s.out_height()},
  }}[static_cast<size_t>(drawn(random, 0, 2))];
  RandomLayer cut = r;
  auto& parts = cut.layer.mapping.parts;
  const auto at = static_cast<size_t>(drawn(random, 0, static_cast<int64_t>(parts.size()) - 1));
  const int64_t begin = (parts[at].*span).begin, extent = (parts[at].*span).extent(size);
  if (extent < 2) return;
  const int64_t border = begin + drawn(random, 1, extent - 1);
  ops::VtaConv2dPart rest = parts[at];
  parts[at].*span = {begin, border};
  rest.*span = {border, begin + extent};
  draw_sides(random, r, rest.tiling);
  if (drawn(random, 0, 1) == 0) draw_choices(random, rest.tiling);
  parts.insert(parts.begin() + static_cast<ptrdiff_t>(at) + 1, rest);
  if (fits(cut)) r = cut;
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
      if (pick(0, 1) == 0) {
        s.stride = {pick(1, 3), pick(1, 3)};
        s.pad = {pick(0, 3), pick(0, 3), pick(0, 3), pick(0, 3)};
        s.dilation = {pick(1, 3), pick(1, 3)};
      }
    }
    if (config.block_in() == config.block_out() && pick(0, 3) == 0) {
      s.channelwise = true;
      s.out_channels = s.in_channels;
    }
    r.layer.epilogue = random_epilogue(random, config);
    if (s.reach_h() > s.padded_height() || s.reach_w() > s.padded_width()) continue;
    if (!draw_tiling(random, r)) continue;
    for (int64_t cuts = pick(0, 3); cuts > 1; --cuts) cut(random, r);
    r.layer.mapping.in_slices = pick(0, 1) == 0;
    r.layer.mapping.fills_waits = pick(0, 1) == 0;
    r.layer.mapping.shares_micro_ops = pick(0, 1) == 0;
    r.layer.mapping.skips_zeros = pick(0, 1) == 0;
    return r;
  }
}

std::optional<VtaConv2dTiling> random_tiling(std::mt19937_64& random, const RandomLayer& layer) {
  RandomLayer r = layer;
  return draw_tiling(random, r) ? std::optional(r.layer.mapping.parts[0].tiling) : std::nullopt;
}

std::vector<RandomLayer> smaller(const RandomLayer& layer) {
  std::vector<RandomLayer> all;
  const auto add = [&](const auto& change) {
    RandomLayer r = layer;
    change(r.layer);
    if (to_text(r) != to_text(layer) && fits(r)) all.push_back(r);
  };
  const auto tilings = [&](const auto& change) {
    for (size_t i = 0; i < layer.layer.mapping.parts.size(); ++i) {
      add([&](ops::Layer& l) { change(l.mapping.parts[i].tiling); });
    }
  };
  for (const ops::VtaConv2dPart& part : layer.layer.mapping.parts) {
    if (layer.layer.mapping.parts.size() > 1) add([&](ops::Layer& l) { l.mapping = part.tiling; });
  }
  for (auto side : {&Conv2dShape::batch, &Conv2dShape::in_channels, &Conv2dShape::out_channels, &Conv2dShape::height,
                    &Conv2dShape::width, &Conv2dShape::kernel_h, &Conv2dShape::kernel_w}) {
    add([&](ops::Layer& l) { l.shape.*side = std::max<int64_t>(1, l.shape.*side / 2); });
    add([&](ops::Layer& l) { l.shape.*side = std::max<int64_t>(1, l.shape.*side - 1); });
  }
  add([](ops::Layer& l) {
    if (l.shape.channelwise) l.shape.in_channels = l.shape.out_channels = std::max<int64_t>(1, l.shape.in_channels / 2);
  });
  add([](ops::Layer& l) { l.shape.channelwise = false; });
  add([](ops::Layer& l) { l.shape.pad = 0; });
  add([](ops::Layer& l) { l.shape.pad = l.shape.pad.top; });
  for (auto side : {&Conv2dShape::stride, &Conv2dShape::dilation}) {
    add([&](ops::Layer& l) { l.shape.*side = 1; });
    add([&](ops::Layer& l) { l.shape.*side = (l.shape.*side).rows; });
  }
  for (auto side :
       {&VtaConv2dTiling::n, &VtaConv2dTiling::oc, &VtaConv2dTiling::h, &VtaConv2dTiling::w, &VtaConv2dTiling::ic}) {
    tilings([&](VtaConv2dTiling& t) { t.*side = std::max<int64_t>(1, t.*side / 2); });
  }
  tilings([](VtaConv2dTiling& t) {
    t.threads = std::max(1, t.threads - 1);
    if (t.threads == 1) t.threads_in_turn = t.staggered = t.weights_shared = false;
  });
  for (auto places : {&VtaConv2dTiling::chunk_places, &VtaConv2dTiling::sum_places}) {
    tilings([&](VtaConv2dTiling& t) { t.*places = std::max(1, t.*places - 1); });
  }
  for (auto flag :
       {&VtaConv2dTiling::channels_outside, &VtaConv2dTiling::threads_in_turn, &VtaConv2dTiling::staggered,
        &VtaConv2dTiling::input_resident, &VtaConv2dTiling::weights_resident, &VtaConv2dTiling::weights_shared,
        &VtaConv2dTiling::bias_resident, &VtaConv2dTiling::picks_pixels}) {
    tilings([&](VtaConv2dTiling& t) { t.*flag = false; });
  }
  add([](ops::Layer& l) {
    l.epilogue.bias = false;
    for (ops::VtaConv2dPart& part : l.mapping.parts) part.tiling.bias_resident = false;
  });
  for (auto number : {&Epilogue::shift, &Epilogue::cut}) add([&](ops::Layer& l) { l.epilogue.*number = 0; });
  add([](ops::Layer& l) { l.epilogue.multiplier = std::nullopt; });
  add([](ops::Layer& l) { l.epilogue.has_multipliers = false; });
  add([](ops::Layer& l) { l.epilogue.has_addend = false; });
  add([](ops::Layer& l) { l.epilogue.addend_factor = 1; });
  add([](ops::Layer& l) { l.mapping.in_slices = false; });
  add([](ops::Layer& l) { l.mapping.fills_waits = false; });
  add([](ops::Layer& l) { l.mapping.shares_micro_ops = false; });
  add([](ops::Layer& l) { l.mapping.skips_zeros = false; });
  return all;
}

std::string to_text(const RandomLayer& r) {
  const Conv2dShape& s = r.layer.shape;
  const Epilogue& e = r.layer.epilogue;
  return fmt::format(
      "{}\n.shape = {{{}, {}, {}, {}, {}, {}, {}, stride {}, pad {}, dilation {}, channelwise {}}},\n"
      ".epilogue = {{bias {}, shift {}, clip {} {}, cut {}, multiplier {}, multipliers {}, addend {} * {}}},\n{}\n",
      r.config.to_json().dump(), s.batch, s.in_channels, s.height, s.width, s.out_channels, s.kernel_h, s.kernel_w,
      to_string(s.stride), to_string(s.pad), to_string(s.dilation), s.channelwise, e.bias, e.shift, e.clip_min,
      e.clip_max, e.cut, e.multiplier ? std::to_string(*e.multiplier) : "none", e.has_multipliers, e.has_addend,
      e.addend_factor, ops::to_json(r.layer.mapping).dump());
}

}  // namespace vantage::test
