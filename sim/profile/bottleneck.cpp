#include "sim/profile/bottleneck.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace vantage::sim {

namespace {

// A part that is busy for so much of the time bounds the run: nothing else could make it much shorter.
constexpr double kBound = 0.8;

// Padding below this share is no loss to speak of.
constexpr double kPaddingToTell = 0.1;

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
    return text + ": memory brings data late; more loads under way at once would help, or a faster memory";
  }
  if (compute.token_wait > compute.memory_wait && load.token_wait > load.busy) {
    return text + ": load and compute take turns; virtual threads would let them overlap";
  }
  if (compute.memory_wait > compute.token_wait) {
    return text + ": its own loads hold it up; fewer of micro-ops and accumulators would help";
  }
  return text;
}

// The part that bounds the run, if one does.
std::string busiest(const Summary& s, const RunResult& result) {
  const auto cycles = static_cast<double>(result.cycles->count());
  const StageCycles& compute = result.stages.at(static_cast<size_t>(isa::Stage::kCompute));
  const double compute_share = static_cast<double>(compute.busy.count()) / cycles;
  if (s.gemm_utilisation >= kBound) {
    return fmt::format("bound: the GEMM core works in {} of the cycles", percent(s.gemm_utilisation));
  }
  const double most = std::max({s.read_utilisation, s.write_utilisation, compute_share});
  if (most < kBound) return "";
  if (most == s.read_utilisation) {
    return fmt::format(
        "bound: the bus brings data in {} of the cycles: fewer bytes or a wider bus would help, more multipliers would "
        "not",
        percent(most));
  }
  if (most == s.write_utilisation) {
    return fmt::format("bound: the bus takes results in {} of the cycles: fewer bytes or a wider bus would help",
                       percent(most));
  }
  if (s.executed.by_alu) {
    return fmt::format("bound: the compute stage works in {} of the cycles, and the ALU makes a step in {}{}",
                       percent(most), percent(s.alu_utilisation),
                       s.alu_utilisation >= kBound
                           ? ""
                           : "; the others are steps that take more than one, as those that read a second "
                             "operand do, and what is loaded into the accumulators");
  }
  return fmt::format(
      "bound: the compute stage works in {} of the cycles, of which GEMM steps are {}: the ALU's share is what to save",
      percent(most), percent(s.gemm_utilisation));
}

// What is lost to padding, as the end of a sentence.
std::string padding(const Summary& s, const Work& work) {
  const char* whose = s.executed.by_alu ? "the ALU's" : s.gemm_utilisation >= kBound ? "its" : "the GEMM core's";
  std::string text = fmt::format("{} of {} operations are padding", percent(padding_share(work, s.executed)), whose);
  if (!work.paddings.empty()) text += fmt::format(": {}", fmt::join(work.paddings, ", "));
  return text;
}

}  // namespace

std::string bottleneck(const Summary& s, const RunResult& result, const Work* work) {
  std::string text = busiest(s, result);
  if (text.empty()) text = "not bound by any part: " + longest_wait(result);
  if (work != nullptr && padding_share(*work, s.executed) >= kPaddingToTell) {
    text += (s.gemm_utilisation >= kBound ? ", but " : "; ") + padding(s, *work);
  }
  return text + ".";
}

}  // namespace vantage::sim
