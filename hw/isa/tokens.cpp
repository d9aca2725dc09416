#include "hw/isa/tokens.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/stop.h"
#include "hw/isa/disassemble.h"
#include "hw/isa/timing.h"

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

Deadlock find_deadlock(const CommandQueues& queues, const TokenCounts& tokens, std::span<const Insn> insns) {
  Deadlock deadlock;
  for (Stage s : kAllStages) {
    if (const auto head = queues.head(s)) deadlock.stages.push_back({s, *head, *tokens.blocked_on(insns[*head])});
  }
  deadlock.stuck_insn = queues.stuck();
  return deadlock;
}

TokenReport run_tokens(std::span<const Insn> insns, const std::stop_token& stop) {
  CommandQueues queues(insns);
  TokenReport report;
  bool moved = true;
  while (moved) {
    moved = false;
    for (Stage s : kAllStages) {
      for (auto head = queues.head(s); head && !report.leftover.blocked_on(insns[*head]); head = queues.head(s)) {
        require_going_on(stop);
        report.leftover.pop_for(insns[*head]);
        report.leftover.push_for(insns[*head]);
        queues.issue(s);
        moved = true;
      }
    }
  }
  report.deadlock = find_deadlock(queues, report.leftover, insns);
  return report;
}

std::string deadlock_message(const Deadlock& deadlock, std::span<const Insn> insns) {
  return deadlock_message(deadlock, [&](size_t index) -> const Insn& { return insns[index]; });
}

std::string deadlock_message(const Deadlock& deadlock, const std::function<const Insn&(size_t)>& insn,
                             const std::function<std::string(size_t)>& text_of) {
  std::string text;
  for (size_t i = 0; i < deadlock.stages.size(); ++i) {
    const BlockedStage& blocked = deadlock.stages[i];
    text += fmt::format("{}the {} stage waits at instruction {} ({}) for a {} token", i == 0 ? "" : "; ",
                        name(blocked.stage), blocked.insn,
                        text_of ? text_of(blocked.insn) : disassemble(insn(blocked.insn)), name(blocked.queue));
  }
  text += "; no stage that is still running pushes one";
  if (deadlock.stuck_insn) {
    text +=
        fmt::format(", and instruction {} and all after it stay outside because {} instructions of the {} stage wait",
                    *deadlock.stuck_insn, timing::kQueueDepth, name(stage(insn(*deadlock.stuck_insn))));
  }
  return text;
}

}  // namespace vantage::isa
