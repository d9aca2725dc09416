// The core's timing: how many of everything may be under way, and the cycles from one event to the next. The one table:
// the RTL's package and the table in docs/hardware.md are generated from it; the SystemC machine, the token simulation
// and the compiler's estimates read it. Where the RTL cannot take a latency as a parameter, because it is a number of
// registers, an assertion at elaboration ties the two.
//
// How the stages follow these numbers is told in docs/hardware.md; tests/sim/systemc/timing_rules_test.cpp checks each
// rule on both timed machines.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace vantage::isa {

// A moment: the number of a clock cycle, counted from the first of a run, which is 0. The difference of two moments is
// a plain count of cycles, which may be added to one; two moments have no sum, and nothing else becomes a moment
// unsaid.
class Cycle {
 public:
  constexpr Cycle() = default;
  constexpr explicit Cycle(uint64_t number) : number_(number) {}

  constexpr uint64_t number() const { return number_; }

  constexpr auto operator<=>(const Cycle&) const = default;
  constexpr Cycle& operator+=(uint64_t cycles) {
    number_ += cycles;
    return *this;
  }
  friend constexpr Cycle operator+(Cycle cycle, uint64_t cycles) { return Cycle(cycle.number_ + cycles); }
  friend constexpr Cycle operator-(Cycle cycle, uint64_t cycles) { return Cycle(cycle.number_ - cycles); }
  friend constexpr uint64_t operator-(Cycle later, Cycle earlier) { return later.number_ - earlier.number_; }

 private:
  uint64_t number_ = 0;
};

// Later than every other.
inline constexpr Cycle kNever{UINT64_MAX};

namespace timing {

// How many may be under way, each in the unit that kTimings gives.
inline constexpr unsigned kBurstBeats = 16;
inline constexpr unsigned kReadBursts = 16;
inline constexpr unsigned kWriteBursts = 16;
inline constexpr unsigned kFetchBeats = 64;
inline constexpr unsigned kDmaBeats = 128;
inline constexpr unsigned kStoreBeats = 8;
inline constexpr unsigned kWaitingLoads = 4;
inline constexpr unsigned kStores = 4;
inline constexpr unsigned kComputeInsns = 16;
inline constexpr unsigned kQueueDepth = 512;

// Cycles from one event to the next.
inline constexpr unsigned kAddressShown = 1;
inline constexpr unsigned kBeatToBuffer = 2;
inline constexpr unsigned kQueueLatency = 1;
inline constexpr unsigned kTokenLatency = 1;
inline constexpr unsigned kTransferSlot = 3;
inline constexpr unsigned kCheckBegins = 1;
inline constexpr unsigned kFinishCheck = 1;
inline constexpr unsigned kTransferCheck = 2;
inline constexpr unsigned kLoopCheck = 1;
inline constexpr unsigned kCheckToIssue = 1;
inline constexpr unsigned kGemmFirstStep = 1;
inline constexpr unsigned kVectorFirstStep = 3;
inline constexpr unsigned kSourceRead = 1;
inline constexpr unsigned kMulWait = 1;
inline constexpr unsigned kGemmHalvesFree = 4;
inline constexpr unsigned kGemmEnd = 6;
inline constexpr unsigned kVectorHalvesFree = 3;
inline constexpr unsigned kVectorEnd = 5;
inline constexpr unsigned kEmptyEnd = 1;
inline constexpr unsigned kLoadRelease = 1;
inline constexpr unsigned kFirstBurst = 1;
inline constexpr unsigned kTurn = 1;
inline constexpr unsigned kFirstWalk = 1;
inline constexpr unsigned kWalkToWrite = 1;
inline constexpr unsigned kFirstRead = 1;
inline constexpr unsigned kStorePack = 2;
inline constexpr unsigned kAddressToData = 1;
inline constexpr unsigned kDataShown = 1;
inline constexpr unsigned kResponseToEnd = 1;
inline constexpr unsigned kStop = 1;

// No property of the core, but of the memory beside it: what estimates assume, and what the memory setting M64 has.
inline constexpr unsigned kMemoryLatency = 64;

}  // namespace timing

// A row of the table. Its name in capitals is also the RTL's parameter: QUEUE_DEPTH is vta_pkg::QueueDepth.
struct Timing {
  std::string_view name;
  unsigned value;
  std::string_view unit;
  std::string_view meaning;
};

inline constexpr std::array kTimings = {
    Timing{"BURST_BEATS", timing::kBurstBeats, "beats",
           "of the longest burst; rows are cut where addresses pass a multiple of so many beats"},
    Timing{"READ_BURSTS", timing::kReadBursts, "bursts", "reads under way at most, of all that ask"},
    Timing{"WRITE_BURSTS", timing::kWriteBursts, "bursts", "writes under way at most"},
    Timing{"FETCH_BEATS", timing::kFetchBeats, "beats", "asked for by fetch and not taken out of its buffer, at most"},
    Timing{"DMA_BEATS", timing::kDmaBeats, "beats", "asked for by a stage's read DMA and not written, at most"},
    Timing{"STORE_BEATS", timing::kStoreBeats, "beats",
           "read from the scratchpad by the store stage and not sent, at most"},
    Timing{"WAITING_LOADS", timing::kWaitingLoads, "loads",
           "issued by a stage and waiting behind the one whose turn it is, at most"},
    Timing{"STORES", timing::kStores, "stores", "issued and not retired, at most"},
    Timing{"COMPUTE_INSNS", timing::kComputeInsns, "instructions",
           "issued by the compute stage and not retired, at most"},
    Timing{"QUEUE_DEPTH", timing::kQueueDepth, "instructions",
           "of a stage that are dispatched and not issued, at most"},
    Timing{"ADDRESS_SHOWN", timing::kAddressShown, "cycles",
           "from a burst's grant, or from its turn to be written, to the first in which memory is shown its address"},
    Timing{"BEAT_TO_BUFFER", timing::kBeatToBuffer, "cycles",
           "from the one in which memory gives a beat to the first in which its buffer gives it on"},
    Timing{"QUEUE_LATENCY", timing::kQueueLatency, "cycles",
           "from an instruction's dispatch to the first in which it can leave its queue"},
    Timing{"TOKEN_LATENCY", timing::kTokenLatency, "cycles",
           "from a token's push to the first in which it can be popped"},
    Timing{"TRANSFER_SLOT", timing::kTransferSlot, "cycles",
           "load and store stage: from leaving the queue to the first in which a transfer can be issued"},
    Timing{"CHECK_BEGINS", timing::kCheckBegins, "cycles",
           "compute stage: from leaving the queue to the beginning of the check"},
    Timing{"FINISH_CHECK", timing::kFinishCheck, "cycles", "that the check of FINISH takes"},
    Timing{"TRANSFER_CHECK", timing::kTransferCheck, "cycles", "that the check of a load takes"},
    Timing{"LOOP_CHECK", timing::kLoopCheck, "cycles",
           "that the check of GEMM and ALU takes beside one for each micro-op, and one where there is no step"},
    Timing{"CHECK_TO_ISSUE", timing::kCheckToIssue, "cycles",
           "compute stage: from leaving the check to the first in which an instruction can be issued"},
    Timing{"GEMM_FIRST_STEP", timing::kGemmFirstStep, "cycles", "from the issue of a nest to GEMM's first step"},
    Timing{"VECTOR_FIRST_STEP", timing::kVectorFirstStep, "cycles",
           "from the issue of a nest to the vector engine's first step"},
    Timing{"SOURCE_READ", timing::kSourceRead, "cycles",
           "that a step takes more when it reads its source, as the accumulators have one read port"},
    Timing{"MUL_WAIT", timing::kMulWait, "cycles",
           "that a step waits right behind a step of MUL, unless it reads its source meanwhile"},
    Timing{"GEMM_HALVES_FREE", timing::kGemmHalvesFree, "cycles",
           "from GEMM's last step to the first issue on another engine that touches its accumulator halves"},
    Timing{"GEMM_END", timing::kGemmEnd, "cycles", "from GEMM's last step to its last write, with which it ends"},
    Timing{
        "VECTOR_HALVES_FREE", timing::kVectorHalvesFree, "cycles",
        "from the vector engine's last step to the first issue on another engine that touches its accumulator halves"},
    Timing{"VECTOR_END", timing::kVectorEnd, "cycles",
           "from the vector engine's last step to its last write, with which it ends"},
    Timing{"EMPTY_END", timing::kEmptyEnd, "cycles",
           "compute stage: from the issue to the end of what has neither steps nor bytes"},
    Timing{"LOAD_RELEASE", timing::kLoadRelease, "cycles",
           "from a load's end until its accumulator halves are free, and its micro-ops can be read by the check"},
    Timing{"FIRST_BURST", timing::kFirstBurst, "cycles", "from a transfer's issue until it asks for its first burst"},
    Timing{"TURN", timing::kTurn, "cycles", "from a load's issue until its turn to be written comes, at the earliest"},
    Timing{"FIRST_WALK", timing::kFirstWalk, "cycles",
           "from a load's turn to the first in which a beat leaves its buffer, or a zero is made"},
    Timing{"WALK_TO_WRITE", timing::kWalkToWrite, "cycles", "from there to its write"},
    Timing{"FIRST_READ", timing::kFirstRead, "cycles", "from a store's issue to the first read of the scratchpad"},
    Timing{"STORE_PACK", timing::kStorePack, "cycles",
           "from the read of a store's beat to the first in which it can be sent"},
    Timing{"ADDRESS_TO_DATA", timing::kAddressToData, "cycles",
           "from the one in which a write's address is sent to the first in which its data can be sent"},
    Timing{"DATA_SHOWN", timing::kDataShown, "cycles",
           "from the one in which a beat is sent to the first in which memory is shown it"},
    Timing{"RESPONSE_TO_END", timing::kResponseToEnd, "cycles",
           "from the response to a store's last burst to the store's end"},
    Timing{"STOP", timing::kStop, "cycles", "from a failure to the first in which nothing is issued any more"},
};

// What estimates assume; no part of the RTL.
inline constexpr std::array kAssumedTimings = {
    Timing{"MEMORY_LATENCY", timing::kMemoryLatency, "cycles",
           "from a burst's address to its first beat, or from its last beat to the response, as estimates assume it"},
};

// Both as the Markdown table of docs/hardware.md.
std::string timing_table();

// The rules that are sums of some of these.
namespace timing {

// A beat that memory gives in cycle `given` lies in its buffer from then on.
constexpr Cycle in_buffer(Cycle given) {
  return given + kBeatToBuffer;
}

// An instruction dispatched in cycle `dispatched` leaves its queue no sooner than this.
constexpr Cycle leaves_queue(Cycle dispatched) {
  return dispatched + kQueueLatency;
}

// A token pushed in cycle `pushed` can be popped from then on.
constexpr Cycle token_available(Cycle pushed) {
  return pushed + kTokenLatency;
}

// Load and store stage: a transfer that leaves the queue in cycle `taken` can be issued from then on.
constexpr Cycle transfer_ready(Cycle taken) {
  return taken + kTransferSlot;
}

// Compute stage: the check of an instruction begins after it has left the queue. From when on an instruction whose
// check begins in cycle `begun` can leave it, and from when on one that left the check can be issued.
constexpr Cycle check_begins(Cycle taken) {
  return taken + kCheckBegins;
}
constexpr Cycle finish_checked(Cycle begun) {
  return begun + kFinishCheck;
}
constexpr Cycle transfer_checked(Cycle begun) {
  return begun + kTransferCheck;
}
// `uops`: micro-ops that the check reads; none for a loop without a step.
constexpr Cycle loop_checked(Cycle begun, uint64_t uops) {
  return begun + kLoopCheck + (uops == 0 ? 1 : uops);
}
constexpr Cycle issued_after_check(Cycle left) {
  return left + kCheckToIssue;
}

// What the steps of a nest take on the engine that makes them. REQUIRES: there is a step.
struct NestSteps {
  uint64_t steps = 0;
  uint64_t source_reads = 0;
  bool is_mul = false;

  // Cycles in which the first step's source is read, and those from the first step to the last. A step that reads no
  // source waits behind a step of MUL.
  constexpr uint64_t before_first() const { return source_reads == 0 ? 0 : kSourceRead; }
  constexpr uint64_t behind_first() const {
    const uint64_t reading = source_reads == 0 ? 0 : source_reads - 1;
    return steps - 1 + reading * kSourceRead + (is_mul ? (steps - 1 - reading) * kMulWait : 0);
  }
};

// The pipelines that make steps, in cycles.
struct Pipeline {
  unsigned first_step;   // from the issue of a nest to its first step, at the earliest
  unsigned halves_free;  // from its last step until other engines may touch its accumulator halves
  unsigned ends;         // from its last step to its last write
};
inline constexpr Pipeline kGemm = {kGemmFirstStep, kGemmHalvesFree, kGemmEnd};
inline constexpr Pipeline kVector = {kVectorFirstStep, kVectorHalvesFree, kVectorEnd};

// A nest may be issued in a cycle after the first step of the one before on the same engine.
constexpr Cycle after_first_step(Cycle first_step) {
  return first_step + 1;
}

// Compute stage: the end of what has neither steps nor bytes.
constexpr Cycle nothing_ends(Cycle issued) {
  return issued + kEmptyEnd;
}

// A load that ends in cycle `ended` frees its halves, and micro-ops for the check, then.
constexpr Cycle after_load(Cycle ended) {
  return ended + kLoadRelease;
}

// A transfer asks for its first burst then. A load takes its turn no sooner than turn(), and its first write follows
// its turn; one that moves nothing ends in that cycle.
//
// Beats leave their buffer and zeros are made (both are walked) in the order of the turns; each is written some cycles
// later.
constexpr Cycle first_burst(Cycle issued) {
  return issued + kFirstBurst;
}
constexpr Cycle turn(Cycle issued) {
  return issued + kTurn;
}
constexpr Cycle first_walk(Cycle turn) {
  return turn + kFirstWalk;
}
constexpr Cycle written(Cycle walked) {
  return walked + kWalkToWrite;
}

// Stores: when the first beat is read; when a beat that was read can be sent, which is no sooner than after_address()
// of its burst.
constexpr Cycle first_read(Cycle issued) {
  return issued + kFirstRead;
}
constexpr Cycle packed(Cycle read) {
  return read + kStorePack;
}
constexpr Cycle after_address(Cycle sent) {
  return sent + kAddressToData;
}

// The port's side: when memory is shown an address that was granted or sent, and a beat that was sent; the end of a
// store whose last response comes.
constexpr Cycle address_shown(Cycle sent) {
  return sent + kAddressShown;
}
constexpr Cycle data_shown(Cycle sent) {
  return sent + kDataShown;
}
constexpr Cycle store_ends(Cycle response) {
  return response + kResponseToEnd;
}

// A run that fails in cycle `failed` issues nothing from then on; fetch stops as it does after a FINISH in that cycle.
constexpr Cycle stops_after(Cycle failed) {
  return failed + kStop;
}

// Sums for estimates of whole layers, in cycles. They are rough: a few cycles of a tile are nothing beside its loads.
//
// What a transfer takes beside its beats and the memory's latency: from its dispatch to the issue of an instruction
// that waits for its token.
inline constexpr unsigned kTransferOverhead = kQueueLatency + kTransferSlot + kFirstBurst + kAddressShown +
                                              kBeatToBuffer + kWalkToWrite + kTokenLatency + kCheckToIssue;

}  // namespace timing

}  // namespace vantage::isa
