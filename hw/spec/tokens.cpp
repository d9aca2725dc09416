#include "hw/spec/tokens.h"

#include <fmt/format.h>

#include "hw/spec/assembly.h"
#include "hw/spec/error.h"

namespace vantage::isa {

std::string_view name(TokenQueue queue) {
  switch (queue) {
    case TokenQueue::kLoadToCompute: return "load->compute";
    case TokenQueue::kComputeToLoad: return "compute->load";
    case TokenQueue::kComputeToStore: return "compute->store";
    case TokenQueue::kStoreToCompute: return "store->compute";
  }
  return "?";
}

std::optional<TokenQueue> pop_prev_queue(Stage stage) {
  if (stage == Stage::kCompute) return TokenQueue::kLoadToCompute;
  if (stage == Stage::kStore) return TokenQueue::kComputeToStore;
  return std::nullopt;
}

std::optional<TokenQueue> pop_next_queue(Stage stage) {
  if (stage == Stage::kLoad) return TokenQueue::kComputeToLoad;
  if (stage == Stage::kCompute) return TokenQueue::kStoreToCompute;
  return std::nullopt;
}

std::optional<TokenQueue> push_prev_queue(Stage stage) {
  if (stage == Stage::kCompute) return TokenQueue::kComputeToLoad;
  if (stage == Stage::kStore) return TokenQueue::kStoreToCompute;
  return std::nullopt;
}

std::optional<TokenQueue> push_next_queue(Stage stage) {
  if (stage == Stage::kLoad) return TokenQueue::kLoadToCompute;
  if (stage == Stage::kCompute) return TokenQueue::kComputeToStore;
  return std::nullopt;
}

std::optional<TokenQueue> TokenCounts::blocked_on(const Insn& insn) const {
  const Deps& d = deps(insn);
  const Stage s = stage(insn);
  for (const auto queue :
       {d.pop_prev ? pop_prev_queue(s) : std::nullopt, d.pop_next ? pop_next_queue(s) : std::nullopt}) {
    if (queue && count(*queue) == 0) return queue;
  }
  return std::nullopt;
}

void TokenCounts::pop_for(const Insn& insn) {
  const Deps& d = deps(insn);
  const Stage s = stage(insn);
  for (const auto queue :
       {d.pop_prev ? pop_prev_queue(s) : std::nullopt, d.pop_next ? pop_next_queue(s) : std::nullopt}) {
    if (!queue) continue;
    VANTAGE_CHECK(count(*queue) > 0);
    --counts_[static_cast<size_t>(*queue)];
  }
}

void TokenCounts::push_for(const Insn& insn) {
  const Deps& d = deps(insn);
  const Stage s = stage(insn);
  for (const auto queue :
       {d.push_prev ? push_prev_queue(s) : std::nullopt, d.push_next ? push_next_queue(s) : std::nullopt}) {
    if (queue) ++counts_[static_cast<size_t>(*queue)];
  }
}

std::string TokenCounts::leftover() const {
  std::string text;
  for (TokenQueue queue : kAllTokenQueues) {
    if (count(queue) == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name(queue), count(queue));
  }
  return text;
}

TokenReport run_tokens(std::span<const Insn> insns) {
  std::array<std::vector<size_t>, kAllStages.size()> queues;
  for (size_t i = 0; i < insns.size(); ++i) {
    queues[static_cast<size_t>(stage(insns[i]))].push_back(i);
    if (std::holds_alternative<Finish>(insns[i])) break;
  }
  TokenReport report;
  std::array<size_t, kAllStages.size()> next{};
  bool moved = true;
  while (moved) {
    moved = false;
    for (size_t s = 0; s < queues.size(); ++s) {
      while (next[s] < queues[s].size() && !report.leftover.blocked_on(insns[queues[s][next[s]]])) {
        const Insn& insn = insns[queues[s][next[s]++]];
        report.leftover.pop_for(insn);
        report.leftover.push_for(insn);
        moved = true;
      }
    }
  }
  for (Stage s : kAllStages) {
    const auto& queue = queues[static_cast<size_t>(s)];
    const size_t at = next[static_cast<size_t>(s)];
    if (at < queue.size()) report.deadlock.push_back({s, queue[at], *report.leftover.blocked_on(insns[queue[at]])});
  }
  return report;
}

std::string deadlock_message(std::span<const BlockedStage> deadlock, std::span<const Insn> insns) {
  std::string text = "deadlock: ";
  for (size_t i = 0; i < deadlock.size(); ++i) {
    text += fmt::format("{}the {} stage waits at instruction {} ({}) for a {} token", i == 0 ? "" : "; ",
                        name(deadlock[i].stage), deadlock[i].insn, disassemble(insns[deadlock[i].insn]),
                        name(deadlock[i].queue));
  }
  return text + "; no stage that is still running pushes one";
}

}  // namespace vantage::isa
