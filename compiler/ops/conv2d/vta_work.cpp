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

  // Elements of the kernel that lie on a pixel.
  struct Inside {
    int64_t all = 0;              // at all places together
    int64_t places = 0;           // where some do
    int64_t at_place = 0;         // of these, at the one where fewest do
    int64_t elements = 0;         // that do at a place at least
    int64_t least = 0, most = 0;  // places of such an element, of the one that has the fewest and the most
  };
  Inside inside() const {
    Inside result{.at_place = kernel, .least = INT64_MAX};
    std::vector<int64_t> places(static_cast<size_t>(kernel));  // by element
    each_place([&](int64_t begin) {
      int64_t here = 0;
      for (int64_t k = 0; k < kernel; ++k) {
        const int64_t at = begin + k * dilation;
        if (at < 0 || at >= size) continue;
        ++here;
        ++places[static_cast<size_t>(k)];
      }
      if (here == 0) return;
      ++result.places;
      result.all += here;
      result.at_place = std::min(result.at_place, here);
    });
    if (result.places == 0) return {};
    for (const int64_t its : places) {
      if (its == 0) continue;
      ++result.elements;
      result.least = std::min(result.least, its);
      result.most = std::max(result.most, its);
    }
    return result;
  }
};

Axis rows_of(const Conv2dShape& s) {
  return {s.height, s.pad.top, s.pad.bottom, s.kernel_h, s.dilation.rows, s.stride.rows};
}

Axis columns_of(const Conv2dShape& s) {
  return {s.width, s.pad.left, s.pad.right, s.kernel_w, s.dilation.columns, s.stride.columns};
}

// How much can be computed of what some of the bytes have brought. A weight is multiplied with `most_pixels` pixels at
// the most. Of `results` of every output channel at most `free` need no pixel at some place of the kernel.
struct Sums {
  double results, free, most_pixels;
  double channels;       // of the output
  double depth;          // channels of the input
  double kernel, whole;  // places of the kernel, and those that a result needs at the least
  double pixel, weight;  // bytes of one

  // Products of pixels and weights: those of the input's channels one after another, as each one's are worth the more
  // the more of it there is (most() is convex).
  double products(double bytes) const {
    const double weights = channels * kernel, channel = most_pixels * pixel + weights * weight;
    const double full = std::floor(bytes / channel);
    if (full >= depth) return depth * most_pixels * weights;
    return full * most_pixels * weights + most(bytes - full * channel, most_pixels, 0, weights, pixel, weight);
  }
  // Results that are whole.
  double finished(double bytes) const {
    return most(bytes, results, free, channels, depth * pixel, depth * whole * weight);
  }

 private:
  // The greatest product of rows and columns, where a row costs `row` bytes, but for so many that are free, and a
  // column `column` bytes.
  static double most(double bytes, double rows, double free, double columns, double row, double column) {
    const double least = std::max(0.0, (bytes - columns * column) / row);
    const double paid = std::min(std::max((bytes / row - free) / 2, least), rows - free);
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
  const Axis rows = rows_of(s), columns = columns_of(s);
  const Axis::Inside of_rows = rows.inside(), of_columns = columns.inside();
  const int64_t kernel = of_rows.elements * of_columns.elements, whole = of_rows.at_place * of_columns.at_place;
  const int64_t places = of_rows.places * of_columns.places, results = n * oc * places;
  const int64_t pixels = rows.reached() * columns.reached();
  const int64_t inputs = n * in_tiles * pixels * bytes(Memory::kInp), weights = oc * ic * kernel * bytes(Memory::kWgt);
  int64_t operands = channel_vectors(epilogue) * oc * bytes(Memory::kAcc);
  if (epilogue.has_addend) operands += results * bytes(Memory::kAcc8);

  vta::Work work;
  work.gemm_steps = n * oc * ic * of_rows.all * of_columns.all;
  work.gemm_steps_behind = 1;
  work.sum_steps = ic * whole;
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

  if (work.gemm_steps == 0) work.first_beats = 0;  // the kernel lies on padding everywhere
  // Each channel's products begin as soon as its pixels are there.
  if (s.channelwise || work.gemm_steps == 0) return work;
  const int64_t least_pixels = of_rows.least * of_columns.least, most_pixels = of_rows.most * of_columns.most;
  const Sums sums = {.results = static_cast<double>(n * places),
                     .free = static_cast<double>(n * (places - least_pixels)),
                     .most_pixels = static_cast<double>(n * most_pixels),
                     .channels = static_cast<double>(oc),
                     .depth = static_cast<double>(ic),
                     .kernel = static_cast<double>(kernel),
                     .whole = static_cast<double>(whole),
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
