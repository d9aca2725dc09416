#include "hw/core/nest.h"

#include <algorithm>

namespace vantage::core {

using namespace isa;

namespace {

// The indices that a nest's steps have grow with every term of the affine sum.
IndexRange indices(std::span<const MicroOp> uops, uint32_t MicroOp::*index, uint64_t span) {
  const auto [least, largest] = std::minmax_element(
      uops.begin(), uops.end(), [&](const MicroOp& a, const MicroOp& b) { return a.*index < b.*index; });
  return {(*least).*index, (*largest).*index + span};
}

IndexRange destinations(const Loop& loop, std::span<const MicroOp> uops) {
  return indices(uops, &MicroOp::dst,
                 uint64_t{loop.iter_out - 1} * loop.dst_factor_out + uint64_t{loop.iter_in - 1} * loop.dst_factor_in);
}

IndexRange sources(const Loop& loop, std::span<const MicroOp> uops) {
  return indices(uops, &MicroOp::src,
                 uint64_t{loop.iter_out - 1} * loop.src_factor_out + uint64_t{loop.iter_in - 1} * loop.src_factor_in);
}

}  // namespace

unsigned halves_of(const IndexRange& indices, uint64_t upper_half) {
  return (indices.least < upper_half ? kLowHalf : 0) | (indices.largest >= upper_half ? kHighHalf : 0);
}

unsigned halves_of_nest(const Loop& loop, std::span<const MicroOp> uops, bool reads_accumulators, uint64_t upper_half) {
  const unsigned written = halves_of(destinations(loop, uops), upper_half);
  return reads_accumulators ? written | halves_of(sources(loop, uops), upper_half) : written;
}

uint64_t source_reads(const Loop& loop, std::span<const MicroOp> uops) {
  const uint64_t iterations = uint64_t{loop.iter_out} * loop.iter_in;
  if (destinations(loop, uops).overlaps(sources(loop, uops))) return iterations * uops.size();
  // An iteration moves all sources alike, so they change at the same micro-ops in each. Between two iterations the last
  // source is followed by the first one, moved on: by one step of the inner loop, or by one of the outer loop and all
  // of the inner loop's back.
  uint64_t changes = 0;
  for (size_t u = 1; u < uops.size(); ++u) changes += uops[u].src != uops[u - 1].src;
  const uint64_t first = uops.front().src;
  const uint64_t last = uops.back().src;
  const bool at_inner = first + loop.src_factor_in != last;
  const bool at_outer = first + loop.src_factor_out != last + uint64_t{loop.iter_in - 1} * loop.src_factor_in;
  return 1 + iterations * changes + (at_inner ? uint64_t{loop.iter_out} * (loop.iter_in - 1) : 0) +
         (at_outer ? loop.iter_out - 1 : 0);
}

}  // namespace vantage::core
