#include "bench/layers.h"

#include <fmt/format.h>

#include <array>

#include "base/json.h"

namespace vantage::bench {

isa::Config variant(const std::string& name, const std::vector<std::pair<const char*, int>>& keys) {
  Json json = isa::Config::vta_default().to_json();
  for (const auto& [key, value] : keys) json[key] = value;
  return isa::Config::from_json(json, name);
}

std::vector<isa::Config> eight_configs() {
  return {isa::Config::vta_default(),
          variant("2x16", {{"LOG_BATCH", 1}}),
          variant("4x8", {{"LOG_BATCH", 2}, {"LOG_BLOCK", 3}, {"LOG_BLOCK_IN", 3}, {"LOG_BLOCK_OUT", 3}}),
          variant("1x32", {{"LOG_BLOCK", 5}, {"LOG_BLOCK_IN", 5}, {"LOG_BLOCK_OUT", 5}}),
          variant("1x16x32", {{"LOG_BLOCK_OUT", 5}}),
          variant("8x8", {{"LOG_BLOCK", 3},
                          {"LOG_BLOCK_IN", 3},
                          {"LOG_BLOCK_OUT", 3},
                          {"LOG_INP_BUFF_SIZE", 14},
                          {"LOG_WGT_BUFF_SIZE", 16},
                          {"LOG_ACC_BUFF_SIZE", 16}}),
          variant("wide bus", {{"LOG_BUS_WIDTH", 7}}),
          variant("small scratchpads", {{"LOG_INP_BUFF_SIZE", 13},
                                        {"LOG_WGT_BUFF_SIZE", 16},
                                        {"LOG_ACC_BUFF_SIZE", 15},
                                        {"LOG_UOP_BUFF_SIZE", 12}})};
}

MemoryTiming memory_setting(const std::string& name, int clock_mhz) {
  return MemoryTiming::load(std::filesystem::path(VANTAGE_CONFIGS) / "memory" / (name + ".json"), clock_mhz);
}

Conv2dShape random_conv2d_shape(std::mt19937_64& random, int64_t least, int64_t most) {
  const auto draw = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  const auto channels = [&] { return draw(1, draw(0, 1) == 0 ? 512 : 64); };
  for (;;) {
    Conv2dShape s{};
    s.in_channels = channels();
    s.out_channels = channels();
    s.batch = draw(0, 3) == 0 ? draw(1, 8) : 1;
    s.height = s.width = s.kernel_h = s.kernel_w = 1;
    if (draw(0, 3) == 0) {
      s.batch = draw(1, 128);
    } else {
      constexpr std::array<int64_t, 6> kKernels = {1, 1, 3, 3, 5, 7};
      s.kernel_h = s.kernel_w = kKernels[static_cast<size_t>(draw(0, 5))];
      s.pad = draw(0, s.kernel_h / 2);
      s.stride = draw(1, 2);
      s.height = draw(s.kernel_h, 56);
      s.width = draw(0, 1) == 0 ? draw(s.kernel_h, 56) : s.height;
    }
    const int64_t results = s.batch * s.out_channels * s.out_height() * s.out_width();
    const int64_t multiplications = results * s.in_channels * s.kernel_h * s.kernel_w;
    if (multiplications >= least && multiplications <= most) return s;
  }
}

std::string to_text(const Conv2dShape& s) {
  return fmt::format("{}x{}x{}x{} -> {}, {}x{} / {}, pad {}", s.batch, s.in_channels, s.height, s.width, s.out_channels,
                     s.kernel_h, s.kernel_w, to_string(s.stride), to_string(s.pad));
}

}  // namespace vantage::bench
