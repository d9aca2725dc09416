// Dependence tokens between the stages (docs/isa.md section 3). Pops and pushes do not depend on data, and each stage
// runs in order, so whether a program deadlocks is a property of its instructions alone: every interleaving that
// obeys the queues ends in the same state.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "hw/isa/command_queues.h"
#include "hw/isa/insn.h"

namespace vantage::isa {

// The four queues, named producer to consumer.
enum class TokenQueue : uint8_t { kLoadToCompute, kComputeToLoad, kComputeToStore, kStoreToCompute };
inline constexpr std::array kAllTokenQueues = {TokenQueue::kLoadToCompute, TokenQueue::kComputeToLoad,
                                               TokenQueue::kComputeToStore, TokenQueue::kStoreToCompute};
std::string_view name(TokenQueue queue);  // "load->compute", ...

// The queues that an instruction of `stage` touches for each bit of its Deps; none where there is no neighbour.
std::optional<TokenQueue> pop_prev_queue(Stage stage);
std::optional<TokenQueue> pop_next_queue(Stage stage);
std::optional<TokenQueue> push_prev_queue(Stage stage);
std::optional<TokenQueue> push_next_queue(Stage stage);

// How many tokens are in each queue. A run starts with none.
class TokenCounts {
 public:
  TokenCounts() = default;
  // By TokenQueue.
  explicit TokenCounts(const std::array<uint64_t, kAllTokenQueues.size()>& counts) : counts_(counts) {}

  // The first queue that `insn` would have to wait for, or none when it may start.
  std::optional<TokenQueue> blocked_on(const Insn& insn) const;
  void pop_for(const Insn& insn);   // REQUIRES: blocked_on(insn) is none
  void push_for(const Insn& insn);  // when the instruction completes

  uint64_t count(TokenQueue queue) const { return counts_[static_cast<size_t>(queue)]; }
  // "load->compute 1, store->compute 2", or empty when no token is left.
  std::string leftover() const;

 private:
  std::array<uint64_t, kAllTokenQueues.size()> counts_{};
};

// A stage whose next instruction waits for a token that never comes.
struct BlockedStage {
  Stage stage;
  size_t insn;
  TokenQueue queue;
};

// Why nothing moves: the stages that wait, and the instruction that waits for room in its stage's queue, if fetch is
// stuck as well.
struct Deadlock {
  std::vector<BlockedStage> stages;  // empty when there is none
  std::optional<size_t> stuck_insn;
  explicit operator bool() const { return !stages.empty(); }
};
// REQUIRES: no stage can issue.
Deadlock find_deadlock(const CommandQueues& queues, const TokenCounts& tokens, std::span<const Insn> insns);

struct TokenReport {
  Deadlock deadlock;
  TokenCounts leftover;  // tokens still queued at the end
};

// Runs the tokens of `insns` (up to and including the first FINISH) without executing anything. Throws Stopped
// (base/stop.h) when told to stop.
TokenReport run_tokens(std::span<const Insn> insns, const std::stop_token& stop = {});

// "deadlock: the compute stage waits at instruction 4 (gemm ...) for a load->compute token; ..."
std::string deadlock_message(const Deadlock& deadlock, std::span<const Insn> insns);
// The same where not all instructions are at hand: `insn` gives those that the deadlock names. `text` says how each
// reads, if not as disassemble() has it.
std::string deadlock_message(const Deadlock& deadlock, const std::function<const Insn&(size_t index)>& insn,
                             const std::function<std::string(size_t index)>& text = {});

}  // namespace vantage::isa
