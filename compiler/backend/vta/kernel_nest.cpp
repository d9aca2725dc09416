#include "compiler/backend/vta/kernel_nest.h"

#include <algorithm>

#include "base/error.h"
#include "hw/isa/layout.h"

namespace vantage::vta {

namespace {

// Drops axes of one iteration and merges an axis with the one inside it where together they are one longer axis.
std::vector<Axis> simplified(const std::vector<Axis>& axes, uint32_t max_iterations) {
  std::vector<Axis> result;
  for (const Axis& axis : axes) {
    if (axis.extent == 1) continue;
    if (!result.empty()) {
      Axis& outer = result.back();
      const auto continues = [&](uint32_t Axis::*stride) {
        return uint64_t{outer.*stride} == uint64_t{axis.*stride} * axis.extent;
      };
      const bool fits = uint64_t{outer.extent} * axis.extent <= max_iterations;
      if (fits && continues(&Axis::dst) && continues(&Axis::src) && continues(&Axis::wgt)) {
        outer = {outer.extent * axis.extent, axis.dst, axis.src, axis.wgt};
        continue;
      }
    }
    result.push_back(axis);
  }
  return result;
}

bool moves_source(const Axis& axis) {
  return axis.src != 0;
}

// Where one axis alone moves src, that one first.
std::vector<Axis> source_outside(std::vector<Axis> axes) {
  if (std::count_if(axes.begin(), axes.end(), moves_source) == 1) {
    std::stable_partition(axes.begin(), axes.end(), moves_source);
  }
  return axes;
}

// Whether source_outside() has put an axis first.
bool is_source_outside(const std::vector<Axis>& axes) {
  return std::count_if(axes.begin(), axes.end(), moves_source) == 1 && moves_source(axes[0]);
}

// Positions in `axes` of the (at most two) axes that become hardware loops, ascending.
std::vector<size_t> hardware_loops(const std::vector<Axis>& axes, StepOrder order, uint32_t max_iterations) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].extent <= max_iterations) {
      positions.push_back(i);
    } else if (order == StepOrder::kFixed) {
      break;  // an axis left to the micro-ops may not be outside a hardware loop
    }
  }
  if (order != StepOrder::kFixed) {
    const bool keeps = order == StepOrder::kSourceKept && is_source_outside(axes);
    const auto is_first = [&](size_t i) { return keeps && i == 0; };
    std::stable_sort(positions.begin(), positions.end(), [&](size_t a, size_t b) {
      return is_first(a) != is_first(b) ? is_first(a) : axes[a].extent > axes[b].extent;
    });
  }
  positions.resize(std::min<size_t>(positions.size(), 2));
  std::sort(positions.begin(), positions.end());
  return positions;
}

// One micro-op per iteration of `axes`, outermost first.
std::vector<isa::MicroOp> unroll(const KernelNest& nest, const std::vector<Axis>& axes) {
  std::vector<isa::MicroOp> uops = {{nest.dst, nest.src, nest.wgt}};
  for (const Axis& axis : axes) {
    std::vector<isa::MicroOp> inner;
    inner.reserve(uops.size() * axis.extent);
    for (const isa::MicroOp& uop : uops) {
      for (uint32_t i = 0; i < axis.extent; ++i) {
        inner.push_back({uop.dst + i * axis.dst, uop.src + i * axis.src, uop.wgt + i * axis.wgt});
      }
    }
    uops = std::move(inner);
  }
  return uops;
}

void fold_into(std::vector<FoldedKernel>& kernels, const KernelNest& nest, StepOrder order, const FoldLimits& limits) {
  const std::vector<size_t> loops = hardware_loops(nest.axes, order, limits.iterations);
  std::vector<Axis> unrolled;
  uint64_t uop_count = 1;
  for (size_t i = 0; i < nest.axes.size(); ++i) {
    if (std::find(loops.begin(), loops.end(), i) != loops.end()) continue;
    unrolled.push_back(nest.axes[i]);
    uop_count *= nest.axes[i].extent;
  }
  if (uop_count > limits.uops) {
    // Too many micro-ops for one instruction: peel the outermost axis, which keeps the order of steps.
    KernelNest slice = nest;
    const Axis outer = nest.axes.front();
    slice.axes.erase(slice.axes.begin());
    for (uint32_t i = 0; i < outer.extent; ++i) {
      fold_into(kernels, slice, order, limits);
      slice.dst += outer.dst;
      slice.src += outer.src;
      slice.wgt += outer.wgt;
    }
    return;
  }
  FoldedKernel kernel;
  kernel.loop.iter_out = 1;
  kernel.loop.iter_in = 1;
  if (!loops.empty()) {
    const Axis& in = nest.axes[loops.back()];
    kernel.loop.iter_in = in.extent;
    kernel.loop.dst_factor_in = in.dst;
    kernel.loop.src_factor_in = in.src;
    kernel.wgt_factor_in = in.wgt;
  }
  if (loops.size() == 2) {
    const Axis& out = nest.axes[loops.front()];
    kernel.loop.iter_out = out.extent;
    kernel.loop.dst_factor_out = out.dst;
    kernel.loop.src_factor_out = out.src;
    kernel.wgt_factor_out = out.wgt;
  }
  kernel.uops = unroll(nest, unrolled);
  kernels.push_back(std::move(kernel));
}

// Cuts an axis too long for an iteration count into whole turns of the longest one possible and what is left: two nests
// that together make the same steps. Gives nothing when no axis is too long, or when cutting would change a fixed
// order.
std::vector<KernelNest> cut_long_axis(const KernelNest& nest, StepOrder order, uint32_t max_iterations) {
  for (size_t i = 0; i < nest.axes.size(); ++i) {
    const Axis axis = nest.axes[i];
    if (axis.extent <= max_iterations) continue;
    if (order == StepOrder::kFixed && i > 0) return {};
    const uint32_t turns = axis.extent / max_iterations;
    const auto scaled = [](uint32_t stride, uint32_t count) { return stride * count; };
    KernelNest whole = nest;
    whole.axes[i].extent = max_iterations;
    whole.axes.insert(
        whole.axes.begin() + static_cast<ptrdiff_t>(i),
        {turns, scaled(axis.dst, max_iterations), scaled(axis.src, max_iterations), scaled(axis.wgt, max_iterations)});
    KernelNest rest = nest;
    rest.dst += scaled(axis.dst, turns * max_iterations);
    rest.src += scaled(axis.src, turns * max_iterations);
    rest.wgt += scaled(axis.wgt, turns * max_iterations);
    rest.axes[i].extent = axis.extent % max_iterations;
    if (rest.axes[i].extent == 0) return {whole};
    return {whole, rest};
  }
  return {};
}

void fold_cut(std::vector<FoldedKernel>& kernels, KernelNest nest, StepOrder order, const FoldLimits& limits) {
  const auto parts = cut_long_axis(nest, order, limits.iterations);
  for (const KernelNest& part : parts) fold_cut(kernels, part, order, limits);
  if (!parts.empty()) return;
  nest.axes = simplified(nest.axes, limits.iterations);
  if (order == StepOrder::kSourceKept) nest.axes = simplified(source_outside(nest.axes), limits.iterations);
  fold_into(kernels, nest, order, limits);
}

}  // namespace

std::vector<Interval> touched(const KernelNest& nest, uint32_t KernelNest::*base, uint32_t Axis::*stride) {
  constexpr size_t kMost = 64;
  std::vector<Axis> axes = nest.axes;
  // The smallest steps first, so that neighbours grow together early.
  for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
    const auto shorter = [&](const Axis& a, const Axis& b) { return a.*stride < b.*stride; };
    std::rotate(std::upper_bound(axes.begin(), axis, *axis, shorter), axis, axis + 1);
  }
  std::vector<Interval> all = {{nest.*base, uint64_t{nest.*base} + 1}};
  for (const Axis& axis : axes) {
    if (axis.extent == 0) return {};
    if (axis.*stride == 0) continue;
    const uint64_t reach = uint64_t{axis.extent - 1} * (axis.*stride);
    if (all.size() == 1 && axis.*stride <= all[0].end - all[0].begin) {
      all[0].end += reach;
      continue;
    }
    // Too many to look at, though they might join.
    if (all.size() * axis.extent > kMost * kMost) {
      all = {{all.front().begin, all.back().end + reach}};
      continue;
    }
    const bool in_order = axis.*stride >= all.back().end - all.front().begin;
    std::vector<Interval> copies;
    copies.reserve(all.size() * axis.extent);
    for (uint64_t i = 0; i < axis.extent; ++i) {
      for (const Interval& one : all) copies.push_back({one.begin + i * (axis.*stride), one.end + i * (axis.*stride)});
    }
    if (!in_order) {
      std::sort(copies.begin(), copies.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    }
    all.clear();
    for (const Interval& one : copies) {
      if (!all.empty() && one.begin <= all.back().end) {
        all.back().end = std::max(all.back().end, one.end);
      } else {
        all.push_back(one);
      }
    }
    if (all.size() > kMost) all = {{all.front().begin, all.back().end}};
  }
  return all;
}

FoldLimits FoldLimits::of(const isa::Config& config) {
  const isa::Layout layout(config);
  uint64_t iterations = UINT32_MAX;
  for (const isa::Format format : {isa::Format::kGemm, isa::Format::kAlu}) {
    for (const isa::FieldId field : {isa::FieldId::kIterOut, isa::FieldId::kIterIn}) {
      iterations = std::min(iterations, layout.field(format, field).max());
    }
  }
  return {config.depth(isa::Memory::kUop).count(), static_cast<uint32_t>(iterations)};
}

std::vector<FoldedKernel> fold(const KernelNest& nest, StepOrder order, const FoldLimits& limits) {
  VANTAGE_CHECK(limits.uops > 0 && limits.iterations > 0);
  for (const Axis& axis : nest.axes) {
    if (axis.extent == 0) return {};
  }
  std::vector<FoldedKernel> kernels;
  fold_cut(kernels, nest, order, limits);
  return kernels;
}

}  // namespace vantage::vta
