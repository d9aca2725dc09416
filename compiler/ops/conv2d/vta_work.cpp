#include "compiler/ops/conv2d/vta_work.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace vantage::ops {

using isa::Memory;

namespace {

// Of `size` rows or columns with zeros around, those that kernels reach which step along them.
int64_t reached(int64_t size, int64_t kernel, int64_t stride, int64_t pad) {
  int64_t count = 0, next = 0;  // up to `next` they are counted
  for (int64_t begin = -pad; begin + kernel <= size + pad; begin += stride) {
    const int64_t from = std::max(begin, next), to = std::min(begin + kernel, size);
    count += std::max<int64_t>(0, to - from);
    next = std::max(next, to);
  }
  return count;
}

// How often a kernel's next place along a row or column begins behind pixels that the last one did not reach, all of
// them inside the image.
int64_t skips(int64_t size, int64_t kernel, int64_t stride, int64_t pad) {
  int64_t count = 0;
  for (int64_t begin = -pad; stride > kernel && begin + stride + kernel <= size + pad; begin += stride) {
    if (begin + kernel > 0 && begin + stride < size) ++count;
  }
  return count;
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

// Of an image's results, how many need a pixel at a place of the kernel, at the one where fewest do.
int64_t places_inside(const Conv2dShape& s) {
  const auto inside = [&](int64_t size, int64_t out, int64_t kernel) {
    int64_t least = out;
    for (const int64_t at : {int64_t{0}, kernel - 1}) {
      int64_t count = 0;
      for (int64_t o = 0; o < out; ++o) {
        const int64_t pixel = o * s.stride + at - s.pad;
        count += pixel >= 0 && pixel < size ? 1 : 0;
      }
      least = std::min(least, count);
    }
    return least;
  };
  return inside(s.height, s.out_height(), s.kernel_h) * inside(s.width, s.out_width(), s.kernel_w);
}

constexpr int64_t kStages = 64;  // of loading that are looked at

}  // namespace

vta::Work vta_conv2d_work(const Conv2dShape& s, const Epilogue& epilogue, const isa::Config& config) {
  const auto bytes = [&](Memory memory) { return static_cast<int64_t>(config.element_size(memory).count()); };
  const auto beats = [bus = static_cast<int64_t>(config.bus_width().count())](int64_t b) { return ceil_div(b, bus); };
  const int64_t n = ceil_div(s.batch, config.batch()), in_tiles = ceil_div(s.in_channels, config.block_in());
  const int64_t ic = s.channelwise ? 1 : in_tiles;  // that a result takes
  const int64_t oc = ceil_div(s.out_channels, config.block_out());
  const int64_t results = n * oc * s.out_height() * s.out_width(), kernel = s.kernel_h * s.kernel_w;
  const int64_t pixels = reached(s.height, s.kernel_h, s.stride, s.pad) * reached(s.width, s.kernel_w, s.stride, s.pad);
  const int64_t inputs = n * in_tiles * pixels * bytes(Memory::kInp), weights = oc * ic * kernel * bytes(Memory::kWgt);
  int64_t operands = channel_vectors(epilogue) * oc * bytes(Memory::kAcc);
  if (epilogue.has_addend) operands += results * bytes(Memory::kAcc8);

  vta::Work work;
  work.gemm_steps = results * ic * kernel;
  work.gemm_steps_behind = 1;
  work.sum_steps = ic * kernel;
  work.first_steps = first_instructions(epilogue);
  work.resets = results * work.first_steps;
  work.result_steps = alu_instructions(epilogue);
  work.alu_steps = results * work.result_steps;
  work.read_beats = beats(inputs + weights + operands);
  work.gaps =
      n * in_tiles * reached(s.height, s.kernel_h, s.stride, s.pad) * skips(s.width, s.kernel_w, s.stride, s.pad);
  work.gap_bytes = (s.stride - s.kernel_w) * bytes(Memory::kInp);
  work.first_beats = beats(bytes(Memory::kInp)) + beats(bytes(Memory::kWgt));
  work.store_beats = beats(results * bytes(Memory::kOut));
  work.last_beats = beats(bytes(Memory::kOut));

  if (s.channelwise) return work;  // each channel's products begin as soon as its pixels are there
  const int64_t places = s.out_height() * s.out_width();
  const Sums sums = {.results = static_cast<double>(n * places),
                     .free = static_cast<double>(n * (places - places_inside(s))),
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
