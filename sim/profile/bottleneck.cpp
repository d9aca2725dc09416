#include "sim/profile/bottleneck.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace vantage::sim {

namespace {

// A part that is busy for so much of the time bounds the run: nothing else could make it much shorter.
constexpr double kBound = 0.8;

struct Part {
  double utilisation;
  const char* bounds;  // what to say when it bounds the run
};

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

// The stage that waits most, by kind of wait.
std::string longest_wait(const RunResult& result) {
  const auto cycles = static_cast<double>(result.cycles->count());
  const StageCycles& load = result.stages.at(static_cast<size_t>(isa::Stage::kLoad));
  const StageCycles& compute = result.stages.at(static_cast<size_t>(isa::Stage::kCompute));
  const auto share = [&](Cycles c) { return static_cast<double>(c.count()) / cycles; };
  std::string text = fmt::format("compute is busy in {} of the cycles, and waits in {} for tokens and in {} for memory",
                                 percent(share(compute.busy)), percent(share(compute.token_wait)),
                                 percent(share(compute.memory_wait)));
  if (compute.token_wait > compute.memory_wait && load.memory_wait > load.busy) {
    return text + ": memory brings data late; more loads under way at once would help, or a faster memory.";
  }
  if (compute.token_wait > compute.memory_wait && load.token_wait > load.busy) {
    return text + ": load and compute take turns; virtual threads would let them overlap.";
  }
  if (compute.memory_wait > compute.token_wait) {
    return text + ": its own loads hold it up; fewer of micro-ops and accumulators would help.";
  }
  return text + ".";
}

}  // namespace

std::string bottleneck(const Summary& s, const RunResult& result) {
  const auto cycles = static_cast<double>(result.cycles->count());
  const StageCycles& compute = result.stages.at(static_cast<size_t>(isa::Stage::kCompute));
  const std::array parts = {
      Part{s.gemm_utilisation, "the GEMM core works"},
      Part{s.read_utilisation, "the bus brings data"},
      Part{s.write_utilisation, "the bus takes results"},
      Part{static_cast<double>(compute.busy.count()) / cycles, "the compute stage works"},
  };
  const Part& most = *std::max_element(parts.begin(), parts.end(),
                                       [](const Part& a, const Part& b) { return a.utilisation < b.utilisation; });
  if (most.utilisation >= kBound) {
    const Part& bound = s.gemm_utilisation >= kBound ? parts[0] : most;
    std::string text = fmt::format("bound: {} in {} of the cycles", bound.bounds, percent(bound.utilisation));
    if (&bound == &parts[3]) {
      text += fmt::format(", of which GEMM steps are {}: the ALU's share is what to save", percent(s.gemm_utilisation));
    } else if (&bound == &parts[1]) {
      text += ": fewer bytes or a wider bus would help, more multipliers would not";
    }
    return text + ".";
  }
  return "not bound by any part: " + longest_wait(result);
}

}  // namespace vantage::sim
