#include "compiler/ops/conv2d/vta_work.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace vantage::ops {

using isa::Memory;

namespace {

// One axis of a convolution: so many pixels with zeros around, and a kernel that steps along them.
struct Axis {
  int64_t size, before, after, kernel, dilation, stride;

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
  // Calls visit with where the kernel begins at each of its places.
  template <typename Visit>
  void each_place(const Visit& visit) const {
    for (int64_t begin = -before; begin + reach() <= size + after; begin += stride) visit(begin);
  }

  // Of the pixels, those that the kernel reaches.
  int64_t reached() const {
    int64_t count = 0;
    if (dilation == 1) {
      int64_t next = 0;  // up to here they are counted
      each_place([&](int64_t begin) {
        const int64_t from = std::max(begin, next), to = std::min(begin + kernel, size);
        count += std::max<int64_t>(0, to - from);
        next = std::max(next, to);
      });
      return count;
    }
    std::vector<bool> seen(static_cast<size_t>(size));
    each_place([&](int64_t begin) {
      for (int64_t k = 0; k < kernel; ++k) {
        const int64_t pixel = begin + k * dilation;
        if (pixel >= 0 && pixel < size) seen[static_cast<size_t>(pixel)] = true;
      }
    });
    return std::count(seen.begin(), seen.end(), true);
  }

  // How often the kernel's next place begins behind pixels that the last one did not reach, all of them inside the
  // image. Of a kernel with gaps nobody counts.
  int64_t skips() const {
    int64_t count = 0;
    if (dilation > 1 || stride <= kernel) return 0;
    each_place([&](int64_t begin) {
      const bool has_next = begin + stride + kernel <= size + after;
      if (has_next && begin + kernel > 0 && begin + stride < size) ++count;
    });
    return count;
  }

  // Of the places, how many have a pixel of the image under an element of the kernel, for the one of which fewest do.
  int64_t least_inside(int64_t places) const {
    int64_t least = places;
    for (int64_t k = 0; k < kernel; ++k) {
      const int64_t at = k * dilation;
      int64_t count = 0;
      each_place([&](int64_t begin) { count += begin + at >= 0 && begin + at < size ? 1 : 0; });
      least = std::min(least, count);
    }
    return least;
  }
};

Axis rows_of(const Conv2dShape& s) {
  return {s.height, s.pad.top, s.pad.bottom, s.kernel_h, s.dilation.rows, s.stride.rows};
}

Axis columns_of(const Conv2dShape& s) {
  return {s.width, s.pad.left, s.pad.right, s.kernel_w, s.dilation.columns, s.stride.columns};
}

// How much can be computed of what some of the bytes have brought. `results` of every output channel, each of which
// needs a pixel for every place of the kernel; at most `free` of them need none at a place, since it lies on padding.
struct Sums {
  double results, free;
  double channels;       // of the output
  double depth, kernel;  // channels of the input; places of the kernel
  double pixel, weight;  // bytes of one

  // Products of pixels and weights: those of the input's channels one after another, as each one's are worth the more
  // the more of it there is (most() is convex).
  double products(double bytes) const {
    const double weights = channels * kernel, channel = (results - free) * pixel + weights * weight;
    const double whole = std::floor(bytes / channel);
    if (whole >= depth) return depth * results * weights;
    return whole * results * weights + most(bytes - whole * channel, weights, pixel, weight);
  }
  // Results that are whole.
  double finished(double bytes) const { return most(bytes, channels, depth * pixel, depth * kernel * weight); }

 private:
  // The greatest product of results and columns, where a result costs `row` bytes and a column `column` bytes.
  double most(double bytes, double columns, double row, double column) const {
    const double least = std::max(0.0, (bytes - columns * column) / row);
    const double paid = std::min(std::max((bytes / row - free) / 2, least), results - free);
    return (paid + free) * std::min(columns, std::max(0.0, bytes - paid * row) / column);
  }
};

constexpr int64_t kStages = 64;  // of loading that are looked at

}  // namespace

vta::Work vta_conv2d_work(const Conv2dShape& s, const Epilogue& epilogue, const isa::Config& config) {
  const auto bytes = [&](Memory memory) { return static_cast<int64_t>(config.element_size(memory).count()); };
  const auto beats = [bus = static_cast<int64_t>(config.bus_width().count())](int64_t b) { return ceil_div(b, bus); };
  const int64_t n = ceil_div(s.batch, config.batch()), in_tiles = ceil_div(s.in_channels, config.block_in());
  const int64_t ic = s.channelwise ? 1 : in_tiles;  // that a result takes
  const int64_t oc = ceil_div(s.out_channels, config.block_out());
  const int64_t results = n * oc * s.out_height() * s.out_width(), kernel = s.kernel_h * s.kernel_w;
  const Axis rows = rows_of(s), columns = columns_of(s);
  const int64_t pixels = rows.reached() * columns.reached();
  const int64_t inputs = n * in_tiles * pixels * bytes(Memory::kInp), weights = oc * ic * kernel * bytes(Memory::kWgt);
  int64_t operands = channel_vectors(epilogue) * oc * bytes(Memory::kAcc);
  if (epilogue.has_addend) operands += results * bytes(Memory::kAcc8);

  vta::Work work;
  work.gemm_steps = results * ic * kernel;
  work.gemm_steps_behind = 1;
  work.sum_steps = ic * kernel;
  work.results = results;
  work.first_steps = first_instructions(epilogue);
  work.resets = results * work.first_steps;
  work.result_steps = alu_instructions(epilogue);
  work.alu_steps = results * work.result_steps;
  work.read_beats = beats(inputs + weights + operands);
  work.gaps = n * in_tiles * rows.reached() * columns.skips();
  work.gap_bytes = (s.stride.columns - s.kernel_w) * bytes(Memory::kInp);
  work.first_beats = beats(bytes(Memory::kInp)) + beats(bytes(Memory::kWgt));
  work.store_beats = beats(results * bytes(Memory::kOut));
  work.last_beats = beats(bytes(Memory::kOut));

  if (s.channelwise) return work;  // each channel's products begin as soon as its pixels are there
  const int64_t places = s.out_height() * s.out_width();
  // Those that need a pixel at an element of the kernel, at the one where fewest do.
  const int64_t inside = rows.least_inside(s.out_height()) * columns.least_inside(s.out_width());
  const Sums sums = {.results = static_cast<double>(n * places),
                     .free = static_cast<double>(n * (places - inside)),
                     .channels = static_cast<double>(oc),
                     .depth = static_cast<double>(ic),
                     .kernel = static_cast<double>(kernel),
                     .pixel = static_cast<double>(bytes(Memory::kInp)),
                     .weight = static_cast<double>(bytes(Memory::kWgt))};
  const auto bus = static_cast<int64_t>(config.bus_width().count());
  for (int64_t stage = 1; stage <= kStages; ++stage) {
    const int64_t loaded = work.read_beats * stage / kStages;
    if (loaded == 0) continue;
    const auto before = static_cast<double>((loaded - 1) * bus);
    work.reach.push_back({loaded, std::min(work.gemm_steps, static_cast<int64_t>(sums.products(before))),
                          std::min(results, static_cast<int64_t>(sums.finished(before)))});
  }
  return work;
}

int64_t least_steps(const vta::Work& work) {
  return std::max({work.gemm_steps, work.resets + work.alu_steps, work.read_beats, work.store_beats});
}

}  // namespace vantage::ops
