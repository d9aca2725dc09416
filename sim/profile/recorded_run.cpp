#include "sim/profile/recorded_run.h"

#include <fmt/format.h>

#include "hw/isa/tokens.h"

namespace vantage::sim {

using isa::Stage;

std::string_view name(Engine engine) {
  constexpr std::array<std::string_view, kAllEngines.size()> kNames = {"load DMA", "compute DMA", "GEMM core", "ALU",
                                                                       "store"};
  return kNames[static_cast<size_t>(engine)];
}

std::map<std::string, Changes> fills(const RecordedRun& run) {
  std::map<std::string, Changes> fills;
  const auto change = [&](const std::string& count, Cycles cycle, int64_t by) { fills[count][cycle.count()] += by; };
  std::map<uint32_t, Cycles> ends;
  for (const EngineWork& work : run.work) ends[work.insn] = work.last;
  for (Stage stage : isa::kAllStages) {
    fills[fmt::format("{} commands", name(stage))];
    fills[fmt::format("{} done", name(stage))];
  }
  for (const RetireRecord& record : run.result.retired) {
    const std::string commands = fmt::format("{} commands", name(record.stage));
    change(commands, record.issue, 1);
    change(commands, record.start, -1);
    if (const auto end = ends.find(record.insn); end != ends.end() && end->second < record.end) {
      const std::string done = fmt::format("{} done", name(record.stage));
      change(done, end->second + Cycles(1), 1);
      change(done, record.end + Cycles(1), -1);
    }
    const isa::Deps& deps = isa::deps(run.insns[record.insn]);
    const auto tokens = [&](bool moves, std::optional<isa::TokenQueue> queue, Cycles cycle, int64_t by) {
      if (moves && queue) change(fmt::format("{} tokens", name(*queue)), cycle, by);
    };
    tokens(deps.pop_prev, pop_prev_queue(record.stage), record.start, -1);
    tokens(deps.pop_next, pop_next_queue(record.stage), record.start, -1);
    tokens(deps.push_prev, push_prev_queue(record.stage), record.end, 1);
    tokens(deps.push_next, push_next_queue(record.stage), record.end, 1);
  }
  return fills;
}

}  // namespace vantage::sim
