#include "workload/useful_work.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/math.h"

namespace vantage::workload {

namespace {

// A size of the workload, and the whole tiles that it is filled up to.
struct Dimension {
  int64_t size, tile;
  const char *one, *many;  // what is counted
  const char *in, *ins;    // what a tile is called

  int64_t filled() const { return round_up(size, tile); }
  double used() const { return static_cast<double>(size) / static_cast<double>(filled()); }
  std::string text() const {
    const std::string tiles = filled() == tile ? fmt::format("{} of {}", in, tile) : fmt::format("{} of {}", ins, tile);
    return fmt::format("{} {} on {}", size, size == 1 ? one : many, tiles);
  }
};

sim::Work filled_up(uint64_t useful, std::vector<Dimension> dimensions) {
  sim::Work work{useful, useful, {}};
  std::sort(dimensions.begin(), dimensions.end(),
            [](const Dimension& a, const Dimension& b) { return a.used() < b.used(); });
  for (const Dimension& d : dimensions) {
    if (d.filled() == d.size) continue;
    // Exact: every useful count is a multiple of its sizes
    work.in_tiles = work.in_tiles / static_cast<uint64_t>(d.size) * static_cast<uint64_t>(d.filled());
    work.paddings.push_back(d.text());
  }
  return work;
}

}  // namespace

sim::Work useful_work(const Conv2dShape& s, const isa::Config& config) {
  const bool is_product = s.height == 1 && s.width == 1 && s.kernel_h == 1 && s.kernel_w == 1;
  return filled_up(
      static_cast<uint64_t>(s.operations()),
      {{s.batch, config.batch(), is_product ? "row" : "image", is_product ? "rows" : "images", "a batch", "batches"},
       {s.in_channels, config.block_in(), is_product ? "column of A" : "input channel",
        is_product ? "columns of A" : "input channels", "a block", "blocks"},
       {s.out_channels, config.block_out(), is_product ? "column of C" : "output channel",
        is_product ? "columns of C" : "output channels", "a block", "blocks"}});
}

sim::Work useful_work(const ops::Elementwise& layer, const isa::Config& config) {
  const int64_t lanes = int64_t{config.batch()} * config.block_out();
  return filled_up(layer.steps.size() * static_cast<uint64_t>(layer.size),
                   {{layer.size, lanes, "value", "values", "an element", "elements"}});
}

}  // namespace vantage::workload
