#include "sim/profile/token_links.h"

#include <algorithm>

namespace vantage::sim {

using isa::TokenQueue;

std::vector<TokenLink> token_links(const RecordedRun& run) {
  struct End {
    uint32_t insn;
    Cycles at;
  };
  std::array<std::vector<End>, isa::kAllTokenQueues.size()> pushed, popped;
  const auto note = [](auto& ends, bool moves, std::optional<TokenQueue> queue, uint32_t insn, Cycles at) {
    if (moves && queue) ends[static_cast<size_t>(*queue)].push_back({insn, at});
  };
  // A queue has one stage at each end. A stage issues and retires in order, so these are in the order of both.
  for (const RetireRecord& record : run.result.retired) {
    const isa::Deps& deps = isa::deps(run.insns[record.insn]);
    note(popped, deps.pop_prev, pop_prev_queue(record.stage), record.insn, record.start);
    note(popped, deps.pop_next, pop_next_queue(record.stage), record.insn, record.start);
    note(pushed, deps.push_prev, push_prev_queue(record.stage), record.insn, record.end);
    note(pushed, deps.push_next, push_next_queue(record.stage), record.insn, record.end);
  }
  std::vector<TokenLink> links;
  for (const TokenQueue queue : isa::kAllTokenQueues) {
    const auto& from = pushed[static_cast<size_t>(queue)];
    const auto& to = popped[static_cast<size_t>(queue)];
    for (size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      links.push_back({queue, from[i].insn, to[i].insn, from[i].at, to[i].at});
    }
  }
  return links;
}

}  // namespace vantage::sim
