// The loop nest of a long GEMM or ALU instruction in parts, between which a run can be stopped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>

#include "sim/functional/kernels.h"

namespace vantage::sim {

// A part has so many steps, or one inner iteration if that has more: looking at a stop token costs nothing beside them,
// and they take no time that anyone notices.
inline constexpr uint64_t kPartSteps = 4096;

// Calls run(part) with one part after another, in the order of the steps, until `stop` is requested. Returns the steps
// of the parts that ran.
template <typename Run>
uint64_t for_each_part(const isa::Loop& loop, const std::stop_token& stop, Run run) {
  const uint64_t steps = loop.steps();
  if (steps == 0) return 0;
  const uint64_t uops = loop.uop_end - loop.uop_bgn;
  uint32_t outs = loop.iter_out, ins = loop.iter_in;
  if (steps > kPartSteps) {  // then there are several outer iterations in a part only if it has all inner ones
    ins = static_cast<uint32_t>(std::clamp<uint64_t>(kPartSteps / uops, 1, loop.iter_in));
    outs = static_cast<uint32_t>(std::clamp<uint64_t>(kPartSteps / (uops * loop.iter_in), 1, loop.iter_out));
  }
  uint64_t done = 0;
  for (uint32_t out = 0; out < loop.iter_out; out += outs) {
    for (uint32_t in = 0; in < loop.iter_in; in += ins) {
      if (stop.stop_requested()) return done;
      const LoopPart part{out, std::min(out + outs, loop.iter_out), in, std::min(in + ins, loop.iter_in)};
      run(part);
      done += uint64_t{part.out_end - part.out_begin} * (part.in_end - part.in_begin) * uops;
    }
  }
  return done;
}

}  // namespace vantage::sim
