// What a machine recorded of a run, beside its result: the source of timelines and waves.
//
// Thread safety: functions without state.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "hw/isa/insn.h"
#include "sim/machine.h"

namespace vantage::sim {

// What does the work of an instruction, each one instruction at a time.
enum class Engine : uint8_t {
  kLoadDma,     // of the load stage: inputs and weights
  kComputeDma,  // of the compute stage: micro-ops and accumulators
  kGemm,
  kAlu,
  kStore,
};
inline constexpr std::array kAllEngines = {Engine::kLoadDma, Engine::kComputeDma, Engine::kGemm, Engine::kAlu,
                                           Engine::kStore};
std::string_view name(Engine engine);  // "load DMA", "compute DMA", "GEMM core", "ALU", "store"

// The cycles in which an engine worked on an instruction: from its first write, step or beat to its last. A DMA's begin
// with its turn, so that it is seen to wait for memory. Between the last and the retirement lie the rest of a pipeline,
// a write's response, and the instructions before it that have not retired.
struct EngineWork {
  uint32_t insn;
  Engine engine;
  Cycles first, last;
};

// A burst on the bus: the cycles of its first and last beat, and its bytes, whole beats.
struct BusBurst {
  Cycles first, last;
  Bytes bytes;
  bool is_write;
};

// Cycles in which a stage was busy: `count` of them, `step` apart. Those of one stage may share cycles.
struct StageBusy {
  isa::Stage stage;
  Cycles first;
  uint64_t step, count;
};

// Cycles in which a stage's next instruction lacked nothing but a token. Those of one stage share none.
struct TokenWait {
  isa::Stage stage;
  Cycles first, last;
};

// The entries of a scratchpad that an instruction writes or reads: all from the lowest to the highest, also where it
// leaves some between them out.
struct ScratchpadUse {
  uint32_t insn;
  isa::Memory memory;  // kUop, kWgt, kInp, or kAcc for all that are kept there
  uint32_t first, count;
  bool writes;
};

// What a machine does not record is empty: the published one has no bursts, and nothing that follows them here.
struct RecordedRun {
  const RunResult& result;                      // with cycles and retire records
  std::span<const isa::Insn> insns;             // by the index that records have
  std::span<const EngineWork> work;             // of each engine in the order of time
  std::span<const BusBurst> bursts;             // in the order of time, each direction for itself
  std::span<const StageBusy> busy = {};         // in no order; with `token_waits` exactly what RunResult::stages counts
  std::span<const TokenWait> token_waits = {};  // of each stage in the order of time
  std::span<const ScratchpadUse> uses = {};     // in the order in which instructions were issued
};

// Told of every run while it can be looked at.
using RunObserver = std::function<void(const RecordedRun&)>;

// How much a count gains or loses, by cycle.
using Changes = std::map<uint64_t, int64_t>;

// How many commands wait in every stage's queue, how many tokens in every queue of tokens that was used, and how many
// instructions of every stage have ended on their engine and wait to retire: "load commands", "load->compute tokens",
// "load done".
std::map<std::string, Changes> fills(const RecordedRun& run);

}  // namespace vantage::sim
